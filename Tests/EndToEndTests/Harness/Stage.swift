import Foundation
import JSON
import TestSupport
import Testing

/// All end-to-end tests, one after the other: each has several programs at work on a machine with few cores.
@Suite("End to end", .serialized, .timeLimit(.minutes(10)))
enum EndToEnd {}

/// A broker, a store and a node between them, and somebody who subscribes to everything.
final class Stage {
    /// The UUID of the store's beacons.
    static let uuid = "39ed98ff-2900-441a-802f-9c398fc199d2"
    /// Where documents for the node are pushed.
    static let control = "beacons/control/node/s12-shelf-3/config"

    let broker: MosquittoBroker
    let subscriber: Subscriber
    let simulator: Simulator
    let agent: Agent

    /// Puts everything in its place and starts the node.
    init(scenario: String, configuration: String) throws {
        broker = try MosquittoBroker()
        subscriber = try Subscriber(port: broker.port)
        simulator = try Simulator(scenario: scenario)
        agent = try Agent()
        try agent.configure(adapter: simulator.address, port: broker.port, configuration)
        try agent.start()
    }

    /// The store of most tests: one beacon that stays.
    static let oneBeacon = "beacons:\n  shelf: {uuid: \(uuid), major: 100, minor: 1}\n"

    /// The regions of most tests, and what the node advertises.
    static let advertising = """
        advertise: {enabled: true, uuid: 2f234454-cf6d-4a0f-adf2-f4911ba9ffa6, major: 100, minor: 1}
        regions:
          shelf: {uuid: \(uuid)}
        """

    /// Pushes a document as headquarters does.
    func push(_ document: String) throws { try broker.publish(Self.control, document, retain: true) }

    /// Pushes any bytes.
    func push(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let file = folder.path("payload")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let child = try Child(
            "/usr/bin/mosquitto_pub",
            ["-V", "5", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", Self.control, "-f", file])
        #expect(try child.waitForExit() == 0)
    }

    /// Waits for the node's next reply; `count` is how many came before.
    func reply(_ count: Int) throws -> JSONValue {
        let message = try subscriber.wait(for: "reply \(count + 1)") { messages in
            let replies = messages.filter { $0.kind == "reply" }
            return replies.count > count ? replies[count] : nil
        }
        return try #require(message.json)
    }

    /// Waits for the newest state that fits.
    @discardableResult
    func state(_ what: String, where fits: (JSONValue) -> Bool) throws -> JSONValue {
        try subscriber.wait(for: what) { messages in
            messages.last { $0.kind == "state" }?.json.flatMap { fits($0) ? $0 : nil }
        }
    }

    /// Ends the node, which must be glad to, and shows its log where it is not.
    func end() throws {
        let status = try agent.stop()
        #expect(status == 0, "the agent ended with \(status):\n\(agent.log.joined(separator: "\n"))")
    }

    /// The bytes on air of an iBeacon, in hexadecimal. `power` is that at 1 m: the simulator's controllers send with 4 dBm,
    /// which makes it −55 dBm.
    static func payload(uuid: String, major: UInt16, minor: UInt16, power: String = "c9") -> String {
        func hex(_ number: UInt16) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "0201061aff4c000215" + uuid.replacingOccurrences(of: "-", with: "") + hex(major) + hex(minor) + power
    }
}

extension JSONValue {
    /// What stands under a path of names.
    func at(_ path: String...) -> JSONValue? { path.reduce(self) { $0?[$1] } }
}
