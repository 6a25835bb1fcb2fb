import Testing

@testable import Presence

@Suite struct TrackingTests {
    @Test("each beacon of a region enters and leaves by itself, and the region is inside while one of them is")
    func each() {
        let scene = Scene(.of("shop", track: .beacons, exitAfter: .seconds(3)))
        scene.hear(1, 1, at: 0)
        scene.hear(1, 2, at: 1_500)
        scene.hear(1, 1, at: 2_000, rssi: -70)
        scene.advance(to: 6_000)
        #expect(
            scene.said() == [
                "0.000 shop unknown starting 0",
                "0.000 enter shop #1 1.1 -60.0 1.50 near", "0.000 shop inside 1",
                "1.500 enter shop #2 1.2 -60.0 1.50 near", "0.000 shop inside 2",
                "4.500 exit shop #3 of #2 1.2 -60.0 1.50 near last 1.500 dwell 0.000 adverts 1"
                    + " silent 3.000 blind 0.000 silence",
                "0.000 shop inside 1",
                "5.000 exit shop #4 of #1 1.1 -70.0 2.00 near last 2.000 dwell 2.000 adverts 2"
                    + " silent 3.000 blind 0.000 silence",
                "5.000 shop outside 0",
            ])
    }

    @Test("a region that is removed closes each of its beacons' visits, by identity") func removed() {
        let scene = Scene(.of("shop", track: .beacons))
        for minor in [3, 1, 2] as [UInt16] { scene.hear(1, minor, at: 0) }
        _ = scene.said()
        scene.reconfigure(at: 1_000)
        #expect(
            scene.said().suffix(4).map { $0.prefix(28) } == [
                "1.000 exit shop #4 of #2 1.1", "1.000 exit shop #5 of #3 1.2", "1.000 exit shop #6 of #1 1.3",
                "removed shop",
            ])
    }

    @Test("a region that is to track otherwise closes its visits and starts anew") func otherwise() {
        let scene = Scene(.of("shop"))
        scene.hear(1, 1, at: 0)
        _ = scene.said()
        scene.reconfigure(.of("shop", track: .beacons), at: 1_000)
        scene.hear(1, 1, at: 2_000)
        #expect(
            scene.said() == [
                "1.000 exit shop #2 of #1 1.1 -60.0 1.50 near last 0.000 dwell 0.000 adverts 1"
                    + " silent 1.000 blind 0.000 region_removed",
                "1.000 shop unknown starting 0",
                "2.000 enter shop #3 1.1 -60.0 1.50 near", "2.000 shop inside 1",
            ])
    }

    @Test("a beacon that is heard once does not enter, nor does it make the region outside") func lucky() {
        let scene = Scene(.of("shop", enter: .steady))
        scene.hear(1, 1, at: 5_000)
        scene.advance(to: 14_999)
        #expect(scene.said() == ["0.000 shop unknown starting 0"])
        scene.advance(to: 15_000)
        #expect(scene.said() == ["15.000 shop outside 0"])
    }

    @Test("a beacon that stays enters by its evidence, under one visit with the adverts from there on")
    func steady() {
        let scene = Scene(.of("shop", enter: .steady))
        for step in 0..<20 as Range<Int64> { scene.hear(1, 1, at: step * 500) }
        let said = scene.said()
        #expect(said.count == 3)
        #expect(said[1].contains(" enter shop #1 1.1 "))
        scene.advance(to: 60_000)
        #expect(scene.said().first?.contains(" exit shop #2 of #1 1.1 -60.0 1.50 near last 9.500 ") == true)
    }
}

@Suite struct SignalGateTests {
    private let gate = SignalGate(enter: -70, exit: -80)

    @Test("only adverts that are strong enough enter, and weaker ones keep a beacon inside") func hysteresis() {
        let scene = Scene(.of("door", 1, gate: gate))
        scene.hear(1, 1, at: 0, rssi: -71)
        scene.hear(1, 1, at: 100, rssi: nil)
        #expect(scene.said() == ["0.000 door unknown starting 0"])
        scene.hear(1, 1, at: 1_000, rssi: -70)
        scene.hear(1, 1, at: 8_000, rssi: -80)
        scene.hear(1, 1, at: 12_000, rssi: nil)
        scene.advance(to: 21_999)
        #expect(scene.said().map { $0.prefix(18) } == ["1.000 enter door #", "1.000 door inside "])
    }

    @Test("a beacon that is heard too weakly leaves, and the reason says so") func weak() {
        let scene = Scene(.of("door", 1, gate: gate))
        scene.hear(1, 1, at: 0)
        for second in 1...9 as ClosedRange<Int64> { scene.hear(1, 1, at: second * 1_000, rssi: -81) }
        scene.advance(to: 10_000)
        #expect(
            scene.said().suffix(2) == [
                "10.000 exit door #2 of #1 1.1 -60.0 4.98 far last 0.000 dwell 0.000 adverts 1"
                    + " silent 10.000 blind 0.000 weak",
                "10.000 door outside 0",
            ])
    }

    @Test("adverts too weak to enter do not keep a region from being outside") func outside() {
        let scene = Scene(.of("door", 1, gate: gate))
        for second in 1...9 as ClosedRange<Int64> { scene.hear(1, 1, at: second * 1_000, rssi: -90) }
        scene.advance(to: 10_000)
        #expect(scene.said() == ["0.000 door unknown starting 0", "10.000 door outside 0"])
    }
}

@Suite struct CalibrationTests {
    @Test("the power that was measured for a beacon, or for its narrowest region, counts instead of what it sends")
    func narrowest() {
        let scene = Scene(
            .of("all", ranging: .always, measuredPower: -70), .of("one", 1, measuredPower: -50), .of("two", 2))
        var configuration = scene.engine.configuration
        configuration.calibrations = [Scene.beacon(2, 9): -40]
        scene.reconfigure(configuration, at: 0)
        scene.hear(1, 1, at: 0, power: 12)
        scene.hear(2, 1, at: 0)
        scene.hear(2, 9, at: 0)
        scene.advance(to: 1_000)
        let model = scene.engine.configuration.distance
        let expected = [-70, -50, -40].map { model.estimate(rssi: -60, measuredPower: $0).accuracy }
        var found: [Double] = []
        scene.hear(1, 1, at: 1_100)
        scene.hear(2, 1, at: 1_100)
        scene.hear(2, 9, at: 1_100)
        scene.engine.advance(to: Scene.instant(2_000))
        for case .ranged(let it) in scene.engine.takeOutcomes() {
            found = it.items.map(\.reading.distance.accuracy)
            #expect(it.items.allSatisfy { !$0.reading.powerIsSuspect })
        }
        #expect(found == expected)
    }
}
