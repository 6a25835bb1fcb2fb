import TestSupport
import Testing

@testable import Presence

/// Worked numbers of the published filters were computed from AltBeacon/android-beacon-library's
/// RunningAverageRssiFilter.java and ArmaRssiFilter.java, whose own tests assert none.
@Suite struct DistanceFilterTests {
    /// What a filter says after samples that are 10 ms apart.
    private func value(_ kind: FilterKind, _ samples: [Int8]) -> Double? {
        var filter = SignalFilter(kind)
        for (index, rssi) in samples.enumerated() { filter.add(rssi, at: at(Int64(index) * 10)) }
        return filter.value(at: at(Int64(samples.count) * 10))
    }

    private func at(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: 7_000_000_000_000) + .milliseconds(milliseconds)
    }

    static let averages: [(samples: [Int8], mean: Double)] = [
        ([-60], -60), ([-60, -70], -65), ([-50, -60, -90], -60), ([-50, -60, -70, -90], -65),
        ((0..<10).map { -50 - $0 }, -54.5), ((0..<21).map { -50 - $0 }, -60),
    ]

    @Test("the running average drops a tenth and one at each end", arguments: averages)
    func runningAverage(samples: [Int8], mean: Double) throws {
        let found = try #require(value(.runningAverage(.seconds(20)), samples))
        #expect(abs(found - mean) < 0.01)
    }

    @Test("a sample counts while it is younger than the window, and not at its end") func expiry() {
        var filter = SignalFilter(.runningAverage(.seconds(20)))
        filter.add(-60, at: at(0))
        #expect(filter.value(at: at(19_999)) == -60)
        #expect(filter.value(at: at(20_000)) == nil)
        filter.add(-80, at: at(15_000))
        #expect(filter.value(at: at(19_980)) == -70)
        #expect(filter.value(at: at(20_020)) == -80)
    }

    static let steps: [(samples: [Int8], states: [Double])] = [
        ([-60, -80, -80, -80, -80, -80], [-60, -62, -63, -64, -65, -66]),
        ([-60, -69, -69, -69, -69, -69, -69], [-60, -60, -60, -60, -60, -60, -60]),
        (
            [-80] + [Int8](repeating: -60, count: 16),
            [-80, -78, -76, -74, -72, -70, -69, -68, -67, -66, -65, -64, -63, -62, -61, -60, -60]
        ),
    ]

    @Test("ARMA steps by a tenth and cuts off towards zero, so that it sticks", arguments: steps)
    func arma(samples: [Int8], states: [Double]) {
        var filter = SignalFilter(.arma(0.1))
        for (index, rssi) in samples.enumerated() {
            filter.add(rssi, at: at(Int64(index) * 100))
            #expect(filter.value(at: at(Int64(index) * 100)) == states[index])
        }
    }

    @Test("Kalman starts at the first sample and moves less and less") func kalman() throws {
        var filter = SignalFilter(.kalman(process: 0.008, measurement: 4))
        filter.add(-60, at: at(0))
        #expect(filter.value(at: at(0)) == -60)
        filter.add(-70, at: at(100))
        // Gain (4 + 0.008) / (4 + 0.008 + 4).
        let second = try #require(filter.value(at: at(100)))
        #expect(abs(second - (-60 - 10 * 4.008 / 8.008)) < 1e-9)
        filter.add(-80, at: at(200))
        let third = try #require(filter.value(at: at(200)))
        #expect(abs(third - second) < abs(second + 60) + 10)
        #expect(third > -75)
    }

    @Test("median and quantile are those of the samples, ties are split") func quantiles() {
        #expect(value(.median(.seconds(10)), [-60]) == -60)
        #expect(value(.median(.seconds(10)), [-90, -60, -70]) == -70)
        #expect(value(.median(.seconds(10)), [-60, -70]) == -65)
        #expect(value(.quantile(0.7, .seconds(10)), Array(stride(from: Int8(-99), through: -90, by: 1))) == -92.5)
        #expect(value(.quantile(2, .seconds(10)), [-60, -70, -50]) == -50)
        #expect(value(.quantile(-1, .seconds(10)), [-60, -70, -50]) == -70)
    }

    @Test("the fenced median leaves out what lies far outside the quartiles") func fenced() {
        let samples: [Int8] = [-60, -60, -61, -61, -62, -62, -100, -100]
        #expect(value(.median(.seconds(15)), samples) == -61.5)
        #expect(value(.fencedMedian(.seconds(15)), [-60, -60, -61, -61, -62, -62, -62, -100]) == -61)
    }

    @Test("the smoothed maximum averages the strongest from the newest backwards") func smoothedMaximum() {
        // Newest first: −70, then −60 twice, then −80 does not weaken it.
        #expect(value(.smoothedMaximum(20), [-80, -60, -60, -70]) == -62.5)
        #expect(value(.smoothedMaximum(20), [-80, -50]) == -50)
        #expect(value(.smoothedMaximum(2), [-10, -60, -70]) == -65)
    }

    @Test("nothing heard, or nothing lately, is nothing", arguments: FilterKind.named.map(\.kind))
    func silence(kind: FilterKind) {
        var filter = SignalFilter(kind)
        #expect(filter.signal(at: at(0)) == nil)
        filter.add(-60, at: at(0))
        #expect(filter.signal(at: at(0)) == FilteredSignal(rssi: -60, samples: 1))
        #expect(filter.signal(at: at(60_000)) == nil)
        // What comes after a long silence starts anew.
        filter.add(-90, at: at(60_000))
        #expect(filter.value(at: at(60_000)) == -90)
    }

    @Test("with more samples than it holds the median stays near the exact one", arguments: 1...20)
    func crowded(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var filter = SignalFilter(.median(.seconds(10)))
        var heard: [(time: Int64, rssi: Int8)] = []
        var time: Int64 = 0
        for _ in 0..<2_000 {
            time += Int64.random(in: 1...100, using: &random)
            let rssi = Int8(-75 + (0..<4).reduce(0) { sum, _ in sum + Int.random(in: -4...4, using: &random) })
            heard.append((time, rssi))
            filter.add(rssi, at: at(time))
        }
        let window = heard.filter { time - $0.time < 10_000 }.map(\.rssi).sorted()
        let found = try #require(filter.signal(at: at(time)))
        #expect(abs(found.rssi - Double(window[window.count / 2])) <= 1.5)
        #expect(abs(found.samples - window.count) <= window.count / 8)
    }

    @Test("rare adverts for hours do not come back when their time has wrapped") func rare() {
        var filter = SignalFilter(.median(.seconds(10)))
        for step in 0..<5_000 { filter.add(step % 2 == 0 ? -50 : -90, at: at(Int64(step) * 9_900)) }
        let last = Int64(4_999 * 9_900)
        #expect(filter.signal(at: at(last)) == FilteredSignal(rssi: -70, samples: 2))
        #expect(filter.signal(at: at(last + 5_000)) == FilteredSignal(rssi: -90, samples: 1))
    }

    @Test("hostile times and floods neither trap nor leave what was heard", arguments: FilterKind.named.map(\.kind))
    func hostile(kind: FilterKind) throws {
        var random = SeededGenerator(seed: 3)
        var filter = SignalFilter(kind)
        for _ in 0..<100_000 { filter.add(Int8.random(in: -90 ... -50, using: &random), at: at(0)) }
        let flooded = try #require(filter.value(at: at(0)))
        #expect((-90.0 ... -50).contains(flooded))
        let times: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 40, 1 << 62, .max - 1, .max]
        for _ in 0..<100_000 {
            let time = Instant(nanoseconds: times.randomElement(using: &random) ?? 0)
            filter.add(Int8.random(in: -128...127, using: &random), at: time)
            guard let value = filter.value(at: Instant(nanoseconds: times.randomElement(using: &random) ?? 0))
            else {
                continue
            }
            #expect((-128.0...127).contains(value))
        }
    }

    @Test("the same samples give the same value, and a filter is small") func small() {
        #expect(MemoryLayout<SignalTrace>.stride <= 160 && MemoryLayout<Track>.stride <= 224)
        #expect(FilterKind(named: "trimmed_mean") == .standard)
        #expect(FilterKind(named: "running_average") == .runningAverage(.seconds(20)))
        #expect(FilterKind(named: "mean") == nil)
        #expect(Set(FilterKind.named.map(\.name)).count == FilterKind.named.count)
    }
}
