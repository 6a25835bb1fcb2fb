import Testing

@testable import HCI

@Suite("Packets from the air")
struct CaptureLinkLayerTests {
    func contents(_ packets: [UInt8]...) -> [CapturedContent<[UInt8]>] { ReadCapture(pcap(packets)).contents }

    func nordicContents(_ packets: [UInt8]...) -> [CapturedContent<[UInt8]>] {
        ReadCapture(pcap(packets, linkType: 272)).contents
    }

    @Test("each PDU type of an advert is one, with who sent it")
    func types() {
        let sender: [UInt8] = [6, 5, 4, 3, 2, 1]
        let expected: [(UInt8, AdvertisingEventType)] = [
            (0, .advInd), (2, .advNonconnInd), (4, .scanRsp), (6, .advScanInd),
        ]
        for (type, eventType) in expected {
            let report = AdvertisingReport(
                address: DeviceAddress(0x0102_0304_0506, .public), eventType: eventType, rssi: -75)
            #expect(
                contents(radioHeader(linkLayer([type, 8] + sender + [1, 6])))
                    == [.linkLayerAdvert(report, [1, 6])])
            #expect(contents(radioHeader(linkLayer([type, 6] + sender))) == [.linkLayerAdvert(report, [])])
            #expect(contents(radioHeader(linkLayer([type, 5] + sender.dropLast()))) == [.linkLayerOther])
        }
        let directed = AdvertisingReport(
            address: DeviceAddress(0x0102_0304_0506, .public), eventType: .advDirectInd, rssi: -75,
            directAddress: DeviceAddress(0x1112_1314_1516, .random))
        let target: [UInt8] = [0x16, 0x15, 0x14, 0x13, 0x12, 0x11]
        #expect(
            contents(radioHeader(linkLayer([0x81, 12] + sender + target))) == [.linkLayerAdvert(directed, [])])
        #expect(contents(radioHeader(linkLayer([0x81, 6] + sender))) == [.linkLayerOther])
        for type: UInt8 in [3, 5, 8, 15] {
            #expect(contents(radioHeader(linkLayer([type, 12] + sender + target))) == [.linkLayerOther])
        }
    }

    @Test("an extended advert in one packet is read; what is a part of a chain is none")
    func extended() {
        let sender: [UInt8] = [6, 5, 4, 3, 2, 0xC1]
        var report = AdvertisingReport(
            address: DeviceAddress(0xC102_0304_0506, .random), eventType: [], secondaryPHY: .le1M, sid: 5,
            txPower: -3, rssi: -75)
        // Sender, data information (set 5), power; a byte of additional controller data; three bytes of data.
        let header: [UInt8] = [11, 0x49] + sender + [0x34, 0x52, 0xFD, 0x99]
        let pdu = [0x47, UInt8(header.count + 3)] + header + [2, 1, 6]
        #expect(contents(radioHeader(linkLayer(pdu), channel: 20)) == [.linkLayerAdvert(report, [2, 1, 6])])
        report.primaryPHY = .le2M
        report.secondaryPHY = .le2M
        #expect(
            contents(radioHeader(linkLayer(pdu), flags: 0x4037, channel: 20))
                == [.linkLayerAdvert(report, [2, 1, 6])])
        report.primaryPHY = .leCoded
        report.secondaryPHY = nil
        #expect(
            contents(radioHeader([0] + linkLayer(pdu), flags: 0x8037, channel: 0))
                == [.linkLayerAdvert(report, [2, 1, 6])])

        // A pointer to another packet, no sender, no header at all, and headers that end too early.
        let pointing: [UInt8] = [10, 0x11] + sender + [1, 2, 3]
        let parts: [[UInt8]] = [pointing, [1, 0x08, 0x34, 0x52], [0, 1, 2], [], [3, 0x01, 6, 5, 4], [20, 0x01]]
        for part in parts {
            #expect(contents(radioHeader(linkLayer([0x47, UInt8(part.count)] + part))) == [.linkLayerOther])
        }
        for flags: UInt8 in [0x03, 0x05, 0x09, 0x21, 0x41] {
            #expect(contents(radioHeader(linkLayer([0x47, 8, 7, flags] + sender))) == [.linkLayerOther])
        }
    }

    @Test("the checksum is computed whatever the sniffer says of it")
    func checksum() {
        for bit in 0..<(beaconPacket.count * 8) {
            var damaged = beaconPacket
            damaged[bit / 8] ^= 1 << (bit % 8)
            // The flags: not looked at, looked at and right.
            #expect(
                contents(radioHeader(damaged), radioHeader(damaged, flags: 0x0C37)) == [.crcRefused, .crcRefused],
                "bit \(bit)")
            #expect(nordicContents(nordic(damaged)) == [.crcRefused], "bit \(bit)")
        }
        // Looked at and wrong.
        #expect(contents(radioHeader(beaconPacket, flags: 0x0437)) == [.crcRefused])
        #expect(nordicContents(nordic(beaconPacket, flags: 0)) == [.crcRefused])
        // Bytes behind the checksum change nothing.
        #expect(contents(radioHeader(beaconPacket + [0, 0])) == [beaconAdvert(rssi: -75)])
    }

    @Test("connections are not read, nor packets that are still whitened")
    func others() {
        #expect(contents(radioHeader(beaconPacket, accessAddress: 0x5065_5DAB)) == [.linkLayerOther])
        #expect(
            contents(radioHeader(beaconPacket, flags: 0x0437, accessAddress: 0x5065_5DAB)) == [.crcRefused])
        #expect(contents(radioHeader(beaconPacket, flags: 0x0036)) == [.skipped(.whitened)])
    }

    @Test("the strength is the header's, if it was measured")
    func strength() {
        #expect(contents(radioHeader(beaconPacket, flags: 0x0035)) == [beaconAdvert(rssi: nil)])
        #expect(nordicContents(nordic(beaconPacket, loss: 128)) == [beaconAdvert(rssi: -128)])
        #expect(nordicContents(nordic(beaconPacket, loss: 129)) == [beaconAdvert(rssi: nil)])
    }

    @Test("the nRF sniffer's versions 1 to 3 are read, others passed over")
    func nordicVersions() {
        for version: UInt8 in 1...3 {
            #expect(nordicContents(nordic(beaconPacket, version: version)) == [beaconAdvert(rssi: -90)])
        }
        for version: UInt8 in [0, 4, 255] {
            #expect(
                nordicContents(nordic(beaconPacket, version: version)) == [.skipped(.unknownSnifferHeader(version))]
            )
        }
    }

    @Test("a packet that ends in its header is passed over, one that ends later is damaged")
    func short() {
        for (full, linkType, header) in [
            (radioHeader(beaconPacket), UInt32(256), 14), (nordic(beaconPacket), UInt32(272), 21),
        ] {
            for length in 0..<full.count {
                let capture = ReadCapture(pcap([Array(full.prefix(length))], linkType: linkType))
                #expect(capture.contents == [length < header + 5 ? .skipped(.tooShort) : .crcRefused], "\(length)")
            }
        }
    }
}

@Suite("CRC24")
struct CRC24Tests {
    @Test("the checksum of 123456789 is what the catalogue of CRCs says for CRC-24/BLE")
    func catalogue() {
        // https://reveng.sourceforge.io/crc-catalogue/17plus.htm#crc.cat.crc-24-ble: 0xc25a56, width 24, reflected.
        let crc = Array("123456789".utf8).withUnsafeBytes { CRC24.advertising($0) }
        #expect(crc == 0xC2_5A56)
    }

    @Test("the checksum of nothing is what it starts with")
    func nothing() {
        #expect(CRC24.advertising(UnsafeRawBufferPointer(start: nil, count: 0)) == 0xAA_AAAA)
    }
}
