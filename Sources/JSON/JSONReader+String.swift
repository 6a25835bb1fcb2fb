extension JSONReader {
    /// Reads a string from its opening quote on.
    mutating func string() throws(JSONError) -> String {
        let start = offset
        offset += 1
        var text = ""
        var plain = offset
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                text += String(decoding: bytes[plain..<offset], as: UTF8.self)
                offset += 1
                return text
            case UInt8(ascii: "\\"):
                text += String(decoding: bytes[plain..<offset], as: UTF8.self)
                offset += 1
                text.unicodeScalars.append(try escape())
                plain = offset
            case ..<0x20:
                throw error("a control character in a string must be written as an escape, found \(found)")
            default:
                offset += 1
            }
        }
        throw JSONError("a string is not closed", at: start, of: bytes)
    }

    /// Reads what follows a backslash.
    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = offset - 1
        guard let byte = peek else { throw error("a string is not closed") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try codeUnit(from: start)
            if let scalar = Unicode.Scalar(first) { return scalar }
            // RFC 8259, section 7: beyond the basic plane as a pair, the high surrogate first.
            guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                throw JSONError("half of a surrogate pair", at: start, of: bytes)
            }
            let second = try codeUnit(from: start)
            guard (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
            else { throw JSONError("half of a surrogate pair", at: start, of: bytes) }
            return scalar
        default: throw JSONError("a backslash must not be followed by this", at: start, of: bytes)
        }
    }

    private mutating func codeUnit(from start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw JSONError("\\u needs four hexadecimal digits", at: start, of: bytes)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}

/// Where bytes stop being UTF-8 (Unicode Standard, table 3-7: no overlong forms, no surrogates, nothing above
/// U+10FFFF); nil if they are all good.
func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var offset = 0
    while offset < bytes.count {
        let first = bytes[offset]
        if first < 0x80 {
            offset += 1
            continue
        }
        let count: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: count = 4
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: return offset
        }
        guard offset + count <= bytes.count, second.contains(bytes[offset + 1]),
            bytes[(offset + 2)..<(offset + count)].allSatisfy({ $0 & 0xC0 == 0x80 })
        else { return offset }
        offset += count
    }
    return nil
}
