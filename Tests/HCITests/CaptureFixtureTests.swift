import HCI
import Testing

@Suite("Captures of real radios")
struct CaptureFixtureTests {
    @Test("hcidump's text, made into a btsnoop, has 429 iBeacon adverts: 77 of major 0 and 352 of major 1")
    func hcidump() throws {
        let packets = hcidumpPackets(String(decoding: try fixture("hcidump-ibeacons.txt"), as: UTF8.self))
        #expect(packets.count == 494)
        let file = packets.enumerated().reduce(into: BtsnoopWriter.header) {
            $0 += BtsnoopWriter.record($1.element, direction: .received, time: Int64($1.offset) * 1_000_000)
        }
        let capture = ReadCapture(file)
        #expect(capture.error == nil)
        #expect(capture.items.map(\.time) == (0..<494).map { $0 * 1_000_000 })

        var reader = AdvertisingReportReader()
        var majors: [[UInt8]: Int] = [:]
        var adverts = 0
        for case .hciEvent(let event) in capture.contents {
            let (found, faults) = reader.adverts(event)
            #expect(faults == AdvertisingReportFaults())
            adverts += found.count
            for advert in found where advert.data.dropFirst(3).starts(with: bytes("1aff4c000215")) {
                majors[Array(advert.data[25..<27]), default: 0] += 1
            }
        }
        #expect(adverts == 494)
        #expect(majors == [[0, 0]: 77, [0, 1]: 352])
    }

    @Test("the nRF sniffer's capture has 775 adverts and 10 scan responses")
    func nordic() throws {
        let capture = ReadCapture(try fixture("nrf-sniffer-lt272.pcapng"))
        #expect(capture.error == nil)
        #expect(capture.items.count == 832)
        #expect(capture.air == [775, 10, 15, 32])
        // The first packet is damaged.
        #expect(capture.contents.first == .crcRefused)
        guard capture.items.count > 1, case .linkLayerAdvert(let report, let data) = capture.contents[1] else {
            Issue.record("the second packet is an advert")
            return
        }
        #expect(
            report
                == AdvertisingReport(
                    address: DeviceAddress(0x4ABE_AC0D_0002, .random), eventType: .advInd, rssi: -65))
        #expect(data == bytes("02011a 020a08 0b0954657374 50686f6e6534 0bff4c001006671e5cfadbd3"))
        // 2020-05-01 18:39:18, by the file's microseconds.
        #expect(capture.items.first?.time == 1_588_358_358_742_955_000)
        #expect(zip(capture.items, capture.items.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("Ubertooth's capture has 930 adverts and 18 scan responses, and 133 packets that are none")
    func ubertooth() throws {
        let capture = ReadCapture(try fixture("ubertooth-lt256-crc-errors.pcapng"))
        #expect(capture.error == nil)
        #expect(capture.items.count == 1106)
        #expect(capture.air == [930, 18, 25, 133])
    }
}
