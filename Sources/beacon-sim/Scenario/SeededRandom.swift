/// Numbers that are the same for the same seed, everywhere. SplitMix64
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// A stream of its own for each purpose, so that one more beacon or host does not change what others draw.
    init(seed: UInt64, stream: UInt64) {
        state = seed
        state = next() ^ stream &* 0xD605_0BB6_A3B5_1E95
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Mean 0, deviation 1: the sum of twelve uniform numbers less six, which never goes beyond 6.
    mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += Double(next() >> 11) * 0x1p-53 }
        return sum
    }
}
