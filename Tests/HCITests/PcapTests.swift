import Testing

@testable import HCI

@Suite("Pcap and pcapng")
struct PcapTests {
    let packet = radioHeader(beaconPacket)
    let advert = beaconAdvert(rssi: -75)

    @Test("pcap is read in both byte orders, with microseconds and nanoseconds")
    func pcapOrders() {
        for isBig in [false, true] {
            for isNano in [false, true] {
                let capture = ReadCapture(pcap([packet, packet], isBig: isBig, isNano: isNano))
                #expect(capture.error == nil)
                #expect(capture.contents == [advert, advert])
                let first: Int64 = 1_700_000_000_000_000_000
                let times: [Int64] = [first, first + (isNano ? 1 : 1_000)]
                #expect(capture.items.map(\.time) == times)
            }
        }
        // The flags about checksums in the upper half are no part of the link type.
        #expect(ReadCapture(pcap([packet], linkType: 0x2400_0100)).contents == [advert])
        #expect(ReadCapture(pcap([nordic(beaconPacket)], linkType: 272)).contents == [beaconAdvert(rssi: -90)])
    }

    @Test("pcapng is read in both byte orders, several sections in one file")
    func sections() {
        let little = PcapngBlocks(isBig: false)
        let big = PcapngBlocks(isBig: true)
        let file =
            little.section(options: little.option(4, Array("program".utf8)) + little.option(0, []))
            + little.interface(256) + little.interface(272)
            + little.packet(packet, interface: 0, ticks: 5)
            + little.packet(nordic(beaconPacket), interface: 1, ticks: 7)
            + big.section() + big.interface(272) + big.packet(nordic(beaconPacket), ticks: 1 << 40)
            + little.section() + little.interface(256)
        let capture = ReadCapture(file)
        #expect(capture.error == nil)
        #expect(capture.contents == [advert, beaconAdvert(rssi: -90), beaconAdvert(rssi: -90)])
        #expect(capture.items.map(\.time) == [5_000, 7_000, (1 << 40) * 1_000])
        #expect(ReadCapture(little.section()) == ReadCapture(big.section()))
        #expect(ReadCapture(little.section()).error == nil)
    }

    @Test("blocks that are not about packets are passed over")
    func otherBlocks() {
        let blocks = PcapngBlocks()
        let other = blocks.block(5, [UInt8](repeating: 0xA5, count: 100_000))
        let file =
            blocks.section() + other + blocks.interface() + other + blocks.packet(packet) + other
            + blocks.block(0x8000_0001, [])
        #expect(ReadCapture(file).contents == [advert])
        #expect(ReadCapture(file).error == nil)
    }

    @Test("simple and obsolete packet blocks are read too")
    func otherPacketBlocks() {
        let blocks = PcapngBlocks()
        let order = blocks.order
        let obsolete = blocks.block(
            2,
            order(UInt16(0)) + order(UInt16(0xFFFF)) + order(UInt32(0)) + order(UInt32(9))
                + order(UInt32(packet.count)) + order(UInt32(packet.count)) + packet)
        let capture = ReadCapture(
            blocks.section() + blocks.interface() + obsolete + blocks.simplePacket(packet))
        #expect(capture.contents == [advert, advert])
        // A simple block has no time: that of the packet before.
        #expect(capture.items.map(\.time) == [9_000, 9_000])

        let snapped = blocks.section() + blocks.interface(snap: 20) + blocks.simplePacket(packet)
        #expect(ReadCapture(snapped).contents == [.skipped(.cutByCapture)])
    }

    @Test("a packet that the capturing program cut is none")
    func snapped() {
        let blocks = PcapngBlocks()
        let file = blocks.section() + blocks.interface() + blocks.packet(packet, original: packet.count + 1)
        #expect(ReadCapture(file).contents == [.skipped(.cutByCapture)])
    }

