import Testing

@testable import Presence

@Suite struct BlindnessTests {
    @Test("a node that cannot hear yet knows nothing, and listens for absence from when it can") func start() {
        let scene = Scene(.of("door", 1), hearing: false)
        scene.advance(to: 60_000)
        scene.hears(from: 60_000)
        scene.advance(to: 69_999)
        #expect(scene.said() == ["0.000 door unknown starting 0"])
        scene.advance(to: 70_000)
        #expect(scene.said() == ["70.000 door outside 0"])
        #expect(scene.engine.blindness(at: Scene.instant(70_000)) == .seconds(60))
    }

    @Test("while blind nobody leaves; the region becomes unknown, and a sighting afterwards is no second enter")
    func blindVisit() {
        let scene = Scene(.of("door", 1))
        scene.hear(1, 1, at: 0)
        _ = scene.said()
        scene.isBlind(from: 4_000)
        scene.advance(to: 13_999)
        #expect(scene.said() == [])
        scene.advance(to: 600_000)
        #expect(scene.said() == ["14.000 door unknown radio_blind 0"])
        scene.hears(from: 600_000)
        scene.hear(1, 1, at: 605_000)
        #expect(scene.said() == ["605.000 door inside 1"])
        scene.advance(to: 700_000)
        #expect(
            scene.said() == [
                "615.000 exit door #2 of #1 1.1 -60.0 1.50 near last 605.000 dwell 605.000 adverts 2"
                    + " silent 10.000 blind 596.000 silence",
                "615.000 door outside 0",
            ])
    }

    @Test("silence is what was listened to: before and after a blindness it adds up") func frozen() {
        let scene = Scene(.of("door", 1))
        scene.hear(1, 1, at: 0)
        scene.isBlind(from: 6_000)
        scene.hears(from: 14_000)
        scene.advance(to: 17_999)
        #expect(scene.said().count == 3)
        scene.advance(to: 18_000)
        #expect(
            scene.said() == [
                "18.000 exit door #2 of #1 1.1 -60.0 1.50 near last 0.000 dwell 0.000 adverts 1"
                    + " silent 10.000 blind 8.000 silence",
                "18.000 door outside 0",
            ])
    }

    @Test("a visit that was unknown is closed when the rest of its silence has been listened to")
    func unknownVisit() {
        let scene = Scene(.of("door", 1))
        scene.hear(1, 1, at: 0)
        scene.isBlind(from: 9_000)
        scene.hears(from: 30_000)
        scene.advance(to: 40_000)
        #expect(
            scene.said().suffix(3) == [
                "19.000 door unknown radio_blind 0",
                "31.000 exit door #2 of #1 1.1 -60.0 1.50 near last 0.000 dwell 0.000 adverts 1"
                    + " silent 10.000 blind 21.000 silence",
                "31.000 door outside 0",
            ])
    }

    @Test("outside, too, is unknown after a long blindness, until absence has been listened for anew")
    func blindOutside() {
        let scene = Scene(.of("door", 1))
        scene.advance(to: 100_000)
        scene.isBlind(from: 100_000)
        scene.hears(from: 109_999)
        #expect(scene.said() == ["0.000 door unknown starting 0", "10.000 door outside 0"])
        scene.isBlind(from: 120_000)
        scene.hears(from: 130_000)
        scene.advance(to: 200_000)
        #expect(scene.said() == ["130.000 door unknown radio_blind 0", "140.000 door outside 0"])
    }

    @Test("an exit tells the blind time of its own visit alone") func ownBlindness() {
        let scene = Scene(.of("door", 1), hearing: false)
        scene.hears(from: 50_000)
        scene.hear(1, 1, at: 50_000)
        scene.isBlind(from: 51_000)
        scene.hears(from: 53_000)
        scene.advance(to: 70_000)
        #expect(
            scene.said().suffix(2) == [
                "62.000 exit door #2 of #1 1.1 -60.0 1.50 near last 50.000 dwell 0.000 adverts 1"
                    + " silent 10.000 blind 2.000 silence",
                "62.000 door outside 0",
            ])
    }

    @Test("short blindnesses do not keep a region unknown for ever") func flapping() {
        let scene = Scene(.of("door", 1))
        for minute in 0..<10 as Range<Int64> {
            scene.isBlind(from: minute * 5_000 + 4_000)
            scene.hears(from: minute * 5_000 + 5_000)
        }
        #expect(scene.said() == ["0.000 door unknown starting 0", "12.000 door outside 0"])
    }

    @Test("a region that starts anew listens anew after a long blindness") func longBlindnessAtStart() {
        let scene = Scene(.of("door", 1))
        scene.isBlind(from: 9_000)
        scene.hears(from: 60_000)
        scene.advance(to: 100_000)
        #expect(scene.said() == ["0.000 door unknown starting 0", "70.000 door outside 0"])
    }

    @Test("each region becomes unknown after its own timeout") func ownTimeouts() {
        let scene = Scene(.of("quick", 1, exitAfter: .seconds(2)), .of("slow", 1, exitAfter: .seconds(20)))
        scene.hear(1, 1, at: 0)
        _ = scene.said()
        scene.isBlind(from: 1_000)
        scene.advance(to: 60_000)
        #expect(scene.said() == ["3.000 quick unknown radio_blind 0", "21.000 slow unknown radio_blind 0"])
    }

    @Test("an advert heard while blind counts, and what it says is lost in its turn") func heardWhileBlind() {
        let scene = Scene(.of("door", 1, exitAfter: .seconds(2)), .of("till", 2, exitAfter: .seconds(2)))
        scene.hear(1, 1, at: 0)
        scene.isBlind(from: 1_000)
        scene.advance(to: 5_000)
        scene.hear(1, 1, at: 5_000)
        scene.hear(2, 1, at: 5_500)
        scene.hear(2, 1, at: 6_000)
        _ = scene.engine.takeOutcomes()
        scene.advance(to: 20_000)
        scene.hears(from: 20_000)
        scene.advance(to: 30_000)
        #expect(
            scene.said().map { $0.prefix(33) } == [
                "0.000 door unknown starting 0", "0.000 till unknown starting 0",
                "0.000 enter door #1 1.1 -60.0 1.5", "0.000 door inside 1",
                "3.000 door unknown radio_blind 0", "5.000 door inside 1",
                "5.500 enter till #2 2.1 -60.0 1.5", "5.500 till inside 1",
                "7.000 door unknown radio_blind 0", "8.000 till unknown radio_blind 0",
                "22.000 exit door #3 of #1 1.1 -60", "22.000 door outside 0",
                "22.000 exit till #4 of #2 2.1 -60", "22.000 till outside 0",
            ])
    }

    @Test("nothing is ranged while blind, and a silence that was not listened to makes nothing unknown")
    func ranging() {
        let scene = Scene(.of("shop", ranging: .always))
        scene.hear(1, 1, at: 500)
        scene.isBlind(from: 1_500)
        scene.hears(from: 8_500)
        scene.advance(to: 10_000)
        #expect(
            scene.ranged() == [
                "1.000 ranged shop: 1.1 -60.0 1.50 near x1", "9.000 ranged shop: 1.1 -60.0 1.50 near x0",
                "10.000 ranged shop: 1.1 ? ? unknown x0",
            ])
    }

    @Test("hearing twice or blind twice is said once") func repeated() {
        let scene = Scene(.of("door", 1))
        scene.hears(from: 1_000)
        scene.isBlind(from: 2_000)
        scene.isBlind(from: 3_000)
        scene.hears(from: 4_000)
        scene.hears(from: 5_000)
        #expect(scene.engine.blindness(at: Scene.instant(9_000)) == .seconds(2))
    }

    @Test("a region that nobody was to listen to is unknown for that reason") func paused() {
        let scene = Scene(.of("door", 1))
        scene.hear(1, 1, at: 0)
        scene.isBlind(from: 1_000, cause: .radioPaused)
        scene.advance(to: 11_000)
        #expect(scene.said().last == "11.000 door unknown radio_paused 0")
    }
}
