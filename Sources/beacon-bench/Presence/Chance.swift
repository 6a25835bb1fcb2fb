import Glibc
import System

extension SeededRandom {
    /// True with that probability.
    mutating func says(_ probability: Double) -> Bool { uniform() < probability }

    /// A waiting time with that mean.
    mutating func wait(mean: Double) -> Double { -mean * log(1 - uniform()) }
}
