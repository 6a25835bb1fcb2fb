import Foundation
import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Broker")
    struct BrokerTests {
        private func lines(_ agent: Agent, _ text: String) -> Int { agent.log.filter { $0.contains(text) }.count }

        @Test("a broker that is down at the start is found when it comes, and is complained of once")
        func downAtStart() throws {
            let broker = try MosquittoBroker(starts: false)
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let agent = try Agent()
            try agent.configure(adapter: simulator.address, port: broker.port, Stage.advertising)
            try agent.start()
            try agent.wait(forLine: "cannot be reached")
            try agent.wait(forLine: "radio: listening")
            try broker.start()
            let subscriber = try Subscriber(port: broker.port)
            try subscriber.first("an online node") { $0.kind == "status" && $0.json?["state"]?.text == "online" }
            // Its log is whole only when it has ended.
            #expect(try agent.stop() == 0)
            #expect(lines(agent, "cannot be reached") == 1)
            #expect(lines(agent, "is connected") == 1)
        }

        @Test("a broker that refuses is said to, once, and one that then accepts is taken")
        func refused() throws {
            let broker = try MosquittoBroker(access: .users(["node": "right", "analyst": "secret"]))
            let subscriber = try Subscriber(port: broker.port, user: ("analyst", "secret"))
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let agent = try Agent()
            try agent.configure(
                adapter: simulator.address, port: broker.port, user: ("nobody", "wrong"), Stage.advertising)
            try agent.start()
            try agent.wait(forLine: "refuses the connection")
            try agent.configure(
                adapter: simulator.address, port: broker.port, user: ("node", "right"), Stage.advertising)
            agent.reload()
            try subscriber.first("an online node") { $0.kind == "status" && $0.json?["state"]?.text == "online" }
            #expect(try agent.stop() == 0)
            #expect(lines(agent, "refuses the connection") == 1)
            #expect(!agent.log.joined().contains("right"))
        }

        @Test("a password that was changed at both ends is found at the next connection, and told to nobody")
        func rotated() throws {
            let broker = try MosquittoBroker(access: .users(["node": "first", "analyst": "secret"]))
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let agent = try Agent()
            try agent.configure(
                adapter: simulator.address, port: broker.port, user: ("node", "first"), Stage.advertising)
            try agent.start()
            try agent.wait(forLine: "is connected")
            try broker.kill()
            try broker.allow(.users(["node": "second", "analyst": "secret"]))
            try agent.folder.write("password", "second\n")
            try broker.start()
            let subscriber = try Subscriber(port: broker.port, user: ("analyst", "secret"))
            // Long before a broker that refuses is asked again, a minute at least.
            try subscriber.first(within: 30, "an online node") {
                $0.kind == "status" && $0.json?["state"]?.text == "online"
            }
            #expect(try agent.stop() == 0)
            #expect(lines(agent, "refuses the connection") == 1)
            #expect(lines(agent, "is connected") == 2)
            #expect(!agent.log.contains { $0.contains("first") || $0.contains("second") })
        }

        @Test("the will after a reconnect is that of the new session")
        func willAfterReconnect() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            let first = try stage.subscriber.first("a status") { $0.kind == "status" }.json
            try stage.broker.kill()
            stage.agent.pause()
            try stage.broker.start()
            let subscriber = try Subscriber(port: stage.broker.port)
            stage.agent.resume()
            let second = try subscriber.first("another session") {
                $0.kind == "status" && $0.json?["state"]?.text == "online"
                    && $0.json?["session"] != first?["session"]
            }.json
            try stage.agent.kill()
            let will = try subscriber.first("the will") { $0.json?["reason"]?.text == "connection_lost" }.json
            #expect(will?["session"] == second?["session"])
        }

        @Test(
            "what is decided while the broker is away arrives once and in order when it is back; ranging does not")
        func outage() throws {
            let stage = try Stage(
                scenario: """
                    beacons:
                      shelf: {uuid: \(Stage.uuid), major: 100, minor: 1}
                      first: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, major: 1, present: [{from: 3s, to: 600s}]}
                      second: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, major: 2, present: [{from: 4s, to: 600s}]}
                    """,
                configuration: """
                    log: {level: debug}
                    regions:
                      shelf: {uuid: \(Stage.uuid)}
                      first: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, major: 1}
                      second: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, major: 2}
                    """)
            try stage.subscriber.first("an enter") { $0.kind == "enter/shelf" }
            let before = try stage.subscriber.first("a status") { $0.kind == "status" }.json
            try stage.broker.kill()
            try stage.agent.wait(forLine: "enter second")
            // It stands still until somebody is there to see what comes.
            stage.agent.pause()
            try stage.broker.start()
            let subscriber = try Subscriber(port: stage.broker.port)
            stage.agent.resume()
            // A status of the session before may come first, if its acknowledgement died with the broker.
            let after = try subscriber.first("a node online in another session") {
                $0.kind == "status" && $0.json?["state"]?.text == "online"
                    && $0.json?["session"] != before?["session"]
            }.json
            try subscriber.first("ranging of now") { $0.kind == "ranging/second" }
            try stage.end()
            try subscriber.first("the end") { $0.json?["reason"]?.text == "stopped" }
            // The enter that came before may come again, under its id, if its acknowledgement died with the broker.
            let events = subscriber.messages.filter {
                $0.kind?.hasPrefix("enter/") == true && $0.kind != "enter/shelf"
            }
            #expect(events.map(\.kind) == ["enter/first", "enter/second"])
            #expect(events.compactMap { $0.json?["id"]?.text } == ["s12-shelf-3/1/2", "s12-shelf-3/1/3"])
            let connected = try #require(after?["time"]?.text)
            for message in subscriber.messages where message.kind?.hasPrefix("ranging/") == true {
                let time = try #require(message.json?["time"]?.text)
                #expect(time > connected)
            }
            #expect(lines(stage.agent, "is disconnected") + lines(stage.agent, "cannot be reached") <= 2)
            #expect(lines(stage.agent, "is connected") == 2)
        }

        @Test("messages that the broker refuses are complained of once, and hold nothing else up")
        func forbidden() throws {
            let rules = try TemporaryFolder()
            let file = try rules.write(
                "acl", "topic deny beacons/data/store-12/s12-shelf-3/window\ntopic readwrite #\n")
            let broker = try MosquittoBroker(options: ["acl_file \(file)"])
            let subscriber = try Subscriber(port: broker.port)
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let agent = try Agent()
            try agent.configure(
                adapter: simulator.address, port: broker.port, Stage.advertising + "\nwindows: {length: 1s}\n")
            try agent.start()
            try agent.wait(forLine: "refuses messages")
            // Ranging has a second too: three of it, three windows.
            let seen = subscriber.messages.count
            try subscriber.wait(for: "three seconds of ranging") { messages in
                messages.dropFirst(seen).filter { $0.kind == "ranging/shelf" }.count >= 3 ? true : nil
            }
            #expect(try agent.stop() == 0)
            #expect(
                lines(agent, "broker: refuses messages, which are given up and counted: reason code 0x87") == 1)
            #expect(lines(agent, "refuses messages") == 1)
            #expect(subscriber.messages.contains { $0.kind == "enter/shelf" })
            #expect(!subscriber.messages.contains { $0.kind == "window" })
        }

        @Test("a name that does not resolve is complained of, and one that does is taken")
        func unknownName() throws {
            let broker = try MosquittoBroker()
            let subscriber = try Subscriber(port: broker.port)
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let agent = try Agent()
            try agent.configure(adapter: simulator.address, port: broker.port, Stage.advertising)
            let good = try agent.folder.read("config.yaml")
            let bad = good.replacingOccurrences(of: "host: 127.0.0.1", with: "host: broker.invalid")
            try agent.folder.write("config.yaml", bad)
            try agent.start()
            try agent.wait(forLine: "cannot be reached", within: 60)
            try agent.wait(forLine: "radio: listening")
            try agent.folder.write("config.yaml", good)
            agent.reload()
            try subscriber.first(within: 60, "an online node") { $0.kind == "status" }
            #expect(try agent.stop() == 0)
        }
    }
}
