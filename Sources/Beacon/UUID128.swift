/// A UUID of sixteen bytes, as the beacon sends them: two big-endian halves, compared and hashed without the heap.
public struct UUID128: Hashable, Comparable, Sendable {
    /// The first eight bytes.
    public let high: UInt64

    /// The last eight bytes.
    public let low: UInt64

    /// The UUID of these two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The UUID that the text spells, as 8-4-4-4-12 digits with hyphens or as 32 digits, of any case and nothing else.
    public init?(_ text: String) {
        let characters = text.utf8
        let hyphenated = characters.count == Self.textLength
        guard hyphenated || characters.count == Self.digitCount else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (position, character) in characters.enumerated() {
            if hyphenated, Self.isHyphen(at: position) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Hexadecimal.value(of: character) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        self.init(high: high, low: low)
    }

    /// The sixteen bytes, most significant first.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        append(to: &bytes)
        return bytes
    }

    /// Appends the sixteen bytes, most significant first.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
    }

    /// Orders by the bytes, first one first.
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    private static let digitCount = 32
    private static let textLength = 36

    /// Whether the hyphenated text has a hyphen at this place.
    private static func isHyphen(at position: Int) -> Bool {
        position == 8 || position == 13 || position == 18 || position == 23
    }
}

extension UUID128: CustomStringConvertible {
    /// The UUID as 8-4-4-4-12 digits in lower case, the one way in which it is ever printed.
    public var description: String {
        String(unsafeUninitializedCapacity: Self.textLength) { text in
            write(to: text)
            return Self.textLength
        }
    }

    /// Calls `body` with the 36 characters of the description, valid during the call only; allocates nothing.
    public func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.textLength) { text in
            write(to: text)
            return body(UnsafeBufferPointer(text))
        }
    }

    private func write(to text: UnsafeMutableBufferPointer<UInt8>) {
        var (high, low) = (high, low)
        for position in 0..<Self.textLength {
            if Self.isHyphen(at: position) {
                text.initializeElement(at: position, to: UInt8(ascii: "-"))
            } else {
                text.initializeElement(at: position, to: Hexadecimal.digit(UInt8(high >> 60)))
                high = high << 4 | low >> 60
                low <<= 4
            }
        }
    }
}
