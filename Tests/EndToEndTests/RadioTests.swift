import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Radio")
    struct RadioTests {
        private static let leaving = "present: [{from: 0s, to: 2s}]"

        @Test("a controller that is not there is told, and used when it comes")
        func absent() throws {
            let broker = try MosquittoBroker()
            let subscriber = try Subscriber(port: broker.port)
            // Its address is known from one that is gone.
            let folder = try TemporaryFolder()
            let agent = try Agent()
            try agent.configure(adapter: "unix:\(folder.path("hci"))", port: broker.port, Stage.advertising)
            try agent.start()
            let alert = try subscriber.first("an alert") { $0.kind == "alert/radio" }.json
            #expect(alert?["state"]?.text == "blind" && alert?["cause"]?.text == "unreachable")
            let child = try Child(
                builtProgram("beacon-sim"),
                ["--listen", "unix:\(folder.path("hci"))", "--scenario", try folder.write("s", Stage.oneBeacon)])
            try subscriber.first("an enter") { $0.kind == "enter/shelf" }
            let alerts = subscriber.messages.filter { $0.kind == "alert/radio" }
            #expect(alerts.map { $0.json?["state"]?.text } == ["blind", "listening"])
            #expect(try agent.stop() == 0)
            #expect(try child.stop() == 0)
        }

        @Test("a controller that goes and comes back costs blind time, and neither an exit nor a second enter")
        func unplugged() throws {
            let broker = try MosquittoBroker()
            let subscriber = try Subscriber(port: broker.port)
            let folder = try TemporaryFolder()
            let scenario = try folder.write("s", Stage.oneBeacon)
            let arguments = ["--listen", "unix:\(folder.path("hci"))", "--scenario", scenario]
            var simulator: Child? = try Child(builtProgram("beacon-sim"), arguments)
            try simulator?.wait(forLine: "listening on")
            let agent = try Agent()
            try agent.configure(
                adapter: "unix:\(folder.path("hci"))", port: broker.port,
                "regions:\n  shelf: {uuid: \(Stage.uuid), exit: fixed, exit_after: 1s}\nwindows: {length: 1s}\n")
            try agent.start()
            try subscriber.first("an enter") { $0.kind == "enter/shelf" }
            simulator?.kill()
            try simulator?.waitForExit()
            simulator = nil
            let lost = try subscriber.first("a region that is not known") {
                $0.kind == "region/shelf" && $0.json?["cause"]?.text == "radio_blind"
            }
            #expect(lost.json?["state"]?.text == "unknown")
            // In the store that comes back the beacon leaves after some seconds, so that there is an exit to look at.
            try folder.write(
                "s", "beacons:\n  shelf: {uuid: \(Stage.uuid), major: 100, minor: 1, \(Self.leaving)}\n")
            simulator = try Child(builtProgram("beacon-sim"), arguments)
            let seen = subscriber.messages.count
            try subscriber.first(after: seen, "a region that is known again") {
                $0.kind == "region/shelf" && $0.json?["state"]?.text == "inside"
            }
            let exit = try #require(try subscriber.first("an exit") { $0.kind == "exit/shelf" }.json)
            #expect(try agent.stop() == 0)
            try subscriber.first("the end") { $0.json?["reason"]?.text == "stopped" }
            let messages = subscriber.messages
            let enters = messages.filter { $0.kind == "enter/shelf" }.compactMap(\.json)
            #expect(enters.count == 1 && enters.first?["visit"] == exit["visit"])
            #expect(messages.filter { $0.kind == "exit/shelf" }.count == 1)
            #expect(exit["reason"]?.text == "silence")
            #expect(try #require(exit.at("evidence", "blind_ms")?.integer) >= 1000)
            #expect((1000...1200).contains(try #require(exit.at("evidence", "silence_ms")?.integer)))
            let regions = messages.filter { $0.kind == "region/shelf" }.compactMap { $0.json?["state"]?.text }
            #expect(regions.drop { $0 == "unknown" } == ["inside", "unknown", "inside", "outside"])
            let alerts = messages.filter { $0.kind == "alert/radio" }.compactMap { $0.json?["state"]?.text }
            // Once for the connection that ended, once for the one that cannot be made.
            #expect(alerts == ["blind", "blind", "listening"])
            try expectValidPayloads(
                messages.filter { $0.topic.contains("/data/") }.map { "\($0.topic) \($0.payload)" })
            let blind = messages.filter { $0.kind == "window" }.compactMap { $0.json?["blind_ms"]?.integer }
            #expect(blind.reduce(0, +) >= 1000)
            #expect(try simulator?.stop() == 0)
        }

        @Test("a controller that hangs is no empty store: nobody leaves, and nobody enters when it is back")
        func hung() throws {
            let stage = try Stage(
                scenario: Stage.oneBeacon,
                configuration:
                    "regions:\n  shelf: {uuid: \(Stage.uuid), exit: fixed, exit_after: 1s}\nwindows: {length: 1s}\n"
            )
            try stage.subscriber.first("an enter") { $0.kind == "enter/shelf" }
            stage.simulator.pause()
            let alert = try stage.subscriber.first("an alert") { $0.kind == "alert/radio" }.json
            #expect(alert?["cause"]?.text == "command_timeout")
            try stage.subscriber.first("a region that is not known") {
                $0.kind == "region/shelf" && $0.json?["cause"]?.text == "radio_blind"
            }
            let seen = stage.subscriber.messages.count
            stage.simulator.resume()
            try stage.subscriber.first(after: seen, "a region that is known again") {
                $0.kind == "region/shelf" && $0.json?["state"]?.text == "inside"
            }
            try stage.end()
            let messages = stage.subscriber.messages
            #expect(messages.filter { $0.kind == "enter/shelf" }.count == 1)
            #expect(messages.filter { $0.kind == "exit/shelf" }.isEmpty)
            // It was blind from when it last gave a sign of life, which is before anybody noticed.
            let blind = messages.filter { $0.kind == "window" }.compactMap { $0.json?["blind_ms"]?.integer }
            #expect(blind.reduce(0, +) >= 3_000)
        }

        @Test(
            "a node that stands still for longer than its exit time was blind, and finds its beacons where they were"
        )
        func stopped() throws {
            let stage = try Stage(
                scenario: Stage.oneBeacon,
                configuration:
                    "regions:\n  shelf: {uuid: \(Stage.uuid), exit: fixed, exit_after: 1s}\nwindows: {length: 1s}\n"
            )
            try stage.subscriber.first("an enter") { $0.kind == "enter/shelf" }
            // Another node, to tell the time by.
            let other = try Agent()
            try other.configure(
                adapter: stage.simulator.address, port: stage.broker.port, node: "s12-shelf-4",
                "regions:\n  shelf: {uuid: \(Stage.uuid)}\n")
            try other.start()
            stage.agent.pause()
            try stage.subscriber.wait(for: "three seconds of the other node") { messages in
                messages.filter { $0.topic.hasSuffix("s12-shelf-4/ranging/shelf") }.count > 3 ? true : nil
            }
            let seen = stage.subscriber.messages.count
            stage.agent.resume()
            // After the pause, and after whatever it may think of it.
            try stage.subscriber.wait(for: "six seconds of ranging") { messages in
                messages.dropFirst(seen).filter { $0.topic.hasSuffix("s12-shelf-3/ranging/shelf") }.count > 5
                    ? true : nil
            }
            #expect(try other.stop() == 0)
            try stage.end()
            let own = stage.subscriber.messages.filter { $0.topic.contains("/s12-shelf-3/") }
            #expect(own.filter { $0.kind == "enter/shelf" }.count == 1)
            #expect(own.filter { $0.kind == "exit/shelf" }.isEmpty)
            let regions = own.filter { $0.kind == "region/shelf" }.compactMap { $0.json?["state"]?.text }
            // Between the two it was unknown, unless the broker was told so only when that was over.
            #expect(regions.filter { $0 != "unknown" } == ["inside", "inside"])
            let blind = own.filter { $0.kind == "window" }.compactMap { $0.json?["blind_ms"]?.integer }
            #expect(blind.reduce(0, +) >= 3_000)
            #expect(own.filter { $0.kind == "alert/radio" }.isEmpty)
        }
    }
}
