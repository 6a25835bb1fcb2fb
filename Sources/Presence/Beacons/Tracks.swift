internal import Beacon

/// One transmitter: an identity at an address. A beacon that changes its address is two tracks for as long as the old
/// one is remembered, as Core Location shows it.
struct Track {
    struct Key: Hashable {
        var identity: BeaconIdentity
        var source: UInt64
        /// Of both, by the engine's `IdentityHash`.
        var hash: UInt64
    }

    var key: Key
    /// The slot of the beacon's record.
    var beacon: Int32
    /// Tells this track from what was in its slot before.
    var generation: UInt32 = 0
    /// The listening clock at the last advert.
    var lastHeard: Instant
    /// The listening clock at the last advert that had a signal strength.
    var lastSignal: Instant
    /// The power at one metre that it sent last, in dBm.
    var measuredPower = 0
    /// The signal strengths of the last seconds.
    var filter: SignalFilter
    /// How near it was said to be last.
    var proximity = Proximity.unknown
    /// The number of the second that the next four belong to.
    var second: UInt64 = 0
    /// That second's adverts, and the number and sum of those that had a signal strength. As wide as can be: a capture
    /// may give all its packets one time.
    var adverts = 0
    var signals = 0
    var sum = 0
    /// Mean signal strength of the last second before that one that had any, in dBm.
    var earlierMean: Double?
    /// The number of the last window that counts this address.
    var window: UInt64 = 0
    /// Neighbours among the beacon's tracks; −1 at the ends.
    var next: Int32 = -1
    var previous: Int32 = -1

    init(key: Key, beacon: Int32, reading: Instant, filter: FilterKind) {
        self.key = key
        self.filter = SignalFilter(filter)
        self.beacon = beacon
        lastHeard = reading
        lastSignal = reading
    }

    /// Mean signal strength of the last second that had any, in dBm.
    var mean: Double? { signals > 0 ? Double(sum) / Double(signals) : earlierMean }

    /// Counts an advert, in the second of that number.
    mutating func hear(_ sighting: Sighting, second: UInt64, _ reading: Instant) {
        if second != self.second {
            earlierMean = mean
            self.second = second
            adverts = 0
            signals = 0
            sum = 0
        }
        adverts += 1
        lastHeard = reading
        measuredPower = sighting.measuredPower
        guard let rssi = sighting.rssi else { return }
        lastSignal = reading
        filter.add(rssi, at: reading)
        signals += 1
        sum += Int(rssi)
    }
}

/// All tracks, findable by key and by age at a cost that does not grow.
struct Tracks {
    private var slots = Slots<Track>()
    private var table = SlotTable()
    private var ages = AgeQueue()
    private var generation: UInt32 = 0

    var count: Int { table.count }

    subscript(slot: Int32) -> Track {
        @inline(__always) _read { yield slots[slot] }
        @inline(__always) _modify { yield &slots[slot] }
    }

    @inline(__always)
    func slot(of identity: BeaconIdentity, at source: UInt64, hash: UInt64) -> Int32? {
        table.slot(hash: hash) { slots[$0].key.source == source && slots[$0].key.identity == identity }
    }

    mutating func insert(_ track: Track) -> Int32 {
        generation &+= 1
        var track = track
        track.generation = generation
        let slot = slots.insert(track)
        table.insert(slot, hash: track.key.hash)
        ages.insert(slot, generation: generation, heard: track.lastHeard)
        ages.compact(living: count) { slots[$0.slot].generation == $0.generation }
        return slot
    }

    /// Forgets a track, which its beacon no longer knows.
    mutating func remove(_ slot: Int32) {
        table.remove(slot, hash: slots[slot].key.hash)
        slots[slot].generation = 0
        slots.remove(slot)
    }

    /// Starts all filters anew, with another kind.
    mutating func startFilters(_ kind: FilterKind) {
        for slot in slots.all { slots[slot].filter = SignalFilter(kind) }
    }

    /// The track that was heard longest ago, if that was before a reading of the listening clock; it is to be removed.
    mutating func takeOldest(before limit: Instant) -> Int32? {
        ages.takeOldest(before: limit) { entry in
            slots[entry.slot].generation == entry.generation ? slots[entry.slot].lastHeard : nil
        }
    }
}
