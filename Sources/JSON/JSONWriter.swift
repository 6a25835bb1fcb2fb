/// Writes JSON on one line into a buffer that is kept between messages.
///
/// Members come out in the order of the calls. Nothing is allocated once the buffer has grown to the size of the
/// messages. Commas and colons are the writer's business; that every `begin` has its `end` is the caller's.
public struct JSONWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty writer with room for that many bytes.
    public init(reserving capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    /// Forgets what was written and keeps the room.
    public mutating func reset() { bytes.removeAll(keepingCapacity: true) }

    /// What has been written, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Objects and arrays

    /// Opens an object.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    /// Closes the object opened last.
    public mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    /// Opens an array.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    /// Closes the array opened last.
    public mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// Writes an object whose members `body` writes.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes an array whose elements `body` writes.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        beginArray()
        body(&self)
        endArray()
    }

    /// Starts a member with a name of ours, which needs no escape.
    public mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Starts a member with any name.
    public mutating func key(text name: String) {
        separate()
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Ends a line, so that the next text starts on its own.
    public mutating func newline() { bytes.append(UInt8(ascii: "\n")) }

    // MARK: Values

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        appendQuoted(text)
    }

    /// Writes a whole number.
    @inlinable
    public mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        integer(isNegative: value < 0, UInt64(truncatingIfNeeded: value.magnitude))
    }

    /// Not generic, and the generic one inlined: in another module that asks for every operation at run time.
    @usableFromInline
    mutating func integer(isNegative: Bool, _ magnitude: UInt64) {
        separate()
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        appendDigits(magnitude, atLeast: 1)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { literal("null") }

    /// Writes a number with at most that many decimals (0…9), zeros at its end left out: 1.9, -67, 0.02.
    ///
    /// It is the decimal nearest to the double's exact value, a tie away from zero. Minus zero is 0; what is infinite
    /// or not a number is `null`, for JSON knows neither.
    public mutating func number(_ value: Double, decimals: Int) {
        guard value.isFinite else { return null() }
        guard let fixed = FixedPoint(value, decimals: decimals) else { return shortest(value) }
        separate()
        if fixed.isNegative { bytes.append(UInt8(ascii: "-")) }
        appendDigits(fixed.whole, atLeast: 1)
        if fixed.decimals > 0 {
            bytes.append(UInt8(ascii: "."))
            appendDigits(fixed.fraction, atLeast: fixed.decimals)
        }
    }

    /// Writes a value with its members in their order.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let bool): self.bool(bool)
        case .number(let number):
            separate()
            bytes.append(contentsOf: number.literal.utf8)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                key(text: member.name)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// Writes a string of characters that need no escape: neither quotation marks nor backslashes, from 20 to 7F.
    public mutating func string(plain text: UnsafeBufferPointer<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a JSON text that is one already, such as a payload.
    public mutating func raw(_ text: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
    }

    // MARK: Bytes

    /// Writes the shortest form that gives the double back; the caller has made sure that it is finite.
    mutating func shortest(_ value: Double) {
        separate()
        ShortestDecimal(value)?.append(to: &bytes)
    }

    private mutating func literal(_ word: StaticString) {
        separate()
        word.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Writes a comma, unless what stands before opens something; no other state is needed for it.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "\n"): return
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    /// Writes a number in so many digits at least, 1 to 20.
    private mutating func appendDigits(_ value: UInt64, atLeast width: Int) {
        // The last digit comes first: they are put together backwards and appended in one piece.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.mostDigits) { digits in
            var place = Self.mostDigits
            var rest = value
            while rest > 0 || place > Self.mostDigits - width {
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
        }
    }

    /// 2^64 has twenty.
    private static let mostDigits = 20

    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        // A native string gives its bytes in place.
        var text = text
        text.withUTF8 { utf8 in
            var plain = 0
            for (index, byte) in utf8.enumerated() where Self.needsEscape(byte) {
                bytes.append(contentsOf: utf8[plain..<index])
                appendEscape(of: byte)
                plain = index + 1
            }
            bytes.append(contentsOf: utf8[plain...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// RFC 8259, section 7: these must be escaped, and RFC 8785 wants nothing else to be.
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscape(of byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case ..<0x20:
            for character in "u00".utf8 { bytes.append(character) }
            for nibble in [byte >> 4, byte & 0xF] {
                bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
            }
        default: bytes.append(byte)
        }
    }
}
