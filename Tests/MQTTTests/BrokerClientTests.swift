import Foundation
import System
import TestSupport
import Testing

@testable import MQTT

/// A client and what it reported, run until something is expected to have happened.
private final class Trial {
    let client: BrokerClient
    private(set) var events: [BrokerEvent] = []

    init(
        port: UInt16, id: String = "node-1", host: String = "127.0.0.1", limits: ConnectionLimits = Trial.quick,
        _ change: (inout BrokerSettings) -> Void = { _ in }
    ) throws {
        var settings = BrokerSettings(host: host, port: port, clientID: id, keepalive: 5)
        change(&settings)
        client = try BrokerClient(settings, limits: limits)
    }

    /// As in the field, only in tenths of seconds.
    static var quick: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.firstDelay = .milliseconds(50)
        limits.maximumDelay = .milliseconds(200)
        limits.refusalDelay = .milliseconds(100)
        limits.takeoverDelay = .milliseconds(100)
        return limits
    }

    /// Runs the client until an event fits; events before it are kept in `events`.
    @discardableResult
    func until(_ what: String, within limit: TimeInterval = 20, _ fits: (BrokerEvent) -> Bool) throws -> BrokerEvent
    {
        let end = Date(timeIntervalSinceNow: limit)
        var seen = events.count
        while Date() < end {
            events += client.poll(wakeup: nil, timeout: .milliseconds(500))
            while seen < events.count {
                if fits(events[seen]) { return events[seen] }
                seen += 1
            }
        }
        throw TestFailure(description: "no \(what) within \(limit) s, but \(events)")
    }

    func untilConnected() throws { try until("connection") { $0.condition == .connected } }

    func publish(_ token: UInt64, _ topic: String, _ text: String, qos: UInt8 = 1, retain: Bool = false) throws {
        try client.publish(token: token, topic: topic, payload: Array(text.utf8), qos: qos, retain: retain)
    }

    /// Runs the client until a token is answered.
    func code(of token: UInt64) throws -> UInt8? {
        let event = try until("answer to \(token)") {
            switch $0 {
            case .published(token, _), .dropped(token): true
            default: false
            }
        }
        if case .published(_, let code) = event { return code }
        return nil
    }

    /// Tokens answered so far, in order.
    var answered: [UInt64] {
        events.compactMap { event in
            switch event {
            case .published(let token, _), .dropped(let token): token
            default: nil
            }
        }
    }
}

@Suite("BrokerClient with a real broker", .serialized, .timeLimit(.minutes(2)))
struct BrokerClientTests {
    @Test("it connects, and the broker sees MQTT 5, the session expiry and the keepalive")
    func connects() throws {
        let broker = try MosquittoBroker()
        do {
            let trial = try Trial(port: broker.port)
            try trial.untilConnected()
            #expect(trial.events == [.connected(sessionPresent: false)])
        }
        // p5: protocol 5, c0: clean start off, k5: keepalive.
        try broker.wait(forLine: "as node-1 (p5, c0, k5)")
        let again = try Trial(port: broker.port)
        try again.until("session") { $0 == .connected(sessionPresent: true) }
    }

    @Test("an orderly disconnect says nothing in the client's name, a lost one publishes the will")
    func will() throws {
        let broker = try MosquittoBroker()
        let subscriber = try Subscriber(port: broker.port)
        let will = Will(topic: "t/status", payload: Array("offline".utf8))
        do {
            let orderly = try Trial(port: broker.port, id: "a") { $0.will = will }
            try orderly.untilConnected()
            try orderly.publish(1, "t/status", "bye", retain: true)
            #expect(orderly.client.disconnect(within: .seconds(5)) == [.published(token: 1, reasonCode: 0)])
        }
        do {
            let lost = try Trial(port: broker.port, id: "b") { $0.will = will }
            try lost.untilConnected()
        }
        try subscriber.first("the will") { $0.payload == "offline" }
        #expect(subscriber.messages.map(\.payload) == ["bye", "offline"])
        let later = try Subscriber(port: broker.port)
        try later.first("the retained will") {
            $0 == .init(topic: "t/status", retain: true, qos: 1, payload: "offline")
        }
    }

