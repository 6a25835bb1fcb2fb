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

    /// How long a beacon is remembered that is in no region, with what was learned of it: somebody who comes back after
    /// a while is known.
    static let rememberedFor = Span.seconds(15 * 60)
    /// The time between two looks for beacons to be forgotten.
    static let forgettingInterval: UInt32 = 60

    var configuration: PresenceConfiguration
    /// The run of the agent that visits are numbered in.
    let epoch: UInt64
    let hash: IdentityHash
    var index: PrefixTable
    var monitors: [Monitor]
    /// Of each region whether its state is inside, where each advert can look it up.
    var isKnownInside: [Bool]
    var memberships = Slots<Membership>()
    var visits = Slots<Visit>()
    var silences = SilenceQueue()
    /// While blind: no region is lost to blindness before this time, and what is the cause.
    var nextLoss = Instant.distantFuture
    var blindCause = RegionState.Cause.radioBlind
    /// Up to here silence has been judged. What is found out later did not happen earlier.
    var judgedUpTo: Instant
    var tracks = Tracks()
    var records = Records()
    /// Beacons that are only remembered for the window.
    var dismissed: [Int32] = []
    /// The track of each address that may send telemetry, and what came in this window, by the beacon's record.
    var telemetrySources: [UInt64: Int32] = [:]
    var telemetry: [Int32: Telemetry] = [:]
    var clock: ListeningClock
    /// When the node could hear for the first time.
    var firstListening: Instant?
    var outcomes: [Outcome] = []
    var windowStart: Instant
    var windowNumber: UInt32 = 1
    var blindnessAtWindowStart = Span.zero
    /// The number of the second that is running.
    var second: UInt32 = 1
    private var windowEnd: Instant
    private var nextRanging: Instant
    private(set) var latest: Instant
    private var sequence: UInt64 = 0

    /// Transmitters and beacons that were forgotten before their time, to make room for others.
    public internal(set) var evicted: UInt64 = 0

    /// Starts at a time; blind until `hears(from:)` unless `hearing`. `continuing` are the visits that were open when an
    /// earlier engine ended.
    public init(
        _ configuration: PresenceConfiguration, at now: Instant, hearing: Bool = false, epoch: UInt64 = 1,
        continuing: [OpenVisit] = []
    ) {
        self.configuration = configuration
        self.epoch = epoch
        hash = IdentityHash()
        index = PrefixTable(configuration.regions.map(\.constraint), hash: hash)
        clock = ListeningClock(blindSince: hearing ? nil : now)
        firstListening = hearing ? now : nil
        let reading = clock.reading(at: now)
        monitors = configuration.regions.map { Monitor(region: $0, at: now, reading: reading) }
        isKnownInside = monitors.map { _ in false }
        latest = now
        judgedUpTo = now
        windowStart = now
        windowEnd = Self.next(after: now, every: configuration.windowLength, from: configuration.phase)
        nextRanging = Self.next(after: now, every: Self.rangingInterval, from: configuration.phase)
        outcomes = monitors.map { .regionIs($0.state) }
        resume(continuing, at: now)
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
        let reading = clock.reading(at: now)
        let identity = hash(sighting.identity)
        let whole = hash.adding(sighting.source, to: identity)
        guard
            let slot = tracks.slot(at: sighting.source, hash: whole, { records[$0].identity == sighting.identity })
                ?? newTrack(sighting, hash: whole, identityHash: identity, at: now, reading)
        else { return false }
        let isNewInWindow = tracks[slot].hear(
            sighting, second: second, window: windowNumber, reading, configuration.filter)
        let beacon = tracks[slot].beacon
        if isNewInWindow { records[beacon].addresses.insert(sighting.source) }
        let format = sighting.identity.format
        if format == .eddystoneUID || format == .eddystoneURL, !tracks[slot].speaksForAddress { speak(for: slot) }
        let isEarlier = records.hear(sighting, in: beacon, at: now, reading)
        var member = records[beacon].firstMembership
        while member >= 0 {
            heard(sighting, by: member, at: now, reading)
            member = memberships[member].nextOfBeacon
        }
        if isEarlier { queueEarlier(beacon) }
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
        if clock.hears(from: latest), firstListening == nil { firstListening = latest }
    }

    /// The node cannot hear from now on: every timer stands still.
    public mutating func isBlind(from time: Instant, cause: RegionState.Cause = .radioBlind) {
        advance(to: time)
        blindCause = cause
        if clock.isBlind(from: latest) { expectLosses() }
    }

    /// The node could not hear from one time to another, which is over and was only noticed then. Where it does not hear
    /// anyway, that goes on.
    public mutating func wasBlind(from start: Instant, to end: Instant) {
        guard clock.blindSince == nil else { return advance(to: end) }
        isBlind(from: start)
        hears(from: end)
    }

    /// Watches other regions from now on. Regions that keep their id and identity keep their state and visit.
    public mutating func reconfigure(_ new: PresenceConfiguration, at time: Instant) {
        advance(to: time)
        let rhythmChanges = new.windowLength != configuration.windowLength || new.phase != configuration.phase
        if rhythmChanges && latest > windowStart { closeWindow(at: latest) }
        if new.filter != configuration.filter { tracks.startFilters() }
        configuration = new
        index = PrefixTable(new.regions.map(\.constraint), hash: hash)
        if rhythmChanges { windowEnd = Self.next(after: latest, every: new.windowLength, from: new.phase) }
        replaceRegions(with: new.regions, at: latest)
        makeRoom(tracks: 0, records: 0)
        expectSilences()
    }

    // MARK: - What comes out

    /// No silence that is shorter makes an exit, whatever a region says; zero unless the radio tells of its beacons only
    /// now and then.
    public var leastSilence = Span.zero
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
        // One that has just begun may have adverts of this very moment.
        if now > windowStart || records.isAnybodyInWindow { closeWindow(at: now) }
    }

    // MARK: - Time

    /// The first time after another of those that are `phase` and whole numbers of `length` away from each other.
    private static func next(after time: Instant, every length: Span, from phase: Span) -> Instant {
        let length = max(length, shortestWindow)
        let since = (time - phase).nanoseconds
        let remainder = since % length.nanoseconds
        return time
            + Span(nanoseconds: length.nanoseconds - (remainder < 0 ? remainder + length.nanoseconds : remainder))
    }

    /// The time that it is when somebody says so.
    private mutating func pass(to time: Instant) -> Instant {
        latest = max(latest, time)
        return latest
    }

    /// Brings windows and ranging up to a time.
    mutating func advanceWindows(to time: Instant) { runPeriodic(upTo: pass(to: time)) }

    /// Ranging and windows up to a time, in order.
    private mutating func runPeriodic(upTo now: Instant) {
        while true {
            let due = min(nextRanging, windowEnd)
            if due > now || due == .distantFuture { return }
            if due == nextRanging {
                nextRanging = due + Self.rangingInterval
                range(at: due)
                forgetSilentTracks(at: due)
                if second % Self.forgettingInterval == 0 { forgetSilentRecords(at: due) }
            }
            if due == windowEnd {
                windowEnd = due + max(configuration.windowLength, Self.shortestWindow)
                closeWindow(at: due)
            }
        }
    }
}
