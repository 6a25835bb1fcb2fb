internal import Presence

/// How many adverts came in each of the last ten seconds.
struct AdvertRate: Sendable {
    /// Seconds that are looked at; a beacon at the longest interval, 10.24 s, is heard about once in it.
    private static let span: Int64 = 10
    private static let second: Int64 = 1_000_000_000

    /// Sixteen places because SIMD types have powers of two; place = second modulo 16.
    private var counts = SIMD16<UInt16>()
    /// The newest second that was counted in, and the very first moment.
    private var newest: Int64
    private let first: Int64

    init(from first: Instant) {
        self.first = first.nanoseconds
        newest = first.nanoseconds / Self.second
    }

    mutating func count(at time: Instant) {
        pass(to: time.nanoseconds / Self.second)
        let place = Int(newest & 15)
        counts[place] = counts[place] == .max ? .max : counts[place] + 1
    }

    /// Adverts per second, over ten seconds or since the first one, over one second at least.
    func perSecond(at time: Instant) -> Double {
        var copy = self
        copy.pass(to: time.nanoseconds / Self.second)
        let oldest = copy.newest - Self.span + 1
        let sum = (oldest...copy.newest).reduce(0) { $0 + Int(copy.counts[Int($1 & 15)]) }
        let covered = Double(time.nanoseconds - max(oldest * Self.second, first)) / Double(Self.second)
        return Double(sum) / max(1, covered)
    }

    private mutating func pass(to second: Int64) {
        guard second > newest else { return }
        for passed in max(newest + 1, second - 15)...second { counts[Int(passed & 15)] = 0 }
        newest = second
    }
}