    @Test("a broker that is down at the start is connected to once it is up")
    func downAtStart() throws {
        let broker = try MosquittoBroker(starts: false)
        let trial = try Trial(port: broker.port)
        try trial.until("second failure") { $0 == .unreachable(attempt: 2, text: "Connection refused") }
        #expect(trial.events.first == .unreachable(attempt: 1, text: "Connection refused"))
        #expect(trial.events.allSatisfy { $0.condition == .unreachable(text: "Connection refused") })
        try broker.start()
        try trial.untilConnected()
    }

    @Test("a name that cannot be looked up is tried again")
    func noSuchName() throws {
        let trial = try Trial(port: 1883, host: "no-such-host.invalid")
        let event = try trial.until("second failure") {
            if case .unreachable(2, _) = $0 { true } else { false }
        }
        #expect(event.condition?.description.hasPrefix("cannot be reached: no-such-host.invalid: ") == true)
    }

    @Test("a peer that accepts and says nothing is given up after the time limit")
    func silentPeer() throws {
        let port = try MosquittoBroker.freePort()
        let listener = try StreamSocket.listen(on: .tcp(address: "127.0.0.1", port: port))
        var limits = Trial.quick
        limits.attemptTimeout = .milliseconds(200)
        let trial = try Trial(port: port, limits: limits)
        for attempt in 1...2 {
            try trial.until("timeout") { $0 == .unreachable(attempt: attempt, text: "no answer within 200 ms") }
            guard let peer = try StreamSocket.accept(on: listener) else {
                Issue.record("no connection came")
                return
            }
            // The attempt is over for the peer too: it reads CONNECT and then the end.
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
            defer { room.deallocate() }
            #expect(try (peer.read(into: room) ?? 0) > 0)
            #expect(try peer.read(into: room) == 0)
        }
    }

    @Test("a peer that does not speak MQTT is tried again")
    func notABroker() throws {
        let port = try MosquittoBroker.freePort()
        let listener = try StreamSocket.listen(on: .tcp(address: "127.0.0.1", port: port))
        let trial = try Trial(port: port)
        for attempt in 1...2 {
            var isAnswered = false
            while !isAnswered {
                _ = trial.client.poll(wakeup: nil, timeout: .milliseconds(20))
                guard let peer = try StreamSocket.accept(on: listener) else { continue }
                try peer.writeAll(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
                isAnswered = true
            }
            try trial.until("failure \(attempt)") {
                if case .unreachable(attempt, _) = $0 { true } else { false }
            }
        }
    }

    @Test("a refused connection is made as soon as the broker allows it")
    func refused() throws {
        let broker = try MosquittoBroker(access: .users(["node-1": "right"]))
        let trial = try Trial(port: broker.port) {
            $0.username = "node-1"
            $0.password = Array("wrong".utf8)
        }
        try trial.until("refusal") { $0 == .refused(code: 0x87, text: "Not authorized") }
        #expect(trial.events.last?.condition?.description == "refuses the connection: Not authorized (0x87)")
        try broker.allow(.users(["node-1": "wrong"]))
        try broker.reload()
        try trial.untilConnected()
    }

    @Test("after a restart of the broker it is connected and subscribed again")
    func restart() throws {
        let broker = try MosquittoBroker()
        let trial = try Trial(port: broker.port) { $0.subscriptions = [Subscription(filter: "in/#")] }
        try trial.untilConnected()
        try broker.stop()
        let end = try trial.until("end") {
            if case .disconnected = $0 { true } else { false }
        }
        #expect(
            [
                .disconnected(reason: "the broker closed the connection"),
                .disconnected(reason: "the broker ended the connection: Server shutting down"),
            ].contains(end))
        try trial.until("failed attempt") {
            if case .unreachable = $0 { true } else { false }
        }
        try broker.start()
        try trial.untilConnected()
        try broker.publish("in/x", "hello")
        try trial.until("message") {
            $0 == .received(IncomingMessage(topic: "in/x", payload: Array("hello".utf8), qos: 1))
        }

        try broker.kill()
        try trial.until("end") {
            if case .disconnected = $0 { true } else { false }
        }
        try broker.start()
        try trial.untilConnected()
    }

