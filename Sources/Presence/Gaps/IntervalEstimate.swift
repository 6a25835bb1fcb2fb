/// At what interval a beacon sends, as far as its gaps tell: the shortest gap that keeps coming back.
///
/// Where most adverts are lost gaps are two, three, many intervals long; single intervals are the commonest of them all
/// the same while losses are independent, and the rule inside of a good time where they come in bursts. An advert
/// follows the one before after the interval and a delay of up to 10 ms (Core Specification Vol 6 Part B 4.4.2.2).
struct IntervalEstimate: Equatable, Sendable {
    /// Mean gap of the shortest kind, in microseconds; 0 when none is known.
    private(set) var period: UInt32 = 0
    /// A shorter kind that has to come back before it counts; 0 when there is none.
    private(set) var candidate: UInt32 = 0
    /// How often `period` was met, at most `confident`.
    private(set) var hits: UInt8 = 0
    /// How often `candidate` was met.
    private(set) var candidateHits: UInt8 = 0
    /// Gaps since the candidate was met.
    private(set) var candidateAge: UInt8 = 0
    /// Gaps since `period` was met.
    private(set) var misses: UInt8 = 0

    /// As often a gap must have come back to be an interval.
    static let needed: UInt8 = 3
    /// The mean follows with a weight of one in so many: the delay's 2.9 ms of deviation become half a millisecond.
    static let confident: UInt8 = 16
    /// A candidate that did not come back within so many gaps was an accident. At 95 % loss single intervals come
    /// back within 20.
    static let patience: UInt8 = 32
    /// So many gaps without one interval between them, and the beacon has got a longer one, or never had this one: a
    /// gap that came out short because the adverts had waited somewhere. The surer it was the more it takes; at most
    /// this many, which at 95 % loss happens by chance once in 500,000 times.
    static let lost: UInt8 = 255

    /// The mean of the delay before each advert, in microseconds.
    static let meanDelay: UInt32 = 5000

    var isKnown: Bool { hits >= Self.needed }

    init() {}

    private init(period: UInt32, hits: UInt8) {
        self.period = period
        self.hits = hits
    }

    /// All of it as six numbers.
    var exported: [Int64] {
        [
            Int64(period), Int64(candidate), Int64(hits), Int64(candidateHits), Int64(candidateAge),
            Int64(misses),
        ]
    }

    /// Takes back what `exported` gave; nil for numbers that it cannot have given.
    init?(exported numbers: [Int64]) {
        guard numbers.count == 6, let period = UInt32(exactly: numbers[0]),
            let candidate = UInt32(exactly: numbers[1]),
            (0...Int64(Self.confident)).contains(numbers[2]), (0..<Int64(Self.needed)).contains(numbers[3]),
            (0..<Int64(Self.patience)).contains(numbers[4]), (0..<Int64(Self.lost)).contains(numbers[5])
        else { return nil }
        self.period = period
        self.candidate = candidate
        hits = UInt8(numbers[2])
        candidateHits = UInt8(numbers[3])
        candidateAge = UInt8(numbers[4])
        misses = UInt8(numbers[5])
    }

    mutating func learn(microseconds gap: UInt32) {
        if hits > 0, Self.isSame(gap, period) {
            if hits < Self.confident { hits += 1 }
            period = Self.mean(period, gap, weight: hits)
            misses = 0
            age()
        } else if hits == 0 {
            period = gap
            hits = 1
            misses = 0
        } else if gap < period {
            considerShorter(gap)
        } else {
            age()
            misses += 1
            if Int(misses) >= min(Int(Self.lost), Int(hits) * Int(Self.patience)) { self = IntervalEstimate() }
        }
    }

    private mutating func considerShorter(_ gap: UInt32) {
        if candidateHits > 0, Self.isSame(gap, candidate) {
            candidateHits += 1
            candidate = Self.mean(candidate, gap, weight: candidateHits)
            candidateAge = 0
            if candidateHits == Self.needed { self = IntervalEstimate(period: candidate, hits: candidateHits) }
        } else if candidateHits == 0 || gap < candidate {
            candidate = gap
            candidateHits = 1
            candidateAge = 0
        } else {
            age()
        }
    }

    private mutating func age() {
        if candidateHits == 0 { return }
        candidateAge += 1
        if candidateAge == Self.patience { candidateHits = 0 }
    }

    /// Whether two gaps are of one kind: 22 ms and a sixteenth apart at most, or 12 ms and a quarter if that is less.
    ///
    /// More than the delay, and more than the 20 ms between two looks at a busy radio, to which a live node's gaps are
    /// rounded; less than a whole interval from 20 ms on, so that a lost advert makes another kind.
    private static func isSame(_ gap: UInt32, _ kind: UInt32) -> Bool {
        max(gap, kind) - min(gap, kind) <= min(22_000 + kind / 16, 12_000 + kind / 4)
    }

    private static func mean(_ old: UInt32, _ new: UInt32, weight: UInt8) -> UInt32 {
        UInt32(clamping: Int64(old) + (Int64(new) - Int64(old)) / Int64(weight))
    }
}
