import Foundation
import JSON
import TestSupport
import Testing

extension EndToEnd {
    /// Ends without company, topics that are not the node's, documents that waited: the edges of the other suites.
    @Suite("Edges")
    struct EdgeTests {
        private static let theirs = "8e287857-4c3b-4d5e-9f60-718293a4b5c6"
        private static let old = Stage.payload(
            uuid: "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6", major: 100, minor: 1)
        private static let new = Stage.payload(uuid: theirs, major: 200, minor: 7)
        private static let document = """
            {"config":{"advertise":{"uuid":"\(theirs)","major":200,"minor":7}}}
            """

        @Test("SIGTERM ends a node that has neither controller nor broker, and one whose broker hangs")
        func alone() throws {
            let broker = try MosquittoBroker(starts: false)
            let folder = try TemporaryFolder()
            let agent = try Agent()
            try agent.configure(adapter: "unix:\(folder.path("hci"))", port: broker.port, Stage.advertising)
            try agent.start()
            try agent.wait(forLine: "cannot be reached")
            #expect(try agent.stop() == 0, "\(agent.log)")
            #expect(agent.log.last == "info: stopped")

            try broker.start()
            try agent.start()
            try agent.wait(forLine: "is connected")
            broker.freeze()
            #expect(try agent.stop() == 0, "\(agent.log)")
            try broker.kill()
        }

        @Test("SIGINT ends it as SIGTERM does; no will follows, and the scan is off before the controller is left")
        func interrupted() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            try stage.simulator.wait(onAir: Self.old)
            try stage.subscriber.first("an enter") { $0.kind == "enter/shelf" }
            stage.agent.interrupt()
            #expect(try stage.agent.waitForExit() == 0, "\(stage.agent.log)")
            // What was published before this one is there when this one is.
            try stage.broker.publish("fence", "1")
            try stage.subscriber.first("the fence") { $0.topic == "fence" }
            let states = stage.subscriber.messages.filter { $0.kind == "status" }.map { $0.json?["state"]?.text }
            #expect(states == ["online", "offline"])
            #expect(stage.simulator.air.map(\.data) == [Self.old, nil])
            let truth = try stage.simulator.truth()
            let scans = truth.filter { $0["event"]?.text == "scanning" }.map { $0["on"]?.bool }
            #expect(scans == [true, false])
            let events = truth.compactMap { $0["event"]?.text }
            let off = try #require(events.lastIndex(of: "scanning"))
            let left = try #require(events.firstIndex(of: "disconnected"))
            #expect(off < left)
        }

        @Test("a document that waits at the broker for a node that is away is taken when it comes")
        func waited() throws {
            let broker = try MosquittoBroker()
            try broker.publish(Stage.control, Self.document, retain: true)
            let subscriber = try Subscriber(port: broker.port)
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let agent = try Agent()
            try agent.configure(adapter: simulator.address, port: broker.port, Stage.advertising)
            try agent.start()
            let reply = try subscriber.first("a reply") { $0.kind == "reply" }.json
            #expect(reply?["result"]?.text == "applied")
            try simulator.wait(onAir: Self.new)
            #expect(try agent.stop() == 0, "\(agent.log)")
            // Whether the broker or the controller answered first is chance.
            #expect(simulator.air.map(\.data).drop { $0 == Self.old } == [Self.new, nil])
        }

        @Test("messages on topics near its own are nothing to it")
        func topics() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            try stage.simulator.wait(onAir: Self.old)
            try stage.subscriber.first("a status") { $0.kind == "status" }
            let node = "beacons/control/node/s12-shelf-3"
            let near = [
                "\(node)/config/", "\(node)/config/x", "\(node)/config/\u{202E}", node, "\(node)/command",
                "\(node)0/config", "beacons/control/node//config", "/\(node)/config", "beacons/control/all/config",
                "beacons/data/store-12/s12-shelf-3/enter/shelf", "beacons",
            ]
            for topic in near { try stage.broker.publish(topic, Self.document, retain: true) }
            try stage.push(#"{"config":{"windows":{"length":"7s"}}}"#)
            #expect(try stage.reply(0)["result"]?.text == "applied")
            try stage.end()
            #expect(stage.subscriber.messages.filter { $0.kind == "reply" }.count == 1)
            #expect(stage.simulator.air.map(\.data) == [Self.old, nil])
        }

        @Test("what a document says reaches the reply and the log escaped and cut")
        func strings() throws {
            let stage = try Stage(
                scenario: Stage.oneBeacon, configuration: "log: {level: debug}\n" + Stage.advertising)
            try stage.subscriber.first("a status") { $0.kind == "status" }
            let hostile = [
                #"\u001b[2J\u001b]0;x\u0007"#, #"\r\ninfo: all is well"#, "\u{202E}\u{2066}gnp.exe",
                #"\u0000\u007f\u0085\u2028"#,
            ]
            var replies = 0
            for text in hostile {
                for document in [
                    #"{"config":{"advertise":{"uuid":"\#(text)"}}}"#, #"{"config":{"\#(text)":1}}"#,
                    #"{"\#(text)":{}}"#,
                    #"{"config":{"regions":{"\#(text)":{"uuid":"\#(text)","url":"\#(text)"}}}}"#,
                    #"{"config":{"log":{"level":"\#(text)\#(String(repeating: "long", count: 2000))"}}}"#,
                    "\(text){", #"{"config":{"windows":{"length":"\#(text)"},"windows":{}}}"#,
                ] {
                    try stage.push(document)
                    #expect(try stage.reply(replies)["result"]?.text == "rejected", "\(document)")
                    replies += 1
                }
            }
            try stage.end()
            for message in stage.subscriber.messages where message.kind == "reply" {
                #expect(message.payload.utf8.count < 4000, "\(message.payload)")
                for error in message.json?["errors"]?.elements ?? [] {
                    for text in [error["path"]?.text, error["message"]?.text] {
                        #expect(isPrintable(text ?? "?"), "\(message.payload)")
                    }
                }
            }
            let starts = ["debug: ", "info: ", "warning: ", "error: ", "  "]
            for line in stage.agent.log {
                #expect(isPrintable(line) && starts.contains { line.hasPrefix($0) }, "\(line.debugDescription)")
            }
        }

        /// Whether a terminal shows all of it and acts on none of it.
        private func isPrintable(_ text: String) -> Bool {
            text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
                default: true
                }
            }
        }

        @Test(
            "a state folder of somebody else's is refused, with what to do about it",
            .enabled(if: geteuid() == 0, "only root gives folders away"))
        func foreignFolder() throws {
            let agent = try Agent()
            try agent.configure(adapter: "unix:/x", port: 1, "")
            try FileManager.default.createDirectory(atPath: agent.state, withIntermediateDirectories: false)
            chmod(agent.state, 0o700)
            #expect(chown(agent.state, 65534, 65534) == 0)
            try agent.start()
            #expect(try agent.waitForExit() == 69)
            #expect(
                agent.log == [
                    "beacond run: the state folder \(agent.state) belongs to user 65534, but this runs as user 0; "
                        + "change its owner or choose another folder"
                ])
        }
    }
}
