import Beacon
import TestSupport

@testable import Presence

/// What may happen to an engine, at a time in milliseconds.
enum Happening {
    case sighted(Sighting)
    case hears
    case isBlind
    case reconfigured(PresenceConfiguration)
    /// The engine ends, and another takes its place so many milliseconds later.
    case restarted(down: Int64)
    case nothing
}

/// A random life of an engine: the same for the same seed.
struct History {
    /// What may happen besides adverts and blindness, and how regions may be.
    enum Kind {
        /// Regions are entered by the first advert and left after a fixed time; nothing is evicted.
        case plain
        /// Anything.
        case eventful
    }

    var configuration: PresenceConfiguration
    var steps: [(time: Int64, happening: Happening)] = []

    init(seed: UInt64, _ kind: Kind) {
        var random = SeededGenerator(seed: seed)
        configuration = Self.configuration(kind, &random)
        var time: Int64 = 0
        for _ in 0..<Int.random(in: 10...120, using: &random) {
            // Same instants, whole seconds and exact timeouts are as likely as anything.
            time +=
                [
                    0, 0, 1, 100, 500, 1_000, .random(in: 0...900, using: &random),
                    .random(in: 0...9_000, using: &random),
                ]
                .randomElement(using: &random) ?? 0
            let happening = Self.happening(kind, at: time, &random)
            steps.append((time, happening))
            if case .restarted(let down) = happening { time += down }
        }
        // In the end everything is heard out: the longest silence that is ever waited for has passed.
        steps.append((time + 1, .hears))
        steps.append((time + 400_000, .nothing))
    }

    private static func happening(_ kind: Kind, at time: Int64, _ random: inout SeededGenerator) -> Happening {
        switch Int.random(in: 0..<40, using: &random) {
        case 0, 1: .isBlind
        case 2, 3, 4: .hears
        case 5, 6: .nothing
        case 7 where kind == .eventful: .reconfigured(configuration(kind, &random))
        case 8 where kind == .eventful:
            .restarted(down: [0, 1, 500, 20_000, 1_000_000].randomElement(using: &random) ?? 0)
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

    private static func configuration(_ kind: Kind, _ random: inout SeededGenerator) -> PresenceConfiguration {
        var regions: [Region] = []
        for number in 0..<5 where Int.random(in: 0...3, using: &random) > 0 {
            let major: UInt16? = number == 0 ? nil : .random(in: 0...2, using: &random)
            let minor: UInt16? = number < 3 ? nil : .random(in: 0...2, using: &random)
            var region = Region.of(
                "r\(number)", major, minor,
                ranging: Region.Ranging.allCases.randomElement(using: &random) ?? .off,
                exitAfter: .milliseconds(
                    [1, 500, 1_000, 3_000, 10_000, 15_000].randomElement(using: &random) ?? 1))
            if kind == .eventful {
                region.track = Region.Tracking.allCases.randomElement(using: &random) ?? .region
                region.enter = Region.Enter.allCases.randomElement(using: &random) ?? .first
                region.exit = Region.Exit.allCases.randomElement(using: &random) ?? .fixed
                if Int.random(in: 0...3, using: &random) == 0 {
                    let enter = Int.random(in: -90 ... -40, using: &random)
                    region.gate = SignalGate(enter: enter, exit: enter - .random(in: 0...20, using: &random))
                }
            }
            regions.append(region)
        }
        return PresenceConfiguration(
            regions: regions,
            windowLength: .milliseconds([700, 1_000, 5_000, 30_000].randomElement(using: &random) ?? 1),
            phase: .milliseconds([0, 0, 137, 4_999].randomElement(using: &random) ?? 0),
            beaconLimit: kind == .plain ? 100 : [1, 3, 100].randomElement(using: &random) ?? 1,
            watchesEverything: Int.random(in: 0...5, using: &random) == 0)
    }

    /// How far an engine is let on between two happenings.
    enum Pace { case leap, deadlines, milliseconds(SeededGenerator) }

    /// Lives it: time is told before everything that happens.
    func lived(_ pace: Pace = .leap) -> Life {
        var life = Life(configuration)
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
            case .restarted(let down): life.restart(at: time, down: down)
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
    /// What one call found out.
    struct Findings {
        var outcomes: [Outcome]
        /// The regions when it was done.
        var regions: [Region]
        /// Whether an engine has just begun.
        var begins = false
    }

    var engine: PresenceEngine
    var findings: [Findings] = []
    var accepted: [Sighting] = []
    var toldUpTo: Int64 = 0

    init(_ configuration: PresenceConfiguration) {
        engine = PresenceEngine(configuration, at: Scene.instant(0), hearing: true)
        take(begins: true)
    }

    var outcomes: [Outcome] { findings.flatMap(\.outcomes) }

    mutating func advance(to time: Instant) {
        engine.advance(to: time)
        take()
    }

    mutating func restart(at time: Int64, down: Int64) {
        engine.endWindow(at: Scene.instant(time))
        take()
        let open = engine.openVisits(at: Scene.instant(time))
        toldUpTo = time + down
        engine = PresenceEngine(
            engine.configuration, at: Scene.instant(time + down), hearing: true, epoch: engine.epoch + 1,
            continuing: open)
        take(begins: true)
    }

    mutating func take(begins: Bool = false) {
        findings.append(
            Findings(outcomes: engine.takeOutcomes(), regions: engine.configuration.regions, begins: begins))
    }
}
