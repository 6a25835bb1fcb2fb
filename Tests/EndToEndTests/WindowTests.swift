import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Windows")
    struct WindowTests {
        private static let namespace: [UInt8] = [0xED, 0xD1, 0xEB, 0xEA, 0xC0, 0x4E, 0x5D, 0xEF, 0xA0, 0x17]
        private static let instance: [UInt8] = [0x0B, 0xDB, 0x87, 0x53, 0x9B, 0x67]
        /// Eddystone UID with −18 dBm at no distance (github.com/google/eddystone, eddystone-uid).
        private static let uid: [UInt8] =
            [0x03, 0x03, 0xAA, 0xFE, 0x17, 0x16, 0xAA, 0xFE, 0x00, 0xEE] + namespace + instance + [0, 0]
        /// Eddystone TLM (eddystone-tlm/tlm-plain.md): 2,953 mV, 21.25 °C, 4,660 adverts, 86,400.5 s since power-on.
        private static let tlm: [UInt8] = [
            0x03, 0x03, 0xAA, 0xFE, 0x11, 0x16, 0xAA, 0xFE, 0x20, 0x00, 0x0B, 0x89, 0x15, 0x40, 0x00, 0x00, 0x12,
            0x34, 0x00, 0x0D, 0x2F, 0x05,
        ]

        @Test("a window tells interval, loss, addresses and what the beacon says of itself")
        func everything() throws {
            var capture = Capture()
            // A second between adverts, a third of them lost; at half time another address.
            capture.adverts(
                from: 0, to: 150_000, every: 1_000, losing: 0.33, seed: 3, address: 1, Self.uid, rssi: -70)
            capture.adverts(
                from: 151_000, to: 300_000, every: 1_000, losing: 0.33, seed: 4, address: 2, Self.uid, rssi: -70)
            capture.advert(at: 200_500_000, from: 2, Self.tlm, rssi: -70)
            // Of a stranger nothing is kept.
            capture.advert(at: 201_500_000, from: 9, Self.tlm, rssi: -40)
            capture.mark(at: 300_000_000)
            let replayed = try Replayed(
                capture,
                """
                regions:
                  post: {format: eddystone-uid, namespace: edd1ebeac04e5defa017, ranging: off}
                windows: {length: 100s}
                """)
            let windows = replayed.of("window")
            let items = windows.compactMap { $0.payload["beacons"]?.elements }
            #expect(items.count == windows.count && items.allSatisfy { $0.count == 1 })
            let beacons = items.compactMap(\.first)
            #expect(beacons.allSatisfy { $0["instance"]?.text == "0bdb87539b67" })
            let last = try #require(beacons.last)
            #expect((990...1010).contains(try #require(last["interval_ms"]?.integer)))
            guard case .number(let loss) = last["loss"] else {
                Issue.record("no loss: \(last)")
                return
            }
            #expect((0.25...0.41).contains(loss.double), "\(loss.double)")
            let addresses = beacons.compactMap { $0["addresses"]?.integer }
            #expect(addresses.max() == 2 && addresses.first == 1 && addresses.last == 1, "\(addresses)")
            let telemetry = beacons.compactMap { $0["telemetry"] }
            #expect(telemetry.count == 1)
            #expect(telemetry.first?["battery_mv"]?.integer == 2953)
            #expect(telemetry.first?["uptime_s"]?.integer == 86_400)
            #expect(telemetry.first?["adverts_sent"]?.integer == 4660)
            guard case .number(let temperature) = telemetry.first?["temperature"] else {
                Issue.record("no temperature")
                return
            }
            #expect(temperature.double == 21.25)
            try replayed.expectValid()
        }

        @Test(
            "a window of more beacons than a message holds comes in parts, each short enough, nobody lost or told twice"
        )
        func parts() throws {
            var capture = Capture()
            for minor in 0..<300 as Range<UInt16> {
                for second in 0..<20 {
                    let time = second * 1_000_000 + Int(minor) * 1_000
                    capture.advert(at: time, from: minor, Capture.beacon(minor: minor), rssi: -70)
                }
            }
            capture.mark(at: 20_000_000)
            let replayed = try Replayed(
                capture,
                """
                regions:
                  shelf: {uuid: \(Stage.uuid), ranging: off}
                mqtt: {max_payload: 32768}
                """)
            let windows = Dictionary(grouping: replayed.of("window")) { $0.payload["start"]?.text ?? "" }
            #expect(windows.count >= 2)
            for (_, parts) in windows where parts.first?.payload["length_ms"]?.integer == 10_000 {
                #expect(parts.count >= 2)
                #expect(parts.allSatisfy { $0.text.utf8.count <= 32_768 })
                #expect(parts.compactMap { $0.payload["part"]?.integer } == Array(1...Int64(parts.count)))
                #expect(parts.allSatisfy { $0.payload["parts"]?.integer == Int64(parts.count) })
                let minors = parts.flatMap { $0.payload["beacons"]?.elements ?? [] }.compactMap {
                    $0["minor"]?.integer
                }
                #expect(minors == Array(0..<300))
            }
            try replayed.expectValid()
        }
    }
}
