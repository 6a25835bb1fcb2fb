/// Signal strengths of one beacon in one window, in dBm, in constant space: a count per whole dBm.
struct SignalStatistics: Sendable {
    /// Values below are counted here. Controllers report −127…20, and 127 for "none" (Core Spec Vol 4 Part E 7.7.65.2).
    static let lowest = -127
    static let bins = 148

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
    func median(_ histogram: UnsafeMutableBufferPointer<UInt16>) -> Int {
        let total = histogram.reduce(0) { $0 + Int($1) }
        var seen = 0
        for (bin, n) in histogram.enumerated() {
            seen += Int(n)
            if seen * 2 >= total { return bin + Self.lowest }
        }
        return Int(minimum)
    }
}
