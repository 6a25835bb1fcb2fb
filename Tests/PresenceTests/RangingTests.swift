import Beacon
import Testing

@testable import Presence

@Suite struct RangingTests {
    @Test("a second lists the nearest first, ties by identity and address, unknown ones last") func order() {
        let scene = Scene(.of("shop", ranging: .inside))
        scene.hear(3, 1, at: 100, rssi: nil)
        scene.hear(2, 9, at: 100, rssi: -70)
        scene.hear(2, 8, at: 100, rssi: -70, from: 2)
        scene.hear(2, 8, at: 100, rssi: -70, from: 1, power: -58)
        scene.hear(2, 8, at: 100, rssi: -70, from: 3)
        scene.hear(2, 8, at: 100, rssi: -70, from: 3)
        scene.hear(1, 5, at: 100, rssi: -80)
        scene.hear(9, 9, at: 100, rssi: -30)
        scene.hear(1, 1, at: 100, rssi: nil)
        scene.advance(to: 1_000)
        #expect(
            scene.ranged() == [
                "1.000 ranged shop: 9.9 -30.0 0.27 immediate x1, 2.8 -70.0 2.66 near x1, 2.8 -70.0 2.66 near x2,"
                    + " 2.9 -70.0 2.66 near x1, 2.8 -70.0 2.81 near x1, 1.5 -80.0 4.71 far x1,"
                    + " 1.1 ? ? unknown x1, 3.1 ? ? unknown x1"
            ])
    }

    @Test("a second's strength is the mean of that second's adverts that had one") func mean() {
        let scene = Scene(.of("shop", ranging: .inside))
        scene.hear(1, 1, at: 0, rssi: -60)
        scene.hear(1, 1, at: 500, rssi: nil)
        scene.hear(1, 1, at: 999, rssi: -63)
        scene.hear(1, 1, at: 1_000, rssi: -80)
        scene.advance(to: 2_000)
        #expect(
            scene.ranged() == [
                "1.000 ranged shop: 1.1 -61.5 1.64 near x3", "2.000 ranged shop: 1.1 -80.0 1.78 near x1",
            ])
    }

    @Test("a beacon silent for 2 s is unknown, silent for 10 s it is no longer listed") func silence() {
        let scene = Scene(.of("shop", ranging: .inside, exitAfter: .seconds(60)))
        scene.hear(1, 1, at: 0)
        scene.hear(1, 2, at: 1)
        scene.advance(to: 11_000)
        #expect(
            scene.ranged() == [
                "1.000 ranged shop: 1.1 -60.0 1.50 near x1, 1.2 -60.0 1.50 near x1",
                "2.000 ranged shop: 1.2 -60.0 1.50 near x0, 1.1 ? ? unknown x0",
                "3.000 ranged shop: 1.1 ? ? unknown x0, 1.2 ? ? unknown x0",
                "4.000 ranged shop: 1.1 ? ? unknown x0, 1.2 ? ? unknown x0",
                "5.000 ranged shop: 1.1 ? ? unknown x0, 1.2 ? ? unknown x0",
                "6.000 ranged shop: 1.1 ? ? unknown x0, 1.2 ? ? unknown x0",
                "7.000 ranged shop: 1.1 ? ? unknown x0, 1.2 ? ? unknown x0",
                "8.000 ranged shop: 1.1 ? ? unknown x0, 1.2 ? ? unknown x0",
                "9.000 ranged shop: 1.1 ? ? unknown x0, 1.2 ? ? unknown x0",
                "10.000 ranged shop: 1.2 ? ? unknown x0",
                "11.000 ranged shop:",
            ])
    }

    @Test("a beacon that changes its address is listed twice until the old one is forgotten") func addressChange() {
        let scene = Scene(.of("shop", ranging: .inside))
        scene.hear(1, 1, at: 900, rssi: -50, from: 1)
        for second in 1...12 { scene.hear(1, 1, at: Int64(second) * 1_000, rssi: -70, from: 2) }
        scene.advance(to: 12_000)
        let both = "1.1 -70.0 2.66 near x1, 1.1 ? ? unknown x0"
        #expect(
            scene.ranged() == [
                "1.000 ranged shop: 1.1 -50.0 0.85 near x1",
                "2.000 ranged shop: 1.1 -50.0 0.85 near x0, 1.1 -70.0 2.66 near x1",
            ] + (3...10).map { "\($0).000 ranged shop: \(both)" } + [
                "11.000 ranged shop: 1.1 -70.0 2.66 near x1", "12.000 ranged shop: 1.1 -70.0 2.66 near x1",
            ])
        #expect(scene.engine.beaconCount == 1)
    }

    @Test("a strength is not held for longer than a silent beacon's would be") func staleStrength() {
        let scene = Scene(.of("shop", ranging: .inside))
        scene.hear(1, 1, at: 500, rssi: -60)
        for second in 1...3 { scene.hear(1, 1, at: Int64(second) * 1_000 + 500, rssi: nil) }
        scene.advance(to: 4_000)
        #expect(
            scene.ranged() == [
                "1.000 ranged shop: 1.1 -60.0 1.50 near x1", "2.000 ranged shop: 1.1 -60.0 1.50 near x1",
                "3.000 ranged shop: 1.1 ? ? unknown x1", "4.000 ranged shop: 1.1 ? ? unknown x1",
            ])
    }

    @Test("a region is ranged while inside, always, or not at all") func modes() {
        let scene = Scene(
            .of("inside", 1, ranging: .inside, exitAfter: .milliseconds(2_500)), .of("always", 1, ranging: .always),
            .of("off", 1, ranging: .off))
        scene.advance(to: 1_000)
        scene.hear(1, 1, at: 1_200)
        scene.advance(to: 5_000)
        #expect(
            scene.ranged() == [
                "1.000 ranged always:",
                "2.000 ranged inside: 1.1 -60.0 1.50 near x1", "2.000 ranged always: 1.1 -60.0 1.50 near x1",
                "3.000 ranged inside: 1.1 -60.0 1.50 near x0", "3.000 ranged always: 1.1 -60.0 1.50 near x0",
                "4.000 ranged always: 1.1 ? ? unknown x0", "5.000 ranged always: 1.1 ? ? unknown x0",
            ])
    }

    @Test("a second lists the hundred nearest and says how many more there were") func limit() {
        let scene = Scene(.of("shop", ranging: .inside))
        for minor in 0..<130 as Range<UInt16> { scene.hear(1, minor, at: 0, rssi: Int8(-20 - Int(minor) / 2)) }
        scene.advance(to: 1_000)
        let line = scene.ranged().joined()
        #expect(line.hasPrefix("1.000 ranged shop: 1.0 -20.0 "))
        #expect(line.contains(" 1.99 -69.0 "))
        #expect(!line.contains(" 1.100 "))
        #expect(line.hasSuffix(" and 30 more"))
    }

    @Test("a beacon silent in a region with a long timeout still counts in it") func longTimeout() {
        let scene = Scene(.of("shop", ranging: .inside, exitAfter: .seconds(86_400)))
        scene.hear(1, 1, at: 0)
        scene.hear(1, 2, at: 0)
        scene.advance(to: 3_600_000)
        #expect(scene.engine.regionStates.map(\.beacons) == [2])
        #expect(scene.engine.beaconCount == 2)
        scene.advance(to: 86_400_000)
        #expect(scene.engine.regionStates.map(\.value) == [.outside])
    }
}
