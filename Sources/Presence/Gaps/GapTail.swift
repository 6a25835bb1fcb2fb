import Glibc

/// The gaps between adverts of one beacon, counted by length: what its silences are judged by.
///
/// Sixteen classes, each twice as long as the one before, hold the tail of any gap from a third of a second to hours
/// within a factor of two; what lies above a class's start is kept exactly, as a sum.
struct GapTail: Equatable, Sendable {
    static let classes = 16
    /// Where the lowest class starts, in nanoseconds. Shorter gaps say nothing of silences of a second and more. The
    /// fourth class starts at 2.5 s, the sixth at 10 s, the commonest floor.
    static let shortest: Int64 = 312_500_000
    /// One gap in the units of `counts`, so that gaps that came once are forgotten by halves too. Gaps of the lowest
    /// class fit 11,520 times into `GapHistory.memory`, 46,080 units.
    static let one: UInt16 = 4

    /// Gaps per class, each `one`.
    private(set) var counts = SIMD16<UInt16>()
    /// Their sums per class, in milliseconds.
    private(set) var sums = SIMD16<UInt32>()

    init() {}

    /// Takes back what was kept elsewhere.
    init(counts: SIMD16<UInt16>, sums: SIMD16<UInt32>) {
        self.counts = counts
        self.sums = sums
    }

    /// Counts a gap of `Span` nanoseconds, all of them above zero.
    mutating func add(nanoseconds gap: Int64) {
        let ratio = gap / Self.shortest
        if ratio == 0 { return }
        let number = min(Int64.bitWidth - 1 - ratio.leadingZeroBitCount, Self.classes - 1)
        // Both stop at their ends rather than wrap: a history that was taken back may be full.
        if counts[number] > .max - Self.one { return }
        counts[number] += Self.one
        let (sum, overflow) = sums[number].addingReportingOverflow(UInt32(clamping: gap / 1_000_000))
        sums[number] = overflow ? .max : sum
    }

    /// Forgets half.
    mutating func halve() {
        for number in 0..<Self.classes where counts[number] > 0 {
            let kept = counts[number] / 2
            // In proportion to what rounding left, so that the mean stays.
            sums[number] = UInt32(UInt64(sums[number]) * UInt64(kept) / UInt64(counts[number]))
            counts[number] = kept
        }
    }

    /// How long silence must last to be worth taking for an absence, in seconds; 0 when nothing speaks against the
    /// shortest. `hours` is the time in which the gaps were counted.
    ///
    /// Above each threshold u lie N gaps which exceed it by S seconds in all, by m = S / N in the mean. If the excesses
    /// are exponential with an unknown mean, the next one is longer than t with the probability (1 + t / S)^−N: Lomax's
    /// distribution, wide where few were seen. The time-out is u + t with as many false exits an hour,
    /// N / hours × (1 + t / S)^−N, as are worth their price; the longest of all thresholds counts, for the tail may
    /// bend: loss of single adverts makes short gaps, somebody in the way makes long ones. So that a single long gap
    /// does not ask for minutes, the mean above the threshold before, which is the same where the tail does not bend,
    /// counts as `believed` more gaps.
    ///
    /// The price: a longer time-out costs its seconds at the end of each visit. A false exit costs the m seconds by
    /// which the gap outlasts it, and is a nuisance besides. The sum, t + (visit × m + nuisance) × falseExits(t), is
    /// least at m / (visit × m + nuisance) false exits an hour where they fall off as e^(−t / m). So long tails, which
    /// are dear to wait for, are allowed more than short ones.
    func worthwhileSilence(hours: Double) -> Double {
        var gaps = 0.0
        var seconds = 0.0
        for number in 0..<Self.classes {
            gaps += Double(counts[number]) / Double(Self.one)
            seconds += Double(sums[number]) / 1000
        }
        var longest = 0.0
        var meanBefore: Double?
        for number in 0..<Self.classes where gaps >= 1 {
            let threshold = Double(Self.shortest << Int64(number)) / 1e9
            var evidence = gaps
            var excess = max(0, seconds - gaps * threshold)
            if let meanBefore {
                evidence += Self.believed
                excess += Self.believed * meanBefore
            }
            let mean = excess / evidence
            let allowed = max(Self.leastAllowed, mean / (Self.visit * mean + Self.nuisance))
            let ratio = gaps / (hours * allowed)
            if mean > 0, ratio > 1 {
                longest = max(longest, threshold + excess * (exp(log(ratio) / evidence) - 1))
            }
            meanBefore = mean
            gaps -= Double(counts[number]) / Double(Self.one)
            seconds -= Double(sums[number]) / 1000
        }
        return longest
    }

    /// How long a visit is taken to be, in hours: the yardstick's half hour. Longer ones would make longer time-outs.
    static let visit = 0.5
    /// What a false exit an hour may cost, besides the seconds it lies, in seconds of later exits. Chosen so that the
    /// yardstick's three groups of beacons keep below 0.8, 1.2 and 3.2 false exits an hour with something to spare.
    static let nuisance = 5.0
    /// So many false exits an hour are allowed whatever they are worth. What the short tails of beacons that are heard
    /// well ask for is below the floor anyway, unless chance has the estimate.
    static let leastAllowed = 0.8
    /// Chosen, with `leastAllowed`, so that of beacons that lose three adverts of a second in ten one in a hundred is
    /// waited for beyond 12 s; without either three in four were.
    static let believed = 4.0
}
