/// What a filter makes of a transmitter's signal.
public struct FilteredSignal: Equatable, Sendable {
    /// In dBm.
    public var rssi: Double
    /// How many adverts are behind it, at least one: what the width of a distance's interval goes by.
    public var samples: Int
}

/// The signal strengths of one transmitter, filtered: some 340 bytes whatever it hears, nothing allocated.
public struct SignalFilter: Sendable {
    private let kind: FilterKind
    /// For the kinds that look at a window.
    private var ring = SampleRing()
    /// For the kinds that keep a level: it in dBm, its variance in dB², how many samples are in it, and the last time.
    private var level = 0.0
    private var variance = 0.0
    private var samples = 0
    private var newest = Instant(nanoseconds: .min)

    /// Makes a filter that has heard nothing.
    public init(_ kind: FilterKind = .standard) { self.kind = kind }

    /// Adds a signal strength in dBm. A time before the last one counts as the last one.
    public mutating func add(_ rssi: Int8, at reading: Instant) {
        switch kind {
        case .median, .quantile, .fencedMedian, .runningAverage:
            ring.add(rssi, at: reading, window: kind.window, merging: true)
        case .smoothedMaximum:
            ring.add(rssi, at: reading, window: kind.window, merging: false)
        case .none, .arma, .kalman:
            step(Double(rssi), at: reading)
        }
    }

    /// What the samples heard lately come to; nil when there are none.
    public func signal(at reading: Instant) -> FilteredSignal? {
        if usesLevel {
            guard samples > 0, reading - newest < kind.window else { return nil }
            return FilteredSignal(rssi: level, samples: samples)
        }
        let first = ring.first(at: reading, window: kind.window)
        guard first < ring.count else { return nil }
        if case .smoothedMaximum(let limit) = kind { return smoothedMaximum(first, limit) }
        return SortedSamples.with(ring, from: first) { samples in
            let rssi =
                switch kind {
                case .quantile(let share, _): samples.quantile(min(max(share, 0), 1))
                case .fencedMedian: samples.fencedMedian()
                case .runningAverage: samples.trimmedMean()
                default: samples.quantile(0.5)
                }
            return FilteredSignal(rssi: rssi, samples: samples.total)
        }
    }

    /// The filtered signal strength in dBm; nil when nothing was heard lately.
    public func value(at reading: Instant) -> Double? { signal(at: reading)?.rssi }

    private var usesLevel: Bool {
        switch kind {
        case .none, .arma, .kalman: true
        default: false
        }
    }

    private mutating func step(_ rssi: Double, at reading: Instant) {
        if samples > 0, reading - newest >= kind.window { samples = 0 }
        newest = samples == 0 ? reading : max(newest, reading)
        switch kind {
        case .arma(let speed) where samples > 0:
            level = (level - speed * (level - rssi)).rounded(.towardZero)
            count(upTo: 1 / speed)
        case .kalman(let process, let measurement) where samples > 0:
            let predicted = variance + process
            let gain = predicted / (predicted + measurement)
            level += gain * (rssi - level)
            variance = predicted * (1 - gain)
            count(upTo: measurement / max(variance, .leastNormalMagnitude))
        case .kalman(_, let measurement):
            level = rssi
            variance = measurement
            samples = 1
        default:
            level = rssi
            samples = 1
        }
    }

    /// Counts a sample, as far as a level that forgets has them in it.
    private mutating func count(upTo most: Double) {
        samples = Double(samples + 1) <= max(most, 1) ? samples + 1 : samples
    }

    private func smoothedMaximum(_ first: Int, _ limit: Int) -> FilteredSignal {
        let oldest = max(first, ring.count - max(1, limit))
        let newest = ring[ring.count - 1].level
        var (strongest, sum) = (newest, 0)
        for index in stride(from: ring.count - 1, through: oldest, by: -1) {
            strongest = max(strongest, ring[index].level)
            sum += strongest
        }
        let samples = ring.count - oldest
        return FilteredSignal(rssi: max(Double(sum) / Double(samples), Double(newest)) / 256, samples: samples)
    }
}
