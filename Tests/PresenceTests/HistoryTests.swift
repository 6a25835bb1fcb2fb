import Beacon
import Foundation
import TestSupport
import Testing

@testable import Presence

/// Random lives, each judged by what must hold of all. `PRESENCE_HISTORIES=1000000` runs more of them.
@Suite struct HistoryTests {
    private static let seeds: Range<UInt64> = {
        let wanted = ProcessInfo.processInfo.environment["PRESENCE_HISTORIES"].flatMap(UInt64.init)
        return 0..<max(wanted ?? 3_000, 1)
    }()

    @Test("in any life visits alternate, numbers rise, times agree and windows add up") func invariants() {
        for seed in Self.seeds {
            let life = History(seed: seed, seed % 4 == 0 ? .plain : .eventful).lived()
            if let complaint = complaint(about: life) {
                Issue.record("seed \(seed): \(complaint)")
                return
            }
        }
    }

    @Test("enters and exits are those that the adverts and the blind times make by hand") func byHand() {
        for seed in Self.seeds where seed % 3 == 0 {
            let history = History(seed: seed, .plain)
            let found = history.lived().outcomes.compactMap(Event.init)
            let expected = history.eventsByHand()
            if found.sorted() != expected.sorted() {
                Issue.record("seed \(seed): found \(found.sorted()), expected \(expected.sorted())")
                return
            }
        }
    }

    @Test("it makes no difference how often time is told") func pace() {
        for seed in Self.seeds where seed % 10 == 0 {
            let history = History(seed: seed, .eventful)
            let leap = history.lived(.leap).outcomes
            #expect(history.lived(.deadlines).outcomes == leap, "seed \(seed), by deadlines")
            let often = history.lived(.milliseconds(SeededGenerator(seed: seed)))
            #expect(often.outcomes == leap, "seed \(seed), often")
        }
    }

    /// What is wrong with a life; nil when nothing is.
    private func complaint(about life: Life) -> String? {
        var judge = Judge(accepted: life.accepted)
        for findings in life.findings {
            if let complaint = judge.complaint(about: findings) { return complaint }
        }
        if let visit = judge.open.values.first { return "visit \(visit.visit) is open long after everything" }
        if judge.windowAdverts != life.accepted.count {
            return "windows have \(judge.windowAdverts) adverts of \(life.accepted.count)"
        }
        return nil
    }
}

/// An enter or an exit, without its number.
private struct Event: Comparable, CustomStringConvertible {
    var time: Instant
    var region: String
    var isEnter: Bool
    var lastSeen: Instant
    var adverts: Int

    init(time: Instant, region: String, isEnter: Bool, lastSeen: Instant, adverts: Int) {
        (self.time, self.region, self.isEnter) = (time, region, isEnter)
        (self.lastSeen, self.adverts) = (lastSeen, adverts)
    }

    init?(_ outcome: Outcome) {
        switch outcome {
        case .entered(let it):
            self.init(time: it.time, region: it.region, isEnter: true, lastSeen: it.time, adverts: 1)
        case .exited(let it):
            self.init(time: it.time, region: it.region, isEnter: false, lastSeen: it.lastSeen, adverts: it.adverts)
        default: return nil
        }
    }

    static func < (a: Event, b: Event) -> Bool {
        (a.region, a.time, a.isEnter ? 1 : 0) < (b.region, b.time, b.isEnter ? 1 : 0)
    }

    var description: String {
        "\(region) \(isEnter ? "enter" : "exit") \(time.nanoseconds / 1_000_000) x\(adverts)"
    }
}

extension History {
    /// Monitoring without an engine: of each region all adverts, and between every two of them the time listened.
    fileprivate func eventsByHand() -> [Event] {
        let end = steps.last?.time ?? 0
        var listening: [ClosedRange<Int64>] = []
        var hearsSince: Int64? = 0
        for (time, happening) in steps {
            switch happening {
            case .isBlind:
                if let since = hearsSince { listening.append(since...time) }
                hearsSince = nil
            case .hears: hearsSince = hearsSince ?? time
            default: break
            }
        }
        if let since = hearsSince { listening.append(since...end) }
        var events: [Event] = []
        for region in configuration.regions {
            let heard = steps.compactMap { time, happening -> Int64? in
                guard case .sighted(let sighting) = happening else { return nil }
                return region.constraint.isSatisfied(by: sighting.identity) ? time : nil
            }
            var adverts = 0
            for (number, time) in heard.enumerated() {
                adverts += 1
                if adverts == 1 {
                    events.append(
                        Event(
                            time: Scene.instant(time), region: region.id, isEnter: true,
                            lastSeen: Scene.instant(time), adverts: 1))
                }
                let next = number + 1 < heard.count ? heard[number + 1] : end
                var left = region.exitAfter.milliseconds
                for stretch in listening where stretch.upperBound >= time && left > 0 {
                    let start = max(stretch.lowerBound, time)
                    if stretch.upperBound - start < left {
                        left -= stretch.upperBound - start
                        continue
                    }
                    if start + left <= next {
                        events.append(
                            Event(
                                time: Scene.instant(start + left), region: region.id, isEnter: false,
                                lastSeen: Scene.instant(time), adverts: adverts))
                        adverts = 0
                    }
                    break
                }
            }
        }
        return events
    }
}
