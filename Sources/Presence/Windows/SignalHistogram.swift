/// How often each signal strength was heard, in 96 bytes: a count per whole dBm.
///
/// A count that reaches its end halves them all, so that their shape stays; what the rounding loses is less than one in
/// a hundred of what a median stands on.
struct SignalHistogram: Sendable {
    /// Values below are counted here, values above the last one there: controllers report −127…20 (Core Spec Vol 4
    /// Part E 7.7.65.2), but no receiver hears less than −110, and nothing is heard above −17 that is not held to it.
    static let lowest = -112
    static let bins = 96

    // SIMD types because those are the only arrays of fixed size that Swift 6.0 has.
    private var low = SIMD64<UInt8>()
    private var high = SIMD32<UInt8>()

    /// Counts a strength in dBm.
    mutating func add(_ rssi: Int8) {
        let bin = min(max(Int(rssi) - Self.lowest, 0), Self.bins - 1)
        let isFull = withUnsafeMutableBytes(of: &self) { counts in
            counts[bin] += 1
            return counts[bin] == .max
        }
        if isFull {
            low &>>= SIMD64(repeating: 1)
            high &>>= SIMD32(repeating: 1)
        }
    }

    /// The lower of the two middle strengths where their number is even, in dBm; what is counted at an end may be
    /// beyond it, and is then `minimum` or `maximum`.
    func median(minimum: Int, maximum: Int) -> Int {
        withUnsafeBytes(of: self) { counts in
            let total = counts.reduce(0) { $0 + Int($1) }
            var seen = 0
            for (bin, count) in counts.enumerated() {
                seen += Int(count)
                if seen == 0 || seen * 2 < total { continue }
                if bin == 0 { return minimum }
                return bin == Self.bins - 1 ? maximum : bin + Self.lowest
            }
            return minimum
        }
    }
}
