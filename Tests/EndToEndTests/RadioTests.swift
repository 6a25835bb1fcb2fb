import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Radio")
    struct RadioTests {
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
            simulator = try Child(builtProgram("beacon-sim"), arguments)
            let seen = subscriber.messages.count
            try subscriber.first(after: seen, "a region that is known again") {
                $0.kind == "region/shelf" && $0.json?["state"]?.text == "inside"
            }
            #expect(try agent.stop() == 0)
            try subscriber.first("the end") { $0.json?["reason"]?.text == "stopped" }
            let messages = subscriber.messages
            #expect(messages.filter { $0.kind == "enter/shelf" }.count == 1)
            #expect(messages.filter { $0.kind == "exit/shelf" }.isEmpty)
            let blind = messages.filter { $0.kind == "window" }.compactMap { $0.json?["blind_ms"]?.integer }
            #expect(blind.reduce(0, +) >= 1000)
            #expect(try simulator?.stop() == 0)
        }
    }
}
