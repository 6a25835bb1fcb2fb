import Testing

@testable import Presence

@Suite struct MonitoringTests {
    @Test("a region is entered by the first advert and left after its timeout, under one visit") func visit() {
        let scene = Scene(.of("door", 1))
        scene.hear(1, 7, at: 500)
        scene.hear(1, 7, at: 2_500, rssi: -65)
        scene.advance(to: 12_499)
        #expect(
            scene.said() == [
                "0.000 door unknown starting 0",
                "0.500 enter door #1 1.7 -60.0 1.50 near",
                "0.500 door inside 1",
            ])
        scene.advance(to: 12_500)
        #expect(
            scene.said() == [
                "12.500 exit door #2 of #1 1.7 -65.0 1.73 near last 2.500 dwell 2.000 adverts 2"
                    + " silent 10.000 blind 0.000 silence",
                "12.500 door outside 0",
            ])
    }

    @Test("an exit has the time of its timeout however late time is told") func exactExit() {
        let scene = Scene(.of("door", 1, exitAfter: .milliseconds(5_001)))
        scene.hear(1, 1, at: 0)
        _ = scene.said()
        #expect(scene.engine.nextDeadline == Scene.instant(1_000))
        scene.advance(to: 100_000)
        #expect(scene.said().map { $0.prefix(10) } == ["5.001 exit", "5.001 door"])
    }

    @Test("a second visit has an id of its own") func secondVisit() {
        let scene = Scene(.of("door", 1, exitAfter: .seconds(1)))
        scene.hear(1, 1, at: 0)
        scene.advance(to: 3_000)
        scene.hear(1, 1, at: 3_000)
        scene.advance(to: 5_000)
        #expect(
            scene.said().filter { $0.contains(" enter ") || $0.contains(" exit ") }.map { $0.prefix(18) } == [
                "0.000 enter door #", "1.000 exit door #2", "3.000 enter door #", "4.000 exit door #4",
            ])
        #expect(scene.engine.takeSequence() == 5)
    }

    @Test("a region nobody is in becomes outside when its timeout has been listened to") func outside() {
        let scene = Scene(.of("door", 1), .of("till", 2, exitAfter: .seconds(3)))
        scene.advance(to: 60_000)
        #expect(
            scene.said() == [
                "0.000 door unknown starting 0", "0.000 till unknown starting 0", "3.000 till outside 0",
                "10.000 door outside 0",
            ])
    }

    @Test("an advert at the very moment of a timeout, told before it, prevents the exit") func tie() {
        let scene = Scene(.of("door", 1))
        scene.hear(1, 1, at: 0)
        scene.hear(1, 1, at: 10_000)
        scene.advance(to: 19_999)
        #expect(scene.said().count == 3)
        scene.advance(to: 20_000)
        #expect(scene.said().count == 2)
    }

    @Test("adverts that waited in a buffer count before their absence does") func buffered() {
        let scene = Scene(.of("door", 1))
        scene.hear(1, 1, at: 0)
        _ = scene.said()
        scene.hear(1, 1, at: 15_000)
        scene.advance(to: 15_000)
        #expect(scene.said() == [])
    }

    @Test("regions that overlap each have their own visit, in the regions' order") func overlap() {
        let scene = Scene(
            .of("all", exitAfter: .seconds(2)), .of("one", 1, exitAfter: .seconds(2)),
            .of("it", 1, 1, exitAfter: .seconds(2)), .of("same", 1, 1, exitAfter: .seconds(2)), .of("other", 2))
        _ = scene.said()
        scene.hear(1, 1, at: 100)
        #expect(
            scene.said() == [
                "0.100 enter all #1 1.1 -60.0 1.50 near", "0.100 all inside 1",
                "0.100 enter one #2 1.1 -60.0 1.50 near", "0.100 one inside 1",
                "0.100 enter it #3 1.1 -60.0 1.50 near", "0.100 it inside 1",
                "0.100 enter same #4 1.1 -60.0 1.50 near", "0.100 same inside 1",
            ])
        scene.advance(to: 2_100)
        let said = scene.said().filter { $0.contains(" exit ") }
        #expect(
            said.map { $0.prefix(21) } == [
                "2.100 exit all #5 of ", "2.100 exit one #6 of ", "2.100 exit it #7 of #", "2.100 exit same #8 of",
            ])
    }

    @Test("a region's beacons keep it together, and their number is told as it changes") func wildcard() {
        let scene = Scene(.of("shop", exitAfter: .seconds(3)))
        scene.hear(1, 1, at: 0)
        scene.hear(1, 2, at: 200)
        scene.hear(1, 2, at: 300, from: 9)
        scene.hear(2, 1, at: 2_900)
        scene.advance(to: 10_000)
        #expect(
            scene.said() == [
                "0.000 shop unknown starting 0",
                "0.000 enter shop #1 1.1 -60.0 1.50 near",
                "0.000 shop inside 1",
                "0.000 shop inside 2",
                "0.000 shop inside 3",
                "0.000 shop inside 1",
                "5.900 exit shop #2 of #1 2.1 -60.0 1.50 near last 2.900 dwell 2.900 adverts 4"
                    + " silent 3.000 blind 0.000 silence",
                "5.900 shop outside 0",
            ])
    }

    @Test("a region that wants no events still has its state told, and its events numbered") func quiet() {
        let scene = Scene(.of("door", 1, notifyOnEntry: false, notifyOnExit: false))
        scene.hear(1, 1, at: 0)
        scene.advance(to: 10_000)
        #expect(
            scene.said() == [
                "0.000 door unknown starting 0",
                "0.000 enter door #1 1.1 -60.0 1.50 near quiet",
                "0.000 door inside 1",
                "10.000 exit door #2 of #1 1.1 -60.0 1.50 near last 0.000 dwell 0.000 adverts 1"
                    + " silent 10.000 blind 0.000 silence quiet",
                "10.000 door outside 0",
            ])
    }

    @Test("an advert without strength enters as well, at an unknown distance") func noStrength() {
        let scene = Scene(.of("door", 1))
        _ = scene.said()
        scene.hear(1, 1, at: 0, rssi: nil)
        scene.hear(1, 1, at: 100, rssi: -40, power: 12)
        scene.advance(to: 10_100)
        #expect(
            scene.said() == [
                "0.000 enter door #1 1.1 ? ? unknown",
                "0.000 door inside 1",
                "10.100 exit door #2 of #1 1.1 -40.0 0.48 immediate suspect last 0.100 dwell 0.100 adverts 2"
                    + " silent 10.000 blind 0.000 silence",
                "10.100 door outside 0",
            ])
    }

    @Test("a beacon of no region is not watched and leaves nothing behind") func stranger() {
        let scene = Scene(.of("door", 1, 1))
        _ = scene.said()
        #expect(scene.hear(1, 1, at: 0))
        #expect(!scene.hear(1, 2, at: 0))
        #expect(!scene.hear(2, 1, at: 0))
        #expect(scene.engine.beaconCount == 1)
        scene.endWindow(at: 500)
        #expect(
            scene.windows() == [
                "0.000 window 0.500 blind 0.000: 1.1 x1 0.000-0.000 -60/-60/-60 mean -60.00 deviation 0.00"
            ])
    }

    @Test("time that goes back is taken as standing still") func backwards() {
        let scene = Scene(.of("door", 1, exitAfter: .seconds(2)))
        scene.hear(1, 1, at: 5_000)
        scene.hear(1, 1, at: 1_000)
        scene.advance(to: 0)
        scene.isBlind(from: 3)
        scene.hears(from: 2)
        scene.advance(to: 7_000)
        #expect(
            scene.said().suffix(2) == [
                "7.000 exit door #2 of #1 1.1 -60.0 1.50 near last 5.000 dwell 0.000 adverts 2"
                    + " silent 2.000 blind 0.000 silence",
                "7.000 door outside 0",
            ])
    }

    @Test("instants and timeouts at the ends of what can be counted trap nothing") func extremes() {
        let regions = [
            Region.of("never", 1, exitAfter: Span(nanoseconds: .max)), .of("now", 1, exitAfter: .zero),
            .of("before", 1, exitAfter: Span(nanoseconds: .min)),
        ]
        for start: Int64 in [.min, .max - 3_000_000_000] {
            var engine = PresenceEngine(
                PresenceConfiguration(regions: regions, windowLength: Span(nanoseconds: .max)),
                at: Instant(nanoseconds: start), hearing: true)
            for offset: Int64 in [0, 1_000_000_000, 2_999_999_999, 3_000_000_000] {
                let time = Instant(nanoseconds: start + offset)
                engine.sighted(
                    Sighting(
                        identity: Scene.beacon(1, 1), source: 1, rssi: .min, measuredPower: .max, time: time))
                engine.advance(to: time)
                engine.isBlind(from: time)
                engine.hears(from: time)
                engine.endWindow(at: time)
            }
            #expect(engine.regionStates[0].value == .inside)
        }
    }
}
