import Foundation
import System
import TestSupport
import Testing

@testable import MQTT

@Suite("BrokerClient's messages with a real broker", .serialized, .timeLimit(.minutes(2)))
struct BrokerMessageTests {
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
}