    @Test("an interface's resolution and offset make its times")
    func resolution() {
        let blocks = PcapngBlocks()
        let options = blocks.option(9, [9]) + blocks.option(14, blocks.order(Int64(100))) + blocks.option(0, [])
        let file = blocks.section() + blocks.interface(options: options) + blocks.packet(packet, ticks: 42)
        #expect(ReadCapture(file).items.map(\.time) == [100_000_000_042])

        func time(_ ticks: UInt64, _ resolution: UInt8, _ offset: Int64 = 0) -> Int64 {
            CaptureTime.nanoseconds(ticks: ticks, resolution: resolution, offset: offset)
        }
        #expect(time(3, 0) == 3_000_000_000)
        #expect(time(3, 6) == 3_000)
        #expect(time(3_999, 12) == 3)
        #expect(time(.max, 28) == 1)
        #expect(time(.max, 29) == 0)
        #expect(time(.max, 127) == 0)
        #expect(time(3, 0x80) == 3_000_000_000)
        #expect(time(3 << 20, 0x80 | 20) == 3_000_000_000)
        #expect(time(1 << 63, 0x80 | 63) == 1_000_000_000)
        #expect(time(1 << 63, 0x80 | 64) == 500_000_000)
        #expect(time(.max, 0x80 | 127) == 0)
        // Nonsense becomes the nearest time.
        #expect(time(.max, 0) == .max)
        #expect(time(.max, 0x80) == .max)
        #expect(time(1, 6, .max) == .max)
        #expect(time(1, 6, .min) == .min + 1_000)
        for resolution in UInt8.min...UInt8.max { _ = time(.max, resolution, .max) }
    }

    @Test("what the blocks say must fit together")
    func inconsistent() {
        let blocks = PcapngBlocks()
        let start = blocks.section() + blocks.interface()
        func refusal(_ file: [UInt8]) -> String? { ReadCapture(file).error?.description }

        var wrongEnd = start + blocks.packet(packet) + blocks.packet(packet)
        wrongEnd[wrongEnd.count - 4] += 4
        let at = start.count + blocks.packet(packet).count
        #expect(
            refusal(wrongEnd)
                == "a block says that it is 60 bytes long at its start and 64 at its end, at byte \(at) "
                + "(1 packet read before it)")
        #expect(
            refusal(start + blocks.packet(packet, interface: 1))
                == "a packet is of interface 1, which the section does not have, at byte 48 (0 packets read before it)"
        )
        #expect(
            refusal(blocks.section() + blocks.simplePacket(packet))
                == "a packet is of interface 0, which the section does not have, at byte 28 (0 packets read before it)"
        )
        // An interface of the section before is not one of this section.
        #expect(
            refusal(start + blocks.section() + blocks.packet(packet))
                == "a packet is of interface 0, which the section does not have, at byte 76 (0 packets read before it)"
        )
        let order = blocks.order
        let tooLong = blocks.block(
            6, order(UInt32(0)) + order(UInt64(0)) + order(UInt32(9)) + order(UInt32(9)) + packet.prefix(8))
        #expect(
            refusal(start + tooLong)
                == "a packet of 9 bytes does not fit its block, at byte 48 (0 packets read before it)")
        #expect(
            refusal(start + blocks.block(6, [0, 0, 0, 0]))
                == "a packet block is too short, at byte 48 (0 packets read before it)")
        #expect(
            refusal(start + blocks.block(3, []))
                == "a packet block is too short, at byte 48 (0 packets read before it)")
        #expect(
            refusal(blocks.section() + blocks.block(1, [0, 1]))
                == "an interface block is too short, at byte 28 (0 packets read before it)")
        #expect(refusal(blocks.section(major: 2)) == "pcapng version 2 is not known")
        var noOrder = blocks.section()
        noOrder[8] = 0
        #expect(refusal(noOrder) == "a section has no byte order, at byte 0 (0 packets read before it)")
        let many = (0..<2_000).reduce(into: blocks.section()) { file, _ in file += blocks.interface() }
        #expect(
            refusal(many)
                == "a section has more than 1024 interfaces, at byte 20508 (0 packets read before it)")
    }

    @Test("other link types are refused by name, however the file is made")
    func linkTypes() {
        let known =
            "known are btsnoop 1002 (HCI H4) and 2001 (Linux monitor), "
            + "pcap 187 and 201 (HCI H4), 251 and 256 (Bluetooth LE) and 272 (nRF sniffer)"
        let names: [(UInt16, String)] = [
            (1, "1 (Ethernet)"), (254, "254 (Linux Bluetooth monitor)"), (255, "255 (Bluetooth BR/EDR)"),
            (999, "999"),
        ]
        let blocks = PcapngBlocks()
        for (number, name) in names {
            let sentence = "packets of link type \(name) are not read; \(known)"
            #expect(ReadCapture(pcap([packet], linkType: UInt32(number))).error?.description == sentence)
            #expect(
                ReadCapture(blocks.section() + blocks.interface(number) + blocks.packet(packet)).error?.description
                    == sentence)
        }
        var file = pcap([packet])
        file[4] = 3
        #expect(ReadCapture(file).error?.description == "pcap version 3 is not known")
    }
}
