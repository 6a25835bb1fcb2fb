import Beacon
import Presence

/// A rule that says from the adverts when a beacon is there, as the engine knows it.
struct Rule: Equatable, Sendable {
    var name: String
    var exit: Region.Exit
    /// Seconds of silence: the time-out of a fixed exit, the floor of a learned one.
    var exitAfter: Int64
    var enter = Region.Enter.first
    /// Whether the engine is told when the node is blind.
    var knowsOfBlindness = true

    static let adaptive = Rule(name: "adaptive", exit: .learned, exitAfter: 10)

    /// What a region gets that asks for nothing else.
    static let standard = Rule(name: "adaptive steady", exit: .learned, exitAfter: 10, enter: .steady)

    static func fixed(_ seconds: Int64) -> Rule {
        Rule(name: "fixed \(seconds) s", exit: .fixed, exitAfter: seconds)
    }

    /// The engine's own and the time-outs of the field. All but `standard` enter at the first advert, so that only
    /// exits differ.
    static let all = [adaptive, standard] + [5, 10, 30, 60, 180].map { fixed($0) }
}

/// What a rule said of one visit.
struct Verdict: Equatable, Sendable {
    /// From when on the beacon was there, and until when; the last may end long after the visit.
    struct Stay: Equatable, Sendable {
        var entered: Instant
        var exited: Instant
        /// Whether the rule said before the exit that it could not be sure.
        var wasUncertain = false
    }

    var stays: [Stay] = []
    /// Seconds of the stays, up to the last advert, in which the rule said that it could not be sure.
    var uncertain = 0.0
}

extension Rule {
    /// Judges one visit of a beacon never heard before. It is gone after the last advert; `blindness` are times without
    /// adverts, in order.
    func judge(_ adverts: [Instant], blindness: [Range<Instant>] = []) -> Verdict {
        var trial = Trial(self)
        var blindness = (knowsOfBlindness ? blindness : [])[...]
        for advert in adverts {
            while let blind = blindness.first, blind.lowerBound <= advert {
                trial.isBlind(blind)
                blindness.removeFirst()
            }
            trial.sighted(at: advert)
        }
        for blind in blindness where trial.isInside { trial.isBlind(blind) }
        return trial.end()
    }

    /// Judges visits of one beacon, one after the other, each as `judge` does and on a clock that starts at its first
    /// moment; `starts` are these moments. A stay that lasts into the next visit ends with the one and begins with the
    /// other.
    func judge(visits: [[Instant]], starts: [Instant]) -> [Verdict] {
        var trial = Trial(self)
        for advert in visits.joined() { trial.sighted(at: advert) }
        let stays = trial.end().stays
        return starts.indices.map { number in
            let from = starts[number]
            let until = number + 1 < starts.count ? starts[number + 1] : .distantFuture
            var verdict = Verdict()
            for stay in stays where stay.entered < until && stay.exited > from {
                let shift = from - Instant(nanoseconds: 0)
                verdict.stays.append(
                    Verdict.Stay(
                        entered: max(stay.entered, from) - shift, exited: min(stay.exited, until) - shift))
            }
            return verdict
        }
    }

    /// When a beacon entered that was heard so; nil when it did not.
    func firstEnter(_ adverts: [Instant]) -> Instant? {
        var trial = Trial(self)
        for advert in adverts {
            trial.sighted(at: advert)
            if trial.isInside { return advert }
        }
        return nil
    }
}

/// One visit before an engine of its own.
private struct Trial {
    private static let beacon = BeaconIdentity.ibeacon(uuid: UUID128(high: 1, low: 2), major: 3, minor: 4)

    private var engine: PresenceEngine
    private var verdict = Verdict()
    private var entered: Instant?
    private var isUncertain = false
    private var uncertainSince = Instant(nanoseconds: 0)
    private var last = Instant(nanoseconds: 0)

    init(_ rule: Rule) {
        let region = Region(
            id: "bench", constraint: IdentityConstraint(prefix: Self.beacon), ranging: .off, enter: rule.enter,
            exit: rule.exit, exitAfter: .seconds(rule.exitAfter))
        // Windows are no part of this.
        let configuration = PresenceConfiguration(regions: [region], windowLength: .seconds(1_000_000))
        engine = PresenceEngine(configuration, at: Instant(nanoseconds: 0), hearing: true)
    }

    var isInside: Bool { entered != nil }

    mutating func sighted(at time: Instant) {
        // Whether the engine is sure it says once a second, so with the first after an advert.
        let second = last + PresenceEngine.rangingInterval
        if second < time { advance(to: second) }
        advance(to: time)
        last = time
        engine.sighted(
            Sighting(identity: Self.beacon, source: 1, rssi: -60, measuredPower: -59, time: time))
        take(at: time)
    }

    mutating func isBlind(_ blind: Range<Instant>) {
        advance(to: blind.lowerBound)
        engine.isBlind(from: blind.lowerBound)
        engine.hears(from: blind.upperBound)
        take(at: blind.upperBound)
    }

    /// Waits for the exit.
    mutating func end() -> Verdict {
        if isUncertain { verdict.uncertain += (last - uncertainSince).seconds }
        isUncertain = isUncertain && isInside
        while isInside { advance(to: engine.nextDeadline) }
        return verdict
    }

    private mutating func advance(to time: Instant) {
        engine.advance(to: time)
        take(at: time)
    }

    private mutating func take(at time: Instant) {
        if !engine.hasOutcomes { return }
        for outcome in engine.takeOutcomes() {
            switch outcome {
            case .entered(let event): entered = event.time
            case .exited(let event):
                guard let from = entered else { continue }
                verdict.stays.append(
                    Verdict.Stay(entered: from, exited: event.time, wasUncertain: isUncertain))
                entered = nil
                note(uncertain: false, at: event.time)
            case .regionIs(let state): note(uncertain: state.isUncertain, at: max(state.since, time))
            default: break
            }
        }
    }

    private mutating func note(uncertain: Bool, at time: Instant) {
        if uncertain == isUncertain { return }
        if isUncertain { verdict.uncertain += max(.zero, time - uncertainSince).seconds }
        isUncertain = uncertain
        uncertainSince = time
    }
}
