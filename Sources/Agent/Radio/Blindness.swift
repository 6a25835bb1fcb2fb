internal import Presence

/// A stretch of time in which the radio hears nothing, and what has been told of it: each thing once.
struct Blindness {
    /// Why nothing is heard.
    struct Reason: Equatable {
        var state: RadioState
        /// One word.
        var cause: String
    }

    /// What is done about it.
    struct Remedy: Equatable {
        /// One word each.
        var step: String
        var cause: String
        /// A sentence without its end.
        var text: String
    }

    /// How many reasons, and how many sentences, are told of one stretch: a radio that fails in ever new ways for days
    /// must not fill the queue of events.
    static let limit = 16

    /// Since when nothing is heard.
    let since: Instant
    private var reasons: [Reason] = []
    private var sentences: [String] = []
    private var remedy: Remedy?

    init(since: Instant) { self.since = since }

    /// Whether a reason has not been told yet; it has from now on.
    mutating func isNews(_ reason: Reason) -> Bool { Self.isNew(reason, in: &reasons) }

    /// Whether a sentence has not been told yet; it has from now on.
    mutating func isNews(_ sentence: String) -> Bool { Self.isNew(sentence, in: &sentences) }

    /// Whether something else is done than what was told last; each step is told, for each costs something.
    mutating func isNews(_ remedy: Remedy) -> Bool {
        if self.remedy == remedy { return false }
        self.remedy = remedy
        return true
    }

    private static func isNew<Item: Equatable>(_ item: Item, in told: inout [Item]) -> Bool {
        if told.count >= limit || told.contains(item) { return false }
        told.append(item)
        return true
    }
}

/// What the agent makes of the radio's reports.
extension NodeAgent {
    /// Two and a half of the ten seconds in which a filter of duplicates lets a beacon through once: one may be missed.
    static let filteredSilence = Span.seconds(25)

    mutating func radio(_ report: RadioReport, _ effects: inout [Effect], at moment: Moment) {
        switch report {
        case .listening(let listening): hears(listening, &effects, at: moment)
        case .paused:
            presence.isBlind(from: moment.instant, cause: .radioPaused)
        case .missed(let span):
            presence.wasBlind(from: min(judged(moment), moment.instant - span), to: moment.instant)
        case .blind(let state, let cause, let text):
            let reason = Blindness.Reason(state: state, cause: cause)
            var blindness = blind(at: moment)
            become(.blind(reason), at: moment)
            if blindness.isNews(text) { log(state.needsPerson ? .error : .warning, text, &effects) }
            if blindness.isNews(reason) {
                alert(
                    Alert(kind: "radio", state: "blind", text: text, cause: cause, radio: state), &effects,
                    at: moment)
            }
            self.blindness = blindness
        case .recovering(let step, let cause, let text):
            var blindness = blind(at: moment)
            // What is known to be wrong, such as a blocked transmitter, is not made less known.
            if case .blind = conditions.radio {
            } else {
                become(.blind(Blindness.Reason(state: .resetting, cause: cause)), at: moment)
            }
            if blindness.isNews(Blindness.Remedy(step: step, cause: cause, text: text)) {
                log(.warning, text, &effects)
                alert(
                    Alert(kind: "radio", state: "resetting", text: text, cause: cause, step: step), &effects,
                    at: moment)
            }
            self.blindness = blindness
        case .advertising(let state):
            if conditions.advertising == state { return }
            conditions.advertising = state
            stateIsStale = true
            effects.append(.log(state.isAsWanted ? .info : .error, "advertising: \(state)"))
        case .filtered(let isFiltered): presence.leastSilence = isFiltered ? Self.filteredSilence : .zero
        case .noted(let text): log(.warning, text, &effects)
        }
    }

    private mutating func hears(_ listening: Listening, _ effects: inout [Effect], at moment: Moment) {
        presence.hears(from: moment.instant)
        if conditions.radio == .listening(listening) { return }
        var text = "listening: \(listening)"
        if let blindness {
            let blind = moment.instant - blindness.since
            text += ", after \(Duration.milliseconds(blind.milliseconds).configurationText) of hearing nothing"
            alert(
                Alert(kind: "radio", state: "listening", text: "the radio hears again", blind: blind), &effects,
                at: moment)
            self.blindness = nil
        }
        become(.listening(listening), at: moment)
        log(.info, text, &effects)
    }

    /// The stretch of time in which nothing is heard, which may begin here.
    private mutating func blind(at moment: Moment) -> Blindness {
        // Since it last showed life, and not since that was noticed.
        let since = judged(moment)
        presence.isBlind(from: since)
        return blindness ?? Blindness(since: conditions.radio == .starting ? startedAt : since)
    }

    private mutating func become(_ radio: Conditions.Radio, at moment: Moment) {
        if conditions.radio == radio { return }
        if conditions.radio.state != radio.state { conditions.radioSince = moment.wall }
        conditions.radio = radio
        stateIsStale = true
    }

    private func log(_ level: LogLevel, _ text: String, _ effects: inout [Effect]) {
        effects.append(.log(level, "radio: \(escaped(text, limit: Self.sentenceLimit))"))
    }
}

extension RadioState {
    /// Whether a person must act before anything is heard again.
    fileprivate var needsPerson: Bool {
        switch self {
        case .poweredOff, .unauthorized, .unsupported: true
        case .poweredOn, .resetting, .unknown: false
        }
    }
}
