import System
import Testing

@testable import Presence
@testable import beacon_bench

@Suite("The yardstick's truth") struct AirTests {
    private func gaps(_ air: Air, _ length: Double = 5_000, scan: Air.Scan = .random) -> [Double] {
        var dice = SeededRandom(seed: 1, stream: 1)
        let adverts = air.adverts(until: length, scan: scan, &dice)
        return zip(adverts.dropFirst(), adverts).map { ($0 - $1).seconds }
    }

    @Test("a beacon of which nothing is lost sends after its interval and up to 10 ms") func clear() {
        for interval in Grid.intervals {
            let gaps = gaps(Air(interval: interval))
            #expect(gaps.allSatisfy { $0 >= interval - 1e-6 && $0 < interval + 0.01 + 1e-6 })
        }
    }

    @Test("the mean gap between adverts received is what the grid is grouped by") func meanGap() {
        for air in Grid.cells where air.interval <= 2 && (0.5...5).contains(air.meanGap) && air.burst < 15 {
            let gaps = gaps(air)
            let mean = gaps.reduce(0, +) / Double(gaps.count)
            #expect(abs(mean / air.meanGap - 1) < 0.15, "\(air): \(mean)")
        }
    }

    @Test("bursts of loss are as long as they are said to be") func bursts() {
        for burst in [3.0, 15] {
            let gaps = gaps(Air(interval: 0.1, loss: 0.6, burst: burst), 10_000)
            // Whatever is much longer than an interval is a bad time; the shortest of them do not show.
            let bad = gaps.filter { $0 > 0.2 }.map { $0 - 0.1 }
            let mean = bad.reduce(0, +) / Double(bad.count)
            #expect(abs(mean / burst - 1) < 0.15, "\(mean) s")
        }
    }

    @Test("scan windows hear the duty's share over time, and beat with the interval") func windows() {
        let gaps = gaps(Air(interval: 1, duty: 0.3), scan: .windows)
        #expect(abs(5_000 / Double(gaps.count) - 1.005 / 0.3) < 0.2)
        // 70 ms out of the window at 5 ms an advert.
        #expect(gaps.max() ?? 0 > 10)
    }

    @Test("the grid has 234 kinds of air, 89, 87 and 58 in its groups") func grid() {
        #expect(Grid.cells.count == 234)
        let groups = Grid.Group.allCases.map { group in
            Grid.cells.filter { Grid.Group(of: $0) == group }.count
        }
        #expect(groups == [89, 87, 58])
    }

    @Test("the same seed gives the same adverts, another does not") func seeds() {
        let air = Air(interval: 0.35, loss: 0.6, burst: 3, duty: 0.5)
        func adverts(_ seed: UInt64, _ stream: UInt64) -> [Instant] {
            var dice = SeededRandom(seed: seed, stream: stream)
            return air.adverts(until: 100, &dice)
        }
        #expect(adverts(1, 1) == adverts(1, 1))
        #expect(adverts(1, 1) != adverts(2, 1))
        #expect(adverts(1, 1) != adverts(1, 2))
    }
}
