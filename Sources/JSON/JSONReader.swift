extension JSONValue {
    /// Reads one JSON text (RFC 8259), strictly.
    ///
    /// Beyond the RFC it refuses a byte order mark, names given twice, lone surrogates, numbers beyond a double and
    /// whatever is over the limits.
    public init(reading bytes: [UInt8], within limits: JSONLimits = .document) throws(JSONError) {
        let result = bytes.withUnsafeBufferPointer { (buffer) -> Result<JSONValue, JSONError> in
            do throws(JSONError) {
                var reader = JSONReader(bytes: buffer, limits: limits)
                return .success(try reader.text())
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }
}

/// A recursive descent over bytes that are known to be UTF-8.
struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let limits: JSONLimits
    var offset = 0
    private var depth = 0

    init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func text() throws(JSONError) -> JSONValue {
        if bytes.count > limits.bytes {
            throw JSONError("the text has \(bytes.count) bytes, \(limits.bytes) are allowed", at: 0, of: bytes)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONError("the text starts with a byte order mark", at: 0, of: bytes)
        }
        if let bad = firstInvalidUTF8(bytes) { throw JSONError("this is not UTF-8", at: bad, of: bytes) }
        skipSpace()
        if offset == bytes.count { throw error("the text is empty") }
        let value = try value()
        skipSpace()
        if offset < bytes.count { throw error("expected the end of the text, found \(found)") }
        return value
    }

    // MARK: Values

    private mutating func value() throws(JSONError) -> JSONValue {
        switch peek {
        case UInt8(ascii: "{"):
            return .object(try nested { (reader) throws(JSONError) in try reader.object() })
        case UInt8(ascii: "["):
            return .array(try nested { (reader) throws(JSONError) in try reader.array() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"): return .number(try number())
        case _ where isDigit: return .number(try number())
        default: throw error("expected a value, found \(found)")
        }
    }

    private mutating func nested<Value>(
        _ body: (inout JSONReader) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        if depth == limits.depth { throw error("arrays and objects are nested deeper than \(limits.depth)") }
        depth += 1
        offset += 1
        skipSpace()
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        var object = JSONObject()
        // Names that differ only in Unicode normalisation count as the same here, as they do to a reader.
        var names: Set<String> = []
        if take(UInt8(ascii: "}")) { return object }
        while true {
            guard peek == UInt8(ascii: "\"") else { throw error("expected a name in quotes, found \(found)") }
            let start = offset
            let name = try string()
            if !names.insert(name).inserted {
                throw JSONError("the name \"\(shown(name))\" is given twice", at: start, of: bytes)
            }
            skipSpace()
            if !take(UInt8(ascii: ":")) { throw error("expected ':' after the name, found \(found)") }
            skipSpace()
            object.append(name, try value())
            skipSpace()
            if take(UInt8(ascii: "}")) { return object }
            if !take(UInt8(ascii: ",")) { throw error("expected ',' or '}', found \(found)") }
            skipSpace()
            if peek == UInt8(ascii: "}") { throw error("a ',' before '}' is not allowed") }
        }
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            if !take(UInt8(ascii: ",")) { throw error("expected ',' or ']', found \(found)") }
            skipSpace()
            if peek == UInt8(ascii: "]") { throw error("a ',' before ']' is not allowed") }
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let end = offset + word.utf8CodeUnitCount
        let isThere = word.withUTF8Buffer { expected in
            end <= bytes.count && bytes[offset..<end].elementsEqual(expected)
        }
        if !isThere { throw error("expected a value, found a word that is none") }
        offset = end
        return value
    }

    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = offset
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if isDigit { throw JSONError("a number must not start with 0", at: start, of: bytes) }
        } else {
            try digits()
        }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let number = JSONNumber(unchecked: String(decoding: bytes[start..<offset], as: UTF8.self))
        if !number.double.isFinite { throw JSONError("the number is too large", at: start, of: bytes) }
        return number
    }

    private mutating func digits() throws(JSONError) {
        if !isDigit { throw error("expected a digit, found \(found)") }
        while isDigit { offset += 1 }
    }

    // MARK: Bytes

    /// The next byte; nil at the end.
    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private var isDigit: Bool {
        guard let byte = peek else { return false }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    mutating func take(_ byte: UInt8) -> Bool {
        if peek != byte { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    /// What stands at the offset, for a message.
    var found: String {
        guard offset < bytes.count else { return "the end of the text" }
        let rest = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
        guard let scalar = rest.unicodeScalars.first else { return "nothing" }
        if ("!"..."~").contains(scalar) { return "'\(scalar)'" }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    func error(_ message: String) -> JSONError { JSONError(message, at: offset, of: bytes) }
}
