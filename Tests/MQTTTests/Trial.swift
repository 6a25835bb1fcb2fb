import Foundation
import MQTT
import TestSupport

/// A client and what it reported, run until something is expected to have happened.
final class Trial {
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
