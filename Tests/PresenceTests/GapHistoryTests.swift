import Glibc
import TestSupport
import Testing

@testable import Presence

@Suite struct GapHistoryTests {
    /// Core Location's and the configuration's default.
    private let floor = Span.seconds(10)

    /// Gaps of a beacon heard so, for a time.
    private func history(
        every milliseconds: Int64, loss: Double = 0, for seconds: Int64, seed: UInt64 = 1,
        after history: GapHistory = GapHistory()
    ) -> GapHistory {
        var history = history
        var air = Gaps(milliseconds, loss: loss, seed: seed)
        var left = Span.seconds(seconds)
        while left > .zero {
            let gap = air.next()
            history.learn(gap)
            left = left - gap
        }
        return history
    }

    @Test("a history takes no more than 160 bytes") func size() {
        #expect(MemoryLayout<GapHistory>.stride <= 160)
    }

    @Test("a beacon of which nothing is known is waited for as one that is heard each 30 s") func nothingKnown() {
        let history = GapHistory()
        #expect(history.silence(floor: floor) == .seconds(180))
        #expect(history.interval == nil)
        #expect(history.loss == nil)
        #expect(!history.isUncertain(floor: floor))
        #expect(history.learnedFor == .zero)
    }

    @Test("until two minutes are learned, silence must last for a minute") func beforeSettled() {
        let history = history(every: 100, for: 100)
        let silence = history.silence(floor: floor)
        #expect(silence >= .seconds(60) && silence < .seconds(61))
        #expect(history.silence(floor: .seconds(90)) == .seconds(90))
    }

    @Test("a frequent beacon is left after the floor, once two minutes are learned", arguments: [100, 350, 1000])
    func frequent(interval: Int64) {
        for loss in [0, 0.3] {
            let history = history(every: interval, loss: loss, for: 130)
            #expect(history.silence(floor: floor) <= .seconds(12), "loss \(loss)")
        }
    }

    @Test("the fewer adverts get through, the longer silence must last") func rarer() {
        let silences = [0.3, 0.6, 0.8, 0.9].map {
            history(every: 1000, loss: $0, for: 1800).silence(floor: floor)
        }
        #expect(silences == silences.sorted())
        #expect(silences[3] > .seconds(50))
    }

    @Test("loss in bursts is waited out where loss of single adverts is not") func bursts() {
        var history = GapHistory()
        var random = SeededGenerator(seed: 4)
        // Seven seconds in ten are good; the bad ones come in turns of 15 s on average.
        for _ in 0..<36 {
            for _ in 0..<350 { history.learn(.milliseconds(.random(in: 100...110, using: &random))) }
            let share = Double.random(in: 0..<1, using: &random)
            let bad = -15_000 * log(1 - share)
            history.learn(.milliseconds(100 + Int64(bad)))
        }
        let silence = history.silence(floor: floor)
        #expect(silence > .seconds(50) && silence < .seconds(120))
    }

    @Test("a beacon is uncertain that is heard once in minutes, and is left after the cap") func rare() {
        let history = history(every: 10_000, loss: 0.95, for: 3000)
        #expect(history.isUncertain(floor: floor))
        #expect(history.silence(floor: floor) == GapHistory.cap)
        #expect(!self.history(every: 10_000, for: 3000).isUncertain(floor: floor))
    }

    @Test("a floor above the cap wins, and may make a beacon certain") func highFloor() {
        let history = history(every: 10_000, loss: 0.95, for: 3000)
        #expect(history.silence(floor: .seconds(86_400)) == .seconds(86_400))
        #expect(!history.isUncertain(floor: .seconds(86_400)))
    }

    @Test("real absences are not learned") func absences() {
        var history = history(every: 100, for: 600)
        let before = history
        for absence: Int64 in [61, 300, 3600, 86_400] { history.learn(.seconds(absence)) }
        #expect(history == before)
    }

    @Test("of a rare beacon long gaps are learned, for they are no absences") func longGapsOfRareBeacons() {
        var history = GapHistory()
        for _ in 0..<5 { history.learn(.seconds(100)) }
        #expect(history.learnedFor == .seconds(500))
        #expect(history.silence(floor: floor) > .seconds(100))
    }

