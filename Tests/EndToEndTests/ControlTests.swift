import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Control")
    struct ControlTests {
        private static let ours = "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6"
        private static let theirs = "8e287857-4c3b-4d5e-9f60-718293a4b5c6"

        @Test("one document changes what is on air, and it stays after kill -9, a power cycle and no broker")
        func advertisedIdentity() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            let old = Stage.payload(uuid: Self.ours, major: 100, minor: 1)
            let new = Stage.payload(uuid: Self.theirs, major: 7, minor: 65535)
            try stage.simulator.wait(onAir: old)
            try stage.state("on air") { $0.at("conditions", "advertising", "major")?.integer == 100 }

            try stage.push(#"{"config":{"advertise":{"uuid":"\#(Self.theirs)","major":7,"minor":65535}}}"#)
            let reply = try stage.reply(0)
            #expect(reply["result"]?.text == "applied" && reply["errors"] == nil)
            try stage.simulator.wait(onAir: new)
            let state = try stage.state("the new one on air") {
                $0.at("conditions", "advertising", "major")?.integer == 7
            }
            #expect(state["config"] == reply["config"])
            #expect(state.at("scopes", "node", "document") == reply["document"])
            #expect(state.at("scopes", "node", "result")?.text == "applied")
            #expect(state.at("conditions", "advertising", "uuid")?.text == Self.theirs)
            #expect(stage.simulator.air.map(\.data) == [old, new])

            try stage.agent.kill()
            stage.simulator.kill()
            try stage.broker.kill()
            let powered = try Simulator(scenario: Stage.oneBeacon)
            try stage.agent.configure(
                adapter: powered.address, port: stage.broker.port, Stage.advertising)
            try stage.agent.start()
            try powered.wait(onAir: new)
            #expect(powered.air.map(\.data) == [new])

            try stage.broker.start()
            let subscriber = try Subscriber(port: stage.broker.port)
            try subscriber.first("the node") {
                $0.kind == "state" && $0.json?.at("scopes", "node", "document") == reply["document"]
            }
            try stage.broker.publish(Stage.control, "", retain: true)
            let removed = try subscriber.first("a reply") { $0.kind == "reply" }.json
            #expect(removed?["result"]?.text == "removed")
            try powered.wait(onAir: old)
            try stage.end()
        }

        @Test("a document with three mistakes changes nothing and gets all three back with their paths")
        func threeMistakes() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            let old = Stage.payload(uuid: Self.ours, major: 100, minor: 1)
            try stage.simulator.wait(onAir: old)
            let before = try stage.state("a state") {
                $0.at("conditions", "advertising", "state")?.text == "on_air"
            }
            try stage.push(
                #"{"config":{"advertise":{"major":70000,"colour":1,"minor":8},"windows":{"length":"-1s"}}}"#)
            let reply = try stage.reply(0)
            #expect(reply["result"]?.text == "rejected")
            let paths = reply["errors"]?.elements?.compactMap { $0["path"]?.text } ?? []
            #expect(paths.sorted() == ["advertise.colour", "advertise.major", "windows.length"])
            let major = reply["errors"]?.elements?.first { $0["path"]?.text == "advertise.major" }
            #expect(major?["message"]?.text?.contains("70000") == true)
            #expect(reply["config"] == before["config"])

            // A good one afterwards shows that all that was looked at is over, and that the bad one left nothing.
            try stage.push(#"{"config":{"windows":{"length":"20s"}}}"#)
            #expect(try stage.reply(1)["result"]?.text == "applied")
            #expect(stage.simulator.air.map(\.data) == [old])
            try stage.end()
        }

        @Test("whatever is pushed gets one reply, and the node lives")
        func hostile() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            try stage.subscriber.first("an online node") { $0.kind == "status" }
            let payloads: [[UInt8]] = [
                Array("not json".utf8),
                Array(#"{"config":{"windows":{"length":"5s","length":"6s"}}}"#.utf8),
                Array(#"{"config":[]}"#.utf8),
                Array(#"{"config":{},"other":1}"#.utf8),
                Array(#"[1,2]"#.utf8),
                Array(#"{"config":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}"#.utf8),
                Array(#"{"config":{"site":"elsewhere"}}"#.utf8),
                Array(#"{"config":{"mqtt":{"password_file":"/etc/shadow"}}}"#.utf8),
                Array(#"{"config":{"advertise":{"uuid":8e287857}}}"#.utf8),
                Array(#"{"config":{""#.utf8) + [0xFF, 0xFE, 0xC0] + Array(#"":1}}"#.utf8),
                Array(#"{"config":{"log":{"level":""#.utf8) + Array(repeating: 0x61, count: 70_000)
                    + Array(#""}}}"#.utf8),
                Array("{\"config\":{\"\\u001b[2J\\n\\u202e\":1}}".utf8),
            ]
            for (number, payload) in payloads.enumerated() {
                try stage.push(bytes: payload)
                let reply = try stage.reply(number)
                #expect(reply["result"]?.text == "rejected", "payload \(number)")
                #expect((reply["errors"]?.elements?.count ?? 0) > 0, "payload \(number)")
            }
            // More than the node accepts in a packet: the broker keeps it to itself.
            try stage.push(bytes: [UInt8](repeating: 0x20, count: 300_000))
            try stage.push(#"{"config":{"windows":{"length":"20s"}}}"#)
            #expect(try stage.reply(payloads.count)["result"]?.text == "applied")
            try stage.end()
            for line in stage.agent.log {
                let scalars = line.unicodeScalars
                #expect(!scalars.contains { $0.value < 0x20 || $0.value == 0x202E || $0.value == 0x7F })
            }
            #expect(!stage.agent.log.joined().contains("root:"))
        }

        @Test("a document that the broker sends again at a reconnect is not answered again")
        func sentAgain() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            try stage.push(#"{"config":{"advertise":{"minor":2}}}"#)
            #expect(try stage.reply(0)["result"]?.text == "applied")
            let seen = stage.subscriber.messages.count
            try stage.agent.kill()
            try stage.agent.start()
            try stage.subscriber.first(after: seen, "a node back online") {
                $0.kind == "status" && $0.json?["state"]?.text == "online"
            }
            try stage.push(#"{"config":{"advertise":{"minor":2}}}"#)
            #expect(try stage.reply(1)["result"]?.text == "unchanged")
            #expect(stage.subscriber.messages.filter { $0.kind == "reply" }.count == 2)
            try stage.end()
        }
    }
}
