/// The presence engine: sightings in, outcomes out. Pure; time is an argument.
///
/// Call `advance(to:)` for the passing of time, `sighted` for each advert, and `takeOutcomes()` whenever
/// `hasOutcomes`. An advert that matches no region leaves nothing behind, and nothing is allocated for it. Time never
/// goes back: an earlier one than was already given is taken as the latest.
///
/// Who may be far behind, a capture with a gap of days for instance, advances from `nextDeadline` to `nextDeadline` and
/// takes the outcomes in between: each second of ranging and each window of the gap is one.
public struct PresenceEngine {
    /// A beacon silent for this long is listed as unknown, as Core Location does.
    public static let unknownAfter = Span.seconds(2)
    /// A beacon silent for this long is no longer listed.
    public static let forgottenAfter = Span.seconds(10)
    /// The time between two ranging outcomes of a region.
    public static let rangingInterval = Span.seconds(1)
    /// How many beacons one ranging outcome lists; the nearest ones. Some 20 KB of text.
    public static let rangedLimit = 100
    /// A shorter window would end without end.
    static let shortestWindow = Span.milliseconds(1)

    var configuration: PresenceConfiguration
    /// See `PresenceConfiguration.rememberedFor`.
    var rememberedFor: Span
    var index: RegionIndex
    var monitors: [Monitor]
    var silences = SilenceQueue()
    /// While blind: no region is lost to blindness before this time.
    var nextLoss = Instant.distantFuture
    /// Up to here silence has been judged. What is found out later did not happen earlier.
    var judgedUpTo: Instant
    var tracks = Tracks()
    var records = Records()
    var roll = RegionRoll()
    var clock: ListeningClock
    var outcomes: [Outcome] = []
    var windowStart: Instant
    var blindnessAtWindowStart = Span.zero
    private var nextRanging: Instant
    private var latest: Instant
    private var sequence: UInt64 = 0
    var turn: UInt64 = 0

    /// Transmitters that were forgotten before their time, to make room for others.
    public internal(set) var evicted: UInt64 = 0

    /// Starts at a time; blind until `hears(from:)` unless `hearing`.
    public init(_ configuration: PresenceConfiguration, at now: Instant, hearing: Bool = false) {
        self.configuration = configuration
        rememberedFor = configuration.rememberedFor
        index = RegionIndex(configuration.regions)
        clock = ListeningClock(blindSince: hearing ? nil : now)
        let reading = clock.reading(at: now)
        monitors = configuration.regions.map { Monitor(region: $0, at: now, reading: reading) }
        latest = now
        judgedUpTo = now
        windowStart = now
        nextRanging = now + Self.rangingInterval
        outcomes = monitors.map { .regionIs($0.state) }
        expectSilences()
    }

    // MARK: - What goes in

    /// Takes an advert. Returns whether it was of a beacon that is watched.
    ///
    /// Silence is judged by `advance` only, so that adverts that waited in a buffer count before their absence does.
    @discardableResult
    public mutating func sighted(_ sighting: Sighting) -> Bool {
        let now = pass(to: sighting.time)
        runPeriodic(upTo: now)
        let key = Track.Key(identity: sighting.identity, source: sighting.source)
        let reading = clock.reading(at: now)
        guard let slot = tracks.slot(of: key) ?? newTrack(key, reading) else { return false }
        tracks.hear(sighting, in: slot, reading)
        let beacon = tracks[slot].beacon
        records.count(sighting, in: beacon, at: now)
        for region in records[beacon].regions { heard(sighting, in: Int(region), at: now, reading) }
        return true
    }

    /// Lets time pass: exits, ranging, windows, each in order and at its own time.
    public mutating func advance(to time: Instant) {
        let now = pass(to: time)
        // Nothing can be due after the end of time, where sums stop and a loop would not.
        while case let due = nextJudgement, due <= now, due < .distantFuture {
            runPeriodic(upTo: due)
            judgeSilence(at: due)
            judgedUpTo = due
        }
        judgedUpTo = now
        runPeriodic(upTo: now)
    }

    /// The node can hear from now on.
    public mutating func hears(from time: Instant) {
        advance(to: time)
        _ = clock.hears(from: latest)
    }

    /// The node cannot hear from now on: every timer stands still.
    public mutating func isBlind(from time: Instant) {
        advance(to: time)
        if clock.isBlind(from: latest) { expectLosses() }
    }

    /// Watches other regions from now on. Regions that keep their id and identity keep their state and visit.
    public mutating func reconfigure(_ new: PresenceConfiguration, at time: Instant) {
        advance(to: time)
        if new.windowLength != configuration.windowLength { endWindow(at: latest) }
        replaceRegions(with: new.regions, at: latest)
        configuration = new
        rememberedFor = new.rememberedFor
        index = RegionIndex(new.regions)
        assignRegions()
        makeRoom(tracks: 0, records: 0)
        expectSilences()
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
    public var nextDeadline: Instant { min(nextRanging, nextJudgement, windowEnd) }

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
    public mutating func endWindow(at time: Instant) {
        let now = pass(to: time)
        runPeriodic(upTo: now)
        if now > windowStart { closeWindow(at: now) }
    }

    // MARK: - Time

    private var windowEnd: Instant { windowStart + max(configuration.windowLength, Self.shortestWindow) }

    /// The time that it is when somebody says so.
    private mutating func pass(to time: Instant) -> Instant {
        latest = max(latest, time)
        return latest
    }

    /// Ranging and windows up to a time, in order.
    private mutating func runPeriodic(upTo now: Instant) {
        while true {
            let due = min(nextRanging, windowEnd)
            if due > now || due == .distantFuture { return }
            if due == nextRanging {
                nextRanging = due + Self.rangingInterval
                range(at: due)
                forgetSilentTracks(at: due)
            }
            if due == windowEnd { closeWindow(at: due) }
        }
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
}
