/// The checksum of packets on the air. Core Spec Vol 6 Part B 3.1.1
enum CRC24 {
    /// What it starts with on the advertising channels, 0x555555, in the order of the register below.
    private static let advertisingStart: UInt32 = 0xAA_AAAA
    /// x²⁴ + x¹⁰ + x⁹ + x⁶ + x⁴ + x³ + x + 1, bits in the order in which they are sent.
    private static let polynomial: UInt32 = 0xDA_6000

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { register, _ in
            register & 1 == 0 ? register >> 1 : register >> 1 ^ polynomial
        }
    }

    /// The checksum of a PDU of the advertising channels as the little-endian number that follows it in captures.
    static func advertising(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        bytes.reduce(advertisingStart) { register, byte in
            register >> 8 ^ table[Int((register ^ UInt32(byte)) & 0xFF)]
        }
    }
}
