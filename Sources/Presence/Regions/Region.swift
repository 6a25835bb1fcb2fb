/// An area as beacons define it, and what is to be said about it. Core Location's `CLBeaconRegion`.
public struct Region: Hashable, Sendable {
    /// When its beacons are ranged.
    public enum Ranging: String, Sendable, CaseIterable { case inside, always, off }
    /// What enters and leaves: the region's beacons together, or each of them.
    public enum Tracking: String, Sendable, CaseIterable { case region, beacons }
    /// What makes an enter: several adverts that no beacon at the edge sends in passing, or the first, as with Core
    /// Location.
    public enum Enter: String, Sendable, CaseIterable { case steady, first }
    /// What makes an exit: silence that is long for this beacon, or silence of a fixed length.
    public enum Exit: String, Sendable, CaseIterable { case learned, fixed }

    /// The name in topics, unique among regions.
    public var id: String
    /// Which beacons belong to it.
    public var constraint: IdentityConstraint
    /// What enters and leaves.
    public var track: Tracking
    /// When its beacons are ranged.
    public var ranging: Ranging
    /// What makes an enter.
    public var enter: Enter
    /// What makes an exit.
    public var exit: Exit
    /// How long, of time listened, no advert must have been heard of a beacon before it is taken for gone; with a learned
    /// exit the least that it is.
    public var exitAfter: Span
    /// How strong its beacons must be; nil if they need not.
    public var gate: SignalGate?
    /// The power at one metre, in dBm, that was measured for its beacons.
    public var measuredPower: Int?
    /// Whether an enter is an event. The region's state is published all the same.
    public var notifyOnEntry: Bool
    /// Whether an exit is an event.
    public var notifyOnExit: Bool

    /// Makes a region.
    public init(
        id: String, constraint: IdentityConstraint, track: Tracking = .region, ranging: Ranging = .inside,
        enter: Enter = .steady, exit: Exit = .learned, exitAfter: Span = .seconds(10), gate: SignalGate? = nil,
        measuredPower: Int? = nil, notifyOnEntry: Bool = true, notifyOnExit: Bool = true
    ) {
        self.id = id
        self.constraint = constraint
        self.track = track
        self.ranging = ranging
        self.enter = enter
        self.exit = exit
        self.exitAfter = exitAfter
        self.gate = gate
        self.measuredPower = measuredPower
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
    }

    /// Whether visits and state of this region are those of another that takes its place.
    func continues(as other: Region) -> Bool {
        id == other.id && constraint == other.constraint && track == other.track
    }
}

/// How strong an advert must be to count, in dBm, with a margin between coming and staying so that a beacon at the
/// threshold does not come and go.
public struct SignalGate: Hashable, Sendable {
    /// The least that counts for an enter.
    public var enter: Int
    /// The least that keeps a beacon inside; not more than `enter`.
    public var exit: Int

    /// Makes a gate.
    public init(enter: Int, exit: Int) {
        self.enter = enter
        self.exit = exit
    }

    /// Whether an advert counts for an enter. One without a strength proves nothing.
    func admits(_ rssi: Int8?) -> Bool { rssi.map { Int($0) >= enter } ?? false }

    /// Whether an advert keeps its beacon inside. One without a strength is no sign of distance.
    func keeps(_ rssi: Int8?) -> Bool { rssi.map { Int($0) >= exit } ?? true }
}
