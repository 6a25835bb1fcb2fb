/// How the signal strengths of one transmitter become one.
public enum FilterKind: Equatable, Sendable {
    /// The last one as it came.
    case none
    /// The middle one of a window; of two middle ones their mean.
    case median(Span)
    /// The one that a share (0…1) of a window is weaker than.
    case quantile(Double, Span)
    /// The median without what lies more than 1.5 interquartile ranges outside the quartiles. ESPresense does so over
    /// 15 s.
    case fencedMedian(Span)
    /// The mean of a window without its strongest and weakest tenth, and one more at each end. AltBeacon's
    /// RunningAverageRssiFilter, over 20 s.
    case runningAverage(Span)
    /// A step by that share towards each sample, kept as a whole number cut off towards zero: it reaches a stronger
    /// level, and sticks up to 9 dB above a weaker one. AltBeacon's ArmaRssiFilter, with 0.1.
    case arma(Double)
    /// A one-dimensional Kalman filter, its noises being variances in dB². room-assistant, with 0.008 and 4.
    case kalman(process: Double, measurement: Double)
    /// The mean of the strongest so far from the newest of that many samples backwards, or the newest if it is
    /// stronger. Like Bermuda's smoothing over 20 samples, which averages metres where this averages decibels.
    case smoothedMaximum(Int)

    /// What is used where nothing is configured: ten seconds follow a person who walks, and outlast a body's turn.
    ///
    /// Among all that was tried (median, quantiles, means of any part) the errors differ by a hundredth; this orders
    /// distances better than the median, whose whole decibels tie, and never worse than the best published program.
    public static let standard = FilterKind.runningAverage(.seconds(10))

    /// The names that configuration uses, with the parameters that were published or measured best.
    public static let named: [(name: String, kind: FilterKind)] = [
        ("trimmed_mean", .standard),
        ("median", .median(.seconds(10))),
        ("quantile", .quantile(0.7, .seconds(10))),
        ("fenced_median", .fencedMedian(.seconds(15))),
        ("running_average", .runningAverage(.seconds(20))),
        ("arma", .arma(0.1)),
        ("kalman", .kalman(process: 0.008, measurement: 4)),
        ("smoothed_maximum", .smoothedMaximum(20)),
        ("none", .none),
    ]

    /// The filter of a name; nil if there is none of it.
    public init?(named name: String) {
        guard let found = Self.named.first(where: { $0.name == name }) else { return nil }
        self = found.kind
    }

    /// How long a sample counts.
    var window: Span {
        let asked: Span =
            switch self {
            case .median(let window), .quantile(_, let window), .fencedMedian(let window),
                .runningAverage(let window):
                window
            // Their authors set no limit or drop the whole beacon; AltBeacon's 20 s is the only one published.
            case .none, .arma, .kalman: .seconds(20)
            // Bermuda's time-out for a device.
            case .smoothedMaximum: .seconds(30)
            }
        return min(max(asked, .milliseconds(100)), SampleRing.longestWindow)
    }

    /// Whether it keeps a level instead of samples.
    var keepsLevel: Bool {
        switch self {
        case .none, .arma, .kalman: true
        default: false
        }
    }
}
