internal import Beacon

/// One transmitter: an identity at an address. A beacon that changes its address is two tracks for as long as the old
/// one is remembered, as Core Location shows it.
struct Track {
    // In this order, for what each advert touches lies together; as small as can be, for there may be 10,000.
    /// The address.
    let source: UInt64
    /// The slot of the beacon's record, which has the identity.
    var beacon: Int32
    /// Tells this track from what was in its slot before.
    var generation: UInt32 = 0
    /// The listening clock at the last advert.
    var lastHeard: Instant
    /// The number of the second that the next three belong to.
    var second: UInt32 = 0
    /// That second's adverts, and the number and sum of those that had a signal strength. They stop at their ends: a
    /// capture may give all its packets one time.
    private(set) var adverts: UInt32 = 0
    private var signals: Int32 = 0
    private var sum: Int32 = 0
    /// Mean signal strength of the last second before that one that had any, in dBm; not a number if there is none.
    private var earlierMean = Float.nan
    /// The number of the last window that counts this address.
    private var window: UInt32 = 0
    /// Neighbours among the beacon's tracks; −1 at the ends.
    var next: Int32 = -1
    var previous: Int32 = -1
    /// The power at one metre that it sent last, in dBm.
    var measuredPower: Int16 = 0
    /// How near it was said to be last.
    var proximity = Proximity.unknown
    /// Whether telemetry from its address is its beacon's.
    var speaksForAddress = false
    /// The signal strengths of the last seconds.
    private(set) var trace = SignalTrace()

    init(source: UInt64, beacon: Int32, reading: Instant) {
        self.source = source
        self.beacon = beacon
        lastHeard = reading
    }

    /// The listening clock at the last advert that had a signal strength; long ago if none had.
    var lastSignal: Instant { trace.newest }

    /// Mean signal strength of the last second that had any, in dBm.
    var mean: Double? {
        if signals > 0 { return Double(sum) / Double(signals) }
        return earlierMean.isNaN ? nil : Double(earlierMean)
    }

    /// Starts the filter anew, for another kind.
    mutating func startFilter() { trace.startAnew() }

    /// Counts an advert, in the second of that number. Returns whether it is the first one in the window of that number.
    mutating func hear(
        _ sighting: Sighting, second: UInt32, window: UInt32, _ reading: Instant, _ filter: FilterKind
    ) -> Bool {
        if second != self.second {
            earlierMean = mean.map { Float($0) } ?? .nan
            self.second = second
            adverts = 0
            signals = 0
            sum = 0
        }
        if adverts < .max { adverts += 1 }
        lastHeard = reading
        measuredPower = Int16(clamping: sighting.measuredPower)
        if let rssi = sighting.rssi {
            trace.add(rssi, at: reading, filter)
            // 16 million times 128 fits.
            if signals < 1 << 24 {
                signals += 1
                sum += Int32(rssi)
            }
        }
        if self.window == window { return false }
        self.window = window
        return true
    }
}

/// All tracks, findable by the hash of identity and address, and by age, at a cost that does not grow.
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

    /// The track at an address of which `isBeacon` says, by the slot of its record, that it is of the identity.
    @inline(__always)
    func slot(at source: UInt64, hash: UInt64, _ isBeacon: (Int32) -> Bool) -> Int32? {
        table.slot(hash: hash) { slots[$0].source == source && isBeacon(slots[$0].beacon) }
    }

    mutating func insert(_ track: Track, hash: UInt64) -> Int32 {
        generation &+= 1
        var track = track
        track.generation = generation
        let slot = slots.insert(track)
        table.insert(slot, hash: hash)
        ages.insert(slot, generation: generation, heard: track.lastHeard)
        ages.compact(living: count) { slots[$0.slot].generation == $0.generation }
        return slot
    }

    /// Forgets a track, which its beacon no longer knows.
    mutating func remove(_ slot: Int32, hash: UInt64) {
        table.remove(slot, hash: hash)
        slots[slot].generation = 0
        slots.remove(slot)
    }

    /// Starts all filters anew, for another kind.
    mutating func startFilters() {
        for slot in slots.all { slots[slot].startFilter() }
    }

    /// The track that was heard longest ago, if that was before a reading of the listening clock; it is to be removed.
    mutating func takeOldest(before limit: Instant) -> Int32? {
        ages.takeOldest(before: limit) { entry in
            slots[entry.slot].generation == entry.generation ? slots[entry.slot].lastHeard : nil
        }
    }
}
