import Foundation
import JSON
import TestSupport
import Testing

extension EndToEnd {
    /// A store in virtual time, then what the agent makes of what was heard there, beside the truth.
    @Suite("Walkers")
    struct WalkerTests {
        static let scenario = """
            seed: 17
            hosts: {at: [[0, 0]], sensitivity: -95, duty: honoured}
            path_loss: {exponent: 2.2, shadowing: 3, channels: 2}
            fading: 3
            loss: 0.2
            beacons:
              shelf: {uuid: \(Stage.uuid), major: 100, minor: 1, at: [2, 2], interval: 350ms}
              customer:
                uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6
                interval: 200ms
                bursts: {loss: 0.2, length: 2s}
                rotate: 70s
                present: [{from: 150s, to: 390s}, {from: 800s, to: 1000s}]
                walk:
                  - {at: [-12, 0], time: 0s}
                  - {at: [1, 1], time: 15s}
                  - {at: [3, 2], time: 180s}
                  - {at: [-12, 0], time: 200s}
            """

        static let configuration = """
            site: store-12
            node: s12-shelf-3
            radio: {adapter: "unix:/dev/null"}
            mqtt: {host: 127.0.0.1}
            regions:
              shelf: {uuid: \(Stage.uuid)}
              customer: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6}
            """

        /// A message with the seconds since the store opened.
        struct Told {
            let kind: String
            let payload: JSONValue
            var seconds: Double { Double(payload["mono_ms"]?.integer ?? -1) / 1000 }
        }

        @Test("who walks in and out is entered while he is there and exited once he is gone, each time once")
        func visits() throws {
            let folder = try TemporaryFolder()
            let capture = folder.path("store.btsnoop")
            let sim = try Child(
                builtProgram("beacon-sim"),
                [
                    "--capture", capture, "--truth", folder.path("truth"), "--seconds", "1800",
                    "--scenario", try folder.write("store.yaml", Self.scenario),
                ])
            #expect(try sim.waitForExit(within: 60) == 0)
            let output = folder.path("messages")
            let replay = try Child(
                "/bin/sh",
                ["-c", #"exec "$0" replay "$@" > "$OUTPUT""#]
                    + [
                        builtProgram("beacond"), capture, "--config",
                        try folder.write("config.yaml", Self.configuration),
                    ],
                environment: ["OUTPUT": output])
            #expect(try replay.waitForExit(within: 120) == 0)

            let truth = try lines(folder.read("truth"))
            let sent = truth.filter { $0["event"]?.text == "sent" }.compactMap { $0["adverts"]?.integer }
            let summary = try #require(replay.errors.last)
            #expect(summary.contains(", \(sent.reduce(0, +)) adverts, 0 scan responses"), "\(summary)")

            var told: [Told] = []
            var state: String?
            for line in try lines(folder.read("messages")) {
                guard let topic = line["topic"]?.text, let payload = line["payload"] else { continue }
                let kind = topic.split(separator: "/").dropFirst(4).joined(separator: "/")
                if ["enter/customer", "exit/customer"].contains(kind) {
                    told.append(Told(kind: kind, payload: payload))
                }
                if kind == "region/customer" { state = payload["state"]?.text }
            }
            func seconds(_ event: String) -> [Double] {
                truth.filter { $0["event"]?.text == event && $0["beacon"]?.text == "customer" }
                    .map { Double($0["ms"]?.integer ?? -1) / 1000 }
            }
            #expect(seconds("enter") == [150, 800] && seconds("leave") == [390, 1000])
            #expect(told.map(\.kind) == ["enter/customer", "exit/customer", "enter/customer", "exit/customer"])
            for (visit, (came, left)) in zip(seconds("enter"), seconds("leave")).enumerated() {
                guard told.count > 2 * visit + 1 else { break }
                let (enter, exit) = (told[2 * visit], told[2 * visit + 1])
                // Not before he came, and at the latest when he was near: 15 s, and 30 s for whatever rule there is.
                #expect((came...came + 45).contains(enter.seconds), "\(enter.seconds)")
                // Not while he is there, and not later than any rule may wait.
                #expect((left...left + 310).contains(exit.seconds), "\(exit.seconds)")
                #expect(enter.payload["visit"] == exit.payload["visit"])
            }
            // Not before 10 s of silence, whatever the rule: that is the floor.
            let last = truth.first { $0["event"]?.text == "sent" && $0["beacon"]?.text == "customer" }?["last_ms"]
            let silence = try #require(told.last).seconds - Double(last?.integer ?? -1) / 1000
            #expect(silence >= 10, "\(silence)")
            #expect(state == "outside")
        }

        private func lines(_ text: String) throws -> [JSONValue] {
            try text.split(separator: "\n").map { try JSONValue(reading: Array($0.utf8)) }
        }
    }
}
