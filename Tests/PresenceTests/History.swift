import Beacon
import TestSupport

@testable import Presence

/// What may happen to an engine, at a time in milliseconds.
enum Happening {
    case sighted(Sighting)
    case hears
    case isBlind
    case reconfigured(PresenceConfiguration)
    case nothing
}

/// A random life of an engine: the same for the same seed.
struct History {
    var configuration: PresenceConfiguration
    var steps: [(time: Int64, happening: Happening)] = []

    init(seed: UInt64, reconfigures: Bool) {
        var random = SeededGenerator(seed: seed)
        configuration = Self.configuration(&random)
        var time: Int64 = 0
        for _ in 0..<Int.random(in: 10...120, using: &random) {
            // Same instants, whole seconds and exact timeouts are as likely as anything.
            time +=
                [
                    0, 0, 1, 100, 500, 1_000, .random(in: 0...900, using: &random),
                    .random(in: 0...9_000, using: &random),
                ]
                .randomElement(using: &random) ?? 0
            steps.append((time, Self.happening(reconfigures, at: time, &random)))
        }
        // In the end everything is heard out.
        steps.append((time + 1, .hears))
        steps.append((time + 20_000, .nothing))
    }

    private static func happening(_ reconfigures: Bool, at time: Int64, _ random: inout SeededGenerator)
        -> Happening
    {
        switch Int.random(in: 0..<40, using: &random) {
        case 0, 1: .isBlind
        case 2, 3, 4: .hears
        case 5, 6: .nothing
        case 7 where reconfigures: .reconfigured(configuration(&random))
        default:
            .sighted(
                Sighting(
                    identity: Scene.beacon(.random(in: 0...2, using: &random), .random(in: 0...2, using: &random)),
                    source: .random(in: 0...1, using: &random),
                    rssi: Int.random(in: 0...5, using: &random) == 0
                        ? nil : .random(in: -99 ... -30, using: &random),
                    measuredPower: Int.random(in: 0...9, using: &random) == 0 ? 12 : -59, time: Scene.instant(time))
            )
        }
    }

    private static func configuration(_ random: inout SeededGenerator) -> PresenceConfiguration {
        var regions: [Region] = []
        for number in 0..<5 where Int.random(in: 0...3, using: &random) > 0 {
            let major: UInt16? = number == 0 ? nil : .random(in: 0...2, using: &random)
            let minor: UInt16? = number < 3 ? nil : .random(in: 0...2, using: &random)
            regions.append(
                .of(
                    "r\(number)", major, minor,
                    ranging: Region.Ranging.allCases.randomElement(using: &random) ?? .off,
                    exitAfter: .milliseconds(
                        [1, 500, 1_000, 3_000, 10_000, 15_000].randomElement(using: &random) ?? 1)))
        }
        return PresenceConfiguration(
            regions: regions,
            windowLength: .milliseconds([700, 1_000, 5_000, 30_000].randomElement(using: &random) ?? 1),
            beaconLimit: [1, 3, 100].randomElement(using: &random) ?? 1,
            watchesEverything: Int.random(in: 0...5, using: &random) == 0)
    }

    /// How far an engine is let on between two happenings.
    enum Pace { case leap, deadlines, milliseconds(SeededGenerator) }

    /// Lives it: time is told before everything that happens. Every list of outcomes is what one call found out.
    func lived(_ pace: Pace = .leap) -> Life {
        var life = Life(engine: PresenceEngine(configuration, at: Scene.instant(0), hearing: true))
        life.take()
        for (time, happening) in steps {
            let now = Scene.instant(time)
            switch pace {
            case .leap: break
            case .deadlines:
                while life.engine.nextDeadline <= now { life.advance(to: life.engine.nextDeadline) }
            case .milliseconds(var random):
                let start = time - 20
                for early in 0..<20 as Range<Int64>
                where start + early > life.toldUpTo && Bool.random(using: &random) {
                    life.advance(to: Scene.instant(start + early))
                }
            }
            life.advance(to: now)
            life.toldUpTo = time
            switch happening {
            case .sighted(let sighting):
                if life.engine.sighted(sighting) { life.accepted.append(sighting) }
            case .hears: life.engine.hears(from: now)
            case .isBlind: life.engine.isBlind(from: now)
            case .reconfigured(let other): life.engine.reconfigure(other, at: now)
            case .nothing: break
            }
            life.take()
        }
        life.engine.endWindow(at: Scene.instant(life.toldUpTo))
        life.take()
        return life
    }
}

/// What came of a history.
struct Life {
    var engine: PresenceEngine
    var outcomes: [[Outcome]] = []
    var accepted: [Sighting] = []
    var toldUpTo: Int64 = 0

    init(engine: PresenceEngine) { self.engine = engine }

    mutating func advance(to time: Instant) {
        engine.advance(to: time)
        take()
    }

    mutating func take() { outcomes.append(engine.takeOutcomes()) }
}
