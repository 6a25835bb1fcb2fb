import Presence

/// A rule that says from the adverts when a beacon is there.
struct Rule: Equatable, Sendable {
    enum Exit: Equatable, Sendable {
        /// By the beacon's own gaps, but not before this silence.
        case learned(floor: Span)
        case fixed(Span)
    }

    enum Enter: String, CaseIterable, Sendable { case first, steady }

    var name: String
    var exit: Exit
    var enter = Enter.first
    /// Whether silence is counted on the listening clock, which stands still while the node is blind.
    var stopsWhileBlind = true

    static let adaptive = Rule(name: "adaptive", exit: .learned(floor: .seconds(10)))

    static func fixed(_ seconds: Int64) -> Rule {
        Rule(name: "fixed \(seconds) s", exit: .fixed(.seconds(seconds)))
    }

    /// The engine's own and the time-outs of the field.
    static let all = [adaptive] + [5, 10, 30, 60, 180].map { fixed($0) }
}

/// What a rule said of one visit.
struct Verdict: Equatable, Sendable {
    /// From when on the beacon was there, and until when; the last may end long after the visit.
    struct Stay: Equatable, Sendable {
        var entered: Instant
        var exited: Instant
        /// Whether the rule said at the exit that it could not be sure.
        var wasUncertain = false
    }

    var stays: [Stay] = []
    /// Seconds of the stays in which the rule said that it could not be sure.
    var uncertain = 0.0
}

extension Rule {
    /// Judges one visit of a beacon never heard before, by the values that decide in the engine. Nobody is there after
    /// the last advert; `blindness` are times without adverts, in order.
    func judge(_ adverts: [Instant], blindness: [Range<Instant>] = []) -> Verdict {
        var verdict = Verdict()
        var history = GapHistory()
        var evidence = EnterEvidence()
        let clock = BlindClock(blindness: stopsWhileBlind ? blindness : [])
        var entered: Instant?
        var heard: BlindClock.Reading?
        for advert in adverts {
            let reading = clock.reading(at: advert)
            if let last = heard {
                let gap = reading.listening - last.listening
                let silence = silence(history)
                if let from = entered {
                    if isUncertain(history) { verdict.uncertain += min(gap, silence).seconds }
                    if gap > silence {
                        verdict.stays.append(stay(from, clock.time(silence, after: last), history))
                        entered = nil
                        evidence = EnterEvidence()
                    }
                }
                if case .learned = exit, last.blindness == reading.blindness { history.learn(gap) }
            }
            heard = reading
            if entered == nil, enter == .first || evidence.heard(at: reading.listening) { entered = advert }
        }
        if let from = entered, let last = heard {
            verdict.stays.append(stay(from, clock.time(silence(history), after: last), history))
        }
        return verdict
    }

    private func stay(_ entered: Instant, _ exited: Instant, _ history: GapHistory) -> Verdict.Stay {
        Verdict.Stay(entered: entered, exited: exited, wasUncertain: isUncertain(history))
    }

    private func silence(_ history: GapHistory) -> Span {
        switch exit {
        case .learned(let floor): history.silence(floor: floor)
        case .fixed(let silence): silence
        }
    }

    private func isUncertain(_ history: GapHistory) -> Bool {
        guard case .learned(let floor) = exit else { return false }
        return history.isUncertain(floor: floor)
    }
}

/// The listening clock of a node whose times of blindness are known beforehand.
private struct BlindClock {
    struct Reading {
        var time: Instant
        var listening: Instant
        /// How many times of blindness lie before.
        var blindness: Int
    }

    let blindness: [Range<Instant>]

    func reading(at time: Instant) -> Reading {
        var reading = Reading(time: time, listening: time, blindness: 0)
        for blind in blindness where blind.lowerBound < time {
            reading.listening = reading.listening - (min(time, blind.upperBound) - blind.lowerBound)
            reading.blindness += 1
        }
        return reading
    }

    /// When so much has been listened since a reading.
    func time(_ silence: Span, after reading: Reading) -> Instant {
        var time = reading.time + silence
        for blind in blindness where blind.lowerBound >= reading.time && blind.lowerBound < time {
            time = time + (blind.upperBound - blind.lowerBound)
        }
        return time
    }
}
