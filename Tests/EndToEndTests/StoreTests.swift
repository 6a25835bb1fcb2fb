import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Store")
    struct StoreTests {
        @Test(
            "a visitor who comes and goes is an enter and an exit of one visit, and facts stay for late subscribers"
        )
        func visitor() throws {
            let stage = try Stage(
                scenario: """
                    beacons:
                      shelf: {uuid: \(Stage.uuid), major: 100, minor: 1, count: 20}
                      visitor: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, present: [{from: 1s, to: 2s}]}
                    """,
                configuration: """
                    regions:
                      shelf: {uuid: \(Stage.uuid), major: 100}
                      visitor: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, exit: fixed, exit_after: 2s}
                    windows: {length: 2s}
                    """)
            let exit = try #require(
                try stage.subscriber.first("an exit") { $0.kind == "exit/visitor" }.json)
            let messages = stage.subscriber.messages
            let enter = try #require(messages.first { $0.kind == "enter/visitor" }?.json)
            #expect(enter["visit"] == exit["visit"])
            #expect(enter["id"]?.text == "s12-shelf-3/1/2" && exit["id"]?.text == "s12-shelf-3/1/3")
            #expect(exit["reason"]?.text == "silence")
            let dwell = try #require(exit["dwell_ms"]?.integer)
            // Of the second that he was there the first four adverts and a half were for the enter.
            #expect((300...700).contains(dwell))
            let silence = try #require(exit.at("evidence", "silence_ms")?.integer)
            #expect((2000...2100).contains(silence))
            #expect(messages.filter { $0.kind == "enter/shelf" }.count == 1)

            let ranging = try #require(
                try stage.subscriber.first("ranging") {
                    $0.kind == "ranging/shelf" && $0.json?["beacons"]?.elements?.count == 20
                }.json)
            let distances = ranging["beacons"]?.elements?.compactMap { item -> Double? in
                guard case .number(let number) = item["accuracy"] else { return nil }
                return number.double
            }
            #expect(distances?.count == 20 && distances == distances?.sorted())
            // The first is as long as it takes to the node's own time for windows.
            let windows = try stage.subscriber.wait(for: "two windows") { messages in
                let found = messages.filter { $0.kind == "window" }.compactMap(\.json)
                return found.count >= 2 ? found : nil
            }
            #expect((1...2000).contains(windows[0]["length_ms"]?.integer ?? 0))
            #expect(windows[1]["length_ms"]?.integer == 2000)

            let late = try Subscriber(port: stage.broker.port, ["beacons/data/#"])
            let outside = try late.first("the visitor's region") { $0.kind == "region/visitor" }
            #expect(outside.retain && outside.json?["state"]?.text == "outside")
            let inside = try late.first("the shelf's region") { $0.kind == "region/shelf" }
            #expect(inside.json?["state"]?.text == "inside" && inside.json?["beacons"]?.integer == 20)
            #expect(try late.first("the status") { $0.kind == "status" }.json?["state"]?.text == "online")
            #expect(try late.first("the state") { $0.kind == "state" }.retain)
            try stage.end()
        }

        @Test("of 2,600 adverts a second each is in a window, to the advert")
        func sums() throws {
            let stage = try Stage(
                scenario: """
                    seed: 7
                    beacons:
                      shelf: {uuid: \(Stage.uuid), major: 100, minor: 1, count: 273, noise: 3}
                    """,
                configuration: """
                    regions:
                      shelf: {uuid: \(Stage.uuid), major: 100, ranging: off}
                    windows: {length: 5s}
                    """)
            try stage.subscriber.wait(for: "windows of nine seconds") { messages in
                let windows = messages.filter { $0.kind == "window" }.compactMap(\.json)
                let lengths = windows.filter { ($0["part"]?.integer ?? 1) == 1 }.compactMap {
                    $0["length_ms"]?.integer
                }
                return lengths.reduce(0, +) >= 9_000 ? true : nil
            }
            try stage.end()
            try stage.subscriber.first("the end") {
                $0.kind == "status" && $0.json?["reason"]?.text == "stopped"
            }
            var heard: [Int64: Int64] = [:]
            for message in stage.subscriber.messages where message.kind == "window" {
                for item in message.json?["beacons"]?.elements ?? [] {
                    guard let minor = item["minor"]?.integer, let adverts = item["adverts"]?.integer else {
                        continue
                    }
                    heard[minor, default: 0] += adverts
                }
            }
            var minors: [String: Int64] = [:]
            var sent: [Int64: Int64] = [:]
            for event in try stage.simulator.truth() {
                let name = event["beacon"]?.text ?? ""
                if event["event"]?.text == "beacon" { minors[name] = event["minor"]?.integer }
                if event["event"]?.text == "sent", let minor = minors[name], let adverts = event["adverts"]?.integer
                {
                    sent[minor, default: 0] += adverts
                }
            }
            #expect(sent.count == 273 && sent.values.reduce(0, +) > 20_000)
            #expect(heard == sent)
        }
    }
}
