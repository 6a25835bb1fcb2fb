import Foundation
import System
import TestSupport
import Testing

@testable import MQTT

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
