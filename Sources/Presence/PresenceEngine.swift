internal import Beacon

/// What presence is to watch, and its bounds.
public struct PresenceConfiguration: Equatable, Sendable {
    /// The regions; their order is the order of outcomes that fall on one moment.
    public var regions: [Region]
    /// The length of a window.
    public var windowLength: Span
    /// How signal strength becomes distance.
    public var distance: DistanceModel
    /// How many beacons, and how many transmitters, are remembered at most.
    public var beaconLimit: Int
    /// Whether beacons outside every region are kept too, for windows. For a person looking at a capture.
    public var watchesEverything: Bool

    /// Makes a configuration.
    public init(
        regions: [Region], windowLength: Span = .seconds(10), distance: DistanceModel = DistanceModel(),
        beaconLimit: Int = 10_000, watchesEverything: Bool = false
    ) {
        self.regions = regions
        self.windowLength = windowLength
        self.distance = distance
        self.beaconLimit = beaconLimit
        self.watchesEverything = watchesEverything
    }
}

/// The presence engine: sightings in, outcomes out. Pure; time is an argument and never goes back.
///
/// Call `advance(to:)` for the passing of time, `sighted` for each advert, and `takeOutcomes()` whenever
/// `hasOutcomes`. An advert that matches no region leaves nothing behind, and nothing is allocated for it.
public struct PresenceEngine {
    /// A beacon silent for this long is listed as unknown, as Core Location does.
    public static let unknownAfter = Span.seconds(2)
    /// A beacon silent for this long is no longer listed.
    public static let forgottenAfter = Span.seconds(10)
    /// The time between two ranging outcomes of a region.
    public static let rangingInterval = Span.seconds(1)
    /// How many beacons one ranging outcome lists; the nearest ones. Some 20 KB of text.
    public static let rangedLimit = 100

    var configuration: PresenceConfiguration
    private var index: RegionIndex
    var monitors: [Monitor]
    var tracks = Tracks()
    var records = Records()
    var clock: ListeningClock
    var outcomes: [Outcome] = []
    /// Tracks with adverts in the current second.
    var heardThisSecond: [Int32] = []
    var windowStart: Instant
    var blindnessAtWindowStart = Span.zero
    private var nextRanging: Instant
    /// No region's silence or blindness matters before this time.
    private var nextSilence: Instant
    private var sequence: UInt64 = 0
    var turn: UInt64 = 0

    /// Beacons that had to make room for others.
    public private(set) var evicted: UInt64 = 0

    /// Starts at a time; blind until `hears(from:)` unless `hearing`.
    public init(_ configuration: PresenceConfiguration, at now: Instant, hearing: Bool = false) {
        self.configuration = configuration
        index = RegionIndex(configuration.regions)
        clock = ListeningClock(blindSince: hearing ? nil : now)
        let reading = clock.reading(at: now)
        monitors = configuration.regions.map { Monitor(region: $0, at: now, reading: reading) }
        windowStart = now
        nextRanging = now + Self.rangingInterval
        nextSilence = now
        outcomes = monitors.map { .regionIs($0.state) }
    }

    // MARK: - What goes in

    /// Takes an advert. Returns whether it was of a beacon that is watched.
    ///
    /// Silence is judged by `advance` only, so that adverts that waited in a buffer count before their absence does.
    @discardableResult
    public mutating func sighted(_ sighting: Sighting) -> Bool {
        runPeriodic(upTo: sighting.time)
        let key = Track.Key(identity: sighting.identity, source: sighting.source)
        guard let slot = tracks.slot(of: key) ?? newTrack(key, sighting) else { return false }
        let reading = clock.reading(at: sighting.time)
        tracks.refresh(slot)
        if tracks[slot].adverts == 0 { heardThisSecond.append(slot) }
        tracks[slot].adverts += 1
        tracks[slot].lastHeard = reading
        tracks[slot].measuredPower = sighting.measuredPower
        if let rssi = sighting.rssi {
            tracks[slot].signals += 1
            tracks[slot].sum += Int32(rssi)
        }
        let beacon = tracks[slot].beacon
        records.count(sighting, in: beacon)
        for region in records[beacon].regions { heard(sighting, in: Int(region), reading) }
        return true
    }