    @Test("every publish is answered once, with the broker's reason code")
    func answers() throws {
        let broker = try MosquittoBroker()
        let subscriber = try Subscriber(port: broker.port, ["heard"])
        let trial = try Trial(port: broker.port)
        try trial.untilConnected()
        try trial.publish(7, "heard", "one")
        #expect(try trial.code(of: 7) == 0)
        try trial.publish(8, "unheard", "two")
        #expect(try trial.code(of: 8) == 0x10)
        try trial.publish(9, "heard", "three", qos: 0)
        #expect(try trial.code(of: 9) == 0)
        #expect(trial.answered == [7, 8, 9])
        #expect(trial.client.inFlightCount == 0)
        try subscriber.first("three") { $0.payload == "three" }
    }

    @Test("a publish that the access list forbids is answered with not authorised")
    func forbidden() throws {
        let folder = try TemporaryFolder()
        try folder.write("acl", "topic write mine/#\n")
        let broker = try MosquittoBroker(options: ["acl_file \(folder.path("acl"))"])
        let trial = try Trial(port: broker.port) { $0.subscriptions = [Subscription(filter: "theirs/#")] }
        try trial.untilConnected()
        try trial.publish(1, "theirs/x", "no")
        #expect(try trial.code(of: 1) == 0x87)
        try trial.publish(2, "mine/x", "yes")
        #expect(try trial.code(of: 2) == 0x10)
    }

