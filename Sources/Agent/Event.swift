public import Presence
public import YAML

/// Something that happened, for the agent to decide about.
public enum Event: Sendable {
    /// The radio heard a beacon.
    case sighted(Sighting)
    /// A beacon said how it does, from this address.
    case telemetry(Telemetry, source: UInt64)
    /// Time passed; the counters as they stand.
    case ticked(Counters)
    /// The radio's state changed.
    case radio(RadioReport)
    /// The broker accepted a connection; `session` names it in the status, and in the will it was made with.
    case connected(session: String)
    /// The connection to the broker ended.
    case disconnected
    /// A message came in on a subscribed topic.
    case received(Received)
    /// A file asked for with `Effect.store` is on the disk, or could not be brought there.
    case stored(token: UInt64, failure: String?)
    /// A person asked for the configuration file to be read again; the reader's or the parser's own words on failure.
    case fileRead(Result<FileRead, FileRefusal>)
    /// The process is about to end, its radio is silent already.
    case stopping
}

/// A configuration file that could be parsed; its text and name are for complaints about it.
public struct FileRead: Sendable {
    /// The name as it was asked for.
    public var name: String
    /// The text.
    public var bytes: [UInt8]
    /// What it says.
    public var node: YAMLNode

    /// Makes a file.
    public init(name: String, bytes: [UInt8], node: YAMLNode) {
        self.name = name
        self.bytes = bytes
        self.node = node
    }
}

/// Why a configuration file could not even be parsed, in words for a person.
public struct FileRefusal: Error, Equatable, Sendable {
    /// One line a problem.
    public var text: String
    /// Makes a refusal.
    public init(text: String) { self.text = text }
}

/// A message from the broker.
public struct Received: Equatable, Sendable {
    /// Where it was published.
    public var topic: String
    /// Any bytes.
    public var payload: [UInt8]
    /// Whether it comes from the broker's memory: it may have been handled before.
    public var isRetained: Bool
    /// MQTT 5 correlation data, to be echoed.
    public var correlation: [UInt8]?

    /// Makes a message.
    public init(topic: String, payload: [UInt8], isRetained: Bool = false, correlation: [UInt8]? = nil) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.correlation = correlation
    }
}

/// What the wiring counts, as totals since the start.
public struct Counters: Equatable, Sendable {
    /// Adverts that the radio reported, scan responses apart.
    public var adverts: UInt64 = 0
    /// Scan responses.
    public var scanResponses: UInt64 = 0
    /// Reports or advertising data that could not be read.
    public var malformed: UInt64 = 0
    /// What was lost on the way from the controller: how often a byte stream made no sense, and packets that the kernel
    /// had no room for.
    public var lost: UInt64 = 0
    /// Messages that the broker acknowledged.
    public var published: UInt64 = 0
    /// Messages that wait for the broker.
    public var queued: UInt64 = 0
    /// Events that wait for the broker.
    public var queuedEvents: UInt64 = 0
    /// Messages that had to be dropped.
    public var dropped: UInt64 = 0
    /// Whether the kernel says that the wall clock is kept right.
    public var isClockSynchronised = false
    /// Up to when the controller has shown that it is there and scans; nil where that is not known. Absence counts only
    /// up to here.
    public var radioProvenUntil: Instant?
    /// Resident memory in KiB.
    public var residentKiB: UInt64 = 0

    /// All zero.
    public init() {}
}
