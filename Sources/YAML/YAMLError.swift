/// Why a text is not YAML, or not YAML that we take: where, and a sentence.
public struct YAMLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The sentence; printable ASCII only, whatever the text held.
    public let message: String
    /// Where it is.
    public let mark: YAMLMark

    /// "3:7: the quote is never closed".
    public var description: String { "\(mark.line):\(mark.column): \(message)" }

    /// Makes an error.
    public init(_ message: String, at mark: YAMLMark) {
        self.message = message
        self.mark = mark
    }
}

extension YAMLMark {
    /// Counts up to a byte; for errors of bytes, of which libyaml tells only the offset.
    init(offset: Int, in bytes: [UInt8]) {
        line = 1
        column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}

/// Text from outside in a message: cut at 40 scalars, what is not printable ASCII as `\u{1B}`.
func shown(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(40) {
        let code = String(scalar.value, radix: 16, uppercase: true)
        result += (" "..."~").contains(scalar) ? String(scalar) : "\\u{\(code)}"
    }
    return text.unicodeScalars.count > 40 ? result + "..." : result
}
