/// A number as it was written, so that nothing is lost before somebody says what it shall be.
///
/// Two numbers are equal when they are written the same: `1` and `1.0` differ.
public struct JSONNumber: Hashable, Sendable {
    /// The number as JSON spells it: `-12`, `0.5`, `1e3`.
    public let literal: String

    /// Makes a whole number.
    public init(_ value: some BinaryInteger) { literal = String(value) }

    /// Takes a literal that the reader has looked at.
    init(unchecked literal: String) { self.literal = literal }

    /// Makes a number of its shortest decimal form (RFC 8785); nil if it is infinite or not a number.
    public init?(_ value: Double) {
        guard let digits = ShortestDecimal(value) else { return nil }
        var text: [UInt8] = []
        digits.append(to: &text)
        literal = String(decoding: text, as: UTF8.self)
    }

    /// The whole number, if it is written as one (no fraction, no exponent) and fits.
    public var integer: Int64? { Int64(literal) }

    /// The nearest double; always finite in what was read.
    public var double: Double { Double(literal) ?? .nan }
}
