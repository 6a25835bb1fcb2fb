/// Numbers that are the same for the same seed, everywhere. SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts at a seed.
    public init(seed: UInt64) { state = seed }

    /// A stream of its own for each purpose, so that more of one does not change what another draws.
    public init(seed: UInt64, stream: UInt64) {
        state = seed
        state = next() ^ stream &* 0xD605_0BB6_A3B5_1E95
        state = next()
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// 0 up to, not including, 1.
    public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }
}
