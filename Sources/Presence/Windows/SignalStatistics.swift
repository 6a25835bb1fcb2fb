/// Signal strengths of one beacon in one window, in dBm, in constant space: a count per whole dBm.
struct SignalStatistics: Sendable {
    /// Values below are counted here, values above the last one there: controllers report −127…20 (Core Spec Vol 4
    /// Part E 7.7.65.2), but no receiver hears less than −110, and nothing is heard above −17 that is not held to it.
    static let lowest = -112
    static let bins = 96

    private(set) var count = 0
    private(set) var minimum: Int8 = .max
    private(set) var maximum: Int8 = .min
    private var sum = 0
    private var sumOfSquares = 0

    /// Adds a value. `histogram` is the beacon's own run of `bins` counters.
    mutating func add(_ rssi: Int8, _ histogram: UnsafeMutableBufferPointer<UInt16>) {
        count += 1
        minimum = min(minimum, rssi)
        maximum = max(maximum, rssi)
        sum += Int(rssi)
        sumOfSquares += Int(rssi) * Int(rssi)
        let bin = min(max(Int(rssi) - Self.lowest, 0), Self.bins - 1)
        // A window holds at most 3,600 s of some 50 adverts a second; stop at the counter's end rather than wrap.
        if histogram[bin] < .max { histogram[bin] += 1 }
    }

    var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

    /// The population's standard deviation in dB.
    var deviation: Double {
        guard count > 0 else { return 0 }
        let mean = self.mean
        return max(0, Double(sumOfSquares) / Double(count) - mean * mean).squareRoot()
    }

    /// The lower of the two middle values where their number is even.
    func median(_ histogram: UnsafeBufferPointer<UInt16>) -> Int {
        let total = histogram.reduce(0) { $0 + Int($1) }
        var seen = 0
        for (bin, n) in histogram.enumerated() {
            seen += Int(n)
            if seen * 2 >= total {
                // What is counted at an end may be beyond it.
                if bin == 0 { return Int(minimum) }
                return bin == Self.bins - 1 ? Int(maximum) : bin + Self.lowest
            }
        }
        return Int(minimum)
    }
}
