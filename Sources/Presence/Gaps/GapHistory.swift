/// What was learned of one beacon's gaps between adverts, and how long its silence must last to mean absence.
///
/// 128 bytes, nothing else anywhere. All times are of the listening clock: time in which the node could not listen is
/// no silence, and a gap that spans it is not to be learned. The same gaps give the same history at any speed.
public struct GapHistory: Equatable, Sendable {
    private var tail = GapTail()
    private var learned = Span.zero
    /// Adverts that ended the gaps learned.
    private var gaps: UInt32 = 0
    /// What the tail asks for, in milliseconds, without regard to `cap` and floor.
    private var asked: UInt32 = 0
    /// How much must have been learned, in milliseconds, to ask the tail again.
    private var askAgainAt: UInt32 = 0
    private var estimate = IntervalEstimate()
    /// Whether a gap was taken for an absence, and how much had been learned by the last one, in milliseconds.
    private var hasBeenStrange = false
    private var strangeAt: UInt32 = 0

    /// No silence is waited out for longer, unless the floor is: who wants to know of absences wants to know today.
    package static let cap = Span.seconds(300)
    /// From here on a beacon's own gaps alone decide. A beacon of one advert a second that has lost none or three in ten
    /// in two minutes is left after the floor.
    static let settled = Span.seconds(120)
    /// While less is known, silence must last at least this long: bursts of loss a quarter of a minute long are common
    /// indoors, and 20 good seconds do not rule them out.
    static let beforeSettled = 60.0
    /// A beacon of which nothing is known is taken for one that was heard twice, this many seconds apart…
    static let presumedGap = 30.0
    /// … and silences of so many times the mean gap are ordinary. One in 50 is longer where they are exponential.
    static let ordinary = 4.0
    /// Absences are not learned: gaps of more than this, or single ones of more than 1.75 times the beacon's time-out,
    /// which are more than five times the mean. Shorter ones cannot be told from loss. Somebody who steps out for half a minute would
    /// otherwise be waited for longer for the rest of the hour.
    static let alwaysLearned = Span.seconds(60)
    /// See `alwaysLearned`; the time-out is the commonest floor at least.
    static let learnedBeyondSilence = 1.75
    static let commonestFloor = Span.seconds(10)
    /// When this much has been learned, half is forgotten, so that a beacon's last half hour to hour counts.
    static let memory = Span.seconds(3600)
    /// Nothing longer is learned at all; half the memory.
    static let longestLearned = Span.seconds(1800)
    /// Two reports closer together are of one advert: intervals start at 20 ms (Core Specification Vol 6 Part B
    /// 4.4.2.2.1).
    static let shortestInterval = Span.milliseconds(10)

    /// Knows nothing yet.
    package init() {}

    // MARK: - Learning

    /// Learns the time from one advert to the next, on the listening clock.
    package mutating func learn(_ gap: Span) {
        let nanoseconds = gap.nanoseconds
        if nanoseconds <= 0 { return }
        if gap > Self.commonestFloor, gap > absenceLimit, gap > ordinaryLimit {
            if gap > Self.alwaysLearned { return }
            // Who was away comes back to stay. Where the next such gap follows soon it is the beacon's way.
            let isSecond = hasBeenStrange && learned.milliseconds - Int64(strangeAt) < Self.settled.milliseconds
            hasBeenStrange = true
            strangeAt = UInt32(clamping: learned.milliseconds)
            if !isSecond { return }
        }
        learned = learned + gap
        tail.add(nanoseconds: nanoseconds)
        if gap >= Self.shortestInterval {
            if gaps < .max { gaps += 1 }
            estimate.learn(microseconds: UInt32(clamping: nanoseconds / 1000))
        }
        if learned >= Self.memory { forgetHalf() }
        // Rarely enough to cost nothing: after each sixteenth more, and after gaps that are news.
        if gap >= Self.news || learned.milliseconds >= Int64(askAgainAt) { askTail() }
    }

    /// Gaps from here on are long enough to change the time-out by themselves, and few enough.
    static let news = Span.seconds(3)

    private var absenceLimit: Span {
        if learned < Self.settled { return Self.alwaysLearned }
        let silence = Double(silence(floor: Self.commonestFloor).nanoseconds)
        return min(Self.alwaysLearned, Span(nanoseconds: Int64(silence * Self.learnedBeyondSilence)))
    }

    private var ordinaryLimit: Span {
        let seconds = 5 * (learnedSeconds + 4 * Self.presumedGap) / (Double(gaps) + 1)
        return min(Span(nanoseconds: Int64(seconds * 1e9)), Self.longestLearned)
    }