    /// Lets time pass: exits, ranging, windows, each in order and at its own time.
    public mutating func advance(to now: Instant) {
        while nextSilence <= now {
            let due = nextSilence
            runPeriodic(upTo: due)
            judgeSilence(at: due)
        }
        runPeriodic(upTo: now)
    }

    /// The node can hear from now on.
    public mutating func hears(from now: Instant) {
        guard clock.hears(from: now) else { return }
        let reading = clock.reading(at: now)
        for i in monitors.indices where monitors[i].state.value == .unknown && monitors[i].visit == nil {
            // What was missed cannot be known: absence has to be listened for from the start.
            monitors[i].silentSince = reading
        }
        nextSilence = now
    }

    /// The node cannot hear from now on: every timer stands still.
    public mutating func isBlind(from now: Instant) {
        if clock.isBlind(from: now) { nextSilence = now }
    }

    /// Watches other regions from now on. Regions that keep their id and identity keep their state and visit.
    public mutating func reconfigure(_ new: PresenceConfiguration, at now: Instant) {
        advance(to: now)
        if new.windowLength != configuration.windowLength { endWindow(at: now) }
        let reading = clock.reading(at: now)
        let numberByID = Dictionary(
            monitors.enumerated().map { ($1.region.id, $0) }, uniquingKeysWith: { first, _ in first })
        var kept = Set<String>()
        let next = new.regions.map { region -> Monitor in
            if let number = numberByID[region.id], monitors[number].region.constraint == region.constraint {
                kept.insert(region.id)
                var monitor = monitors[number]
                monitor.region = region
                return monitor
            }
            return Monitor(region: region, at: now, reading: reading)
        }
        let nextIDs = Set(new.regions.map(\.id))
        for i in monitors.indices where !kept.contains(monitors[i].region.id) {
            leave(i, at: now, reason: .regionRemoved)
            let id = monitors[i].region.id
            if !nextIDs.contains(id) { outcomes.append(.regionRemoved(id: id)) }
        }
        for monitor in next where !kept.contains(monitor.region.id) { outcomes.append(.regionIs(monitor.state)) }
        monitors = next
        configuration = new
        index = RegionIndex(new.regions)
        assignRegions()
        while tracks.count > new.beaconLimit { evictOldest() }
        nextSilence = now
    }

    // MARK: - What comes out

    /// Whether beacons outside every region are kept too.
    public var watchesEverything: Bool { configuration.watchesEverything }

    /// Whether there is anything to take.
    public var hasOutcomes: Bool { !outcomes.isEmpty }

    /// What was found out since the last call, in order.
    public mutating func takeOutcomes() -> [Outcome] {
        defer { outcomes = [] }
        return outcomes
    }

    /// When `advance` has something to do next.
    public var nextDeadline: Instant { min(nextRanging, nextSilence, windowEnd) }

    /// Every region's state now, in the regions' order.
    public var regionStates: [RegionState] { monitors.map(\.state) }

    /// How many beacons are remembered.
    public var beaconCount: Int { records.count }

    /// All time so far in which the node could not listen.
    public func blindness(at now: Instant) -> Span { clock.blindness(at: now) }

    /// Numbers an event of somebody else's in the same sequence.
    public mutating func takeSequence() -> UInt64 {
        sequence += 1
        return sequence
    }

    /// Ends the current window early, for an end of work.
    public mutating func endWindow(at now: Instant) {
        runPeriodic(upTo: now)
        if now > windowStart { closeWindow(at: now) }
    }

    // MARK: - Inside

    private var windowEnd: Instant { windowStart + configuration.windowLength }

