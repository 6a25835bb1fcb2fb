internal import Beacon

/// One beacon in one region: whether it is there.
struct Membership {
    /// The slot of the beacon's record.
    var beacon: Int32
    /// The region's number.
    var region: Int32
    /// The beacon's next membership; −1 after the last.
    var nextOfBeacon: Int32 = -1
    /// Neighbours among the region's memberships; −1 at the ends.
    var next: Int32 = -1
    var previous: Int32 = -1
    /// Whether the beacon is in the region.
    var isInside = false
    /// Its visit, where the region tracks each beacon; −1 when there is none.
    var visit: Int32 = -1
    /// The listening clock at the last advert that kept it inside.
    var counted = Instant(nanoseconds: 0)
    /// The reading it is queued for, while it is inside.
    var queuedFor = Instant.distantFuture
    /// What speaks for an enter, while it is outside.
    var evidence = EnterEvidence()

    init(beacon: Int32, region: Int32) {
        self.beacon = beacon
        self.region = region
    }
}

/// A stay from enter to exit, of a region as a whole or of one beacon in it.
struct Visit {
    /// The last sighting, for the exit to report.
    struct Last {
        var identity: BeaconIdentity
        var rssi: Int8?
        var measuredPower: Int
        var time: Instant
    }

    var id: VisitID
    var enteredAt: Instant
    /// All blind time up to the enter, on the engine's count.
    var blindnessBefore: Span
    var adverts = 0
    var last: Last
    /// The listening clock at the last sighting.
    var lastReading: Instant
    /// Whether it was begun before a restart and nothing has been heard of it since.
    var isResumed = false

    /// Takes an advert.
    mutating func note(_ sighting: Sighting, at now: Instant, _ reading: Instant) {
        adverts += 1
        last = Last(
            identity: sighting.identity, rssi: sighting.rssi, measuredPower: sighting.measuredPower, time: now)
        lastReading = reading
        isResumed = false
    }
}