    private mutating func forgetHalf() {
        tail.halve()
        learned = Span(nanoseconds: learned.nanoseconds / 2)
        gaps /= 2
        askAgainAt = 0
        strangeAt /= 2
    }

    private mutating func askTail() {
        let seconds = tail.worthwhileSilence(hours: learnedSeconds / 3600)
        asked = UInt32(min(seconds * 1000, Double(UInt32.max)))
        let milliseconds = learned.milliseconds
        askAgainAt = UInt32(clamping: milliseconds + milliseconds / 16)
    }

    private var learnedSeconds: Double { Double(learned.nanoseconds) / 1e9 }

    // MARK: - What is known

    /// The sum of the gaps learned that still count, zero to an hour.
    package var learnedFor: Span { learned }

    /// How long observed silence must last before the beacon counts as gone: `floor` to `cap`, or the floor if that is
    /// longer.
    package func silence(floor: Span) -> Span {
        max(floor, min(Span.milliseconds(Int64(asked(for: learned))), Self.cap))
    }

    /// Whether the beacon is heard so rarely that no time-out within the cap, or the floor if that is longer, keeps
    /// false exits as few as they should be.
    package func isUncertain(floor: Span) -> Bool {
        Span.milliseconds(Int64(asked(for: learned))) > max(floor, Self.cap)
    }

    /// Until enough is known the tail is taken at its word only between what is wise and what is ordinary: one gap of
    /// 5 s in the first ten would ask for an hour.
    private func asked(for learned: Span) -> UInt32 {
        if learned >= Self.settled { return asked }
        let share = Self.ordinary / (Double(gaps) + 1)
        let wise = Self.beforeSettled + share * Self.presumedGap
        let ordinary = Self.beforeSettled + share * (Self.presumedGap + learnedSeconds)
        return UInt32(max(wise, min(ordinary, Double(asked) / 1000)) * 1000)
    }

    /// The interval at which the beacon sends, without the random delay of 0 to 10 ms before each advert; nil until the
    /// same gap has come three times. In whole milliseconds, from one second on in hundredths of a second.
    package var interval: Span? {
        if !estimate.isKnown { return nil }
        let milliseconds = (Int64(estimate.period) - Int64(IntervalEstimate.meanDelay) + 500) / 1000
        let grain: Int64 = milliseconds < 1000 ? 1 : 10
        return .milliseconds(max(1, (milliseconds + grain / 2) / grain * grain))
    }

    /// The share of the beacon's adverts that was not received, 0 to 1 in hundredths; nil without an interval.
    package var loss: Double? {
        if !estimate.isKnown || gaps == 0 { return nil }
        let received = Double(estimate.period) / 1e6 * Double(gaps) / max(learnedSeconds, 1e-9)
        return ((1 - min(1, received)) * 100).rounded() / 100
    }
}

// MARK: - Kept elsewhere

extension GapHistory {
    /// The history as numbers, none below zero.
    package var exported: [Int64] {
        var numbers = [learned.nanoseconds, Int64(gaps), Int64(asked), Int64(askAgainAt)] + estimate.exported
        for number in 0..<GapTail.classes {
            numbers.append(Int64(tail.counts[number]))
            numbers.append(Int64(tail.sums[number]))
        }
        return numbers + [hasBeenStrange ? 1 : 0, Int64(strangeAt)]
    }

    /// Takes back what `exported` gave; nil for numbers that it cannot have given.
    package init?(exported numbers: [Int64]) {
        guard numbers.count == 12 + 2 * GapTail.classes, (0..<Self.memory.nanoseconds).contains(numbers[0]),
            let gaps = UInt32(exactly: numbers[1]), let asked = UInt32(exactly: numbers[2]),
            let askAgainAt = UInt32(exactly: numbers[3]),
            let strangeAt = UInt32(exactly: numbers[numbers.count - 1]),
            (0...1).contains(numbers[numbers.count - 2]),
            let estimate = IntervalEstimate(exported: Array(numbers[4..<10]))
        else { return nil }
        var counts = SIMD16<UInt16>()
        var sums = SIMD16<UInt32>()
        for number in 0..<GapTail.classes {
            guard let count = UInt16(exactly: numbers[10 + 2 * number]),
                let sum = UInt32(exactly: numbers[11 + 2 * number])
            else { return nil }
            counts[number] = count
            sums[number] = sum
        }
        learned = Span(nanoseconds: numbers[0])
        self.gaps = gaps
        self.asked = asked
        self.askAgainAt = askAgainAt
        self.estimate = estimate
        hasBeenStrange = numbers[numbers.count - 2] == 1
        self.strangeAt = strangeAt
        tail = GapTail(counts: counts, sums: sums)
    }
}
