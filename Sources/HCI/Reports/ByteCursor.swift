/// A place in bytes that came from outside: every read is checked, nil means that there are not so many left.
struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var remaining: Int { bytes.count - position }

    @inline(__always)
    mutating func byte() -> UInt8? {
        guard remaining >= 1 else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// A little-endian integer, as everything in HCI and on the air is.
    @inline(__always)
    mutating func little<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value? {
        integer(bigEndian: false)
    }

    /// An integer in the byte order of a capture file.
    @inline(__always)
    mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self, bigEndian: Bool) -> Value? {
        let size = MemoryLayout<Value>.size
        guard remaining >= size else { return nil }
        defer { position += size }
        let value = bytes.loadUnaligned(fromByteOffset: position, as: Value.self)
        return bigEndian ? Value(bigEndian: value) : Value(littleEndian: value)
    }

    /// A device address: 48 bits, least significant byte first.
    @inline(__always)
    mutating func address48() -> UInt64? {
        guard remaining >= 6, let low = little(UInt32.self), let high = little(UInt16.self) else { return nil }
        return UInt64(high) << 32 | UInt64(low)
    }

    /// The next `count` bytes, in place.
    @inline(__always)
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, remaining >= count else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// All that is left, in place.
    mutating func rest() -> UnsafeRawBufferPointer {
        defer { position = bytes.count }
        return UnsafeRawBufferPointer(rebasing: bytes[position...])
    }
}
