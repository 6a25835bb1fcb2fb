/// Signal strengths of one beacon in one window, in dBm, in constant space.
struct SignalStatistics: Sendable {
    private var histogram = SignalHistogram()
    private var sumOfSquares: Int64 = 0
    private var sum: Int32 = 0
    private(set) var count: UInt32 = 0
    private(set) var minimum: Int8 = .max
    private(set) var maximum: Int8 = .min

    /// Adds a value.
    mutating func add(_ rssi: Int8) {
        // 16 million times 128 fits; a capture may give all its packets one time.
        if count == 1 << 24 { return }
        count += 1
        minimum = min(minimum, rssi)
        maximum = max(maximum, rssi)
        sum += Int32(rssi)
        sumOfSquares += Int64(rssi) * Int64(rssi)
        histogram.add(rssi)
    }

    var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

    /// The population's standard deviation in dB.
    var deviation: Double {
        guard count > 0 else { return 0 }
        let mean = self.mean
        return max(0, Double(sumOfSquares) / Double(count) - mean * mean).squareRoot()
    }

    /// The middle one; nil where there is none.
    var median: Int? {
        count == 0 ? nil : histogram.median(minimum: Int(minimum), maximum: Int(maximum))
    }
}
