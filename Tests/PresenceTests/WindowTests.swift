import Beacon
import Testing

@testable import Presence

@Suite struct WindowTests {
    private func scene(_ length: Span = .seconds(2), limit: Int = 100) -> Scene {
        Scene(PresenceConfiguration(regions: [.of("shop")], windowLength: length, beaconLimit: limit))
    }

    @Test("a window tells each beacon's adverts, times and strengths, by identity") func statistics() {
        let scene = scene()
        scene.hear(2, 1, at: 100, rssi: nil)
        scene.hear(1, 2, at: 200, rssi: -70)
        scene.hear(1, 2, at: 300, rssi: -60, from: 2)
        scene.hear(1, 2, at: 1_000, rssi: -80)
        scene.hear(1, 2, at: 1_500, rssi: nil)
        scene.hear(1, 2, at: 1_999, rssi: -62)
        scene.hear(1, 1, at: 1_999, rssi: 20, power: 3)
        scene.advance(to: 2_000)
        #expect(
            scene.windows() == [
                "0.000 window 2.000 blind 0.000: 1.1 x1 1.999-1.999 20/20/20 mean 20.00 deviation 0.00 suspect,"
                    + " 1.2 x5 0.200-1.999 -80/-70/-60 mean -68.00 deviation 7.87 from 2, 2.1 x1 0.100-0.100 ?"
            ])
    }

    @Test("an advert at a window's end belongs to the next one") func boundary() {
        let scene = scene()
        scene.hear(1, 1, at: 1_999)
        scene.hear(1, 1, at: 2_000)
        scene.hear(1, 1, at: 3_999)
        scene.endWindow(at: 4_000)
        let signal = "-60/-60/-60 mean -60.00 deviation 0.00"
        #expect(
            scene.windows() == [
                "0.000 window 2.000 blind 0.000: 1.1 x1 1.999-1.999 \(signal)",
                "2.000 window 2.000 blind 0.000: 1.1 x2 0.000-1.999 \(signal)",
            ])
    }

    @Test("a window in which nothing was heard is told as well") func empty() {
        let scene = scene()
        scene.advance(to: 5_999)
        #expect(scene.windows() == ["0.000 window 2.000 blind 0.000:", "2.000 window 2.000 blind 0.000:"])
    }

    @Test("a window that is ended early is as long as it was, and the next ends when that would have") func early()
    {
        let scene = scene()
        scene.endWindow(at: 500)
        scene.endWindow(at: 500)
        scene.advance(to: 2_500)
        #expect(scene.windows() == ["0.000 window 0.500 blind 0.000:", "0.500 window 1.500 blind 0.000:"])
    }

    @Test("a window of no length ends all the same") func noLength() {
        let scene = scene(.zero)
        scene.advance(to: 2)
        #expect(scene.windows() == ["0.000 window 0.001 blind 0.000:", "0.001 window 0.001 blind 0.000:"])
    }

    @Test("beacons that make room are counted, so that a window's adverts add up") func evicted() {
        let scene = scene(limit: 2)
        for minor in 1...4 as ClosedRange<UInt16> {
            for _ in 0..<5 - minor { scene.hear(1, minor, at: Int64(minor) * 100, rssi: minor < 3 ? -90 : -60) }
        }
        scene.advance(to: 2_000)
        let signal = "-60/-60/-60 mean -60.00 deviation 0.00"
        #expect(
            scene.windows() == [
                "0.000 window 2.000 blind 0.000: 1.3 x2 0.300-0.300 \(signal), 1.4 x1 0.400-0.400 \(signal)"
                    + " evicted 2 x7"
            ])
        #expect(scene.engine.evicted == 2)
        scene.advance(to: 4_000)
        #expect(scene.windows() == ["2.000 window 2.000 blind 0.000:"])
    }

    @Test("a beacon long silent is in the window it was heard in, and remembered for what was learned of it")
    func waiting() {
        let scene = scene(.seconds(1_800), limit: 2)
        scene.hear(1, 1, at: 0)
        scene.advance(to: 1_500_000)
        #expect(scene.engine.beaconCount == 1)
        scene.hear(1, 2, at: 1_500_000)
        scene.advance(to: 1_800_000)
        let signal = "-60/-60/-60 mean -60.00 deviation 0.00"
        #expect(
            scene.windows() == [
                "0.000 window 1800.000 blind 0.000: 1.1 x1 0.000-0.000 \(signal), 1.2 x1 1500.000-1500.000 \(signal)"
            ])
        scene.advance(to: 1_860_000)
        #expect(scene.engine.beaconCount == 1)
        scene.advance(to: 2_460_000)
        #expect(scene.engine.beaconCount == 0)
        #expect(scene.engine.evicted == 0)
    }

    @Test("the beacon heard longest ago makes room, whatever it has in the window") func longestAgo() {
        let scene = scene(.seconds(60), limit: 2)
        scene.hear(1, 1, at: 0)
        scene.hear(1, 2, at: 30_000)
        scene.hear(1, 1, at: 31_000)
        scene.hear(1, 3, at: 59_000)
        scene.advance(to: 60_000)
        let signal = "-60/-60/-60 mean -60.00 deviation 0.00"
        #expect(
            scene.windows() == [
                "0.000 window 60.000 blind 0.000: 1.1 x2 0.000-31.000 \(signal), 1.3 x1 59.000-59.000 \(signal)"
                    + " evicted 1 x1"
            ])
        #expect(scene.engine.evicted == 1)
    }

    @Test("windows end in their phase, so that nodes that started together do not publish together") func phase() {
        let scene = Scene(
            PresenceConfiguration(regions: [.of("shop")], windowLength: .seconds(2), phase: .milliseconds(4_300)))
        scene.advance(to: 4_300)
        #expect(
            scene.windows() == [
                "0.000 window 0.300 blind 0.000:", "0.300 window 2.000 blind 0.000:",
                "2.300 window 2.000 blind 0.000:",
            ])
    }

    @Test("what a beacon says of itself is told with the window, and a stranger's is not kept") func telemetry() {
        let scene = scene()
        guard
            let pillar = BeaconIdentity.eddystoneUID(
                namespace: [UInt8](repeating: 1, count: 10), instance: [0, 0, 0, 0, 0, 9])
        else { return }
        var configuration = scene.engine.configuration
        configuration.regions = [Region(id: "pillars", constraint: IdentityConstraint(prefix: pillar.prefix(10)))]
        scene.reconfigure(configuration, at: 0)
        let telemetry = Telemetry(battery: 3_000, temperatureSteps: 256, adverts: 7, uptimeDeciseconds: 100)
        func hear(_ source: UInt64, _ time: Int64) {
            scene.engine.sighted(
                Sighting(
                    identity: pillar, source: source, rssi: -60, measuredPower: -59, time: Scene.instant(time)))
        }
        hear(5, 100)
        scene.engine.heard(telemetry, from: 5, at: Scene.instant(200))
        scene.engine.heard(
            Telemetry(battery: nil, temperatureSteps: nil, adverts: 1, uptimeDeciseconds: 1), from: 6,
            at: Scene.instant(300))
        scene.engine.advance(to: Scene.instant(2_000))
        hear(5, 2_100)
        scene.engine.advance(to: Scene.instant(4_000))
        var told: [Telemetry?] = []
        for case .windowEnded(let window) in scene.engine.takeOutcomes() { told += window.items.map(\.telemetry) }
        #expect(told == [telemetry, nil])
        // A beacon that is forgotten takes its address with it.
        scene.advance(to: 60_000)
        #expect(scene.engine.telemetrySources.isEmpty)
    }

    @Test("telemetry is of the beacon heard last from its address, also when another one there is forgotten")
    func telemetryOfTwo() throws {
        let pillar = try #require(
            BeaconIdentity.eddystoneUID(namespace: [UInt8](repeating: 1, count: 10), instance: [0, 0, 0, 0, 0, 9]))
        let poster = try #require(BeaconIdentity.eddystoneURL(encoded: [2, 0x61]))
        var engine = PresenceEngine(
            PresenceConfiguration(
                regions: [pillar.prefix(10), poster].map {
                    Region(id: "\($0.format)", constraint: IdentityConstraint(prefix: $0))
                }, windowLength: .seconds(10)), at: Scene.instant(0), hearing: true)
        for second in 0..<40 as Range<Int64> {
            for identity in second < 5 ? [pillar, poster] : [pillar] {
                engine.sighted(
                    Sighting(
                        identity: identity, source: 7, rssi: -60, measuredPower: -59,
                        time: Scene.instant(second * 1_000)))
            }
            engine.heard(
                Telemetry(battery: 3_000, temperatureSteps: nil, adverts: 1, uptimeDeciseconds: 1), from: 7,
                at: Scene.instant(second * 1_000))
        }
        engine.advance(to: Scene.instant(40_000))
        var told: [[BeaconIdentity]] = []
        for case .windowEnded(let window) in engine.takeOutcomes() {
            told.append(window.items.filter { $0.telemetry != nil }.map(\.identity))
        }
        #expect(told.dropFirst() == [[pillar], [pillar], [pillar]])
    }

    @Test("blind time is counted in the window it fell in") func blind() {
        let scene = scene()
        scene.isBlind(from: 1_500)
        scene.hears(from: 5_000)
        scene.isBlind(from: 5_500)
        scene.hears(from: 5_600)
        scene.advance(to: 8_000)
        #expect(
            scene.windows() == [
                "0.000 window 2.000 blind 0.500:", "2.000 window 2.000 blind 2.000:",
                "4.000 window 2.000 blind 1.100:",
                "6.000 window 2.000 blind 0.000:",
            ])
    }

    @Test("with everything watched, a beacon of no region is in the window and in nothing else") func everything() {
        let scene = Scene(
            PresenceConfiguration(
                regions: [.of("door", 2, ranging: .always)], windowLength: .seconds(1), watchesEverything: true))
        #expect(scene.hear(1, 1, at: 0))
        scene.advance(to: 1_000)
        #expect(
            scene.engine.regionStates.map(\.value) == [.unknown])
        #expect(
            scene.windows() == [
                "0.000 window 1.000 blind 0.000: 1.1 x1 0.000-0.000 -60/-60/-60 mean -60.00 deviation 0.00"
            ])
    }
}
