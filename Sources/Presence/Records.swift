internal import Beacon

/// One beacon: its regions, and its part of the current window.
struct Record {
    var identity: BeaconIdentity
    /// Numbers of the regions that hold it, in the regions' order.
    var regions: [Int32]
    /// How many tracks it has. A record without one only waits for its window to end.
    var tracks: Int32 = 0
    var measuredPower = 0
    /// The window's adverts; 0 when the beacon is not in it.
    var adverts = 0
    var first = Instant(nanoseconds: 0)
    var last = Instant(nanoseconds: 0)
    var signals = SignalStatistics()
    /// Set to a region's turn number when the beacon has been counted in it.
    var countedAt: UInt64 = 0
}

/// All beacons' records in slots that are used again, and the list of those in the current window.
struct Records {
    private var slots: [Record] = []
    private var free: [Int32] = []
    private(set) var slotByIdentity: [BeaconIdentity: Int32] = [:]
    /// One run of `SignalStatistics.bins` counters a slot. Flat: an array in each record would cost an allocation each.
    private var histograms: [UInt16] = []
    /// The slots with adverts in the current window.
    private var inWindow = SlotSet()
    /// Those of them that have no track any more.
    private var waitingForWindow = SlotSet()

    /// Adverts and beacons of the current window whose record had to make room for others.
    private(set) var evictedAdverts = 0
    /// See `evictedAdverts`.
    private(set) var evictedBeacons = 0

    var count: Int { slotByIdentity.count }

    /// A beacon that only waits for the window's end; nil when there is none.
    var waiting: Int32? { waitingForWindow.slots.last }

    subscript(slot: Int32) -> Record {
        _read { yield slots[Int(slot)] }
        _modify { yield &slots[Int(slot)] }
    }

    func slot(of identity: BeaconIdentity) -> Int32? { slotByIdentity[identity] }

    mutating func insert(_ record: Record) -> Int32 {
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            slots[Int(slot)] = record
        } else {
            slot = Int32(slots.count)
            slots.append(record)
            histograms.append(contentsOf: repeatElement(0, count: SignalStatistics.bins))
        }
        slotByIdentity[record.identity] = slot
        return slot
    }

    mutating func addTrack(to slot: Int32) {
        slots[Int(slot)].tracks += 1
        waitingForWindow.remove(slot)
    }

    /// Forgets a beacon with its last track, at once or, if it is in the window, when that ends.
    mutating func removeTrack(from slot: Int32) {
        slots[Int(slot)].tracks -= 1
        if slots[Int(slot)].tracks > 0 { return }
        if slots[Int(slot)].adverts > 0 { waitingForWindow.insert(slot) } else { remove(slot) }
    }

    /// Forgets a waiting beacon before its window ends; what it had in the window is counted.
    mutating func evict(_ slot: Int32) {
        evictedAdverts += slots[Int(slot)].adverts
        evictedBeacons += 1
        waitingForWindow.remove(slot)
        inWindow.remove(slot)
        clearHistogram(slot)
        remove(slot)
    }

    private mutating func remove(_ slot: Int32) {
        slotByIdentity[slots[Int(slot)].identity] = nil
        free.append(slot)
    }

    /// Adds an advert to the beacon's window.
    mutating func count(_ sighting: Sighting, in slot: Int32, at now: Instant) {
        if slots[Int(slot)].adverts == 0 {
            slots[Int(slot)].first = now
            inWindow.insert(slot)
        }
        slots[Int(slot)].adverts += 1
        slots[Int(slot)].last = now
        slots[Int(slot)].measuredPower = sighting.measuredPower
        guard let rssi = sighting.rssi else { return }
        let start = Int(slot) * SignalStatistics.bins
        histograms.withUnsafeMutableBufferPointer { all in
            let own = UnsafeMutableBufferPointer(rebasing: all[start..<start + SignalStatistics.bins])
            slots[Int(slot)].signals.add(rssi, own)
        }
    }

    /// The window's beacons by identity; starts the next window, and forgets beacons that are no longer tracked.
    mutating func endWindow(startedAt start: Instant, model: DistanceModel) -> [Window.Item] {
        var items: [Window.Item] = []
        items.reserveCapacity(inWindow.slots.count)
        for slot in inWindow.slots {
            items.append(item(slot, start, model))
            clearHistogram(slot)
            slots[Int(slot)].adverts = 0
            slots[Int(slot)].signals = SignalStatistics()
            if slots[Int(slot)].tracks == 0 { remove(slot) }
        }
        inWindow.removeAll()
        waitingForWindow.removeAll()
        evictedAdverts = 0
        evictedBeacons = 0
        items.sort { $0.identity < $1.identity }
        return items
    }

    private mutating func item(_ slot: Int32, _ start: Instant, _ model: DistanceModel) -> Window.Item {
        let record = slots[Int(slot)]
        var signal: Window.Signal?
        if record.signals.count > 0 {
            let from = Int(slot) * SignalStatistics.bins
            let median = histograms.withUnsafeMutableBufferPointer { all in
                record.signals.median(
                    UnsafeMutableBufferPointer(rebasing: all[from..<from + SignalStatistics.bins]))
            }
            signal = Window.Signal(
                minimum: Int(record.signals.minimum), maximum: Int(record.signals.maximum),
                mean: record.signals.mean, median: median, deviation: record.signals.deviation)
        }
        return Window.Item(
            identity: record.identity, adverts: record.adverts, first: record.first - start,
            last: record.last - start, signal: signal,
            distance: model.estimate(
                rssi: signal.map { Double($0.median) }, measuredPower: record.measuredPower),
            powerIsSuspect: !PowerTrust.isPlausible(record.measuredPower))
    }

    private mutating func clearHistogram(_ slot: Int32) {
        let start = Int(slot) * SignalStatistics.bins
        histograms.withUnsafeMutableBufferPointer { all in
            all[start..<start + SignalStatistics.bins].update(repeating: 0)
        }
    }
}
