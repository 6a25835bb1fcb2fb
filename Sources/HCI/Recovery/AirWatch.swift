/// What `AirWatch` wants done.
public enum AirAction: String, Sendable {
    /// The scan off and on again.
    case restartScan
    /// The controller reset; within the budget, see `Recovery.mayReset`.
    case reset
    /// The adapter taken down and up.
    case powerCycle
    /// Nothing helped, and something must be wrong: it is to be told.
    case deaf
    /// Nothing: it is believed that there is nothing to hear.
    case believe
}

/// Notices that everything fell silent at once. Pure.
///
/// A scan can be on and deaf, and the controller answer every command. But silence alone is no fault: a store at night
/// is silent too. So the rule: a silence that is out of all proportion to what was heard before is doubted, and while it
/// is, absence counts only up to the last advert. The scan is restarted, which costs nothing. If nothing comes of it,
/// the silence is believed, unless several senders fell silent in the same moment, which they do not do by themselves,
/// or what comes makes no sense: then the controller is reset, then its adapter taken down and up, each of them once for
/// each silence. If that does not help either, nobody can tell the one from the other, and it is not believed that
/// everybody left: it stays in doubt, and is told, until something is heard.
public struct AirWatch: Equatable, Sendable {
    /// No shorter silence is doubted, in nanoseconds.
    static let shortestDoubt: Int64 = 5_000_000_000
    /// Nor one that is shorter than so many mean gaps. Gaps between independent senders are spread exponentially at worst,
    /// and of those one in e^20 is so long.
    static let gapsOfDoubt: Int64 = 20
    /// So long something must be heard after a step, in nanoseconds and in mean gaps; else it did not help.
    static let shortestTrial: Int64 = 3_000_000_000
    static let gapsOfTrial: Int64 = 10
    /// What is heard later than that after a step, in nanoseconds or in mean gaps, was not brought back by it: the air had
    /// only been quiet.
    static let longestEffect: Int64 = 1_500_000_000
    static let gapsOfEffect: Int64 = 3
    /// Where several were there they are waited for that long, in nanoseconds: there are controllers and programs that
    /// begin to filter duplicates by themselves, and let each sender through once in ten seconds.
    static let filterPeriod: Int64 = 12_000_000_000
    /// A report that makes no sense weighs as much as so many that do, and this much weight makes the whole nonsense: one
    /// in a while is normal, one in five is not.
    static let weightOfNonsense = 4
    static let nonsense = 16
    /// The scan of a controller that nothing helped is restarted so often, in nanoseconds.
    static let deafPause: Int64 = 600_000_000_000
    /// Over so many gaps the mean is formed; before so many of them there is none.
    static let memory: Int64 = 32
    static let fewestGaps: Int64 = 3

    /// A time in which nothing could be heard, in monotonic nanoseconds.
    public struct BlindSpan: Equatable, Sendable {
        /// The last advert before it; or, where nothing was wrong, since when that was doubted.
        public var from: Int64
        /// The step that ended it; or, where nothing was wrong, the next advert.
        public var to: Int64
        /// Whether a step brought hearing back. Else the air was only quiet: what was heard of nobody while that was in
        /// doubt is nobody's absence all the same.
        public var isCured: Bool

        /// Makes one.
        public init(from: Int64, to: Int64, isCured: Bool) {
            self.from = from
            self.to = to
            self.isCured = isCured
        }
    }

    private enum Doubt: Equatable {
        case none
        /// Since that step something should be heard again.
        case trying(AirAction, at: Int64)
        case deaf(at: Int64)
        case believed
    }

    private var scanningSince: Int64?
    private var heardAt: Int64?
    /// Nanoseconds, and over how many gaps up to `memory`.
    private var meanGap: Int64 = 0
    private var gaps: Int64 = 0
    private var weight = 0
    private var panel = SenderPanel()
    private var doubt = Doubt.none
    private var doubtedSince: Int64?

    /// Nothing was heard yet.
    public init() {}

