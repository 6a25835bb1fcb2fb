internal import Agent

/// Why a text is not bytes in hexadecimal digits. Columns count characters from 1.
enum HexMistake: Error, Equatable {
    case notADigit(Character, column: Int)
    case halfAByte(Character, column: Int)
    case tooLong

    /// The mistake in words.
    var sentence: String {
        switch self {
        case .notADigit(let character, let column):
            "\(quoted(String(character))) at column \(column) is not a hexadecimal digit"
        case .halfAByte(let digit, let column):
            "the digit \(quoted(String(digit))) at column \(column) stands alone; a byte is two digits"
        case .tooLong:
            "longer than \(HexText.longest) characters"
        }
    }
}

/// Bytes as people paste them: two digits each in any case, with spaces, tabs and colons between and `0x` before.
enum HexText {
    /// The longest text that is read: the longest advert (1,650 bytes) in the most spacious spelling, and as much again.
    static let longest = 16 * 1024

    static func bytes(_ text: [UInt8]) -> Result<[UInt8], HexMistake> {
        if text.count > longest { return .failure(.tooLong) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        /// The first digit of a byte, and where it is.
        var first: (value: UInt8, place: Int)?
        var isAtStart = true
        var place = 0
        while place < text.count {
            if isAtStart, text[place] == UInt8(ascii: "0"), place + 2 < text.count,
                text[place + 1] | 0x20 == UInt8(ascii: "x"), digit(text[place + 2]) != nil
            {
                place += 2
            }
            isAtStart = false
            if let value = digit(text[place]) {
                if let high = first {
                    bytes.append(high.value << 4 | value)
                    first = nil
                } else {
                    first = (value, place)
                }
            } else if isSeparator(text[place]) {
                if let first { return .failure(halfAByte(text, first.place)) }
                isAtStart = true
            } else {
                return .failure(.notADigit(character(text, place), column: column(text, place)))
            }
            place += 1
        }
        if let first { return .failure(halfAByte(text, first.place)) }
        return .success(bytes)
    }

    private static func halfAByte(_ text: [UInt8], _ place: Int) -> HexMistake {
        .halfAByte(character(text, place), column: column(text, place))
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The carriage return is that of a file with line ends of Windows.
    private static func isSeparator(_ character: UInt8) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ":")].contains(character)
    }

    /// The character that begins at a place; what is no UTF-8 is shown as U+FFFD.
    private static func character(_ text: [UInt8], _ place: Int) -> Character {
        String(decoding: text[place..<min(place + 4, text.count)], as: UTF8.self).unicodeScalars.first
            .map(Character.init) ?? " "
    }

    /// Because everything before is digits and separators, a byte is a character.
    private static func column(_ text: [UInt8], _ place: Int) -> Int { place + 1 }
}
