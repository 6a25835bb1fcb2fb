import HCI
import TestSupport
import Testing

@Suite("AdvertisingReportReader")
struct AdvertisingReportReaderTests {
    /// LE meta event, one legacy report, a well-formed iBeacon.
    let beacon = bytes(
        "3e 2a 02 01 03 01 2b1e8aa5b832 1e 02011a 1aff4c000215daf246ce836311e4b116123b93f75cba00000001c2 c4")

    @Test("a legacy report gives its address, kind, data and strength")
    func legacy() {
        var reader = AdvertisingReportReader()
        let (adverts, faults) = reader.adverts(beacon)
        #expect(
            adverts == [
                ReadAdvert(
                    report: AdvertisingReport(
                        address: DeviceAddress(0x32B8_A58A_1E2B, .random), eventType: .advNonconnInd, rssi: -60),
                    data: bytes("02011a 1aff4c000215daf246ce836311e4b116123b93f75cba00000001c2"))
            ])
        #expect(adverts.first?.report.address.description == "32:b8:a5:8a:1e:2b")
        #expect(adverts.first?.report.isScanResponse == false)
        #expect(faults == AdvertisingReportFaults())
    }

    @Test("every report of a legacy event is read, one after the other")
    func legacyReports() {
        var reader = AdvertisingReportReader()
        let event = bytes(
            "3e 25 02 03  00 00 060504030201 03 020106 c0  04 01 1605040302c1 00 7f  03 02 260504030201 02 0303 14")
        let (adverts, faults) = reader.adverts(event)
        #expect(
            adverts == [
                ReadAdvert(
                    report: AdvertisingReport(
                        address: DeviceAddress(0x0102_0304_0506, .public), eventType: .advInd, rssi: -64),
                    data: [2, 1, 6]),
                ReadAdvert(
                    report: AdvertisingReport(
                        address: DeviceAddress(0xC102_0304_0516, .random), eventType: .scanRsp, rssi: nil),
                    data: []),
                ReadAdvert(
                    report: AdvertisingReport(
                        address: DeviceAddress(0x0102_0304_0526, .publicIdentity), eventType: .advNonconnInd,
                        rssi: 20),
                    data: [3, 3]),
            ])
        #expect(faults == AdvertisingReportFaults())
    }

    @Test("every report of an extended event is read")
    func extendedReports() {
        // citruz/beacontools issue 78, three adverts in one event.
        let event = bytes(
            """
            3e7a0d03 130000a0a8839e59f30100ff7fae0000000000000000000a02010606ff9901020003
            130001fb15f76572db0100ff7fb00000000000000000001e020106110617b92d87f6f3efb1ff475a8700b0722608ff6305a71b0000
            02100001636a3aceaec00100ff7fa00000000000000000000807ff4c0012020003
            """)
        var reader = AdvertisingReportReader()
        let (adverts, faults) = reader.adverts(event)
        #expect(
            adverts.map { $0.report.address.description } == [
                "f3:59:9e:83:a8:a0", "db:72:65:f7:15:fb", "c0:ae:ce:3a:6a:63",
            ])
        #expect(adverts.map(\.data.count) == [10, 30, 8])
        #expect(adverts.map(\.report.rssi) == [-82, -80, -96])
        #expect(adverts.map(\.report.eventType.dataStatus) == [.complete, .complete, .complete])
        #expect(faults == AdvertisingReportFaults())
    }

    @Test("bits that we do not know, in event type and PHY, are no reason to lose an advert")
    func unknownBits() {
        // PureSwift/Bluetooth HCITests, from a controller that keeps other things in the upper bits.
        let event = bytes(
            """
            3e390d01 13a6 00 f25e26eed9de 81 00 ff 7f db 0000 00 000000000000 1f
            0d09475648353037325f37413237030388ec02010509ff88ec000394906400
            """)
        var reader = AdvertisingReportReader()
        let (adverts, faults) = reader.adverts(event)
        #expect(adverts.first?.report.primaryPHY == .le1M)
        #expect(adverts.first?.report.secondaryPHY == nil)
        #expect(adverts.first?.report.eventType.isSuperset(of: .advInd) == true)
        #expect(adverts.first?.report.eventType.dataStatus == .complete)
        #expect(adverts.first?.data.count == 31)
        #expect(faults == AdvertisingReportFaults())

        var legacy = beacon
        legacy[4] = 0x83
        #expect(reader.adverts(legacy).adverts.first?.report.eventType == .advNonconnInd)
    }

    @Test("legacy data longer than the air allows is read when it fits the event")
    func longLegacy() {
        let data = [UInt8](repeating: 0, count: 200)
        let report = AdvertisingReport(address: DeviceAddress(1, .public), eventType: .advInd, rssi: -1)
        var reader = AdvertisingReportReader()
        let (adverts, faults) = reader.adverts(AdvertisingReportWriter.legacyEvent(reports: [(report, data)]))
        #expect(adverts == [ReadAdvert(report: report, data: data)])
        #expect(faults == AdvertisingReportFaults())
    }

    @Test("an event cut at any byte gives the reports before the cut and counts one fault")
    func cut() {
        let report = AdvertisingReport(address: DeviceAddress(2, .random), eventType: .advNonconnInd, rssi: -50)
        let other = AdvertisingReport(
            address: DeviceAddress(3, .public), eventType: .advInd, secondaryPHY: .leCoded, sid: 4, txPower: 3)
        for (overhead, isExtended) in [(10, false), (24, true)] {
            let reports: [AdvertisingReportWriter.Advert] = [(report, [1, 2, 3]), (other, [4, 5])]
            let event =
                isExtended
                ? AdvertisingReportWriter.extendedEvent(reports: reports)
                : AdvertisingReportWriter.legacyEvent(reports: reports)
            let firstEnds = 4 + overhead + 3
            for length in 0..<event.count {
                var reader = AdvertisingReportReader()
                let (adverts, faults) = reader.adverts(Array(event.prefix(length)))
                #expect(adverts.map(\.data) == (length >= firstEnds ? [[1, 2, 3]] : []), "\(length) bytes")
                #expect(faults == AdvertisingReportFaults(cutShort: 1), "\(length) bytes")

                // The same with a length that says so: the event is whole, the reports in it are not.
                guard length >= 2 else { continue }
                var shorter = Array(event.prefix(length))
                shorter[1] = UInt8(length - 2)
                let (again, others) = reader.adverts(shorter)
                #expect(again.map(\.data) == (length >= firstEnds ? [[1, 2, 3]] : []), "\(length) bytes")
                #expect(others == AdvertisingReportFaults(cutShort: 1), "\(length) bytes")
            }
        }
    }

    @Test("bytes after the last report are counted and cost nothing")
    func trailing() {
        var reader = AdvertisingReportReader()
        var inside = beacon + [0]
        inside[1] += 1
        #expect(reader.adverts(inside).adverts.count == 1)
        #expect(reader.adverts(inside).faults == AdvertisingReportFaults(trailing: 1))
        #expect(reader.adverts(beacon + [0]).adverts.count == 1)
        #expect(reader.adverts(beacon + [0]).faults == AdvertisingReportFaults(trailing: 1))
    }

    @Test("an event of no reports, and events about other things, give nothing and are no fault")
    func otherEvents() {
        var reader = AdvertisingReportReader()
        let events = [
            "3e 02 02 00", "3e 02 0d 00", "0e 04 01 03 0c 00",
            // Connection complete, and a directed advertising report.
            "3e 13 01 00 0100 00 00 060504030201 1800 0000 2a00 00",
            "3e 12 0b 01 01 00 060504030201 01 060504030201 c0",
        ]
        for event in events {
            let (adverts, faults) = reader.adverts(bytes(event))
            #expect(adverts.isEmpty, "\(event)")
            #expect(faults == AdvertisingReportFaults(), "\(event)")
        }
    }

    @Test("what is written is read again, of either kind")
    func identity() {
        var numbers = SeededGenerator(seed: 7)
        var reader = AdvertisingReportReader()
        for _ in 0..<2_000 {
            var extended: [AdvertisingReportWriter.Advert] = []
            var legacy: [AdvertisingReportWriter.Advert] = []
            for _ in 0..<Int.random(in: 0...4, using: &numbers) {
                let data = numbers.bytes(Int.random(in: 0...31, using: &numbers))
                let address = DeviceAddress(
                    numbers.next(), DeviceAddress.Kind.allCases.randomElement(using: &numbers) ?? .random)
                let rssi = Int8.random(in: -128...127, using: &numbers)
                var report = AdvertisingReport(address: address, eventType: .advInd, rssi: rssi == 127 ? nil : rssi)
                report.eventType =
                    [.advInd, .advDirectInd, .advScanInd, .advNonconnInd, .scanRsp]
                    .randomElement(using: &numbers) ?? .advInd
                legacy.append((report, data))
                report.eventType = AdvertisingEventType(rawValue: UInt16.random(in: 0...31, using: &numbers))
                report.primaryPHY = RadioPHY(rawValue: UInt8.random(in: 0...31, using: &numbers))
                report.secondaryPHY = Bool.random(using: &numbers) ? .le2M : nil
                report.sid = Bool.random(using: &numbers) ? UInt8.random(in: 0...15, using: &numbers) : nil
                report.txPower = Bool.random(using: &numbers) ? Int8.random(in: -127...20, using: &numbers) : nil
                report.periodicInterval = UInt16.random(in: 0...UInt16.max, using: &numbers)
                if report.eventType.contains(.directed) { report.directAddress = DeviceAddress(9, .random) }
                extended.append((report, data))
            }
            for (adverts, event) in [
                (legacy, AdvertisingReportWriter.legacyEvent(reports: legacy)),
                (extended, AdvertisingReportWriter.extendedEvent(reports: extended)),
            ] {
                let (again, faults) = reader.adverts(event)
                #expect(again == adverts.map { ReadAdvert(report: $0.report, data: $0.data) })
                #expect(faults == AdvertisingReportFaults())
            }
        }
    }

    @Test("noise is counted or passed over, never more than that")
    func noise() {
        var numbers = SeededGenerator(seed: 11)
        var reader = AdvertisingReportReader()
        for round in 0..<100_000 {
            var event = numbers.bytes(Int.random(in: 0...80, using: &numbers))
            if round % 4 != 0 {
                // Near enough to the real thing to get past the first checks.
                if event.count > 0 { event[0] = 0x3E }
                if event.count > 1 && round % 4 > 1 { event[1] = UInt8(event.count - 2) }
                if event.count > 2 { event[2] = round % 2 == 0 ? 0x02 : 0x0D }
                if event.count > 3 { event[3] &= 3 }
            }
            let (adverts, faults) = reader.adverts(event)
            #expect(adverts.count <= 255 && faults.count <= 16)
        }
    }
}

@Suite("DeviceAddress")
struct DeviceAddressTests {
    @Test("an address is written as it is read")
    func text() {
        let address = DeviceAddress("C5:dc:fd:06:78:48", .random)
        #expect(address == DeviceAddress(0xC5DC_FD06_7848, .random))
        #expect(address?.description == "c5:dc:fd:06:78:48")
        for text in [
            "", "c5", "c5:dc:fd:06:78", "c5:dc:fd:06:78:48:", "c5-dc-fd-06-78-48", "c5dcfd067848",
            "g5:dc:fd:06:78:48",
        ] {
            #expect(DeviceAddress(text, .random) == nil, "\(text)")
        }
    }

    @Test("a kind that is not assigned does not lose the advert")
    func kinds() {
        #expect(DeviceAddress.Kind(1) == .random)
        #expect(DeviceAddress.Kind(0xFF) == .anonymous)
        #expect(DeviceAddress.Kind(0x42) == .unassigned)
    }
}
