public import Beacon

/// Something that presence found out, for others to publish.
public enum Outcome: Equatable, Sendable {
    /// A region was entered.
    case entered(Entered)
    /// A region was left.
    case exited(Exited)
    /// A region's state, or the number of its beacons, is now this.
    case regionIs(RegionState)
    /// A region is no longer watched.
    case regionRemoved(id: String)
    /// A second of ranging in a region.
    case ranged(Ranged)
    /// A window ended.
    case windowEnded(Window)
}

/// How a beacon was heard at one moment, or over one second.
public struct BeaconReading: Equatable, Sendable {
    /// Which beacon.
    public var identity: BeaconIdentity
    /// Mean signal strength in dBm; nil where none is known.
    public var rssi: Double?
    /// The distance.
    public var distance: DistanceEstimate
    /// How near that is.
    public var proximity: Proximity
    /// Whether the beacon's measured power was implausible, and so the default was used.
    public var powerIsSuspect: Bool
}

/// A region was entered; the visit is open from here on.
public struct Entered: Equatable, Sendable {
    /// The region's id.
    public var region: String
    /// The event's number, which is the visit's as well.
    public var sequence: UInt64
    /// The visit that it opens.
    public var visit: VisitID
    /// When.
    public var time: Instant
    /// The beacon that did it.
    public var beacon: BeaconReading
    /// Whether the region wants an event.
    public var notify: Bool
}

/// Which visit: the number of its enter, and the run of the agent that counted so.
public struct VisitID: Hashable, Sendable {
    /// The run of the agent in which it began.
    public var epoch: UInt64
    /// The number of the enter.
    public var sequence: UInt64

    /// Makes an id.
    public init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}

/// Why a visit ended.
public enum ExitReason: String, Sendable {
    /// Nothing was heard for long enough.
    case silence
    /// Nothing strong enough was heard for long enough.
    case weak
    /// The agent was not running, and afterwards nothing was heard for long enough.
    case restart
    /// The beacon had to make room for others.
    case evicted
    /// The region was removed, or its identity changed, by configuration.
    case regionRemoved = "region_removed"
}

/// A region was left; the visit is closed.
public struct Exited: Equatable, Sendable {
    /// The region's id.
    public var region: String
    /// The event's number.
    public var sequence: UInt64
    /// The visit that it closes.
    public var visit: VisitID
    /// When it was decided.
    public var time: Instant
    /// The last beacon heard, as it was heard.
    public var beacon: BeaconReading
    /// When that was.
    public var lastSeen: Instant
    /// From enter to the last sighting.
    public var dwell: Span
    /// Why.
    public var reason: ExitReason
    /// How many adverts the visit had.
    public var adverts: Int
    /// The time between two adverts of that beacon, as far as it was learned.
    public var interval: Span?
    /// Time listened since the last sighting.
    public var silence: Span
    /// Blind time since the visit began.
    public var blind: Span
    /// With the reason `restart`: the beacon left between `lastSeen` and this.
    public var leftBefore: Instant?
    /// Whether the region wants an event.
    public var notify: Bool
}

/// What is known of a region. Core Location's `CLRegionState`.
public struct RegionState: Equatable, Sendable {
    /// Inside, outside, or not known.
    public enum Value: String, Sendable { case unknown, inside, outside }
    /// Why it is not known.
    public enum Cause: String, Sendable {
        /// The node has not listened for long enough since it started, or since the region was added.
        case starting
        /// The radio could not listen for longer than the region's exit time.
        case radioBlind = "radio_blind"
        /// The radio was not to listen for longer than the region's exit time.
        case radioPaused = "radio_paused"
        /// Its last beacon had to make room for others.
        case evicted
    }

    /// The region's id.
    public var region: String
    /// What is known.
    public var value: Value
    /// Why it is unknown; nil otherwise.
    public var cause: Cause?
    /// Since when.
    public var since: Instant
    /// How many of its beacons are inside.
    public var beacons: Int
    /// Whether all beacons inside are heard so rarely that no rule can tell their absence from bad luck: an exit may be
    /// wrong, or come late.
    public var isUncertain: Bool
}

/// One second of ranging: nearest first, ties by identity, unknown last.
public struct Ranged: Equatable, Sendable {
    /// One transmitter.
    public struct Item: Equatable, Sendable {
        /// How it was heard in the second, or last before.
        public var reading: BeaconReading
        /// Adverts in the second.
        public var adverts: Int
    }

    /// The region's id.
    public var region: String
    /// The end of the second.
    public var time: Instant
    /// The beacons.
    public var items: [Item]
    /// How many more there were than one message may list.
    public var more: Int
}
