/// Decides what to do about a controller that is of no use, and when. Pure; one for each link to a controller.
///
/// The steps form a ladder from cheap to thorough. What cured the same cause last time comes first; a step that failed is
/// not taken again before the others were; each is later than the one before; and all of them together stay within the
/// budget of resets. After `unrecoveredAfter` of it a controller is said not to recover, and is tried once in three
/// minutes. A controller that scans only for a moment has not recovered: only `steadyAfter` ends an episode.
public struct Recovery: Equatable, Sendable {
    /// Something to do about it. Every step but `restartScan` ends in `ControllerSession.start`.
    public enum Step: String, Sendable, CaseIterable {
        /// Scan off and on again; beside the kernel the whole session, which there begins without Reset.
        case restartScan = "restart_scan"
        /// Everything set up again, from Reset where the controller is ours alone.
        case reset
        /// The kernel's adapter down and up; a stream connected anew.
        case powerCycle = "power_cycle"
        /// The adapter taken from its driver and given back.
        case reprobe
        /// Another adapter.
        case nextAdapter = "next_adapter"
    }

    /// Which steps there are for a link, beside restarting what scans.
    public struct Means: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8
        /// Makes a set of bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It can be set up again.
        public static let reset = Means(rawValue: 1)
        /// It can be taken down and up, or connected anew.
        public static let powerCycle = Means(rawValue: 2)
        /// Its driver can let go of it.
        public static let reprobe = Means(rawValue: 4)
        /// There is another one that may be used instead.
        public static let nextAdapter = Means(rawValue: 8)
    }

    /// How long a controller must have scanned for its next failure to be a new episode, in nanoseconds; longer than
    /// the longest pause between two steps.
    public static let steadyAfter: Int64 = 60_000_000_000
    /// How long it must have scanned for the pauses to start again, in nanoseconds: longer than a controller scans that
    /// dies of scanning.
    public static let workedAfter: Int64 = 15_000_000_000
    /// After so long an episode is said not to end; leaves time for one more pause and step within 150 s.
    public static let unrecoveredAfter: Int64 = 100_000_000_000
    /// The pauses before the first steps, in seconds; the last one goes on. Reset cures most faults, so the first is none.
    static let pauses: [Int64] = [0, 1, 2, 4, 8, 15]
    /// The pauses before a way is opened again that is not there, in seconds. It costs nothing, and whoever plugs an
    /// adapter in waits for it.
    static let absentPauses: [Int64] = [0, 1, 2, 4, 8, 10]
    /// The pause where nothing helped.
    static let lastPause = ResetBudget.refill

    private var budget = ResetBudget()
    /// Since when it has been of no use without a break, or was when it began to scan.
    private var failingSince: Int64?
    private var scanningSince: Int64?
    private var cause: RecoveryCause?
    /// Steps of this episode, since all of them were tried the last time.
    private var tried: [Step] = []
    private var last: Step?
    private var pausesTaken = 0
    private var absences = 0
    private var cures: [RecoveryCause: Step] = [:]

    /// Whether nothing helped: the budget is used up, or it has been tried for long. Until it scans again.
    public private(set) var isExhausted = false

    /// Nothing has failed yet.
    public init() {}

    /// The controller is of no use; returns what to do next, and when, in monotonic nanoseconds.
    public mutating func failed(_ failure: RecoveryCause, now: Int64, means: Means) -> (step: Step, at: Int64) {
        if let since = scanningSince, now - since >= Recovery.steadyAfter {
            if let cause, let last { cures[cause] = last }
            begin(failure, now)
        } else if failingSince == nil {
            begin(failure, now)
        } else if scanningSince != nil {
            // The same episode, for it did not last; but it has not failed all the time since that began.
            failingSince = now
            absences = 0
            // What came back for a while is not made to wait ever longer; the budget sees to the rest.
            if let since = scanningSince, now - since >= Recovery.workedAfter { pausesTaken = 0 }
        }
        scanningSince = nil
        let step = next(for: failure, means)
        let at = time(of: step, for: failure, now)
        // Without means nothing is tried: there is no way, and it is waited for.
        if !means.isEmpty {
            if !tried.contains(step) { tried.append(step) }
            last = step
        }
        return (step, at)
    }

    /// It scans again, since a monotonic time in nanoseconds.
    public mutating func scans(since now: Int64) {
        scanningSince = now
        isExhausted = false
    }

    /// Whether the controller may be reset now, which then counts. To be asked before every start from Reset.
    public mutating func mayReset(now: Int64) -> Bool { budget.spend(now) }

    /// When `mayReset` will say yes again, in monotonic nanoseconds.
    public mutating func nextReset(now: Int64) -> Int64 { budget.available(from: now) }

    private mutating func begin(_ failure: RecoveryCause, _ now: Int64) {
        failingSince = now
        cause = failure
        tried = []
        last = nil
        pausesTaken = 0
        absences = 0
        isExhausted = false
    }

    private mutating func next(for failure: RecoveryCause, _ means: Means) -> Step {
        let steps = Recovery.ladder(failure, means)
        // A cure comes first, where it is still there.
        let ordered = (cures[failure].map { [$0] } ?? []).filter(steps.contains) + steps
        if let step = ordered.first(where: { !tried.contains($0) }) { return step }
        tried = []
        return ordered.first { $0 != last } ?? ordered.first ?? .restartScan
    }

    private static func ladder(_ failure: RecoveryCause, _ means: Means) -> [Step] {
        var steps: [Step] = []
        // A session that failed has no scan to restart, except beside the kernel, where there is no Reset.
        if failure == .silence || !means.contains(.reset) { steps.append(.restartScan) }
        if means.contains(.reset) { steps.append(.reset) }
        switch failure {
        // What is not there cannot be cured by what needs it.
        case .lost, .absent: break
        case .notLowEnergy where means.contains(.nextAdapter): return [.nextAdapter]
        default:
            if means.contains(.powerCycle) { steps.append(.powerCycle) }
            if means.contains(.reprobe) { steps.append(.reprobe) }
        }
        if means.contains(.nextAdapter) { steps.append(.nextAdapter) }
        return steps
    }

    private mutating func time(of step: Step, for failure: RecoveryCause, _ now: Int64) -> Int64 {
        // One that went is as new when it comes again, and whoever plugged it in waits for it.
        if failure == .absent || failure == .lost {
            let pause = Recovery.absentPauses[min(absences, Recovery.absentPauses.count - 1)]
            absences += 1
            return now + pause * 1_000_000_000
        }
        let free = step == .restartScan ? now : budget.available(from: now)
        let hasTriedLong = failingSince.map { now - $0 >= Recovery.unrecoveredAfter } ?? false
        if free > now || hasTriedLong {
            isExhausted = true
            return max(free, now + Recovery.lastPause)
        }
        let pause = Recovery.pauses[min(pausesTaken, Recovery.pauses.count - 1)]
        pausesTaken += 1
        return now + pause * 1_000_000_000
    }
}