    @Test("a subscription that the broker does not accept is reported and does not stop the others")
    func refusedSubscription() throws {
        let broker = try MosquittoBroker()
        let trial = try Trial(port: broker.port) {
            $0.subscriptions = [Subscription(filter: "a/#/b"), Subscription(filter: "ok")]
        }
        try trial.untilConnected()
        #expect(
            trial.events == [
                .subscriptionRefused(filter: "a/#/b", code: 0x8F), .connected(sessionPresent: false),
            ])
    }

    @Test("no more than 20 publishes are in flight, and all are answered in order")
    func bound() throws {
        let broker = try MosquittoBroker()
        let subscriber = try Subscriber(port: broker.port)
        let trial = try Trial(port: broker.port)
        try trial.untilConnected()
        var next: UInt64 = 0
        var most = 0
        while trial.answered.count < 500 {
            while trial.client.canPublish, next < 500 {
                try trial.publish(next, "n", "\(next)")
                next += 1
            }
            most = max(most, trial.client.inFlightCount)
            try trial.until("answer") {
                if case .published = $0 { true } else { false }
            }
        }
        #expect(most == 20)
        #expect(trial.answered == Array(0..<500))
        try subscriber.wait(for: "500 messages") { $0.count >= 500 ? true : nil }
        #expect(subscriber.messages.map(\.payload) == (0..<500).map { "\($0)" })
    }

    @Test("publishes that a killed broker did not answer are answered by the next one, each once")
    func answeredAfterReconnect() throws {
        let broker = try MosquittoBroker()
        let trial = try Trial(port: broker.port)
        try trial.untilConnected()
        broker.freeze()
        for token in 0..<20 { try trial.publish(UInt64(token), "n", "\(token)", qos: token % 2 == 0 ? 1 : 0) }
        #expect(!trial.client.canPublish || trial.client.inFlightCount < 20)
        try broker.kill()
        try trial.until("end") {
            if case .disconnected = $0 { true } else { false }
        }
        #expect(!trial.client.canPublish)
        try broker.start()
        try trial.until("last answer") { _ in trial.client.inFlightCount == 0 && trial.client.isConnected }
        #expect(trial.answered.sorted() == Array(0..<20))
        #expect(trial.answered.filter { $0 % 2 == 0 } == (0..<10).map { UInt64($0 * 2) })
    }

    @Test("what is in flight at a disconnect that nobody answers is dropped, within the time limit")
    func disconnectFromFrozen() throws {
        let broker = try MosquittoBroker()
        let trial = try Trial(port: broker.port)
        try trial.untilConnected()
        broker.freeze()
        try trial.publish(1, "n", "x")
        let before = Date()
        #expect(trial.client.disconnect(within: .milliseconds(300)) == [.dropped(token: 1)])
        #expect(Date().timeIntervalSince(before) < 5)
        #expect(trial.client.poll(wakeup: nil, timeout: .zero) == [])
    }

    @Test("64 KiB go in both directions")
    func large() throws {
        let broker = try MosquittoBroker()
        let trial = try Trial(port: broker.port) { $0.subscriptions = [Subscription(filter: "echo")] }
        try trial.untilConnected()
        let payload = (0..<65536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try trial.client.publish(token: 1, topic: "echo", payload: payload, qos: 1, retain: false)
        try trial.until("echo") { $0 == .received(IncomingMessage(topic: "echo", payload: payload, qos: 1)) }
        if trial.answered.isEmpty { #expect(try trial.code(of: 1) == 0) }
        #expect(trial.answered == [1])
    }

    @Test("what is larger than the broker takes is refused at once, and the connection stands")
    func tooLarge() throws {
        let broker = try MosquittoBroker(options: ["max_packet_size 1000"])
        let trial = try Trial(port: broker.port)
        try trial.untilConnected()
        #expect(throws: BrokerError(code: 25, action: "publish to n")) {
            try trial.publish(1, "n", String(repeating: "x", count: 1000))
        }
        #expect(trial.client.inFlightCount == 0)
        try trial.publish(2, "n", String(repeating: "x", count: 900))
        #expect(try trial.code(of: 2) == 0x10)
    }

    @Test("what is larger than 256 KiB is not sent here, and the connection stands")
    func tooLargeToReceive() throws {
        let broker = try MosquittoBroker()
        let folder = try TemporaryFolder()
        let trial = try Trial(port: broker.port) { $0.subscriptions = [Subscription(filter: "in")] }
        try trial.untilConnected()
        try folder.write("large", String(repeating: "x", count: 256 * 1024))
        let publisher = try Child(
            "/usr/bin/mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", "in", "-f", folder.path("large")])
        #expect(try publisher.waitForExit() == 0)
        try broker.publish("in", "small")
        let event = try trial.until("message") {
            if case .received = $0 { true } else { false }
        }
        #expect(event == .received(IncomingMessage(topic: "in", payload: Array("small".utf8), qos: 1)))
    }

    @Test("the retain flag comes as it was published, or as MQTT 3.1.1 had it")
    func retainFlag() throws {
        let broker = try MosquittoBroker()
        try broker.publish("kept/a", "1", retain: true)
        let trial = try Trial(port: broker.port) {
            $0.subscriptions = [
                Subscription(filter: "kept/#"), Subscription(filter: "plain/#", retainAsPublished: false),
                Subscription(filter: "never/#", retainHandling: .never),
            ]
        }
        try broker.publish("never/a", "2", retain: true)
        try trial.until("retained message") {
            $0 == .received(IncomingMessage(topic: "kept/a", payload: [0x31], qos: 1, retain: true))
        }
        try broker.publish("kept/b", "3", retain: true)
        try broker.publish("plain/b", "4", retain: true)
        try broker.publish("kept/a", "", retain: true)
        try trial.until("empty message") {
            $0 == .received(IncomingMessage(topic: "kept/a", payload: [], qos: 1, retain: true))
        }
        let received = trial.events.compactMap { event -> IncomingMessage? in
            if case .received(let message) = event { message } else { nil }
        }
        #expect(received.map(\.topic) == ["kept/a", "kept/b", "plain/b", "kept/a"])
        #expect(received.map(\.retain) == [true, true, false, true])
    }

    @Test("correlation data and response topic arrive, and correlation data is sent back")
    func correlation() throws {
        let broker = try MosquittoBroker()
        let trial = try Trial(port: broker.port) {
            $0.subscriptions = [Subscription(filter: "ask"), Subscription(filter: "answer")]
        }
        try trial.untilConnected()
        try broker.publish(
            "ask", "?", more: ["-D", "publish", "correlation-data", "c-1", "-D", "publish", "response-topic", "r"])
        try trial.until("question") {
            $0
                == .received(
                    IncomingMessage(
                        topic: "ask", payload: [0x3F], qos: 1, responseTopic: "r",
                        correlationData: Array("c-1".utf8)))
        }
        try trial.client.publish(
            token: 1, topic: "answer", payload: [0x21], qos: 1, retain: false, correlationData: [0, 255, 1])
        try trial.until("answer") {
            $0
                == .received(
                    IncomingMessage(topic: "answer", payload: [0x21], qos: 1, correlationData: [0, 255, 1]))
        }
    }

    @Test("two clients with one id find out that they are two, and one of them yields")
    func identityConflict() throws {
        let broker = try MosquittoBroker()
        let first = try Trial(port: broker.port)
        try first.untilConnected()
        var patient = Trial.quick
        patient.takeoverDelay = .seconds(3600)
        let second = try Trial(port: broker.port, limits: patient)
        // In turns, as one thread runs both: each comes back, throws the other out and is thrown out.
        for _ in 0..<6 where !second.events.contains(.identityConflict) {
            try second.untilConnected()
            try first.until("end") {
                if case .disconnected = $0 { true } else { false }
            }
            try first.untilConnected()
            try second.until("end") {
                if case .disconnected = $0 { true } else { false }
            }
        }
        #expect(second.events.last == .identityConflict)
        #expect(second.client.poll(wakeup: nil, timeout: .milliseconds(300)) == [])
        #expect(first.client.isConnected)
    }

    @Test("a wake-up from another thread ends the wait")
    func wakeUp() throws {
        let broker = try MosquittoBroker()
        let trial = try Trial(port: broker.port)
        try trial.untilConnected()
        let wakeup = try Wakeup()
        let thread = try WorkThread(name: "ringer") { wakeup.ring() }
        let before = Date()
        #expect(trial.client.poll(wakeup: wakeup, timeout: .seconds(60)) == [])
        #expect(Date().timeIntervalSince(before) < 20)
        thread.join()
    }

    @Test("while reading is paused messages wait in the socket, and come when it goes on")
    func paused() throws {
        let broker = try MosquittoBroker()
        let trial = try Trial(port: broker.port) { $0.subscriptions = [Subscription(filter: "in")] }
        try trial.untilConnected()
        trial.client.pausesReading = true
        try broker.publish("in", "1")
        #expect(trial.client.poll(wakeup: nil, timeout: .milliseconds(50)) == [])
        trial.client.pausesReading = false
        try trial.until("message") { $0 == .received(IncomingMessage(topic: "in", payload: [0x31], qos: 1)) }
    }

    @Test("a broker that hangs is noticed by the keepalive")
    func keepalive() throws {
        let broker = try MosquittoBroker()
        let trial = try Trial(port: broker.port)
        try trial.untilConnected()
        broker.freeze()
        let event = try trial.until("end") {
            if case .disconnected = $0 { true } else { false }
        }
        #expect(event == .disconnected(reason: "the broker stopped answering"))
    }

    @Test("settings that the library refuses are an error in words")
    func badSettings() {
        #expect(throws: BrokerError(code: 3, action: "set the connect properties")) {
            try Trial(port: 1) { $0.keepalive = 3 }
        }
        #expect(throws: BrokerError(code: 3, action: "set the will")) {
            try Trial(port: 1) { $0.will = Will(topic: "a/#", payload: []) }
        }
        #expect(throws: BrokerError(code: 3, action: "use a password with a zero byte in it")) {
            try Trial(port: 1) {
                $0.username = "u"
                $0.password = [1, 0, 2]
            }
        }
    }

    @Test("the library tells its version")
    func version() {
        #expect(BrokerLibrary.version.split(separator: ".").compactMap { Int($0) }.count == 3)
    }
}
