internal import Beacon
internal import Glibc

/// How near a beacon seems. Core Location's `CLProximity`.
public enum Proximity: String, Sendable {
    /// Nearer than 0.5 m.
    case immediate
    /// Nearer than 3 m.
    case near
    /// 3 m or more.
    case far
    /// Not heard lately, or without a usable signal strength.
    case unknown

    /// The class of a distance in metres; a negative one is unknown.
    public init(accuracy: Double) {
        switch accuracy {
        case ..<0: self = .unknown
        case ..<0.5: self = .immediate
        case ..<3: self = .near
        default: self = .far
        }
    }
}

/// A distance in metres, and how far it may be off.
public struct DistanceEstimate: Equatable, Sendable {
    /// The distance in metres; −1 when it is unknown.
    public var accuracy: Double
    /// The interval in metres that holds the true distance four times in five; nil when it is unknown.
    public var range: ClosedRange<Double>?

    /// Nothing is known.
    public static let unknown = DistanceEstimate(accuracy: -1, range: nil)
}

/// Signal strength to distance: log-distance path loss, weighed against what is known before anything is heard.
///
/// Free-space loss alone takes every fade for metres. A log-normal prior around 2 m, where beacons in stores mostly
/// are when they are heard, pulls the estimate back by as much as the signal is uncertain, which was the better half
/// of every estimator tried; the posterior's own width is the published interval.
public struct DistanceModel: Equatable, Sendable {
    /// Used where a beacon's own measured power is implausible, in dBm at one metre.
    public var defaultMeasuredPower: Int

    /// Makes a model.
    public init(defaultMeasuredPower: Int = -59) { self.defaultMeasuredPower = defaultMeasuredPower }

    /// Loss exponent 2 (free space): dB per natural logarithm of distance.
    static let decibelsPerLogDistance = 10 * 2 / log(10.0)
    /// Standard deviation of shadowing indoors in dB; between the 5 dB that published intervals were too narrow
    /// with and the 8 dB that made them cover nearly everything.
    static let shadowing = 6.0
    /// The prior: median in metres, and standard deviation of the natural logarithm (a factor of 2.5 either way).
    static let priorMedian = 2.0
    static let priorDeviation = 0.9
    /// Half of 80 % of a normal distribution, in standard deviations.
    static let eightyPercent = 1.2816

    private static let signalDeviation = shadowing / decibelsPerLogDistance
    private static let signalWeight =
        priorDeviation * priorDeviation / (priorDeviation * priorDeviation + signalDeviation * signalDeviation)
    private static let spread = exp(eightyPercent * signalDeviation * signalWeight.squareRoot())

    /// The estimate for a mean signal strength in dBm; nil is unknown.
    public func estimate(rssi: Double?, measuredPower: Int) -> DistanceEstimate {
        guard let rssi else { return .unknown }
        let power = PowerTrust.isPlausible(measuredPower) ? measuredPower : defaultMeasuredPower
        let bySignal = (Double(power) - rssi) / Self.decibelsPerLogDistance
        let logDistance = bySignal * Self.signalWeight + log(Self.priorMedian) * (1 - Self.signalWeight)
        let distance = exp(logDistance)
        return DistanceEstimate(accuracy: distance, range: distance / Self.spread...distance * Self.spread)
    }
}