    @Test("no gap traps, and those that are none change nothing")
    func hostileGaps() {
        var history = GapHistory()
        for gap in [Int64.min, -1, 0] { history.learn(Span(nanoseconds: gap)) }
        #expect(history == GapHistory())
        history.learn(Span(nanoseconds: .max))
        #expect(history == GapHistory())
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let bits = Int64.random(in: 0...62, using: &random)
            history.learn(Span(nanoseconds: .random(in: 0...(1 << bits), using: &random)))
            let silence = history.silence(floor: .seconds(1))
            #expect(silence >= .seconds(1) && silence <= GapHistory.cap)
            if let loss = history.loss { #expect((0...1).contains(loss)) }
            if let interval = history.interval { #expect(interval > .zero) }
        }
        #expect(history.learnedFor < .seconds(3600))
    }

    @Test("a beacon that is heard rarely and then often is let go as fast as others after four hours")
    func relearning() {
        var history = history(every: 10_000, loss: 0.9, for: 7200)
        #expect(history.silence(floor: floor) > .seconds(200))
        history = self.history(every: 100, for: 4 * 3600, after: history)
        #expect(history.silence(floor: floor) == floor)
    }

    @Test("a single absence of half a minute is not learned, a second one soon after it is") func stepsOut() {
        var history = history(every: 100, loss: 0, for: 300)
        let before = history.silence(floor: .seconds(10))
        #expect(before == .seconds(10))
        for _ in 0..<3 {
            history.learn(.seconds(30))
            #expect(history.silence(floor: .seconds(10)) == before)
            // It is back for long enough.
            for _ in 0..<1_300 { history.learn(.milliseconds(105)) }
        }
        history.learn(.seconds(30))
        history.learn(.seconds(30))
        #expect(history.silence(floor: .seconds(10)) > .seconds(30))
    }

    @Test("a beacon that is heard often and then rarely is waited for after a few gaps") func relearningRare() {
        var history = history(every: 100, for: 7200)
        #expect(history.silence(floor: floor) == floor)
        history = self.history(every: 10_000, loss: 0.6, for: 300, after: history)
        #expect(history.silence(floor: floor) > .seconds(40))
    }

    @Test("the same gaps give the same history") func deterministic() {
        #expect(history(every: 350, loss: 0.8, for: 5000) == history(every: 350, loss: 0.8, for: 5000))
    }

    @Test("a history that was kept elsewhere goes on as if it had not been") func exported() throws {
        for seconds: Int64 in [0, 1, 60, 500, 5000] {
            var history = history(every: 350, loss: 0.7, for: seconds)
            var restored = try #require(GapHistory(exported: history.exported))
            #expect(restored == history)
            var air = Gaps(350, loss: 0.7, seed: 9)
            for _ in 0..<5000 {
                let gap = air.next()
                history.learn(gap)
                restored.learn(gap)
            }
            #expect(restored == history)
        }
    }

    @Test("numbers that no history gave are refused, or do no harm") func notExported() {
        let numbers = history(every: 350, loss: 0.7, for: 500).exported
        #expect(GapHistory(exported: []) == nil)
        #expect(GapHistory(exported: Array(numbers.dropLast())) == nil)
        for place in numbers.indices {
            for bad in [-1, 0, 1, 255, Int64.max] {
                var spoilt = numbers
                spoilt[place] = bad
                guard var history = GapHistory(exported: spoilt) else { continue }
                for _ in 0..<100 { history.learn(.seconds(5)) }
                #expect(history.silence(floor: floor) >= floor && history.silence(floor: floor) <= GapHistory.cap)
                _ = (history.interval, history.loss, history.isUncertain(floor: floor))
            }
            var spoilt = numbers
            spoilt[place] = -1
            #expect(GapHistory(exported: spoilt) == nil)
        }
    }
}

@Suite struct IntervalEstimateTests {
    private func learned(_ milliseconds: Int64, loss: Double, gaps: Int, seed: UInt64 = 3) -> GapHistory {
        var history = GapHistory()
        var air = Gaps(milliseconds, loss: loss, seed: seed)
        for _ in 0..<gaps { history.learn(air.next()) }
        return history
    }

