import Beacon
import Presence
import YAML

@testable import Agent

/// An agent in virtual time: events in, effects out as lines of text.
struct Trial {
    /// What configuration files of these tests say unless they say something else.
    static let file = """
        site: store-12
        node: s12-shelf-3
        radio: {adapter: unix:/run/x}
        advertise: {enabled: true, uuid: 8e287857-0000-4000-8000-000000000001, major: 1, minor: 2}
        regions:
          entrance: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 100, enter: first, exit: fixed, exit_after: 5s}
        """
    static let listening = RadioReport.listening(
        Listening(adapter: "unix:/run/x", commands: "legacy", phys: ["1m"]))
    static let uuid = "39ed98ff-2900-441a-802f-9c398fc199d2"
    static let controlTopic = "beacons/control/node/s12-shelf-3/config"
    /// 2026-03-02T09:12:00Z, the wall clock at the start.
    static let startOfWallClock: Int64 = 1_772_442_720_000_000_000

    private(set) var agent: NodeAgent
    /// How far the wall clock is from where it would be had nobody set it, in seconds.
    var wallStep: Int64 = 0
    var isSynchronised = true

    /// Starts an agent, with a document on its disk or without.
    init(_ file: String = Trial.file, stored document: String? = nil, synchronised: Bool = true) throws {
        var stack = try ConfigurationStack(file: YAMLNode(reading: Array(file.utf8)), digest: Trial.digest)
        if let document { stack.restore(document: Array(document.utf8)) }
        isSynchronised = synchronised
        let start = NodeAgent.Start(
            stack: stack, epoch: 7, boot: "5f0c0000000000000000000000000000", version: "0.1.0", library: "2.0.11")
        agent = NodeAgent(
            start,
            at: Moment(instant: Instant(nanoseconds: 0), wall: Trial.startOfWallClock, isSynchronised: synchronised)
        )
    }

    /// A digest for tests, and for nothing else: FNV-1a, four times.
    @Sendable static func digest(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        let word = String(repeating: "0", count: 16 - digits.count) + digits
        return "sha256:" + String(repeating: word, count: 4)
    }

    static func digest(_ text: String) -> String { digest(Array(text.utf8)) }

    /// A time so many seconds after the start.
    func moment(_ seconds: Double) -> Moment {
        let nanoseconds = Int64(seconds * 1e9)
        return Moment(
            instant: Instant(nanoseconds: nanoseconds),
            wall: Trial.startOfWallClock + wallStep * 1_000_000_000 + nanoseconds, isSynchronised: isSynchronised)
    }

    /// The layers that are in force.
    var stack: ConfigurationStack { agent.control.stack }

    /// What the agent wants at its start.
    mutating func open() -> [Effect] { agent.opening(at: moment(0)) }

    /// What follows from an event.
    mutating func effects(_ event: Event, at seconds: Double) -> [Effect] {
        agent.handle(event, at: moment(seconds))
    }

    /// What follows from an event, as text, without what is only logged for debugging.
    mutating func handle(_ event: Event, at seconds: Double) -> [String] {
        effects(event, at: seconds).map(Trial.line).filter { !$0.hasPrefix("debug:") }
    }

    /// Lets time pass second by second, up to and including a time.
    mutating func pass(from start: Double, to end: Double, step: Double = 1) -> [String] {
        var lines: [String] = []
        for time in stride(from: start, through: end, by: step) { lines += handle(.ticked(Counters()), at: time) }
        return lines
    }

    /// An advert of an iBeacon of the entrance.
    mutating func sight(minor: UInt16 = 1, rssi: Int8? = -67, at seconds: Double) -> [String] {
        handle(.sighted(Trial.sighting(minor: minor, rssi: rssi, at: seconds)), at: seconds)
    }

    static func sighting(minor: UInt16 = 1, rssi: Int8? = -67, at seconds: Double) -> Sighting {
        Sighting(
            identity: .ibeacon(
                uuid: UUID128(high: 0x39ED_98FF_2900_441A, low: 0x802F_9C39_8FC1_99D2), major: 100, minor: minor),
            source: UInt64(minor), rssi: rssi, measuredPower: -59, time: Instant(nanoseconds: Int64(seconds * 1e9)))
    }

    /// A document arrives.
    mutating func receive(_ document: String, retained: Bool = false, at seconds: Double) -> [String] {
        handle(.received(Trial.message(document, retained: retained)), at: seconds)
    }

    static func message(_ document: String, retained: Bool = false, correlation: [UInt8]? = nil) -> Received {
        Received(
            topic: controlTopic, payload: Array(document.utf8), isRetained: retained, correlation: correlation)
    }

    /// A document arrives, and the disk does as it is asked.
    mutating func push(_ document: String, retained: Bool = false, at seconds: Double) -> [String] {
        let first = effects(.received(Trial.message(document, retained: retained)), at: seconds)
        return first.map(Trial.line)
            + Trial.tokens(first).flatMap { token in
                handle(.stored(token: token, failure: nil), at: seconds)
            }
    }

    /// A file is read again.
    mutating func reload(_ text: String, at seconds: Double) throws -> [String] {
        let bytes = Array(text.utf8)
        let file = FileRead(name: "c.yaml", bytes: bytes, node: try YAMLNode(reading: bytes))
        return handle(.fileRead(.success(file)), at: seconds)
    }

    static func tokens(_ effects: [Effect]) -> [UInt64] {
        effects.compactMap { effect in
            if case .store(_, _, let token) = effect { token } else { nil }
        }
    }

    // MARK: - Effects as text

    /// An effect on a line; of topics what stands behind the node.
    static func line(_ effect: Effect) -> String {
        switch effect {
        case .publish(let message): "\(message.kind.rawValue) \(line(message))"
        case .farewell(let message): "farewell \(line(message))"
        case .store(let name, let content, let token):
            "store \(token) \(name) \(content.map { String(decoding: $0, as: UTF8.self) } ?? "(remove)")"
        case .tune(let tuning): line(tuning)
        case .reconnect(let access): "reconnect \(access.host):\(access.port) \(access.subscriptions)"
        case .limitQueue(let events, let windows): "limit \(events) events, \(windows) windows"
        case .log(let level, let text): "\(level.name): \(text)"
        }
    }

    private static func line(_ message: Message) -> String {
        let prefix = "beacons/data/store-12/s12-shelf-3/"
        let topic = message.topic.hasPrefix(prefix) ? String(message.topic.dropFirst(prefix.count)) : message.topic
        let correlation = message.correlation.map { " for \($0)" } ?? ""
        return "\(topic) \(message.qos)\(message.retain ? " retained" : "")\(correlation) "
            + String(decoding: message.payload, as: UTF8.self)
    }

    private static func line(_ tuning: RadioTuning) -> String {
        let air = tuning.advertising.map { advertising in
            AdvertisingData.decode(advertising.data).frames.compactMap { $0.identity?.description }.joined()
                + " every \(advertising.interval)" + (advertising.adapter.map { " on \($0)" } ?? "")
        }
        let access = tuning.access == .auto ? "" : " \(tuning.access)"
        let coded = tuning.coded ? ", coded" : ""
        return
            "tune \(tuning.adapter)\(access)\(coded), scan \(tuning.scanWindow) of \(tuning.scanInterval), advertise \(air ?? "nothing")"
    }
}

/// The lines that start with one of these words; for tests of which the others are not the subject.
func only(_ lines: [String], _ starts: String...) -> [String] {
    lines.filter { line in starts.contains { line.hasPrefix($0) } }
}
