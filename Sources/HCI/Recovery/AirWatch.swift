/// What `AirWatch` wants done.
public enum AirAction: String, Sendable {
    /// The scan off and on again.
    case restartScan
    /// The controller reset; within the budget, see `Recovery.mayReset`.
    case reset
    /// Nothing: it is believed that there is nothing to hear.
    case believe
}

/// Notices that everything fell silent at once. Pure.
///
/// A scan can be on and deaf, and the controller answer every command. But silence alone is no fault: a store at night
/// is silent too. So the rule: a silence that is out of all proportion to what was heard before is doubted, and while it
/// is, absence counts only up to the last advert. The scan is restarted; if several senders fell silent at the same time,
/// which they do not do by themselves, the controller is reset as well. Then the silence is believed. There is one
/// restart and one reset for each silence, and it ends when something is heard.
public struct AirWatch: Equatable, Sendable {
    /// No shorter silence is doubted, in nanoseconds.
    static let shortestDoubt: Int64 = 5_000_000_000
    /// Nor one that is shorter than so many mean gaps. Gaps between independent senders are spread exponentially at worst,
    /// and of those one in e^20 is so long.
    static let gapsOfDoubt: Int64 = 20
    /// So long something must be heard after a step, in nanoseconds and in mean gaps; else it did not help.
    static let shortestTrial: Int64 = 3_000_000_000
    static let gapsOfTrial: Int64 = 10
    /// So many senders that fall silent together are no chance.
    static let senders = 3
    /// They must all have been heard in this time before the silence, in nanoseconds.
    static let together: Int64 = 10_000_000_000
    /// Over so many gaps the mean is formed; before so many of them there is none.
    static let memory: Int64 = 32
    static let fewestGaps: Int64 = 3

    /// A time in which nothing could be heard, in monotonic nanoseconds.
    public struct BlindSpan: Equatable, Sendable {
        /// The last advert before it.
        public var from: Int64
        /// The step that ended it.
        public var to: Int64
    }

    private enum Doubt: Equatable {
        case none
        /// Since that step something should be heard again.
        case restarted(at: Int64)
        case reset(at: Int64)
        case believed
    }

    private var scanningSince: Int64?
    private var heardAt: Int64?
    /// Nanoseconds, and over how many gaps up to `memory`.
    private var meanGap: Int64 = 0
    private var gaps: Int64 = 0
    /// The last different senders and when each was heard last; as many as matter.
    private var recent: [(sender: UInt64, at: Int64)] = []
    private var doubt = Doubt.none

    /// Nothing was heard yet.
    public init() { recent.reserveCapacity(AirWatch.senders) }

    /// Takes a useful advert: with a frame that we know, or with data at least. Deaf controllers report empty ones.
    ///
    /// If a step brought hearing back, this returns the time in which there was none.
    @discardableResult
    public mutating func heard(_ sender: UInt64, now: Int64) -> BlindSpan? {
        defer { heardAt = now }
        let blind = doubt == .none ? nil : endOfDoubt()
        if let heardAt, blind == nil {
            // What was not listened to is no gap.
            learn(now - max(heardAt, scanningSince ?? heardAt))
        }
        remember(sender, now)
        return blind
    }

    /// The scan began at a time in monotonic nanoseconds, or, with nil, ended.
    public mutating func scanning(since now: Int64?) { scanningSince = now }

    /// When `tick` is to be called, nil while there is nothing to doubt.
    public var nextDeadline: Int64? {
        guard let scanningSince, let heardAt, gaps >= AirWatch.fewestGaps else { return nil }
        switch doubt {
        case .none:
            return max(heardAt, scanningSince) + max(AirWatch.shortestDoubt, AirWatch.gapsOfDoubt * meanGap)
        case .restarted(let at), .reset(let at):
            return max(at, scanningSince) + max(AirWatch.shortestTrial, AirWatch.gapsOfTrial * meanGap)
        case .believed: return nil
        }
    }

    /// Lets time pass; nil while there is nothing to do.
    public mutating func tick(now: Int64) -> AirAction? {
        guard let nextDeadline, now >= nextDeadline else { return nil }
        switch doubt {
        case .none:
            doubt = .restarted(at: now)
            return .restartScan
        case .restarted where fellSilentTogether:
            doubt = .reset(at: now)
            return .reset
        case .restarted, .reset:
            doubt = .believed
            return .believe
        case .believed: return nil
        }
    }

    /// Up to when absence counts, in monotonic nanoseconds; nil where nothing is doubted.
    public var provenUntil: Int64? {
        switch doubt {
        case .none, .believed: nil
        case .restarted, .reset: heardAt
        }
    }

    private var fellSilentTogether: Bool {
        guard let heardAt else { return false }
        return recent.count { heardAt - $0.at <= AirWatch.together } >= AirWatch.senders
    }

    private mutating func endOfDoubt() -> BlindSpan? {
        defer { doubt = .none }
        switch doubt {
        case .restarted(let at), .reset(let at):
            // What is heard before the scan was taken down was not brought back by that.
            guard let scanningSince, scanningSince >= at, let heardAt else { return nil }
            return BlindSpan(from: heardAt, to: scanningSince)
        case .none, .believed: return nil
        }
    }

    private mutating func learn(_ gap: Int64) {
        gaps = min(gaps + 1, AirWatch.memory)
        meanGap += (max(gap, 0) - meanGap) / gaps
        // A day; keeps the products far from overflow.
        meanGap = min(meanGap, 86_400_000_000_000)
    }

    private mutating func remember(_ sender: UInt64, _ now: Int64) {
        var oldest = 0
        for i in recent.indices {
            if recent[i].sender == sender {
                recent[i].at = now
                return
            }
            if recent[i].at < recent[oldest].at { oldest = i }
        }
        if recent.count < AirWatch.senders {
            recent.append((sender, now))
        } else {
            recent[oldest] = (sender, now)
        }
    }

    /// Whether two are in the same state.
    public static func == (left: AirWatch, right: AirWatch) -> Bool {
        left.scanningSince == right.scanningSince && left.heardAt == right.heardAt && left.meanGap == right.meanGap
            && left.gaps == right.gaps && left.doubt == right.doubt
            && left.recent.elementsEqual(right.recent) { $0 == $1 }
    }
}
