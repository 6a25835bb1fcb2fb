internal import Beacon
internal import Glibc

/// Measures a beacon's power at one metre from adverts heard at a known distance.
public struct PowerCalibration: Sendable {
    /// What was found.
    public struct Finding: Equatable, Sendable {
        /// The power at one metre in whole dBm, to be written into the configuration.
        public var measuredPower: Int
        /// How many adverts it rests on.
        public var samples: Int
        /// The spread of the signal in dB: 1.4826 times the median distance from the median, which is the standard
        /// deviation where the spread is normal and does not heed a few that were disturbed.
        public var deviation: Double
        /// The standard error of the median in dB, as if adverts were independent; they are not quite, and where the
        /// beacon stands adds its own error, which no number of adverts shows.
        public var standardError: Double
        /// Whether it may be used.
        public var verdict: Verdict
    }

    /// Whether a finding may be used.
    public enum Verdict: String, Sendable {
        /// It may.
        case good
        /// There were fewer than 30 adverts.
        case tooFew = "too_few"
        /// The signal spread more than 6 dB: someone walked between, or the beacon moved.
        case tooWide = "too_wide"
        /// No beacon has that power: outside −100…−20 dBm at one metre.
        case implausible
    }

    /// Adverts: the standard error is then below 1.4 dB at the widest spread that is taken.
    public static let fewest = 30
    /// In dB. A phone held in a hand, which never rests, spread 4–6 in the recordings at a known distance.
    public static let widest = 6.0
    /// In metres: nearer the antennas' own size counts, further the room does.
    public static let distances = 0.1...10.0

    private let distance: Double
    private let exponent: Double
    private var histogram = [Int](repeating: 0, count: 256)
    /// How many adverts were heard.
    public private(set) var samples = 0

    /// Starts a measurement at a distance in metres, 0.1…10; beyond that it is taken as the nearer end.
    public init(distance: Double = 1, exponent: Double = DistanceModel.freeSpace) {
        self.distance =
            distance.isNaN ? 1 : min(max(distance, Self.distances.lowerBound), Self.distances.upperBound)
        self.exponent = exponent.isNaN ? DistanceModel.freeSpace : min(max(exponent, 1), 6)
    }

    /// Adds a signal strength in dBm.
    public mutating func add(_ rssi: Int8) {
        histogram[Int(rssi) + 128] += 1
        samples += 1
    }

    /// The median signal strength in dBm; nil when there are no adverts.
    public var median: Double? {
        Self.median(of: histogram.enumerated().map { (Double($0.offset - 128), $0.element) })
    }

    /// What the adverts so far come to; nil when there are none.
    public var finding: Finding? {
        guard let median else { return nil }
        let distances = histogram.enumerated().map { (abs(Double($0.offset - 128) - median), $0.element) }
        let deviation = 1.4826 * (Self.median(of: distances.sorted { $0.0 < $1.0 }) ?? 0)
        let power = Int((median + 10 * exponent * log10(distance)).rounded())
        return Finding(
            measuredPower: power, samples: samples, deviation: deviation,
            // The median's, where the spread is normal: √(π/2) of the mean's.
            standardError: 1.2533 * deviation / Double(samples).squareRoot(), verdict: verdict(power, deviation))
    }

    private func verdict(_ power: Int, _ deviation: Double) -> Verdict {
        if samples < Self.fewest { return .tooFew }
        if deviation > Self.widest { return .tooWide }
        return PowerTrust.isPlausible(power) ? .good : .implausible
    }

    /// Of values in ascending order with the number of each; the mean of the two middle ones where their number is
    /// even.
    private static func median(of counted: [(value: Double, count: Int)]) -> Double? {
        let total = counted.reduce(0) { $0 + $1.count }
        guard total > 0 else { return nil }
        var seen = 0
        var lower: Double?
        for (value, count) in counted where count > 0 {
            seen += count
            if let lower { return (lower + value) / 2 }
            if seen * 2 > total { return value }
            if seen * 2 == total { lower = value }
        }
        return lower
    }
}