    /// Ranging and windows up to a time, in order.
    private mutating func runPeriodic(upTo now: Instant) {
        while true {
            let due = min(nextRanging, windowEnd)
            if due > now { return }
            if due == nextRanging {
                nextRanging = due + Self.rangingInterval
                range(at: due)
                forgetSilentTracks(at: due)
            }
            if due == windowEnd { closeWindow(at: due) }
        }
    }

    private mutating func heard(_ sighting: Sighting, in number: Int, _ reading: Instant) {
        monitors[number].silentSince = reading
        monitors[number].last = Monitor.Last(
            identity: sighting.identity, rssi: sighting.rssi, measuredPower: sighting.measuredPower,
            time: sighting.time)
        if monitors[number].visit == nil {
            let sequence = takeSequence()
            monitors[number].visit = Monitor.Visit(
                sequence: sequence, enteredAt: sighting.time,
                blindnessAtEnter: clock.blindness(at: sighting.time))
            outcomes.append(
                .entered(
                    Entered(
                        region: monitors[number].region.id, sequence: sequence, time: sighting.time,
                        beacon: configuration.reading(
                            sighting.identity, sighting.rssi.map(Double.init), sighting.measuredPower),
                        notify: monitors[number].region.notifyOnEntry)))
        }
        monitors[number].visit?.adverts += 1
        if monitors[number].state.value != .inside {
            monitors[number].state.beacons = 1
            if monitors[number].become(.inside, at: sighting.time) {
                outcomes.append(.regionIs(monitors[number].state))
            }
            expectSilence(of: number)
        }
    }

    /// Makes sure that a region's silence is judged in time.
    private mutating func expectSilence(of number: Int) {
        guard let deadline = monitors[number].silenceDeadline, let due = clock.instant(ofReading: deadline)
        else { return }
        nextSilence = min(nextSilence, due)
    }

    /// Looks at every region's silence, or at what blindness has done to it, and finds out when to look again.
    private mutating func judgeSilence(at now: Instant) {
        nextSilence = .distantFuture
        let reading = clock.reading(at: now)
        for i in monitors.indices {
            if let blindSince = clock.blindSince {
                if monitors[i].isLost(blindSince: blindSince, now: now) {
                    _ = monitors[i].become(.unknown, cause: .radioBlind, at: now)
                    outcomes.append(.regionIs(monitors[i].state))
                } else if monitors[i].state.value != .unknown {
                    nextSilence = min(nextSilence, blindSince + monitors[i].region.exitAfter)
                }
            } else if let deadline = monitors[i].silenceDeadline {
                if deadline <= reading {
                    leave(i, at: now, reason: .silence)
                    if monitors[i].become(.outside, at: now) { outcomes.append(.regionIs(monitors[i].state)) }
                } else {
                    expectSilence(of: i)
                }
            }
        }
    }

    /// Closes a region's visit, if one is open.
    private mutating func leave(_ number: Int, at now: Instant, reason: ExitReason) {
        guard let visit = monitors[number].visit, let last = monitors[number].last else { return }
        monitors[number].visit = nil
        outcomes.append(
            .exited(
                Exited(
                    region: monitors[number].region.id, sequence: takeSequence(), visit: visit.sequence,
                    time: now,
                    beacon: configuration.reading(
                        last.identity, last.rssi.map(Double.init), last.measuredPower),
                    lastSeen: last.time, dwell: last.time - visit.enteredAt, reason: reason,
                    adverts: visit.adverts, silence: clock.reading(at: now) - monitors[number].silentSince,
                    blind: clock.blindness(at: now) - visit.blindnessAtEnter,
                    notify: monitors[number].region.notifyOnExit)))
    }

    private mutating func closeWindow(at end: Instant) {
        let blindness = clock.blindness(at: end)
        let evicted = (records.evictedBeacons, records.evictedAdverts)
        outcomes.append(
            .windowEnded(
                Window(
                    start: windowStart, length: end - windowStart, blind: blindness - blindnessAtWindowStart,
                    items: records.endWindow(startedAt: windowStart, model: configuration.distance),
                    evictedBeacons: evicted.0, evictedAdverts: evicted.1)))
        windowStart = end
        blindnessAtWindowStart = blindness
    }

