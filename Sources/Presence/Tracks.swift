internal import Beacon

/// One transmitter: an identity at an address. A beacon that changes its address is two tracks for as long as the old
/// one is remembered, as Core Location shows it.
struct Track {
    struct Key: Hashable {
        var identity: BeaconIdentity
        var source: UInt64
    }

    var key: Key
    /// The slot of the beacon's record.
    var beacon: Int32
    /// The listening clock at the last advert.
    var lastHeard: Instant
    /// The listening clock at the last advert that had a signal strength.
    var lastSignal: Instant
    var measuredPower = 0
    /// The current second's adverts, and the number and sum of those that had a signal strength. As wide as can be: a
    /// capture may give all its packets one time.
    var adverts = 0
    var signals = 0
    var sum = 0
    /// Adverts in the last second.
    var advertsLastSecond = 0
    /// Mean signal strength of the last second that had one, in dBm.
    var lastMean: Double?
    /// Neighbours in the order of `lastHeard`; −1 at the ends.
    var newer: Int32 = -1
    var older: Int32 = -1

    init(key: Key, beacon: Int32, reading: Instant) {
        self.key = key
        self.beacon = beacon
        lastHeard = reading
        lastSignal = reading
    }

    mutating func endSecond() {
        if signals > 0 { lastMean = Double(sum) / Double(signals) }
        advertsLastSecond = adverts
        adverts = 0
        signals = 0
        sum = 0
    }
}

/// All tracks, in slots that are used again, findable by key and by age at a cost that does not grow.
struct Tracks {
    private var slots: [Track] = []
    private var free: [Int32] = []
    private var slotByKey: [Track.Key: Int32] = [:]
    private var newest: Int32 = -1
    /// The track heard longest ago; −1 when there is none.
    private(set) var oldest: Int32 = -1

    var count: Int { slotByKey.count }

    subscript(slot: Int32) -> Track {
        _read { yield slots[Int(slot)] }
        _modify { yield &slots[Int(slot)] }
    }

    func slot(of key: Track.Key) -> Int32? { slotByKey[key] }

    /// Adds the newest track.
    mutating func insert(_ track: Track) -> Int32 {
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            slots[Int(slot)] = track
        } else {
            slot = Int32(slots.count)
            slots.append(track)
        }
        slotByKey[track.key] = slot
        link(slot)
        return slot
    }

    mutating func remove(_ slot: Int32) {
        unlink(slot)
        slotByKey[slots[Int(slot)].key] = nil
        free.append(slot)
    }

    /// Counts an advert, which makes its track the newest.
    mutating func hear(_ sighting: Sighting, in slot: Int32, _ reading: Instant) {
        if slot != newest {
            unlink(slot)
            link(slot)
        }
        slots[Int(slot)].adverts += 1
        slots[Int(slot)].lastHeard = reading
        slots[Int(slot)].measuredPower = sighting.measuredPower
        guard let rssi = sighting.rssi else { return }
        slots[Int(slot)].lastSignal = reading
        slots[Int(slot)].signals += 1
        slots[Int(slot)].sum += Int(rssi)
    }

    /// Ends a second: what was heard in it becomes a mean.
    mutating func endSecond() {
        var slot = oldest
        while slot >= 0 {
            slots[Int(slot)].endSecond()
            slot = slots[Int(slot)].newer
        }
    }

    private mutating func link(_ slot: Int32) {
        slots[Int(slot)].older = newest
        slots[Int(slot)].newer = -1
        if newest >= 0 { slots[Int(newest)].newer = slot } else { oldest = slot }
        newest = slot
    }

    private mutating func unlink(_ slot: Int32) {
        let (older, newer) = (slots[Int(slot)].older, slots[Int(slot)].newer)
        if older >= 0 { slots[Int(older)].newer = newer } else { oldest = newer }
        if newer >= 0 { slots[Int(newer)].older = older } else { newest = older }
    }
}
