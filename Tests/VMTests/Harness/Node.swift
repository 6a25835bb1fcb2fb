import Foundation
import JSON
import TestSupport
import Testing

/// A node: its configuration file, its state folder, and the `beacond run` that uses them.
final class Node {
    /// What the node is called in topics.
    let name: String
    private let broker: MosquittoBroker
    private let subscriber: Subscriber
    private let folder: TemporaryFolder
    private var child: Child?

    /// A node that does not run yet.
    init(_ broker: MosquittoBroker, _ name: String = "s12-shelf-3") throws {
        self.name = name
        self.broker = broker
        folder = try TemporaryFolder()
        subscriber = try Subscriber(port: broker.port, ["beacons/data/+/\(name)/#"])
    }

    deinit { child?.kill() }

    /// The configuration file.
    var file: String { folder.path("config.yaml") }

    /// Writes the configuration: its radio, the broker, and the rest.
    func configure(radio: String, _ more: String = "") throws {
        try folder.write(
            "config.yaml",
            """
            site: store-12
            node: \(name)
            state_folder: \(folder.path("state"))
            radio: {\(radio)}
            mqtt: {host: 127.0.0.1, port: \(broker.port)}
            \(more)

            """)
    }

    /// Starts it.
    func start() throws { child = try Child(builtProgram("beacond"), ["run", "--config", file]) }

    /// Its process id.
    var process: Int32 { child?.pid ?? 0 }

    /// What it wrote since its last start.
    var log: String { child?.lines.map(\.text).joined(separator: "\n") ?? "" }

    /// SIGTERM; it must be glad to end, and shows its log where it is not.
    func stop() throws {
        let status = try #require(try child?.stop(within: Guest.limit))
        #expect(status == 0, "\(name) ended with \(status):\n\(log)")
    }

    /// SIGKILL, as a power cut would.
    func kill() throws {
        child?.kill()
        try child?.waitForExit()
    }

    /// Pushes a document as headquarters does.
    func push(_ document: String) throws {
        try broker.publish("beacons/control/node/\(name)/config", document, retain: true)
    }

    /// Everything it published, in order.
    var messages: [Subscriber.Message] { subscriber.messages }

    /// The payloads of one kind, in order: "enter/shelf".
    func payloads(_ kind: String) -> [JSONValue] { Self.payloads(kind, messages) }

    /// Waits for a payload of a kind that fits, after the first `count` messages; throws with the log where none comes.
    @discardableResult
    func wait(
        for kind: String, after count: Int = 0, within limit: TimeInterval = Guest.limit,
        where fits: (JSONValue) -> Bool = { _ in true }
    ) throws -> JSONValue {
        try look(for: kind, limit) { Self.payloads(kind, Array($0.dropFirst(count))).first(where: fits) }
    }

    /// Waits until the newest payload of a kind fits.
    @discardableResult
    func wait(
        forNewest kind: String, within limit: TimeInterval = Guest.limit, where fits: (JSONValue) -> Bool
    ) throws -> JSONValue {
        try look(for: kind, limit) { Self.payloads(kind, $0).last.flatMap { fits($0) ? $0 : nil } }
    }

    /// Waits for something in the messages; throws with the log where it does not come. `find` is called while the
    /// messages are locked, so it looks at nothing but what it is given.
    private func look(
        for kind: String, _ limit: TimeInterval, _ find: ([Subscriber.Message]) -> JSONValue?
    ) throws -> JSONValue {
        do {
            return try subscriber.wait(for: "\(kind) of \(name)", within: limit, find)
        } catch {
            throw TestFailure(description: "\(error)\nThe log of \(name):\n\(log)")
        }
    }

    private static func payloads(_ kind: String, _ messages: [Subscriber.Message]) -> [JSONValue] {
        messages.compactMap { message in
            let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
            guard levels.count > 4, levels[4...].joined(separator: "/") == kind else { return nil }
            return try? JSONValue(reading: Array(message.payload.utf8))
        }
    }
}

extension JSONValue {
    /// What stands under a path of names.
    func at(_ path: String...) -> JSONValue? { path.reduce(self) { $0?[$1] } }
}

/// An iBeacon that a test knows.
struct KnownBeacon: Equatable {
    var uuid = "39ed98ff-2900-441a-802f-9c398fc199d2"
    var major: UInt16 = 100
    var minor: UInt16 = 1

    /// Its advertising data in hexadecimal, with a measured power of −59 dBm.
    var data: String {
        func hex(_ number: UInt16) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "0201061aff4c000215" + uuid.replacingOccurrences(of: "-", with: "") + hex(major) + hex(minor) + "c5"
    }

    /// The configuration that advertises it.
    var configuration: String {
        "advertise: {enabled: true, measured_power: -59, \(document)}"
    }

    /// Its ids as configuration and documents have them.
    var document: String { "uuid: \(uuid), major: \(major), minor: \(minor)" }

    /// As a payload shows it.
    static func == (payload: JSONValue?, beacon: KnownBeacon) -> Bool {
        payload?["uuid"]?.text == beacon.uuid && payload?["major"]?.integer == Int64(beacon.major)
            && payload?["minor"]?.integer == Int64(beacon.minor)
    }
}
