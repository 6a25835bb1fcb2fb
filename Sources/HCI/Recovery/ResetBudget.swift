/// How often a controller may be reset: ten times at once, and then once more each three minutes.
///
/// Some controllers load their firmware with each reset, and there are reports of hundreds of those in one boot, none of
/// which helped. So no controller is reset more than 30 times in its first hour and 20 times in each one after that.
struct ResetBudget: Equatable, Sendable {
    /// One reset more, in nanoseconds.
    static let refill: Int64 = 180_000_000_000
    /// How many at once.
    static let size: Int64 = 10

    /// What is left, in nanoseconds of `refill`.
    private var level = ResetBudget.size * ResetBudget.refill
    private var filledAt: Int64?

    /// When there is one to spend, at the earliest.
    mutating func available(from now: Int64) -> Int64 {
        fill(now)
        return now + max(0, ResetBudget.refill - level)
    }

    /// Spends one; false where there is none.
    mutating func spend(_ now: Int64) -> Bool {
        fill(now)
        guard level >= ResetBudget.refill else { return false }
        level -= ResetBudget.refill
        return true
    }

    private mutating func fill(_ now: Int64) {
        if let filledAt { level = min(level + max(0, now - filledAt), ResetBudget.size * ResetBudget.refill) }
        filledAt = max(now, filledAt ?? now)
    }
}
