internal import Beacon

/// One beacon: how it is heard, and its part of the current window.
struct Record {
    // In this order, for what each advert touches lies together; as small as can be, for there may be 10,000.
    /// The gaps between its adverts.
    var gaps = GapHistory()
    /// The last advert: on the listening clock, and on the monotonic one.
    private(set) var lastHeard: Instant
    private(set) var lastTime: Instant
    /// The first of its memberships in regions, in the regions' order; −1 when no region holds it.
    var firstMembership: Int32 = -1
    /// The power at one metre that it sent last, in dBm.
    var measuredPower: Int16 = 0
    /// The power at one metre that was measured instead, in dBm.
    var calibratedPower: Int8?
    /// The window's adverts; 0 when the beacon is not in it.
    private(set) var adverts: UInt32 = 0
    /// The first of its tracks; −1 when none is remembered.
    var firstTrack: Int32 = -1
    private(set) var signals = SignalStatistics()
    /// See `lastSignal`; no samples when there is none.
    private var lastSamples: UInt16 = 0
    private var lastLevel: Float = 0
    private(set) var first = Instant(nanoseconds: 0)
    let identity: BeaconIdentity
    /// Whether it is watched no longer, and only waits for its window to end.
    var isDismissed = false
    var addresses = AddressCount()
    /// Tells this record from what was in its slot before.
    var generation: UInt32 = 0

    init(identity: BeaconIdentity, at now: Instant, reading: Instant) {
        self.identity = identity
        lastHeard = reading
        lastTime = now
    }

    /// Its filtered signal strength as it was when its last track was forgotten.
    var lastSignal: FilteredSignal? {
        get { lastSamples == 0 ? nil : FilteredSignal(rssi: Double(lastLevel), samples: Int(lastSamples)) }
        set {
            lastSamples = UInt16(clamping: newValue?.samples ?? 0)
            lastLevel = Float(newValue?.rssi ?? 0)
        }
    }

    /// Takes an advert. Returns whether its silence is to be judged otherwise, and earlier, from now on.
    mutating func hear(
        _ sighting: Sighting, at now: Instant, _ reading: Instant
    ) -> Bool {
        let gap = reading - lastHeard
        // Who was blind in between has seen less of the gap than there was.
        let isWhole = gap == now - lastTime
        lastHeard = reading
        lastTime = now
        measuredPower = Int16(clamping: sighting.measuredPower)
        if adverts == 0 { first = now }
        if adverts < .max { adverts += 1 }
        if let rssi = sighting.rssi { signals.add(rssi) }
        guard isWhole && gap > .zero else { return false }
        let before = gaps.silence(floor: .zero)
        gaps.learn(gap)
        return gaps.silence(floor: .zero) < before
    }

    mutating func startWindow() {
        adverts = 0
        addresses = AddressCount()
        signals = SignalStatistics()
    }
}

/// All beacons' records, findable by identity and by age, and the list of those in the current window.
struct Records {
    private var slots = Slots<Record>()
    private var table = SlotTable()
    private var ages = AgeQueue()
    private var generation: UInt32 = 0
    /// The slots with adverts in the current window, and whether a slot is in that list; it stays in it when its beacon
    /// makes room for another, so that a flood makes the list no longer.
    private var inWindow: [Int32] = []
    private var isListed: [Bool] = []

    /// Adverts and beacons of the current window whose record had to make room for others.
    private(set) var evictedAdverts = 0
    /// See `evictedAdverts`.
    private(set) var evictedBeacons = 0

    var count: Int { table.count }
    /// Whether the current window has, or had, any beacon.
    var isAnybodyInWindow: Bool { !inWindow.isEmpty }
    /// The slots of all records.
    var all: [Int32] { slots.all.filter { slots[$0].generation != 0 } }

    subscript(slot: Int32) -> Record {
        @inline(__always) _read { yield slots[slot] }
        @inline(__always) _modify { yield &slots[slot] }
    }

    func slot(of identity: BeaconIdentity, hash: UInt64) -> Int32? {
        table.slot(hash: hash) { slots[$0].identity == identity }
    }

    mutating func insert(_ record: Record, hash: UInt64) -> Int32 {
        generation &+= 1
        var record = record
        record.generation = generation
        let slot = slots.insert(record)
        if Int(slot) == isListed.count { isListed.append(false) }
        table.insert(slot, hash: hash)
        ages.insert(slot, generation: generation, heard: record.lastHeard)
        ages.compact(living: count) { slots[$0.slot].generation == $0.generation }
        return slot
    }

    /// Forgets a beacon, whose tracks and memberships are gone. What it has in the window is counted as evicted.
    mutating func remove(_ slot: Int32, hash: UInt64) {
        if slots[slot].adverts > 0 {
            evictedAdverts += Int(slots[slot].adverts)
            evictedBeacons += 1
            startWindow(slot)
        }
        table.remove(slot, hash: hash)
        slots[slot].generation = 0
        slots[slot].isDismissed = false
        slots.remove(slot)
    }

    /// The beacon that was heard longest ago, if that was before a reading of the listening clock. It is to be removed,
    /// or put back.
    mutating func takeOldest(before limit: Instant) -> Int32? {
        ages.takeOldest(before: limit) { entry in
            slots[entry.slot].generation == entry.generation ? slots[entry.slot].lastHeard : nil
        }
    }

    /// Puts back what `takeOldest` took.
    mutating func putBack(_ slot: Int32) {
        ages.insert(slot, generation: slots[slot].generation, heard: slots[slot].lastHeard)
    }

    /// Takes an advert, also into the beacon's window. Returns whether the beacon's silence is to be judged otherwise, and
    /// earlier, from now on.
    mutating func hear(_ sighting: Sighting, in slot: Int32, at now: Instant, _ reading: Instant) -> Bool {
        if !isListed[Int(slot)] {
            isListed[Int(slot)] = true
            inWindow.append(slot)
        }
        return slots[slot].hear(sighting, at: now, reading)
    }

    /// The slots of the beacons in the window, by identity. It ends with `startWindow`.
    mutating func slotsInWindow() -> [Int32] {
        var found: [Int32] = []
        swap(&found, &inWindow)
        found.removeAll { slot in
            isListed[Int(slot)] = false
            return slots[slot].adverts == 0
        }
        found.sort { slots[$0].identity < slots[$1].identity }
        return found
    }

    /// Starts the next window of a beacon.
    mutating func startWindow(_ slot: Int32) { slots[slot].startWindow() }

    /// Starts the next window for all; `memory` is what `slotsInWindow` gave.
    mutating func startWindow(reusing memory: [Int32]) {
        inWindow = memory
        inWindow.removeAll(keepingCapacity: true)
        evictedAdverts = 0
        evictedBeacons = 0
    }
}
