import Testing

@testable import Presence

@Suite struct ReconfigurationTests {
    @Test("a region that stays keeps its visit, wherever it stands in the list") func kept() {
        let scene = Scene(.of("door", 1), .of("till", 2))
        scene.hear(1, 1, at: 0)
        _ = scene.said()
        scene.reconfigure(.of("till", 2), .of("new", 3), .of("door", 1), at: 5_000)
        #expect(scene.said() == ["5.000 new unknown starting 0"])
        scene.hear(1, 1, at: 6_000)
        scene.advance(to: 16_000)
        #expect(
            scene.said() == [
                "10.000 till outside 0", "15.000 new outside 0",
                "16.000 exit door #2 of #1 1.1 -60.0 1.50 near last 6.000 dwell 6.000 adverts 2"
                    + " silent 10.000 blind 0.000 silence",
                "16.000 door outside 0",
            ])
    }

    @Test("a region that is removed closes its visit with that reason") func removed() {
        let scene = Scene(.of("door", 1), .of("till", 2))
        scene.hear(1, 1, at: 1_000)
        _ = scene.said()
        scene.reconfigure(at: 3_000)
        #expect(
            scene.said() == [
                "3.000 exit door #2 of #1 1.1 -60.0 1.50 near last 1.000 dwell 0.000 adverts 1"
                    + " silent 2.000 blind 0.000 region_removed",
                "removed door", "removed till",
            ])
        #expect(!scene.hear(1, 1, at: 3_000))
        #expect(scene.engine.regionStates == [])
        scene.advance(to: 60_000)
        #expect(scene.said() == [])
    }

    @Test("a region of another identity under the same id starts anew") func changed() {
        let scene = Scene(.of("door", 1))
        scene.hear(1, 1, at: 1_000)
        _ = scene.said()
        scene.reconfigure(.of("door", 2), at: 3_000)
        scene.hear(2, 1, at: 4_000)
        #expect(
            scene.said() == [
                "3.000 exit door #2 of #1 1.1 -60.0 1.50 near last 1.000 dwell 0.000 adverts 1"
                    + " silent 2.000 blind 0.000 region_removed",
                "3.000 door unknown starting 0",
                "4.000 enter door #3 2.1 -60.0 1.50 near",
                "4.000 door inside 1",
            ])
    }

    @Test("a shorter timeout counts from the silence so far, but no exit is dated back") func shorter() {
        let scene = Scene(.of("door", 1, exitAfter: .seconds(60)))
        scene.hear(1, 1, at: 0)
        _ = scene.said()
        scene.reconfigure(.of("door", 1, exitAfter: .seconds(5), notifyOnExit: false), at: 30_000)
        #expect(scene.said() == [])
        scene.advance(to: 40_000)
        #expect(
            scene.said() == [
                "30.000 exit door #2 of #1 1.1 -60.0 1.50 near last 0.000 dwell 0.000 adverts 1"
                    + " silent 30.000 blind 0.000 silence quiet",
                "30.000 door outside 0",
            ])
    }

    @Test("a longer timeout keeps a region that would have been left") func longer() {
        let scene = Scene(.of("door", 1, exitAfter: .seconds(5)))
        scene.hear(1, 1, at: 0)
        scene.reconfigure(.of("door", 1, exitAfter: .seconds(20)), at: 4_000)
        scene.advance(to: 19_999)
        #expect(scene.engine.regionStates.map(\.value) == [.inside])
        scene.advance(to: 20_000)
        #expect(scene.engine.regionStates.map(\.value) == [.outside])
    }

    @Test("a timeout changed while blind does not make a region outside that was not listened to") func blind() {
        let scene = Scene(.of("door", 1, exitAfter: .seconds(2)))
        scene.advance(to: 60_000)
        scene.isBlind(from: 60_000)
        scene.advance(to: 65_000)
        scene.reconfigure(.of("door", 1, exitAfter: .seconds(30)), at: 65_000)
        scene.hears(from: 80_000)
        scene.advance(to: 200_000)
        #expect(
            scene.said() == [
                "0.000 door unknown starting 0", "2.000 door outside 0", "62.000 door unknown radio_blind 0",
                "110.000 door outside 0",
            ])
    }

    @Test("a beacon that a new region holds is in it from its next advert, and ranged at once") func taken() {
        let scene = Scene(.of("all", ranging: .off))
        scene.hear(1, 1, at: 100)
        scene.reconfigure(.of("all", ranging: .off), .of("one", 1, ranging: .always), at: 500)
        scene.advance(to: 1_000)
        #expect(scene.ranged() == ["1.000 ranged one: 1.1 -60.0 1.50 near x1"])
        #expect(scene.engine.regionStates.map(\.value) == [.inside, .unknown])
        scene.hear(1, 1, at: 1_100)
        #expect(scene.engine.regionStates.map(\.value) == [.inside, .inside])
    }

    @Test("a beacon that no region holds any more is in the window it was heard in and then forgotten")
    func forgotten() {
        let scene = Scene(PresenceConfiguration(regions: [.of("all")], windowLength: .seconds(2)))
        scene.hear(1, 1, at: 100)
        scene.hear(2, 1, at: 100)
        var configuration = scene.engine.configuration
        configuration.regions = [.of("two", 2)]
        scene.reconfigure(configuration, at: 500)
        #expect(!scene.hear(1, 1, at: 600))
        #expect(!scene.hear(1, 1, at: 600, from: 2))
        #expect(scene.hear(2, 1, at: 600))
        scene.advance(to: 2_000)
        #expect(scene.engine.beaconCount == 1)
        let signal = "-60/-60/-60 mean -60.00 deviation 0.00"
        #expect(
            scene.windows() == [
                "0.000 window 2.000 blind 0.000: 1.1 x1 0.100-0.100 \(signal), 2.1 x2 0.100-0.600 \(signal)"
            ])
    }

    @Test("another window length ends the window; anything else leaves it alone") func windowLength() {
        let scene = Scene(PresenceConfiguration(regions: [.of("all")], windowLength: .seconds(10)))
        var configuration = scene.engine.configuration
        configuration.regions = []
        scene.reconfigure(configuration, at: 1_000)
        configuration.windowLength = .seconds(4)
        scene.reconfigure(configuration, at: 3_000)
        scene.advance(to: 8_000)
        #expect(
            scene.windows() == [
                "0.000 window 3.000 blind 0.000:", "3.000 window 1.000 blind 0.000:",
                "4.000 window 4.000 blind 0.000:",
            ])
    }

    @Test("a lower limit makes room at once") func limit() {
        let scene = Scene(PresenceConfiguration(regions: [.of("all")], windowLength: .seconds(10)))
        for minor in 0..<10 as Range<UInt16> { scene.hear(1, minor, at: Int64(minor)) }
        var configuration = scene.engine.configuration
        configuration.beaconLimit = 3
        scene.reconfigure(configuration, at: 100)
        #expect(scene.engine.beaconCount == 3)
        #expect(scene.engine.evicted == 7)
        #expect(scene.engine.regionStates.map(\.value) == [.inside])
        scene.advance(to: 1_000)
        #expect(scene.engine.regionStates.map(\.beacons) == [3])
    }

    @Test("a beacon that has to make room while regions go leaves those that stay") func evictedMeanwhile() {
        let scene = Scene(.of("few", 2), .of("many", 1), .of("nobody", 3))
        scene.hear(2, 1, at: 0)
        for minor in 0..<200 as Range<UInt16> { scene.hear(1, minor, at: 1) }
        scene.advance(to: 1_000)
        _ = scene.said()
        var configuration = scene.engine.configuration
        configuration.regions = [.of("few", 2)]
        configuration.beaconLimit = 50
        scene.reconfigure(configuration, at: 1_000)
        #expect(
            scene.said().map { $0.prefix(28) } == [
                "1.000 exit many #3 of #2 1.0", "removed many", "removed nobody", "1.000 exit few #4 of #1 2.1 ",
                "1.000 few unknown evicted 0",
            ])
        scene.advance(to: 60_000)
        #expect(scene.said() == ["11.000 few outside 0"])
        #expect(scene.engine.silences.count == 0)
    }
}
