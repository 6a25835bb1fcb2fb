import System
import Testing

@testable import beacon_sim

@Suite struct LedgerTests {
    @Test("an advert counts when its last byte is gone, and never if it is not") func counts() {
        var ledger = Ledger()
        ledger.queued(.beacon(0), end: 45)
        ledger.queued(.beacon(1), end: 90)
        ledger.queued(.beacon(0), end: 135)
        ledger.written(44, now: 1)
        #expect(ledger.accounts.isEmpty)
        ledger.written(134, now: 2)
        ledger.dropped(.beacon(1))
        #expect(ledger.accounts[.beacon(0)] == Ledger.Account(adverts: 1, dropped: 0, first: 2, last: 2))
        ledger.close()
        #expect(ledger.accounts[.beacon(0)] == Ledger.Account(adverts: 1, dropped: 1, first: 2, last: 2))
        #expect(ledger.accounts[.beacon(1)] == Ledger.Account(adverts: 1, dropped: 1, first: 2, last: 2))
    }

    @Test("what a host never had is counted apart from what it was sent, by the reason") func missed() {
        var ledger = Ledger()
        for miss in [.lost, .lost, .weak, .outside, .outside, .outside] as [Miss] {
            ledger.missed(.beacon(0), miss)
        }
        ledger.queued(.beacon(0), end: 45)
        ledger.written(45, now: 7)
        #expect(
            ledger.accounts[.beacon(0)]
                == Ledger.Account(adverts: 1, dropped: 0, lost: 2, weak: 1, outside: 3, first: 7, last: 7))
    }

    @Test("however it is written, every advert is counted once") func pieces() {
        var ledger = Ledger()
        var random = SeededRandom(seed: 3, stream: 0)
        var (end, written): (UInt64, UInt64) = (0, 0)
        for time in 0..<5_000 {
            end += UInt64.random(in: 16...45, using: &random)
            ledger.queued(.beacon(time % 3), end: end)
            if Int.random(in: 0..<20, using: &random) == 0 {
                written = UInt64.random(in: written...end, using: &random)
                ledger.written(written, now: Int64(time))
            }
        }
        ledger.written(end, now: 5_000)
        #expect(ledger.accounts.values.reduce(0) { $0 + $1.adverts } == 5_000)
    }

    @Test("a schedule gives events by time, and by entry at the same time") func schedule() {
        var schedule = Schedule<Int>()
        var random = SeededRandom(seed: 5, stream: 0)
        for i in 0..<1_000 { schedule.insert(i, due: Int64.random(in: 0..<100, using: &random)) }
        var taken: [(due: Int64, event: Int)] = []
        while let next = schedule.take(until: 1_000) { taken.append(next) }
        #expect(taken.count == 1_000)
        #expect(zip(taken, taken.dropFirst()).allSatisfy { ($0.due, $0.event) < ($1.due, $1.event) })
        #expect(schedule.nextDue == nil)
    }

    @Test("times are written as RFC 3339 in UTC") func times() {
        #expect(timeText(0) == "1970-01-01T00:00:00.000Z")
        #expect(timeText(951_782_400_000_000_000) == "2000-02-29T00:00:00.000Z")
        #expect(timeText(1_772_442_721_250_999_999) == "2026-03-02T09:12:01.250Z")
        #expect(timeText(4_102_444_799_999_000_000) == "2099-12-31T23:59:59.999Z")
    }
}
