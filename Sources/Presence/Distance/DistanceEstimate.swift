/// A distance in metres, and how far it may be off.
public struct DistanceEstimate: Equatable, Sendable {
    /// The distance in metres, 0.01…1,000; −1 when it is unknown.
    public var accuracy: Double
    /// The interval in metres that holds the true distance four times in five; nil when it is unknown.
    public var range: ClosedRange<Double>?

    /// Makes an estimate.
    public init(accuracy: Double, range: ClosedRange<Double>?) {
        self.accuracy = accuracy
        self.range = range
    }

    /// Nothing is known.
    public static let unknown = DistanceEstimate(accuracy: -1, range: nil)

    /// What is given out at all, in metres: formulae say less than a grain and more than a country where a signal or a
    /// measured power is extreme, and no signal strength tells either.
    static let bounds = 0.01...1_000

    /// A distance in metres that may be off by a factor either way, both held within the bounds; unknown when it is no
    /// number.
    init(metres: Double, factor: Double) {
        guard !metres.isNaN, !factor.isNaN else {
            self = .unknown
            return
        }
        let held = Self.held(metres)
        self.init(accuracy: held, range: Self.held(held / factor)...Self.held(held * factor))
    }

    private static func held(_ metres: Double) -> Double {
        min(max(metres, bounds.lowerBound), bounds.upperBound)
    }
}
