import Glibc
import System

/// How strength falls with distance: the log-distance model with log-normal shadowing (Rappaport, Wireless
/// Communications, 4.9).
struct PathLoss: Equatable {
    /// 2 is free space.
    var exponent = 2.0
    /// Standard deviation in dB of what stands between a beacon and a host; constant for the two.
    var shadowing = 0.0
    /// Standard deviation in dB of how each of the three advertising channels differs from that; constant too.
    var channels = 0.0

    /// dBm at that many metres, for a strength at one metre.
    func strength(_ atOneMetre: Double, metres: Double) -> Double { atOneMetre - 10 * exponent * log10(metres) }
}

/// What changes from advert to advert: Rice's fading, a steady wave and scattered ones that add up at random. Dips are
/// deeper than peaks are high, as on air.
struct Fading: Equatable {
    /// The strongest there is, in dB: without a steady wave, Rayleigh's, the deviation is 5.57 dB.
    static let strongest = 5.5

    /// Standard deviation in dB that was asked for.
    let deviation: Double
    /// Amplitude of the steady wave, where the scattered ones have a power of 1.
    private let steady: Double
    /// Mean in dB of both together, which is taken off so that fading changes no mean.
    private let mean: Double

    static let none = Fading(deviation: 0)

    /// Deviation in dB, 0…`strongest`.
    init(deviation: Double) {
        self.deviation = deviation
        // The deviation falls as the steady wave grows, so halving finds it. No closed form is known.
        var (low, high) = (0.0, 1_000.0)
        if deviation > 0 {
            for _ in 0..<40 {
                let middle = low + (high - low) / 2
                if Fading.moments(middle).deviation > deviation { low = middle } else { high = middle }
            }
        }
        steady = high
        mean = deviation > 0 ? Fading.moments(high).mean : 0
    }

    /// dB to add to the strength of one advert.
    func sample(_ random: inout SeededRandom) -> Double {
        if deviation == 0 { return 0 }
        return Fading.decibels(steady, random.normal(), random.normal()) - mean
    }

    /// Both parts of the scattered waves have half of their power.
    private static func decibels(_ steady: Double, _ first: Double, _ second: Double) -> Double {
        let (real, imaginary) = (steady + first * 0.5.squareRoot(), second * 0.5.squareRoot())
        return 10 * log10(real * real + imaginary * imaginary)
    }

    /// By the midpoint rule over both parts, from −4 to 4 deviations; the second one is symmetric.
    private static func moments(_ steady: Double) -> (mean: Double, deviation: Double) {
        let step = 0.25
        var (weights, sum, squares) = (0.0, 0.0, 0.0)
        for i in 0..<32 {
            let first = -4 + (Double(i) + 0.5) * step
            for j in 0..<16 {
                let second = (Double(j) + 0.5) * step
                let weight = exp(-(first * first + second * second) / 2)
                let value = decibels(steady, first, second)
                weights += weight
                sum += weight * value
                squares += weight * value * value
            }
        }
        let mean = sum / weights
        return (mean, max(0, squares / weights - mean * mean).squareRoot())
    }
}

/// Adverts that are sent and do not arrive.
struct PacketLoss: Equatable {
    /// The share that is lost, each advert by itself.
    var independent = 0.0
    /// Times in which all are lost; nil for none.
    var bursts: Bursts?

    /// A channel of two states, good and bad, that changes between them at random (Gilbert's model in continuous time).
    struct Bursts: Equatable {
        /// The share of time that is bad, above 0 and below 1.
        let loss: Double
        /// How long a bad time is on average, nanoseconds.
        let length: Int64

        /// How long a good or bad time is on average, nanoseconds.
        func length(isBad: Bool) -> Double { isBad ? Double(length) : Double(length) * (1 - loss) / loss }
    }

    var isNone: Bool { independent == 0 && bursts == nil }
}

/// How often a beacon takes another address, and when.
struct AddressRotation: Equatable {
    /// Nanoseconds from one address to the next.
    let every: Int64
    /// How far it is into its first address when the store opens, nanoseconds.
    let phase: Int64
    private let seed: UInt64
    private let beacon: UInt64

    init(every: Int64, seed: UInt64, beacon: Int) {
        self.every = every
        self.seed = seed
        self.beacon = UInt64(beacon)
        var random = SeededRandom(seed: seed ^ 0x526F_7461_7465, stream: UInt64(beacon))
        phase = Int64.random(in: 0..<every, using: &random)
    }

    /// Which address it has that many nanoseconds after the store opened; the first is 0.
    func number(after elapsed: Int64) -> Int64 { (elapsed + phase) / every }

    /// A 48-bit address as of a resolvable private one: its two upper bits are 01 (Core Spec Vol 6 Part B 1.3.2.2).
    /// There is no key that resolves it.
    func address(_ number: Int64) -> UInt64 {
        var random = SeededRandom(seed: seed ^ 0x5072_6976_6174, stream: beacon << 40 ^ UInt64(bitPattern: number))
        return 0x4000_0000_0000 | random.next() & 0x3FFF_FFFF_FFFF
    }
}
