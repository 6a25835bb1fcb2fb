public import Beacon
public import JSON
internal import Presence

/// Writes payloads: one JSON object on one line, members in the order of the published examples.
///
/// What every payload needs is here; each kind of payload is an extension in a file of its own.
struct PayloadWriter: Sendable {
    /// Payload format version, the `v` of every payload.
    static let version = 1

    let site: String
    let node: String
    /// The part of event and visit ids that no other run of this node has.
    let epoch: UInt64
    /// The kernel's boot id, so that consumers can tell which monotonic times belong together.
    let boot: String
    var json = JSONWriter()
    /// How many bytes a window message may have.
    let payloadLimit: Int

    init(site: String, node: String, epoch: UInt64, boot: String, payloadLimit: Int = 65_536) {
        self.site = site
        self.node = node
        self.epoch = epoch
        self.boot = boot
        self.payloadLimit = payloadLimit
    }

    /// One payload, its version already in it.
    mutating func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        json.reset()
        json.object { json in
            json.key("v")
            json.integer(Self.version)
            body(&json)
        }
        return json.bytes
    }

    /// `node/epoch/sequence`: never repeats.
    func id(_ sequence: UInt64) -> String { "\(node)/\(epoch)/\(sequence)" }

    /// The id that the enter and the exit of one visit share.
    func visitID(_ visit: VisitID) -> String { "\(visit.epoch)-\(visit.sequence)" }
}

extension JSONWriter {
    mutating func member(_ name: StaticString, _ text: String) {
        key(name)
        string(text)
    }

    mutating func member(_ name: StaticString, _ number: some FixedWidthInteger) {
        key(name)
        integer(number)
    }

    mutating func member(_ name: StaticString, _ number: Double, decimals: Int) {
        key(name)
        self.number(number, decimals: decimals)
    }

    /// Writes `time` (when it was decided, on the wall clock) and whether that clock can be trusted.
    mutating func time(_ instant: Instant, at moment: Moment, as name: StaticString = "time") {
        member(name, Timestamp.text(moment.wallTime(of: instant)))
        member("clock", moment.clock)
    }

    /// Writes which beacon it is, in the words of its format.
    public mutating func identity(_ identity: BeaconIdentity) {
        member("format", identity.format.name)
        if let uuid = identity.uuid {
            key("uuid")
            uuid.withText { string(plain: $0) }
        }
        if let major = identity.major { member("major", major) }
        if let minor = identity.minor { member("minor", minor) }
        if let namespace = identity.namespace { member("namespace", namespace) }
        if let instance = identity.instance { member("instance", instance) }
        if let url = identity.url { member("url", url) }
    }

    /// Writes a distance in metres under a name, and its interval where there is one.
    mutating func distance(_ estimate: DistanceEstimate, as name: StaticString) {
        member(name, estimate.accuracy, decimals: 2)
        guard let range = estimate.range else { return }
        key("range")
        array { json in
            json.number(range.lowerBound, decimals: 2)
            json.number(range.upperBound, decimals: 2)
        }
    }

    /// Writes a signal strength in whole dBm, null where there is none.
    mutating func signal(_ rssi: Double?) {
        key("rssi")
        if let rssi { number(rssi, decimals: 0) } else { null() }
    }

    /// Writes that a measured power was implausible; says nothing of the others.
    mutating func powerSuspicion(_ isSuspect: Bool) {
        guard isSuspect else { return }
        key("power_suspect")
        bool(true)
    }
}

extension Moment {
    /// What payloads say of the wall clock.
    var clock: String { isSynchronised ? "synced" : "unsynced" }
}
