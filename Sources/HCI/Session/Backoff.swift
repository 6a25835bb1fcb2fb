/// How long to wait before the next try: not at all, then a first delay that doubles up to a limit.
public struct Backoff: Equatable, Sendable {
    private let first: Int64
    private let limit: Int64
    private var upcoming: Int64 = 0

    /// Delays in nanoseconds: 0 < `first` ≤ `limit`.
    public init(first: Int64, limit: Int64) {
        precondition(first > 0 && limit >= first)
        self.first = first
        self.limit = limit
    }

    /// For a controller: at once, since Reset cures most faults, then 1 s doubling to 30 s.
    public static let controller = Backoff(first: 1_000_000_000, limit: 30_000_000_000)

    /// The delay before the next try, in nanoseconds.
    public mutating func next() -> Int64 {
        defer { upcoming = upcoming == 0 ? first : (upcoming > limit / 2 ? limit : upcoming * 2) }
        return upcoming
    }

    /// Starts again after things went well for a while.
    public mutating func reset() { upcoming = 0 }
}
