/// One beacon in one region: whether it is there, and what was heard of it since.
struct Membership {
    // In this order, for what each advert touches lies together.
    /// The slot of the beacon's record.
    var beacon: Int32
    /// The region's number.
    var region: Int32
    /// The beacon's next membership; −1 after the last.
    var nextOfBeacon: Int32 = -1
    /// Adverts since it came inside that its visit does not know of yet.
    var adverts: UInt32 = 0
    /// The last advert that kept it inside: on the listening clock, and on the monotonic one.
    var counted = Instant(nanoseconds: 0)
    var countedAt = Instant(nanoseconds: .min)
    /// The power at one metre that this advert sent, in dBm, and its strength.
    var measuredPower: Int16 = 0
    var rssi: Int8?
    /// How strong an advert must be to keep it inside, in dBm; the least there is where the region has no gate.
    var exitRSSI: Int8 = .min
    /// Whether the beacon is in the region.
    var isInside = false
    /// Its visit, where the region tracks each beacon; −1 when there is none.
    var visit: Int32 = -1
    /// Neighbours among the region's memberships; −1 at the ends.
    var next: Int32 = -1
    var previous: Int32 = -1
    /// The reading it is queued for, while it is inside.
    var queuedFor = Instant.distantFuture
    /// What speaks for an enter, while it is outside.
    var evidence = EnterEvidence()

    init(beacon: Int32, region: Int32) {
        self.beacon = beacon
        self.region = region
    }

    /// Takes an advert that keeps it inside.
    mutating func note(_ sighting: Sighting, at now: Instant, _ reading: Instant) {
        if adverts < .max { adverts += 1 }
        counted = reading
        countedAt = now
        measuredPower = Int16(clamping: sighting.measuredPower)
        rssi = sighting.rssi
    }
}
