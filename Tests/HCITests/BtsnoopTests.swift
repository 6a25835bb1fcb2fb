import HCI
import Testing

@Suite("Btsnoop")
struct BtsnoopTests {
    let time: Int64 = 1_700_000_000_123_456_000

    @Test("what is written is read again")
    func identity() {
        let packets: [([UInt8], CaptureDirection, CapturedContent<[UInt8]>)] = [
            ([1, 3, 0x0C, 0], .sent, .hciCommand([3, 0x0C, 0])),
            ([4, 0x0E, 4, 1, 3, 0x0C, 0], .received, .hciEvent([0x0E, 4, 1, 3, 0x0C, 0])),
            ([2, 0, 0, 0, 0], .sent, .hciOther),
            ([3, 0, 0, 0], .received, .hciOther),
            ([5, 0, 0, 0, 0], .received, .hciOther),
            ([6, 1], .received, .skipped(.unknownPacketType(6))),
            ([], .sent, .skipped(.tooShort)),
        ]
        for time: Int64 in [time, 0, -1_000, -9_000_000_000_000_000_000] {
            let file = packets.reduce(into: BtsnoopWriter.header) {
                $0 += BtsnoopWriter.record($1.0, direction: $1.1, time: time, lost: 3)
            }
            let capture = ReadCapture(file)
            #expect(capture.error == nil)
            #expect(
                capture.items == packets.map { CapturedItem(time: time, direction: $0.1, content: $0.2) })
        }
    }

    @Test("a file is what BlueZ makes of the same packet")
    func golden() {
        let file = BtsnoopWriter.header + BtsnoopWriter.record([1, 3, 0x0C, 0], direction: .sent, time: time)
        #expect(
            file
                == bytes(
                    """
                    6274736e6f6f7000 00000001 000003ea
                    00000004 00000004 00000002 00000000 00e2e7d7274fa240 01030c00
                    """))
        // Rounded down to the microsecond, also before 1970; the ends of time are no trap.
        for (time, back) in [(1_999, 1_000), (-1, -1_000), (.min, .min), (.max, .max - 807)] as [(Int64, Int64)] {
            let file = BtsnoopWriter.header + BtsnoopWriter.record([2], direction: .sent, time: time)
            #expect(ReadCapture(file).items.map(\.time) == [back])
        }
        // 2000-01-01, the number that BlueZ counts from (src/shared/btsnoop.c).
        let record = BtsnoopWriter.record([], direction: .received, time: 946_684_800 * 1_000_000_000)
        #expect(Array(record[16..<24]) == bytes("00e03ab44a676000"))
    }

    @Test("the monitor's records have their type in the flags")
    func monitor() {
        let big = Order(isBig: true)
        var file = Array("btsnoop\0".utf8) + big(UInt32(1)) + big(UInt32(2001))
        let records: [(UInt32, [UInt8])] = [
            (0x0000_0000, [0, 1, 2]), (0x0001_0002, [3, 0x0C, 0]), (0x0001_0003, [0x0E, 1, 0]), (0x0000_0004, [0]),
            (0x0000_0005, []), (0xFFFF_000C, [1]),
        ]
        for (flags, packet) in records {
            file += big(UInt32(packet.count)) + big(UInt32(packet.count)) + big(flags) + big(UInt32(0))
            file += big(UInt64(0x00E0_3AB4_4A67_6000)) + packet
        }
        let capture = ReadCapture(file)
        #expect(capture.error == nil)
        #expect(
            capture.contents
                == [
                    .hciOther, .hciCommand([3, 0x0C, 0]), .hciEvent([0x0E, 1, 0]), .hciOther, .hciOther, .hciOther,
                ])
        #expect(capture.items.map(\.direction) == [.received, .sent, .received, .sent, .received, .received])
        #expect(capture.items.allSatisfy { $0.time == 946_684_800_000_000_000 })
    }

    @Test("a packet that the capturing program cut says so")
    func snapped() {
        let big = Order(isBig: true)
        var file = BtsnoopWriter.header
        for packet: [UInt8] in [[1, 3, 0x0C], [4, 0x3E, 0x2A, 2]] {
            file += big(UInt32(40)) + big(UInt32(packet.count)) + big(UInt32(0)) + big(UInt32(0)) + big(UInt64(0))
            file += packet
        }
        #expect(ReadCapture(file).contents == [.skipped(.cutByCapture), .hciEvent([0x3E, 0x2A, 2])])
    }

    @Test("other versions and data links are refused by name")
    func refused() {
        var file = BtsnoopWriter.header
        file[11] = 2
        #expect(ReadCapture(file).error?.description == "btsnoop version 2 is not known")
        file = BtsnoopWriter.header
        file[15] = 0xE9
        #expect(
            ReadCapture(file).error?.description
                == """
                packets of btsnoop 1001 (HCI without packet types) are not read; known are btsnoop 1002 (HCI H4) \
                and 2001 (Linux monitor), pcap 187 and 201 (HCI H4), 251 and 256 (Bluetooth LE) and 272 (nRF sniffer)
                """)
    }
}
