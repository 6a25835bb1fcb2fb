import Glibc
import Presence

/// What an estimator scores on one recording.
struct DistanceScore: Equatable {
    /// How many windows of ten seconds.
    var windows = 0
    /// Mean |log2(estimate / truth)| over the windows, each estimated from cold.
    var error = 0.0
    /// The share of pairs of windows at different distances (by a tenth at least) that come out in the right order;
    /// equal estimates count half. nil where there is no such pair, as with one distance only.
    var ordering: Double?
    /// The share of windows on the right side of 3 m.
    var nearFar = 0.0
    /// Changes of the proximity class per minute of a beacon that is still, looked at once a second.
    var changes = 0.0
    /// The same where a class is left at once when its bound is passed.
    var changesWithoutHysteresis = 0.0
    /// The share of windows whose 80 % interval holds the truth; nil where there is no interval.
    var coverage: Double?
    /// The intervals' mean width as a factor, upper end by lower end, averaged by its logarithm.
    var width: Double?
}

extension DistanceScore {
    /// Milliseconds of a window.
    static let window: Int64 = 10_000
    /// Adverts; a window with fewer tells more of chance than of a filter.
    static let fewest = 3

    /// Scores an estimator on a recording.
    ///
    /// Distances count the same, however long was recorded at each, lest the longest decide.
    init(_ estimator: Estimator, on recording: Recording) {
        let power = recording.measuredPower
        var found: [Finding] = []
        var minutes = 0.0
        var (steady, plain) = (0, 0)
        for track in recording.tracks {
            found += Self.findings(estimator, track, power)
            let flicker = Self.flicker(estimator, track, power)
            minutes += flicker.minutes
            steady += flicker.steady
            plain += flicker.plain
        }
        Self.weigh(&found)
        windows = found.count
        error = found.reduce(0) { $0 + $1.weight * abs(log2($1.estimate.accuracy / $1.truth)) }
        ordering = Self.ordering(found)
        nearFar = found.reduce(0) { $0 + (($1.estimate.accuracy < 3) == ($1.truth < 3) ? $1.weight : 0) }
        changes = minutes > 0 ? Double(steady) / minutes : 0
        changesWithoutHysteresis = minutes > 0 ? Double(plain) / minutes : 0
        if found.contains(where: { $0.estimate.range == nil }) || found.isEmpty { return }
        var (covered, logWidth) = (0.0, 0.0)
        for finding in found {
            guard let range = finding.estimate.range else { continue }
            if range.contains(finding.truth) { covered += finding.weight }
            logWidth += finding.weight * log(range.upperBound / range.lowerBound)
        }
        coverage = covered
        width = exp(logWidth)
    }

    /// The mean of several, each recording counting the same; of the order, those that have one.
    init(meanOf scores: [DistanceScore]) {
        func mean(_ part: (DistanceScore) -> Double) -> Double {
            scores.isEmpty ? 0 : scores.reduce(0) { $0 + part($1) } / Double(scores.count)
        }
        windows = scores.reduce(0) { $0 + $1.windows }
        error = mean(\.error)
        let orderings = scores.compactMap(\.ordering)
        ordering = orderings.isEmpty ? nil : orderings.reduce(0, +) / Double(orderings.count)
        nearFar = mean(\.nearFar)
        changes = mean(\.changes)
        changesWithoutHysteresis = mean(\.changesWithoutHysteresis)
        if scores.isEmpty || scores.contains(where: { $0.coverage == nil }) { return }
        coverage = mean { $0.coverage ?? 0 }
        width = exp(mean { log($0.width ?? 1) })
    }

    private struct Finding {
        var truth: Double
        var estimate: DistanceEstimate
        /// Its share of the whole.
        var weight = 0.0
    }

    private static func instant(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: 0) + .milliseconds(milliseconds)
    }

    /// One finding per window of ten seconds, the filter empty at its start.
    private static func findings(_ estimator: Estimator, _ track: Track, _ power: Int) -> [Finding] {
        var found: [Finding] = []
        var rest = track.samples[...]
        let start = rest.first?.time ?? 0
        while let first = rest.first {
            let end = start + ((first.time - start) / window + 1) * window
            let piece = rest.prefix { $0.time < end }
            rest = rest.dropFirst(piece.count)
            guard piece.count >= fewest, let last = piece.last else { continue }
            var filter = SignalFilter(estimator.filter)
            for sample in piece { filter.add(sample.rssi, at: instant(sample.time)) }
            let estimate = estimator.estimate(filter, at: instant(last.time), measuredPower: power)
            guard let estimate, estimate.accuracy > 0 else { continue }
            found.append(Finding(truth: track.distance, estimate: estimate))
        }
        return found
    }

    /// Changes between classes in a whole track, looked at each second, from the second in which a window is full on;
    /// going silent and coming back is no change.
    private static func flicker(_ estimator: Estimator, _ track: Track, _ power: Int) -> (
        minutes: Double, steady: Int, plain: Int
    ) {
        guard let first = track.samples.first, let last = track.samples.last else { return (0, 0, 0) }
        var filter = SignalFilter(estimator.filter)
        var rest = track.samples[...]
        var (seconds, steady, plain) = (0, 0, 0)
        var (kept, shown) = (Proximity.unknown, Proximity.unknown)
        var second = first.time + 1_000
        // A recording with a gap of days has no days of stillness in it.
        while second <= last.time {
            while let sample = rest.first, sample.time < second {
                filter.add(sample.rssi, at: instant(sample.time))
                rest = rest.dropFirst()
            }
            if let estimate = estimator.estimate(filter, at: instant(second), measuredPower: power) {
                let following = kept.following(accuracy: estimate.accuracy)
                let now = Proximity(accuracy: estimate.accuracy)
                if kept != .unknown, following != .unknown, following != kept { steady += 1 }
                if shown != .unknown, now != .unknown, now != shown { plain += 1 }
                (kept, shown) = (following, now)
                seconds += 1
                second += 1_000
            } else {
                second = max(second + 1_000, rest.first?.time ?? second)
            }
        }
        return (Double(seconds) / 60, steady, plain)
    }

    private static func weigh(_ found: inout [Finding]) {
        var counts: [Double: Int] = [:]
        for finding in found { counts[rounded(finding.truth), default: 0] += 1 }
        for index in found.indices {
            let here = counts[rounded(found[index].truth)] ?? 1
            found[index].weight = 1 / Double(here * counts.count)
        }
    }

    /// Distances that differ by less than a twentieth are one.
    private static func rounded(_ distance: Double) -> Double { (log(distance) / log(1.05)).rounded() }

    private static func ordering(_ found: [Finding]) -> Double? {
        var (right, all) = (0.0, 0.0)
        for (index, one) in found.enumerated() {
            for other in found[..<index] where max(one.truth, other.truth) > 1.1 * min(one.truth, other.truth) {
                let weight = one.weight * other.weight
                all += weight
                let (truth, estimate) = (one.truth - other.truth, one.estimate.accuracy - other.estimate.accuracy)
                right += estimate == 0 ? weight / 2 : (truth > 0) == (estimate > 0) ? weight : 0
            }
        }
        return all > 0 ? right / all : nil
    }
}

/// The natural logarithm.
func naturalLogarithm(_ value: Double) -> Double { log(value) }
