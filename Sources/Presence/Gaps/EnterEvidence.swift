/// Whether the adverts heard of a beacon that is outside mean that it has entered: five in ten seconds, or two at least
/// three seconds apart within a minute.
///
/// One advert does not: of beacons that pass in 3 s at the edge, where 95 % is lost, three in four are heard once. All
/// times are of the listening clock. Not for a beacon whose visit is open.
package struct EnterEvidence: Equatable, Sendable {
    /// The first advert of those that count, and how long after it the last one came, in nanoseconds. All are less
    /// than `apart` from each other, for two that are not would have been enough; so five of them lie within ten
    /// seconds whenever they were heard, and what is between two of them fits.
    private var first = Instant(nanoseconds: 0)
    private var sinceFirst: UInt32 = 0
    private var adverts: UInt8 = 0

    /// So many adverts are enough however close together. Four would let 6 % of those in that pass at the edge with 100 ms
    /// between adverts, five 2 %.
    static let enough: UInt8 = 5
    /// Two adverts so far apart are enough: nobody passes that slowly, and a beacon of 10 s needs no more than two.
    static let apart = Span.seconds(3)
    /// Adverts count for so long.
    static let memory = Span.seconds(60)

    /// Has heard nothing yet.
    package init() {}

    /// Takes an advert and tells whether the beacon has entered.
    package mutating func heard(at reading: Instant) -> Bool {
        let last = self.last
        if adverts == 0 || reading - last > Self.memory || reading < last {
            first = reading
            sinceFirst = 0
            adverts = 1
            return false
        }
        if reading - first >= Self.apart { return true }
        // Reports closer together are of one advert.
        if reading - last >= GapHistory.shortestInterval {
            sinceFirst = UInt32(clamping: (reading - first).nanoseconds)
            adverts += 1
        }
        return adverts >= Self.enough
    }

    private var last: Instant { first + Span(nanoseconds: Int64(sinceFirst)) }
}
