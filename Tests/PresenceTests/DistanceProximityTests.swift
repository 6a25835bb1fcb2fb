import TestSupport
import Testing

@testable import Presence

@Suite struct DistanceProximityTests {
    @Test("proximity changes at half a metre and at three") func bounds() {
        #expect(Proximity(accuracy: -1) == .unknown)
        #expect(Proximity(accuracy: .nan) == .unknown)
        #expect(Proximity(accuracy: 0) == .immediate)
        #expect(Proximity(accuracy: 0.499) == .immediate)
        #expect(Proximity(accuracy: 0.5) == .near)
        #expect(Proximity(accuracy: 2.999) == .near)
        #expect(Proximity(accuracy: 3) == .far)
        #expect(Proximity(accuracy: .infinity) == .far)
    }

    @Test(
        "a class is left only when its bound is passed by a fifth",
        arguments: [
            (Proximity.near, 3.5, Proximity.near), (.near, 3.61, .far), (.far, 2.6, .far), (.far, 2.49, .near),
            (.near, 0.45, .near), (.near, 0.41, .immediate), (.immediate, 0.59, .immediate),
            (.immediate, 0.61, .near),
            (.immediate, 3.5, .near), (.immediate, 3.7, .far), (.far, 0.45, .near), (.far, 0.3, .immediate),
        ])
    func hysteresis(before: Proximity, accuracy: Double, after: Proximity) {
        #expect(before.following(accuracy: accuracy) == after)
    }

    @Test("to and from unknown there is no hysteresis") func unknown() {
        for before in [Proximity.immediate, .near, .far, .unknown] {
            #expect(before.following(accuracy: -1) == .unknown)
            #expect(before.following(accuracy: .nan) == .unknown)
        }
        #expect(Proximity.unknown.following(accuracy: 3.1) == .far)
        #expect(Proximity.unknown.following(accuracy: 2.9) == .near)
        #expect(Proximity.unknown.following(accuracy: 0.49) == .immediate)
    }

    @Test("a class stays when the same distance comes again", arguments: 1...50)
    func settles(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var proximity = Proximity.unknown
        for _ in 0..<100 {
            let accuracy = Double.random(in: 0.1...6, using: &random)
            proximity = proximity.following(accuracy: accuracy)
            #expect(proximity.following(accuracy: accuracy) == proximity)
        }
    }
}
