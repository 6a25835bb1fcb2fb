/// The checksum of packets on the air. Core Spec Vol 6 Part B 3.1.1
enum CRC24 {
    /// What it starts with on the advertising channels, 0x555555, in the order of the register below.
    private static let advertisingStart: UInt32 = 0xAA_AAAA
    /// x²⁴ + x¹⁰ + x⁹ + x⁶ + x⁴ + x³ + x + 1, bits in the order in which they are sent.
    private static let polynomial: UInt32 = 0xDA_6000

    /// Four tables of 256: what a byte does to the register when none, one, two or three bytes follow it.
    ///
    /// So four bytes are one step. Byte by byte each step waits for the one before, and the checksum of an advert took
    /// longer than everything else about it.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { register, _ in
                register & 1 == 0 ? register >> 1 : register >> 1 ^ polynomial
            }
        }
        for index in 256..<1024 {
            let before = tables[index - 256]
            tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
        }
        return tables
    }()

    /// The checksum of a PDU of the advertising channels as the little-endian number that follows it in captures.
    static func advertising(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var register = advertisingStart
            var place = 0
            while place + 4 <= bytes.count {
                let word =
                    register ^ UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                register =
                    tables[768 + Int(word & 0xFF)] ^ tables[512 + Int(word >> 8 & 0xFF)]
                    ^ tables[256 + Int(word >> 16 & 0xFF)] ^ tables[Int(word >> 24)]
                place += 4
            }
            while place < bytes.count {
                register = register >> 8 ^ tables[Int((register ^ UInt32(bytes[place])) & 0xFF)]
                place += 1
            }
            return register
        }
    }
}
