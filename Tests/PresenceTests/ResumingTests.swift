import Testing

@testable import Presence

@Suite struct ResumingTests {
    /// A scene in which a region has been entered, and what it leaves behind at a time.
    private func left(_ region: Region, at time: Int64, _ hear: (Scene) -> Void) -> [OpenVisit] {
        let scene = Scene(region)
        hear(scene)
        scene.advance(to: time)
        return scene.engine.openVisits(at: Scene.instant(time))
    }

    private func scene(_ regions: Region..., at start: Int64, hearing: Bool = true, _ open: [OpenVisit]) -> Scene {
        Scene(
            PresenceConfiguration(regions: regions, windowLength: .seconds(3_600)), hearing: hearing, at: start,
            epoch: 2, continuing: open)
    }

    @Test("a visit goes on without a second enter when its beacon is heard in time") func goesOn() {
        let open = left(.of("door", 1), at: 4_000) { $0.hear(1, 1, at: 1_000) }
        #expect(open.map(\.id) == [VisitID(epoch: 1, sequence: 1)])
        let scene = scene(.of("door", 1), at: 60_000, open)
        scene.hear(1, 1, at: 66_999)
        scene.advance(to: 80_000)
        #expect(
            scene.said() == [
                "60.000 door unknown starting 0", "66.999 door inside 1",
                "76.999 exit door #1 of #1 1.1 -60.0 1.50 near last 66.999 dwell 65.999 adverts 2"
                    + " silent 10.000 blind 56.000 silence",
                "76.999 door outside 0",
            ])
    }

    @Test("a visit whose beacon is not heard in time is closed with the reason and its bounds") func closed() {
        let open = left(.of("door", 1), at: 4_000) { $0.hear(1, 1, at: 1_000) }
        let scene = scene(.of("door", 1), at: 60_000, hearing: false, open)
        scene.hears(from: 61_000)
        scene.advance(to: 80_000)
        // Of the ten seconds three were listened to before the end.
        #expect(
            scene.said() == [
                "60.000 door unknown starting 0",
                "68.000 exit door #1 of #1 1.1 -60.0 1.50 near last 1.000 dwell 0.000 adverts 1"
                    + " silent 10.000 blind 57.000 restart before 61.000",
                "68.000 door outside 0",
            ])
    }

    @Test("another beacon of the region continues its visit at once, if it has one for all") func another() {
        let open = left(.of("shop", enter: .steady), at: 22_000) { scene in
            for step in 0..<40 as Range<Int64> { scene.hear(1, 1, at: step * 500) }
        }
        #expect(open.count == 1)
        let scene = scene(.of("shop", enter: .steady), at: 40_000, open)
        scene.hear(1, 2, at: 41_000)
        #expect(scene.said() == ["40.000 shop unknown starting 0", "41.000 shop inside 2"])
    }

    @Test("each beacon's visit goes on by itself") func each() {
        let region = Region.of("shop", track: .beacons)
        let open = left(region, at: 2_000) { scene in
            scene.hear(1, 2, at: 0)
            scene.hear(1, 1, at: 1_000)
        }
        #expect(open.map(\.identity) == [Scene.beacon(1, 1), Scene.beacon(1, 2)])
        let scene = scene(region, at: 10_000, open)
        scene.hear(1, 1, at: 11_000)
        scene.advance(to: 30_000)
        #expect(
            scene.said().filter { $0.contains(" e") }.map { $0.prefix(30) } == [
                "18.000 exit shop #1 of #1 1.2 ", "21.000 exit shop #2 of #2 1.1 ",
            ])
    }

    @Test("a visit of a region that is no longer there, or is another, is closed at once") func gone() {
        let open = left(.of("door", 1), at: 4_000) { $0.hear(1, 1, at: 1_000) }
        for regions in [[], [Region.of("door", 2)], [.of("door", 1, track: .beacons)]] {
            let scene = Scene(
                PresenceConfiguration(regions: regions, windowLength: .seconds(3_600)), at: 9_000, epoch: 2,
                continuing: open)
            #expect(
                scene.said().filter { $0.contains(" exit ") } == [
                    "9.000 exit door #1 of #1 1.1 -60.0 1.50 near last 1.000 dwell 0.000 adverts 1"
                        + " silent 3.000 blind 5.000 region_removed"
                ])
        }
    }

    @Test("what is left behind again before anything is heard is the same visit") func again() {
        let open = left(.of("door", 1), at: 4_000) { $0.hear(1, 1, at: 1_000) }
        let second = scene(.of("door", 1), at: 60_000, open)
        second.advance(to: 62_000)
        let still = second.engine.openVisits(at: Scene.instant(62_000))
        #expect(still.map(\.id) == open.map(\.id))
        #expect(still.map(\.silence) == [.seconds(5)])
        #expect(still.map(\.blind) == [.seconds(56)])
    }
}
