internal import Beacon

/// One beacon: how it is heard, and its part of the current window.
struct Record {
    var identity: BeaconIdentity
    /// The identity's, by the engine's `IdentityHash`.
    var hash: UInt64
    /// Tells this record from what was in its slot before.
    var generation: UInt32 = 0
    /// The first of its memberships in regions, in the regions' order; −1 when no region holds it.
    var firstMembership: Int32 = -1
    /// The first of its tracks; −1 when none is remembered.
    var firstTrack: Int32 = -1
    /// The last advert: on the listening clock, and on the monotonic one.
    var lastHeard: Instant
    var lastTime: Instant
    /// The gaps between its adverts.
    var gaps = GapHistory()
    /// The power at one metre that it sent last, in dBm.
    var measuredPower = 0
    /// The power at one metre that was measured instead, in dBm.
    var calibratedPower: Int?
    /// Its filtered signal strength as it was when its last track was forgotten.
    var lastSignal: FilteredSignal?
    /// Whether it is watched no longer, and only waits for its window to end.
    var isDismissed = false
    /// The window's adverts; 0 when the beacon is not in it.
    var adverts = 0
    var first = Instant(nanoseconds: 0)
    var addresses = AddressCount()
    var signals = SignalStatistics()

    init(identity: BeaconIdentity, hash: UInt64, at now: Instant, reading: Instant) {
        self.identity = identity
        self.hash = hash
        lastHeard = reading
        lastTime = now
    }
}

/// All beacons' records, findable by identity and by age, and the list of those in the current window.
struct Records {
    private var slots = Slots<Record>()
    private var table = SlotTable()
    private var ages = AgeQueue()
    private var generation: UInt32 = 0
    /// One run of `SignalStatistics.bins` counters a slot. Flat: an array in each record would cost an allocation each.
    private var histograms: [UInt16] = []
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

    mutating func insert(_ record: Record) -> Int32 {
        generation &+= 1
        var record = record
        record.generation = generation
        let slot = slots.insert(record)
        if Int(slot) == isListed.count {
            isListed.append(false)
            histograms.append(contentsOf: repeatElement(0, count: SignalStatistics.bins))
        }
        table.insert(slot, hash: record.hash)
        ages.insert(slot, generation: generation, heard: record.lastHeard)
        ages.compact(living: count) { slots[$0.slot].generation == $0.generation }
        return slot
    }

    /// Forgets a beacon, whose tracks and memberships are gone. What it has in the window is counted as evicted.
    mutating func remove(_ slot: Int32) {
        if slots[slot].adverts > 0 {
            evictedAdverts += slots[slot].adverts
            evictedBeacons += 1
            startWindow(slot)
        }
        table.remove(slot, hash: slots[slot].hash)
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

    /// Adds an advert to the beacon's window.
    mutating func count(_ sighting: Sighting, in slot: Int32, at now: Instant) {
        if slots[slot].adverts == 0 {
            slots[slot].first = now
            if !isListed[Int(slot)] {
                isListed[Int(slot)] = true
                inWindow.append(slot)
            }
        }
        slots[slot].adverts += 1
        guard let rssi = sighting.rssi else { return }
        let start = Int(slot) * SignalStatistics.bins
        histograms.withUnsafeMutableBufferPointer { all in
            let own = UnsafeMutableBufferPointer(rebasing: all[start..<start + SignalStatistics.bins])
            slots[slot].signals.add(rssi, own)
        }
    }

    /// The window's beacons in no order; `body` makes an item of each before its next window starts.
    mutating func endWindow(_ body: (Int32, Record, _ median: Int?) -> Window.Item) -> [Window.Item] {
        var items: [Window.Item] = []
        items.reserveCapacity(inWindow.count)
        for slot in inWindow {
            isListed[Int(slot)] = false
            if slots[slot].adverts == 0 { continue }
            items.append(body(slot, slots[slot], median(slot)))
            startWindow(slot)
        }
        inWindow.removeAll(keepingCapacity: true)
        evictedAdverts = 0
        evictedBeacons = 0
        return items
    }

    private mutating func startWindow(_ slot: Int32) {
        slots[slot].adverts = 0
        slots[slot].addresses = AddressCount()
        if slots[slot].signals.count == 0 { return }
        slots[slot].signals = SignalStatistics()
        let start = Int(slot) * SignalStatistics.bins
        histograms.withUnsafeMutableBufferPointer { all in
            all[start..<start + SignalStatistics.bins].update(repeating: 0)
        }
    }

    private mutating func median(_ slot: Int32) -> Int? {
        if slots[slot].signals.count == 0 { return nil }
        let start = Int(slot) * SignalStatistics.bins
        return histograms.withUnsafeMutableBufferPointer { all in
            slots[slot].signals.median(
                UnsafeMutableBufferPointer(rebasing: all[start..<start + SignalStatistics.bins]))
        }
    }
}
