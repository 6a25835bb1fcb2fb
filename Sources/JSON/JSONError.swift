/// Why a text is not JSON, or not JSON that we take: where, and a sentence.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The sentence; printable ASCII only, whatever the text held.
    public let message: String
    /// The line, from 1; a line ends at a line feed.
    public let line: Int
    /// The column, from 1, in Unicode scalars.
    public let column: Int

    /// "3:7: a string is not closed".
    public var description: String { "\(line):\(column): \(message)" }

    /// Makes an error at a byte of the text.
    init(_ message: String, at offset: Int, of bytes: UnsafeBufferPointer<UInt8>) {
        self.message = message
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                // Bytes that continue a scalar do not count.
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}

/// Text from outside in a message: cut at 40 scalars, what is not printable ASCII as `\u{1B}`.
func shown(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(40) {
        result +=
            (" "..."~").contains(scalar)
            ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
    return text.unicodeScalars.count > 40 ? result + "..." : result
}
