import Testing

@testable import HCI

@Suite("Captures of HCI, and of the air without radio header")
struct CaptureLinkTypeTests {
    let command: [UInt8] = [1, 0x03, 0x0C, 0]
    let event: [UInt8] = [4, 0x0E, 1, 0]
    let data: [UInt8] = [2, 0x40, 0, 0, 0]

    func items(_ packets: [[UInt8]], linkType: UInt32) -> [CapturedItem<[UInt8]>] {
        let capture = ReadCapture(pcap(packets, linkType: linkType))
        #expect(capture.error == nil)
        let blocks = PcapngBlocks(isBig: true)
        let again = ReadCapture(
            packets.reduce(blocks.section() + blocks.interface(UInt16(linkType))) { $0 + blocks.packet($1) })
        #expect(again.contents == capture.contents)
        #expect(again.items.map(\.direction) == capture.items.map(\.direction))
        return capture.items
    }

    @Test("HCI packets with their type are read, commands as sent and all else as received (187)")
    func h4() {
        let items = items([command, event, data, [5, 0, 0, 0, 0], [0xFE, 1], [], [4]], linkType: 187)
        #expect(
            items.map(\.content) == [
                .hciCommand([0x03, 0x0C, 0]), .hciEvent([0x0E, 1, 0]), .hciOther, .hciOther,
                .skipped(.unknownPacketType(0xFE)), .skipped(.tooShort), .hciEvent([]),
            ])
        #expect(items.map(\.direction) == [.sent] + [CaptureDirection](repeating: .received, count: 6))
    }

    @Test("HCI packets behind a direction are read with it (201)")
    func directedH4() {
        let sent: [UInt8] = [0, 0, 0, 0]
        let received: [UInt8] = [0, 0, 0, 1]
        let items = items(
            [sent + command, received + event, sent + data, received + data, sent, [0, 0, 0], []], linkType: 201)
        #expect(
            items.map(\.content) == [
                .hciCommand([0x03, 0x0C, 0]), .hciEvent([0x0E, 1, 0]), .hciOther, .hciOther,
                .skipped(.tooShort), .skipped(.tooShort), .skipped(.tooShort),
            ])
        #expect(
            items.map(\.direction) == [.sent, .received, .sent, .received, .sent, .received, .received])
    }

    @Test("an event that the capturing program cut is given as it is, a command is none (187, 201)")
    func cut() {
        let blocks = PcapngBlocks()
        for (linkType, before) in [(UInt16(187), []), (201, [0, 0, 0, 1] as [UInt8])] {
            var file = blocks.section() + blocks.interface(linkType)
            file += blocks.packet(before + event, original: 99)
            file += blocks.packet(before + command, original: 99)
            #expect(ReadCapture(file).contents == [.hciEvent([0x0E, 1, 0]), .skipped(.cutByCapture)])
        }
    }

    @Test("packets of the air are read without a strength (251)")
    func bare() {
        let access: [UInt8] = [0xD6, 0xBE, 0x89, 0x8E]
        var damaged = beaconPacket
        damaged[8] ^= 1
        // An extended advert in one packet: sender, set 5, three bytes of data.
        let extended = linkLayer([0x47, 13, 9, 0x09, 6, 5, 4, 3, 2, 0xC1, 0x34, 0x52, 2, 1, 6])
        var packets: [[UInt8]] = [beaconPacket, damaged].map { access + $0 }
        packets.append([0xAB, 0x5D, 0x65, 0x50] + beaconPacket)
        packets += [extended, linkLayer([5, 0]), [0, 0, 0, 0]].map { access + $0 }
        packets += [[0xD6, 0xBE], []]
        #expect(
            items(packets, linkType: 251).map(\.content) == [
                beaconAdvert(rssi: nil), .crcRefused, .linkLayerOther,
                .linkLayerAdvert(
                    AdvertisingReport(
                        address: DeviceAddress(0xC102_0304_0506, .random), eventType: [], secondaryPHY: .le1M,
                        sid: 5, rssi: nil), [2, 1, 6]),
                .linkLayerOther, .skipped(.tooShort), .skipped(.tooShort), .skipped(.tooShort),
            ])
        // Without its end a packet has no checksum.
        let blocks = PcapngBlocks()
        let cut = blocks.section() + blocks.interface(251) + blocks.packet(access + beaconPacket, original: 99)
        #expect(ReadCapture(cut).contents == [.skipped(.cutByCapture)])
    }

    @Test("a packet of the air cut at any byte is too short or damaged (251)")
    func short() {
        let full = [0xD6, 0xBE, 0x89, 0x8E] + beaconPacket
        for length in 0..<full.count {
            let contents = ReadCapture(pcap([Array(full.prefix(length))], linkType: 251)).contents
            #expect(contents == [length < 4 + 5 ? .skipped(.tooShort) : .crcRefused], "\(length)")
        }
    }
}