    /// Takes a useful advert: with a frame that we know, or with data at least. Deaf controllers report empty ones.
    ///
    /// After a silence that was doubted this returns the time that counts for nobody's absence.
    @discardableResult
    public mutating func heard(_ sender: UInt64, now: Int64) -> BlindSpan? {
        weight = max(0, weight - 1)
        // What is heard among nonsense may be nonsense too.
        if isGarbled { return nil }
        defer { heardAt = now }
        let blind = endOfDoubt(now)
        if let heardAt {
            // What was not listened to is no gap; what was healed counts as one, for it may have been none.
            learn(now - max(heardAt, scanningSince ?? heardAt))
        }
        panel.heard(sender, now: now)
        return blind
    }

    /// Takes a report that made no sense.
    public mutating func garbled() { weight = min(weight + AirWatch.weightOfNonsense, 4 * AirWatch.nonsense) }

    /// Whether so much of what comes makes no sense that the rest is not to be believed either.
    public var isGarbled: Bool { weight >= AirWatch.nonsense }

    /// Whether nothing helped, and nothing was heard since.
    public var isDeaf: Bool { if case .deaf = doubt { true } else { false } }

    /// The scan began at a time in monotonic nanoseconds, or, with nil, ended.
    public mutating func scanning(since now: Int64?) { scanningSince = now }

    /// When `tick` is to be called, nil while there is nothing to doubt.
    public var nextDeadline: Int64? {
        guard let scanningSince, let heardAt, gaps >= AirWatch.fewestGaps else { return nil }
        switch doubt {
        case .none:
            return max(heardAt, scanningSince) + max(AirWatch.shortestDoubt, AirWatch.gapsOfDoubt * meanGap)
        case .trying(_, let at):
            let tried = max(at, scanningSince) + max(AirWatch.shortestTrial, AirWatch.gapsOfTrial * meanGap)
            return panel.isPopulous(at: heardAt) ? max(tried, heardAt + AirWatch.filterPeriod) : tried
        case .deaf(let at): return at + AirWatch.deafPause
        case .believed: return nil
        }
    }

    /// Lets time pass; nil while there is nothing to do.
    public mutating func tick(now: Int64) -> AirAction? {
        guard let nextDeadline, now >= nextDeadline else { return nil }
        switch doubt {
        case .none:
            doubtedSince = now
            return attempt(.restartScan, now)
        case .trying(.restartScan, _) where isSuspicious: return attempt(.reset, now)
        case .trying(.reset, _) where isSuspicious: return attempt(.powerCycle, now)
        case .trying(.powerCycle, _) where isSuspicious:
            doubt = .deaf(at: now)
            return .deaf
        case .trying:
            doubt = .believed
            return .believe
        case .deaf:
            doubt = .deaf(at: now)
            return .restartScan
        case .believed: return nil
        }
    }

    private mutating func attempt(_ action: AirAction, _ now: Int64) -> AirAction {
        doubt = .trying(action, at: now)
        return action
    }

    /// Up to when absence counts, in monotonic nanoseconds; nil where nothing is doubted.
    public var provenUntil: Int64? {
        switch doubt {
        case .none, .believed: nil
        case .trying, .deaf: heardAt
        }
    }

    /// Whether the silence cannot be that of a store.
    private var isSuspicious: Bool {
        if isGarbled { return true }
        return heardAt.map { panel.fellSilentTogether(at: $0) } ?? false
    }

    /// Something is heard.
    private mutating func endOfDoubt(_ now: Int64) -> BlindSpan? {
        defer { doubt = .none }
        switch doubt {
        case .none, .believed: return nil
        case .trying(_, let at), .deaf(let at):
            guard let heardAt, let doubtedSince else { return nil }
            // What is heard before the scan was taken down was not brought back by that, nor what comes long after.
            let effect = max(AirWatch.longestEffect, AirWatch.gapsOfEffect * meanGap)
            if let scanningSince, scanningSince >= at, now - scanningSince <= effect {
                return BlindSpan(from: heardAt, to: scanningSince, isCured: true)
            }
            // It was told to be deaf, whatever ended that.
            if isDeaf { return BlindSpan(from: heardAt, to: now, isCured: true) }
            return BlindSpan(from: doubtedSince, to: now, isCured: false)
        }
    }

    private mutating func learn(_ gap: Int64) {
        gaps = min(gaps + 1, AirWatch.memory)
        meanGap += (max(gap, 0) - meanGap) / gaps
        // A day; keeps the products far from overflow.
        meanGap = min(meanGap, 86_400_000_000_000)
    }
}
