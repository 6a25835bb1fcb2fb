import Presence

/// A way to tell a distance: a model behind a filter, or a constant.
struct Estimator {
    var name: String
    var filter: FilterKind
    /// Nil says two metres, whatever is heard.
    var law: DistanceLaw?

    /// What a place does to a signal, in dB, instead of what the model takes it to be.
    var placeDeviation: Double?
    /// Whether it is a published one, so that ours can be held against the best of them.
    var isPublished: Bool

    /// What the yardstick compares: the published programs "-like", each formula with the filter that comes with it,
    /// the constant that beats most of them, and ours.
    static let all: [Estimator] = [
        Estimator(name: "raw rssi, curve fit", filter: .none, law: .curveFit, isPublished: true),
        Estimator(name: "ibeacon-ble", filter: .none, law: .ibeaconBLE, isPublished: true),
        Estimator(name: "node-bleacon", filter: .none, law: .bleacon, isPublished: true),
        Estimator(name: "altbeacon arma", filter: .arma(0.1), law: .curveFit, isPublished: true),
        Estimator(
            name: "altbeacon average", filter: .runningAverage(.seconds(20)), law: .curveFit, isPublished: true),
        Estimator(
            name: "same, nexus 5", filter: .runningAverage(.seconds(20)), law: .curveFitNexus5, isPublished: true),
        Estimator(
            name: "same, moto x", filter: .runningAverage(.seconds(20)), law: .curveFitMotoX, isPublished: true),
        Estimator(
            name: "same, xt1092", filter: .runningAverage(.seconds(20)), law: .curveFitXT1092, isPublished: true),
        Estimator(
            name: "room-assistant kalman", filter: .kalman(process: 0.008, measurement: 4), law: .curveFit,
            isPublished: true),
        Estimator(name: "bermuda", filter: .smoothedMaximum(20), law: .bermuda, isPublished: true),
        Estimator(name: "espresense", filter: .fencedMedian(.seconds(15)), law: .espresense, isPublished: true),
        Estimator(name: "log n=2, our filter", filter: .standard, law: .logDistance, isPublished: false),
        Estimator(name: "always 2 m", filter: .none, law: nil, isPublished: false),
        Estimator(name: "ours, no filter", filter: .none, law: .prior, isPublished: false),
        Estimator(
            name: "ours, kalman", filter: .kalman(process: 0.008, measurement: 4), law: .prior, isPublished: false),
        Estimator(name: "ours, median", filter: .median(.seconds(10)), law: .prior, isPublished: false),
        Estimator(
            name: "ours, quantile 0.7", filter: .quantile(0.7, .seconds(10)), law: .prior, isPublished: false),
        Estimator(name: "ours", filter: .standard, law: .prior, isPublished: false),
    ]

    /// The estimate at a time; nil when nothing was heard lately.
    func estimate(_ filter: SignalFilter, at reading: Instant, measuredPower: Int) -> DistanceEstimate? {
        guard let signal = filter.signal(at: reading) else { return nil }
        guard let law else { return DistanceEstimate(accuracy: 2, range: nil) }
        var model = DistanceModel(law: law)
        if let placeDeviation { model.placeDeviation = placeDeviation }
        return model.estimate(rssi: signal.rssi, measuredPower: measuredPower, samples: signal.samples)
    }
}
