/// What a filter keeps of one transmitter: 160 bytes whatever it hears, nothing allocated.
///
/// Its kind is given with each call, the same until it is started anew: all of an engine's are of one kind, and there may
/// be 10,000.
struct SignalTrace: Sendable {
    /// For the kinds that look at a window.
    private var ring = SampleRing()
    /// For the kinds that keep a level: how many samples are in it, it in dBm, and its variance in dB².
    private var samples: UInt32 = 0
    private var level = 0.0
    private var variance = 0.0
    /// When it heard something last.
    private(set) var newest = Instant(nanoseconds: .min)

    /// Adds a signal strength in dBm. A time before the last one counts as the last one.
    mutating func add(_ rssi: Int8, at reading: Instant, _ kind: FilterKind) {
        let window = kind.window
        if reading - newest >= window { startAnew() }
        newest = max(newest, reading)
        switch kind {
        case .median, .quantile, .fencedMedian, .runningAverage:
            ring.add(rssi, at: newest, window: window, merging: true)
        case .smoothedMaximum:
            ring.add(rssi, at: newest, window: window, merging: false)
        case .none, .arma, .kalman:
            step(Double(rssi), kind)
        }
    }

    /// Forgets all samples, for another kind.
    mutating func startAnew() {
        ring.removeAll()
        samples = 0
    }

    /// What the samples heard lately come to; nil when there are none.
    func signal(at reading: Instant, _ kind: FilterKind) -> FilteredSignal? {
        let window = kind.window
        guard reading - newest < window else { return nil }
        if kind.keepsLevel { return samples > 0 ? FilteredSignal(rssi: level, samples: Int(samples)) : nil }
        guard ring.count > 0 else { return nil }
        let first = ring.first(at: max(reading, newest), window: window)
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

    private mutating func step(_ rssi: Double, _ kind: FilterKind) {
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
        if Double(samples) + 1 <= max(most, 1), samples < .max { samples += 1 }
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
