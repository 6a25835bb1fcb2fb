internal import Beacon
internal import Glibc

/// Signal strength to distance, with an honest interval.
///
/// Free-space loss alone takes every fade for metres. The default law weighs it against a log-normal prior around
/// 2 m, where beacons in stores mostly are when they are heard: the estimate is pulled back by as much as the signal is
/// uncertain, and the posterior's own width is the published interval. Every constant below was chosen on recordings
/// of nine places, and held against each place in turn without it; `beacon-bench distance` shows the result.
public struct DistanceModel: Equatable, Sendable {
    /// Used where a beacon's own measured power is implausible, in dBm at one metre, −100…−20.
    public var defaultMeasuredPower: Int
    /// The formula.
    public var law: DistanceLaw
    /// The path loss exponent of `prior` and `log_distance`, 1…6; 2 is free space.
    public var exponent: Double

    /// Standard deviation in dB of what a place, bodies and a batch of beacons do to a signal, however long one
    /// listens. The yardstick chooses it anew to see what it covers where it was not chosen.
    package var placeDeviation = 7.0

    /// The exponent of free space. One fitted at a place (0.2…2.3 in the recordings) does not transfer to the next.
    public static let freeSpace = 2.0

    /// Makes a model.
    public init(
        defaultMeasuredPower: Int = -59, law: DistanceLaw = .prior, exponent: Double = DistanceModel.freeSpace
    ) {
        self.defaultMeasuredPower = defaultMeasuredPower
        self.law = law
        self.exponent = exponent
    }

    /// The prior: median in metres, and standard deviation of the natural logarithm (a factor of 2.2 either way).
    static let priorMedian = 2.0
    static let priorDeviation = 0.8
    /// Standard deviation in dB of one sample beside that: it fades with movement and with the advertising channel.
    static let fading = 5.0
    /// Half of 80 % of a normal distribution, in standard deviations.
    static let eightyPercent = 1.2816
    /// What a controller can report, in dBm (Core Spec Vol 4 Part E 7.7.65.2).
    static let reportable = -127.0...20

    /// The estimate for a signal strength in dBm that `samples` adverts are behind; nil is unknown.
    ///
    /// Few samples make the interval wider and leave the estimate alone: of two beacons of one strength the one that
    /// is heard less often is not the nearer. A measured power outside −100…−20 dBm is replaced by the default one;
    /// the caller flags it by `PowerTrust`.
    public func estimate(rssi: Double?, measuredPower: Int, samples: Int = .max) -> DistanceEstimate {
        guard let rssi, Self.reportable.contains(rssi) else { return .unknown }
        let power = Double(power(measuredPower))
        let fading = Self.fading * Self.fading / Double(max(1, samples))
        let deviation = (placeDeviation * placeDeviation + fading).squareRoot()
        if law == .prior { return weighed(rssi, power, deviation) }
        guard let metres = law.metres(rssi: rssi, power: power, exponent: heldExponent) else { return .unknown }
        // No published system gives an interval, so theirs is ours: what the signal leaves open by itself, in free
        // space, for a formula that takes its fades for fewer metres does not know more by that.
        let spread = deviation / Self.decibelsPerLogDistance(Self.freeSpace)
        return DistanceEstimate(metres: metres, factor: exp(Self.eightyPercent * spread))
    }

    private func weighed(_ rssi: Double, _ power: Double, _ deviation: Double) -> DistanceEstimate {
        let slope = Self.decibelsPerLogDistance(heldExponent)
        let place = placeDeviation / slope
        let prior = Self.priorDeviation * Self.priorDeviation
        let weight = prior / (prior + place * place)
        let logDistance = (power - rssi) / slope * weight + log(Self.priorMedian) * (1 - weight)
        return DistanceEstimate(
            metres: exp(logDistance),
            factor: exp(Self.eightyPercent * deviation / slope * weight.squareRoot()))
    }

    /// The measured power, or the default one; and whatever that is, one that a beacon can have.
    private func power(_ measured: Int) -> Int {
        if PowerTrust.isPlausible(measured) { return measured }
        return min(max(defaultMeasuredPower, PowerTrust.plausible.lowerBound), PowerTrust.plausible.upperBound)
    }

    private var heldExponent: Double { exponent.isNaN ? Self.freeSpace : min(max(exponent, 1), 6) }

    private static func decibelsPerLogDistance(_ exponent: Double) -> Double { 10 * exponent / log(10) }
}