    @Test("the interval is found though nine adverts in ten are lost", arguments: [100, 350, 1000, 2000, 10_000])
    func interval(milliseconds: Int64) throws {
        for loss in [0, 0.3, 0.6, 0.8, 0.9] {
            let found = try #require(learned(milliseconds, loss: loss, gaps: 400).interval)
            let error = abs(found.milliseconds - milliseconds)
            #expect(error <= max(2, milliseconds / 100), "loss \(loss): \(found.milliseconds) ms")
        }
    }

    @Test("the interval is found though adverts are noted in steps of 20 ms", arguments: [50, 100, 152, 200, 350])
    func coarseTimes(interval: Int64) throws {
        // A loop that looks at the radio every 20 ms and a little notes an advert when it looks next.
        for seed in 1...40 as ClosedRange<UInt64> {
            var history = GapHistory()
            var air = Gaps(interval, loss: 0, seed: seed)
            var random = SeededGenerator(seed: seed)
            var (time, look, noted) = (Int64(0), Int64(0), Int64(0))
            while time < 60_000_000_000 {
                time += air.next().nanoseconds
                while look < time { look += 20_000_000 + .random(in: 0...400_000, using: &random) }
                history.learn(Span(nanoseconds: look - noted))
                noted = look
            }
            let found = try #require(history.interval).milliseconds
            #expect((interval - 6...interval + 6).contains(found), "seed \(seed)")
            #expect(try #require(history.loss) <= 0.06, "seed \(seed)")
        }
    }

    @Test("the share lost is estimated") func loss() throws {
        for loss in [0, 0.3, 0.6, 0.9] {
            let found = try #require(learned(100, loss: loss, gaps: 3000).loss)
            #expect(abs(found - loss) < 0.02, "\(found) for \(loss)")
        }
    }

    @Test("one gap is no interval") func oneGap() {
        var history = GapHistory()
        history.learn(.milliseconds(100))
        #expect(history.interval == nil)
    }

    @Test("an advert that is reported twice is no interval") func duplicates() throws {
        var history = GapHistory()
        for _ in 0..<100 {
            history.learn(.milliseconds(3))
            history.learn(.milliseconds(102))
        }
        #expect(try #require(history.interval) == .milliseconds(97))
    }

    @Test("a single short gap changes nothing") func accident() throws {
        var history = learned(1000, loss: 0, gaps: 50)
        let before = history.interval
        history.learn(.milliseconds(400))
        #expect(history.interval == before)
    }

    @Test("gaps that came out short because adverts had waited are forgotten within seconds", arguments: 1...3)
    func backlog(count: Int) throws {
        var history = GapHistory()
        for _ in 0..<count { history.learn(.milliseconds(31)) }
        var air = Gaps(100, loss: 0, seed: 5)
        for _ in 0..<32 * count + 4 { history.learn(air.next()) }
        let found = try #require(history.interval).milliseconds
        #expect((98...102).contains(found))
    }

    @Test("a shorter interval is found after three of them, a longer one after 255 at most") func changed() throws {
        var history = learned(1000, loss: 0, gaps: 500)
        for _ in 0..<3 { history.learn(.milliseconds(105)) }
        #expect(try #require(history.interval) == .milliseconds(100))
        for _ in 0..<258 { history.learn(.milliseconds(2005)) }
        #expect(try #require(history.interval) == .milliseconds(2000))
    }
}

/// Gaps between the adverts received of a beacon of which single adverts are lost.
struct Gaps {
    private let interval: Int64
    private let loss: Double
    private var random: SeededGenerator

    init(_ milliseconds: Int64, loss: Double, seed: UInt64) {
        interval = milliseconds
        self.loss = loss
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> Span {
        var gap = Span.zero
        repeat {
            let delay = Int64.random(in: 0...10_000_000, using: &random)
            gap = gap + .milliseconds(interval) + Span(nanoseconds: delay)
        } while Double.random(in: 0..<1, using: &random) < loss
        return gap
    }
}
