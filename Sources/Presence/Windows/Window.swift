/// What was heard in one tumbling window.
public struct Window: Equatable, Sendable {
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