    // MARK: - Tracks and records

    /// Remembers a transmitter; nil when no region wants it.
    private mutating func newTrack(_ key: Track.Key, _ sighting: Sighting) -> Int32? {
        var beacon = records.slot(of: key.identity)
        if beacon == nil {
            guard configuration.watchesEverything || index.holds(key.identity) else { return nil }
        }
        if tracks.count >= configuration.beaconLimit { evictOldest() }
        // Evicting the oldest track may have taken this very beacon's record with it.
        beacon = records.slot(of: key.identity)
        if beacon == nil && records.count >= configuration.beaconLimit {
            if let waiting = records.waiting { records.remove(waiting) } else { evictOldest() }
        }
        let record =
            beacon
            ?? records.insert(Record(identity: key.identity, regions: index.regions(of: key.identity)))
        records[record].tracks += 1
        let slot = tracks.insert(
            Track(
                key: key, beacon: record, lastHeard: clock.reading(at: sighting.time),
                measuredPower: sighting.measuredPower))
        for region in records[record].regions { monitors[Int(region)].tracks.append(slot) }
        return slot
    }

    private mutating func evictOldest() {
        guard tracks.oldest >= 0 else { return }
        evicted += 1
        let beacon = forget(tracks.oldest)
        if records[beacon].tracks == 0 { records.remove(beacon) }
    }

    /// Removes a track from everywhere; returns its beacon's slot.
    @discardableResult
    private mutating func forget(_ slot: Int32) -> Int32 {
        let beacon = tracks[slot].beacon
        for region in records[beacon].regions {
            if let at = monitors[Int(region)].tracks.firstIndex(of: slot) {
                monitors[Int(region)].tracks.swapAt(at, monitors[Int(region)].tracks.count - 1)
                monitors[Int(region)].tracks.removeLast()
            }
        }
        if tracks[slot].adverts > 0 { heardThisSecond.removeAll { $0 == slot } }
        records[beacon].tracks -= 1
        tracks.remove(slot)
        return beacon
    }

    /// Forgets tracks that neither ranging nor any region's count can still want.
    private mutating func forgetSilentTracks(at now: Instant) {
        let reading = clock.reading(at: now)
        let longest = max(Self.forgottenAfter, configuration.regions.map(\.exitAfter).max() ?? .zero)
        while tracks.oldest >= 0 && reading - tracks[tracks.oldest].lastHeard >= longest {
            let beacon = forget(tracks.oldest)
            if records[beacon].tracks == 0 && records[beacon].adverts == 0 { records.remove(beacon) }
        }
    }

    /// Gives every beacon the regions that hold it now, and forgets those that none does.
    private mutating func assignRegions() {
        for i in monitors.indices { monitors[i].tracks = [] }
        for (identity, record) in records.identities { records[record].regions = index.regions(of: identity) }
        for slot in tracks.slotsByAge {
            let beacon = tracks[slot].beacon
            if records[beacon].regions.isEmpty && !configuration.watchesEverything {
                forget(slot)
                if records[beacon].tracks == 0 && records[beacon].adverts == 0 { records.remove(beacon) }
            } else {
                for region in records[beacon].regions { monitors[Int(region)].tracks.append(slot) }
            }
        }
    }
}

extension PresenceConfiguration {
    /// A reading with its distance.
    func reading(_ identity: BeaconIdentity, _ rssi: Double?, _ measuredPower: Int) -> BeaconReading {
        let distance = distance.estimate(rssi: rssi, measuredPower: measuredPower)
        return BeaconReading(
            identity: identity, rssi: rssi, distance: distance,
            proximity: Proximity(accuracy: distance.accuracy),
            powerIsSuspect: !PowerTrust.isPlausible(measuredPower))
    }
}
