import System

extension SeededRandom {
    /// Mean 0, deviation 1: the sum of twelve uniform numbers less six, which never goes beyond 6.
    mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += uniform() }
        return sum
    }
}
