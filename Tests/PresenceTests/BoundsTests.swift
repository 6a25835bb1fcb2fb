import Beacon
import TestSupport
import Testing

@testable import Presence

@Suite struct BoundsTests {
    private func flooded(limit: Int, _ adverts: Int, _ sighting: (inout SeededGenerator, Instant) -> Sighting)
        -> PresenceEngine
    {
        var engine = PresenceEngine(
            PresenceConfiguration(
                regions: [.of("shop", ranging: .inside), .of("door", 1, 1)], windowLength: .seconds(3_600),
                beaconLimit: limit), at: Scene.instant(0), hearing: true)
        var random = SeededGenerator(seed: 4)
        for number in 0..<adverts {
            engine.sighted(sighting(&random, Scene.instant(Int64(number) / 3)))
            _ = engine.takeOutcomes()
            if engine.tracks.count > limit || engine.records.count > limit {
                Issue.record("\(engine.tracks.count) tracks and \(engine.records.count) records of \(limit)")
                break
            }
        }
        return engine
    }

    @Test("a flood of random identities is held at the limit, and its adverts all add up") func identities() {
        let adverts = 100_000
        var engine = flooded(limit: 500, adverts) { random, time in
            Sighting(
                identity: Scene.beacon(.random(in: 0...9, using: &random), .random(in: 0 ... .max, using: &random)),
                source: random.next(), rssi: .random(in: -90 ... -40, using: &random), measuredPower: -59,
                time: time)
        }
        #expect(engine.beaconCount == 500)
        engine.endWindow(at: Scene.instant(60_000))
        var heard = 0
        for case .windowEnded(let window) in engine.takeOutcomes() {
            heard += window.items.reduce(window.evictedAdverts) { $0 + $1.adverts }
        }
        #expect(heard == adverts)
        #expect(engine.silences.count <= 3 * (500 + 2) + 64)
    }

    @Test("a flood of random addresses is held at the limit, and its beacon is one") func addresses() {
        let engine = flooded(limit: 500, 100_000) { random, time in
            Sighting(identity: Scene.beacon(1, 1), source: random.next(), rssi: -60, measuredPower: -59, time: time)
        }
        #expect(engine.beaconCount == 1)
        #expect(engine.regionStates.map(\.beacons) == [1, 1])
    }

    @Test("a flood does not push out a beacon that is heard all the time, nor end a visit") func regular() {
        var turn = 0
        let engine = flooded(limit: 50, 20_000) { random, time in
            turn += 1
            let identity =
                turn % 40 == 1 ? Scene.beacon(1, 1) : Scene.beacon(7, .random(in: 0 ... .max, using: &random))
            return Sighting(
                identity: identity, source: turn % 40 == 1 ? 1 : random.next(), rssi: -60, measuredPower: -59,
                time: time)
        }
        let known = Scene.beacon(1, 1)
        let hash = engine.hash.adding(1, to: engine.hash(known))
        #expect(engine.tracks.slot(at: 1, hash: hash) { engine.records[$0].identity == known } != nil)
        #expect(engine.knownRecord(of: known).map { engine.records[$0].adverts } == 500)
        #expect(engine.regionStates.map(\.value) == [.inside, .inside])
    }

    @Test("the eviction of its only beacon closes a visit, and nobody knows whether it is still there")
    func evictedVisit() {
        let scene = Scene(
            PresenceConfiguration(
                regions: [.of("one", 1), .of("two", 2)], windowLength: .seconds(3_600), beaconLimit: 1))
        scene.hear(1, 1, at: 0)
        _ = scene.said()
        scene.hear(2, 1, at: 1_000)
        scene.advance(to: 20_000)
        #expect(
            scene.said() == [
                "1.000 exit one #2 of #1 1.1 -60.0 1.50 near last 0.000 dwell 0.000 adverts 1"
                    + " silent 1.000 blind 0.000 evicted",
                "1.000 one unknown evicted 0", "1.000 enter two #3 2.1 -60.0 1.50 near", "1.000 two inside 1",
                "11.000 one outside 0",
                "11.000 exit two #4 of #3 2.1 -60.0 1.50 near last 1.000 dwell 0.000 adverts 1"
                    + " silent 10.000 blind 0.000 silence",
                "11.000 two outside 0",
            ])
        #expect(scene.engine.evicted == 1)
    }

    @Test("a region that other beacons are in stays entered when one of them makes room") func evictedOne() {
        let scene = Scene(
            PresenceConfiguration(
                regions: [.of("all"), .of("each", track: .beacons)], windowLength: .seconds(3_600), beaconLimit: 2))
        for minor in 1...3 as ClosedRange<UInt16> { scene.hear(1, minor, at: Int64(minor)) }
        #expect(
            scene.said().suffix(2) == [
                "0.003 exit each #4 of #2 1.1 -60.0 1.50 near last 0.001 dwell 0.000 adverts 1"
                    + " silent 0.002 blind 0.000 evicted", "0.003 enter each #5 1.3 -60.0 1.50 near",
            ])
    }

    @Test("a limit of nothing is taken as one", arguments: [0, -1, .min]) func noLimit(limit: Int) {
        let scene = Scene(PresenceConfiguration(regions: [.of("all")], beaconLimit: limit))
        scene.hear(1, 1, at: 0)
        scene.hear(1, 2, at: 0)
        #expect(scene.engine.beaconCount == 1)
    }

    @Test("all of a capture may have one time") func oneTime() {
        let scene = Scene(.of("shop", ranging: .inside))
        for _ in 0..<70_000 { scene.hear(1, 1, at: 0, rssi: -100) }
        scene.advance(to: 1_000)
        scene.endWindow(at: 1_000)
        #expect(
            scene.windows() == [
                "0.000 window 1.000 blind 0.000: 1.1 x70000 0.000-0.000 -100/-100/-100 mean -100.00 deviation 0.00"
            ])
    }
}
