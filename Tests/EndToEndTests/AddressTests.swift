import Foundation
import JSON
import TestSupport
import Testing

extension EndToEnd {
    /// A beacon that changes its address, as telephones do every quarter of an hour.
    @Suite("Addresses")
    struct AddressTests {
        private static let configuration = "regions:\n  shelf: {uuid: \(Stage.uuid)}\n"

        /// A beacon that is heard with −60 dBm from one address every tenth of a second until `last`, and from then on
        /// with −70 dBm from another one, for 35 s in all; times in milliseconds.
        private func changing(last: Int) -> Capture {
            var capture = Capture()
            for time in stride(from: last % 100, through: last, by: 100) {
                capture.advert(at: time * 1000, from: 1, Capture.beacon(), rssi: -60)
            }
            for time in stride(from: last + 100, to: 35_000, by: 100) {
                capture.advert(at: time * 1000, from: 2, Capture.beacon(), rssi: -70)
            }
            capture.mark(at: 35_000_000)
            return capture
        }

        /// Every second of ranging in a line: its number, and for each entry mean RSSI and adverts, or "unknown".
        private func seconds(_ replayed: Replayed) -> [String] {
            // What may be left of second 0 is no whole one.
            replayed.of("ranging/shelf").filter { $0.milliseconds >= 1000 }.map { message in
                let entries = (message.payload["beacons"]?.elements ?? []).map { item in
                    guard let rssi = item["rssi"]?.integer else {
                        let isUnknown = item["accuracy"]?.integer == -1 && item["proximity"]?.text == "unknown"
                        return isUnknown && item["range"] == nil ? "unknown" : "\(item)"
                    }
                    return "\(rssi)×\(item["adverts"]?.integer ?? -1)"
                }
                return "\(message.milliseconds / 1000): " + entries.joined(separator: ", ")
            }
        }

        @Test("ranging shows both addresses: the old one unknown after 2 s and gone after 10 s, to the packet")
        func change() throws {
            // A second ends at the same fraction of each, which the node's name decides.
            let probe = try Replayed(changing(last: 20_000), Self.configuration)
            let end = try #require(probe.of("ranging/shelf").first).milliseconds % 1000
            // A packet at the very end of a second is in the next one.
            let before = try Replayed(changing(last: 19_999 + end), Self.configuration)
            let after = try Replayed(changing(last: 20_001 + end), Self.configuration)

            // The packet comes before second 20 ends, and has been silent for two and ten seconds when 22 and 30 do.
            var expected = (1..<20).map { "\($0): -60×10" } + ["20: -60×10"]
            expected += ["21: -60×0, -70×10", "22: -70×10, unknown"]
            expected += (23..<30).map { "\($0): -70×10, unknown" }
            expected += (30..<35).map { "\($0): -70×10" }
            let told = seconds(before)
            #expect(told == expected, "\(told)")

            // A millisecond later it is in the next second, and both come a second later.
            expected = (1..<20).map { "\($0): -60×10" } + ["20: -60×10", "21: -60×1, -70×9"]
            expected += ["22: -60×0, -70×10"] + (23..<31).map { "\($0): -70×10, unknown" }
            expected += (31..<35).map { "\($0): -70×10" }
            let toldAfter = seconds(after)
            #expect(toldAfter == expected, "\(toldAfter)")

            for replayed in [before, after] {
                // To the region it is one beacon that never went.
                #expect(replayed.visits.count == 1 && replayed.of("enter/shelf").count == 1)
                let addresses = replayed.of("window").compactMap {
                    $0.payload["beacons"]?.elements?.first?["addresses"]?.integer
                }
                #expect(addresses.filter { $0 == 2 }.count == 1 && addresses.allSatisfy { (1...2).contains($0) })
                try replayed.expectValid()
            }
        }

        @Test("the same capture gives the same bytes each time it is replayed")
        func twice() throws {
            let capture = changing(last: 20_000)
            let first = try Replayed(capture, Self.configuration)
            let second = try Replayed(capture, Self.configuration)
            #expect(!first.output.isEmpty && first.output == second.output)
        }

        @Test("a store full of people gives the same bytes each time it is recorded and replayed")
        func walkers() throws {
            let folder = try TemporaryFolder()
            let scenario = try folder.write("store.yaml", WalkerTests.scenario)
            let recordings = try ["first", "second"].map { name in
                let sim = try Child(
                    builtProgram("beacon-sim"),
                    ["--capture", folder.path(name), "--seconds", "600", "--scenario", scenario])
                #expect(try sim.waitForExit(within: 60) == 0)
                return try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
            }
            #expect(recordings[0].count > 100_000 && recordings[0] == recordings[1])
            let configuration = """
                regions:
                  shelf: {uuid: \(Stage.uuid)}
                  customer: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, track: beacons, ranging: always}
                """
            let first = try Replayed(file: folder.path("first"), configuration)
            let second = try Replayed(file: folder.path("second"), configuration)
            #expect(first.output == second.output)
            #expect(first.of("enter/customer").count == 1)
            try first.expectValid()
        }
    }
}
