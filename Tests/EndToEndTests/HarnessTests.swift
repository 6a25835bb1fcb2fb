import Foundation
import JSON
import TestSupport
import Testing

/// The tools of the other tests, tested: a harness that waits for the wrong thing proves nothing.
@Suite("Harness", .serialized, .timeLimit(.minutes(2)))
struct HarnessTests {
    @Test("a program's output comes by stream, with its last line and its exit code")
    func output() throws {
        let child = try Child("/bin/sh", ["-c", "echo one; echo two >&2; printf three; exit 7"])
        #expect(try child.waitForExit() == 7)
        #expect(child.output == ["one", "three"])
        #expect(child.errors == ["two"])
        #expect(!child.isRunning)
    }

    @Test("a wait ends with the line, and fails with the output when the program ends without it")
    func waiting() throws {
        let child = try Child(
            "/bin/sh", ["-c", "echo start; read x < $FIFO; echo $x"], environment: ["FIFO": "/dev/null"])
        #expect(try child.wait(forLine: "sta") == "start")
        try child.waitForExit()
        do {
            try child.wait(forLine: "never")
            Issue.record("it found what is not there")
        } catch let failure as TestFailure {
            #expect(failure.description == "sh ended before \"never\" (ended with 0). It said:\n  start\n  ")
        }
    }

    @Test("a program that ignores SIGTERM is killed, and the test is told")
    func stubborn() throws {
        let child = try Child("/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do read x; done < /dev/zero"])
        try child.wait(forLine: "ready")
        #expect(throws: TestFailure.self) { try child.stop(within: 0.2) }
        #expect(try child.waitForExit() == 128 + 9)
    }

    @Test("nothing is left running when its owner is gone")
    func leftovers() throws {
        var child: Child? = try Child("/bin/cat", ["/dev/zero"])
        let pid = try #require(child?.pid)
        #expect(kill(pid, 0) == 0)
        child = nil
        #expect(child == nil)
        try Child("/usr/bin/tail", ["--pid=\(pid)", "-s", "0.02", "-f", "/dev/null"]).waitForExit()
        #expect(kill(pid, 0) < 0)
    }

    @Test("a subscriber sees topic, retain flag, quality and payload of what is published")
    func subscriber() throws {
        let broker = try MosquittoBroker()
        try broker.publish("beacons/data/s/n/region/r", #"{"v":1}"#, retain: true)
        let subscriber = try Subscriber(port: broker.port, ["beacons/#"])
        try broker.publish("beacons/data/s/n/ranging/r", #"{"a":"b\tc"}"#, qos: 0)
        try broker.publish("beacons/data/s/n/region/r", "", retain: true)
        let empty = try subscriber.first("the empty one") { $0.payload.isEmpty }
        #expect(empty == .init(topic: "beacons/data/s/n/region/r", qos: 1, payload: ""))
        #expect(
            subscriber.messages.prefix(2) == [
                .init(topic: "beacons/data/s/n/region/r", retain: true, qos: 1, payload: #"{"v":1}"#),
                .init(topic: "beacons/data/s/n/ranging/r", qos: 0, payload: #"{"a":"b\tc"}"#),
            ])
        #expect(subscriber.messages.map(\.kind) == ["region/r", "ranging/r", "region/r"])
        #expect(subscriber.messages.first?.json?["v"]?.integer == 1)
        #expect(throws: TestFailure.self) { try subscriber.first(within: 0.05, "more") { $0.topic == "x" } }
    }

    @Test("a broker comes back on its port, and forgets what it knew")
    func restart() throws {
        let broker = try MosquittoBroker()
        let port = broker.port
        try broker.publish("kept", "1", retain: true)
        try broker.stop()
        #expect(throws: TestFailure.self) { try broker.publish("kept", "2") }
        try broker.start()
        #expect(broker.port == port)
        let subscriber = try Subscriber(port: port)
        try broker.publish("new", "3")
        try subscriber.first("the new one") { $0.topic == "new" }
        #expect(subscriber.messages.count == 1)
        try broker.kill()
        try broker.start()
        try broker.publish("new", "4")
    }

    @Test("a broker with users lets nobody else in")
    func users() throws {
        let broker = try MosquittoBroker(access: .users(["node": "secret"]))
        #expect(throws: TestFailure.self) { try broker.publish("t", "1") }
        try broker.publish("t", "2", more: ["-u", "node", "-P", "secret"])
        #expect(throws: TestFailure.self) { try Subscriber(port: broker.port, user: ("node", "wrong")) }
        _ = try Subscriber(port: broker.port, user: ("node", "secret"))
    }

    @Test("the simulated store tells its truth at the end")
    func simulator() throws {
        let simulator = try Simulator(
            scenario: "beacons:\n  shelf: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, minor: 1}\n")
        #expect(simulator.air == [])
        #expect(simulator.address.hasPrefix("unix:/tmp/"))
        #expect(try simulator.truth().last?["event"]?.text == "end")
    }

    @Test("an agent with a file that is none ends by itself")
    func agent() throws {
        let agent = try Agent()
        try agent.configure(adapter: "unix:/nowhere", port: 1, "bogus: 1")
        #expect(
            try String(contentsOfFile: agent.file, encoding: .utf8).hasPrefix("site: store-12\nnode: s12-shelf-3\n")
        )
        try agent.start()
        #expect(try agent.waitForExit() == 78)
        #expect(!agent.isRunning)
    }

    @Test("an agent runs between the simulated store and the broker, and is killed and started again")
    func stage() throws {
        let broker = try MosquittoBroker()
        let subscriber = try Subscriber(port: broker.port)
        let simulator = try Simulator(
            scenario: "beacons:\n  shelf: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, minor: 1}\n")
        let agent = try Agent()
        try agent.configure(
            adapter: simulator.address, port: broker.port,
            """
            regions:
              shelf: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2}
            """)
        try agent.start()
        try subscriber.first("an online node") { $0.kind == "status" && $0.json?["state"]?.text == "online" }
        try subscriber.first("an enter") { $0.kind == "enter/shelf" }
        try agent.kill()
        #expect(!agent.isRunning)
        try subscriber.first("the will") { $0.kind == "status" && $0.json?["state"]?.text == "offline" }
        let seen = subscriber.messages.count
        try agent.start()
        try subscriber.first(after: seen, "an online node") {
            $0.kind == "status" && $0.json?["state"]?.text == "online"
        }
        #expect(try agent.stop() == 0)
        #expect(try simulator.truth().last?["event"]?.text == "end")
    }
}
