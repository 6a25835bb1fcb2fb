/// Beacon formats count most significant byte first, the packets around them least significant byte first.
///
/// None of these looks whether the bytes are there: each format checks its length once and reads after that.
extension UnsafeRawBufferPointer {
    /// The integer whose most significant byte is at `offset`.
    @inline(__always)
    func bigEndian<Integer: FixedWidthInteger>(at offset: Int, as type: Integer.Type = Integer.self) -> Integer {
        Integer(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// The integer whose least significant byte is at `offset`.
    @inline(__always)
    func littleEndian<Integer: FixedWidthInteger>(at offset: Int, as type: Integer.Type = Integer.self) -> Integer {
        Integer(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}

extension [UInt8] {
    /// Appends the integer, most significant byte first.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}

extension FixedWidthInteger {
    /// The integer's bytes, most significant first.
    var bigEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: self)
        return bytes
    }
}
