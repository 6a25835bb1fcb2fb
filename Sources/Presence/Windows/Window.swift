public import Beacon

/// What was heard in one tumbling window.
public struct Window: Equatable, Sendable {
    /// One beacon's adverts.
    public struct Item: Equatable, Sendable {
        /// Which beacon.
        public var identity: BeaconIdentity
        /// Adverts heard.
        public var adverts: Int
        /// First and last advert, measured from the window's start.
        public var first: Span
        /// See `first`.
        public var last: Span
        /// Signal strength in dBm; nil where no advert had one.
        public var signal: Signal?
        /// The time between two adverts that the beacon sends, as far as it was learned.
        public var interval: Span?
        /// The share of its adverts that were not heard, 0...1, as far as it was learned.
        public var loss: Double?
        /// From how many addresses it was heard.
        public var addresses: Int
        /// How the beacon does, where it says so.
        public var telemetry: Telemetry?
        /// The distance that the median signal strength stands for.
        public var distance: DistanceEstimate
        /// Whether the beacon's measured power was implausible.
        public var powerIsSuspect: Bool
    }

    /// Signal strengths in dBm.
    public struct Signal: Equatable, Sendable {
        /// The weakest.
        public var minimum: Int
        /// The strongest.
        public var maximum: Int
        /// The mean.
        public var mean: Double
        /// The middle one.
        public var median: Int
        /// The standard deviation in dB.
        public var deviation: Double
    }

    /// When it began.
    public var start: Instant
    /// How long it was. The last one before an end may be shorter than configured.
    public var length: Span
    /// Blind time in it.
    public var blind: Span
    /// The beacons heard, by identity.
    public var items: [Item]
    /// Beacons that had to make room for others before the window ended.
    public var evictedBeacons: Int
    /// Those beacons' adverts.
    public var evictedAdverts: Int
}
