import Testing

@testable import Presence
@testable import beacon_bench

@Suite("beacon-bench presence") struct PresenceYardstickTests {
    private func adverts(_ seconds: Double...) -> [Instant] { seconds.map { Instant(seconds: $0) } }

    @Test("a fixed time-out leaves after it, and comes back with the next advert") func fixed() {
        let verdict = Rule.fixed(10).judge(adverts(1, 2, 3, 20, 25))
        #expect(
            verdict.stays == [
                Verdict.Stay(entered: Instant(seconds: 1), exited: Instant(seconds: 13)),
                Verdict.Stay(entered: Instant(seconds: 20), exited: Instant(seconds: 35)),
            ])
    }

    @Test("the clock stops while the node is blind, if it knows") func blindness() {
        let blindness = [Instant(seconds: 3)..<Instant(seconds: 23)]
        let heard = adverts(1, 2, 24, 25)
        var rule = Rule.fixed(10)
        #expect(rule.judge(heard, blindness: blindness).stays.count == 1)
        rule.knowsOfBlindness = false
        #expect(rule.judge(heard, blindness: blindness).stays.count == 2)
    }

    @Test("a score counts what a rule said against what was") func score() {
        var score = Score()
        // There from 0 to 100: left from 13 to 20, and for good after 110.
        score.add(
            Rule.fixed(10).judge(adverts(1, 2, 3, 20) + (21...100).map { Instant(seconds: Double($0)) }),
            length: 100)
        #expect(score.falseExits == 1)
        #expect(score.falseExitsPerHour == 36)
        #expect(score.meanLatency == 10)
        #expect(score.wrongPerVisit == 17)
        // Nobody heard of this one.
        score.add(Verdict(), length: 100)
        #expect(score.unnoticed == 1)
        #expect(score.falseExits == 1)
    }

    @Test("a visit that a rule had ended before counts from there to its end") func leftBefore() {
        var score = Score()
        score.add(Rule.fixed(10).judge(adverts(1, 2)), length: 100)
        #expect(score.falseExits == 1)
        #expect(score.meanLatency == 0)
        #expect(score.wrongPerVisit == 88)
    }

    @Test("a rule says for how long it could not be sure") func uncertain() {
        let verdict = Rule.adaptive.judge((0...20).map { Instant(seconds: Double($0) * 200) })
        #expect(verdict.uncertain > 1000)
        #expect(verdict.stays.last?.wasUncertain == true)
        let often = Rule.adaptive.judge((0...2000).map { Instant(seconds: Double($0) * 0.1) })
        #expect(often.uncertain == 0)
        #expect(often.stays == [Verdict.Stay(entered: Instant(seconds: 0), exited: Instant(seconds: 210))])
    }

    @Test("visits of one beacon are told apart, and a stay that lasts from one to the next is cut") func returning()
    {
        let visits = [adverts(0, 1, 2), adverts(100, 101)]
        let starts = adverts(0, 100)
        let apart = Rule.fixed(10).judge(visits: visits, starts: starts)
        #expect(apart[0].stays == [Verdict.Stay(entered: Instant(seconds: 0), exited: Instant(seconds: 12))])
        #expect(apart[1].stays == [Verdict.Stay(entered: Instant(seconds: 0), exited: Instant(seconds: 11))])
        let cut = Rule.fixed(180).judge(visits: visits, starts: starts)
        #expect(cut[0].stays == [Verdict.Stay(entered: Instant(seconds: 0), exited: Instant(seconds: 100))])
        #expect(cut[1].stays == [Verdict.Stay(entered: Instant(seconds: 0), exited: Instant(seconds: 181))])
    }

    @Test("a blind node leaves nobody for it") func blindTable() {
        for rule in [Rule.adaptive, .fixed(10), .fixed(30)] {
            let (seeing, blind) = BlindTable(seed: 1, visits: 2).scores(rule)
            #expect(seeing.falseExits == 0)
            #expect(blind.falseExits == 0)
        }
    }

    @Test("over the grid the learned exit is wrong for less time than each fixed one, in every group")
    func grid() {
        // The rare senders' half of the grid; the whole takes a release build.
        let cells = Grid.cells.indices.filter { Grid.cells[$0].interval >= 1 }
        let table = GridTable(seed: 3, visits: 1, cells: cells).tables().groups
        for group in Grid.Group.allCases {
            let wrong = table.rows.filter { row in
                if case .text(let name) = row[0] { return name == group.name }
                return false
            }.map { row in
                if case .number(let value, _) = row[4] { return value }
                return Double.nan
            }
            #expect(wrong.count == Rule.all.count)
            #expect(wrong.dropFirst(2).allSatisfy { $0 > wrong[0] }, "\(group.name): \(wrong)")
        }
    }

    @Test("the command line is read, and mistakes in it are told") func options() throws {
        let asked = try #require(
            try PresenceYardstick.read([
                "--seed", "7", "--hours", "3", "--rule", "fixed 30 s", "--cells", "--scan", "windows",
            ]))
        #expect(asked.seed == 7)
        #expect(asked.hours == 3)
        #expect(asked.rules == [.fixed(30)])
        #expect(asked.showsCells && !asked.isJSON)
        #expect(asked.scan == .windows)
        #expect(try PresenceYardstick.read([]) == PresenceYardstick())
        #expect(try PresenceYardstick.read(["--help"]) == nil)
        for wrong in [
            ["--seed", "-1"], ["--hours", "0"], ["--rule", "best"], ["--scan", "x"], ["x"], ["--seed"], ["-x"],
        ] {
            #expect(throws: PresenceYardstick.Misuse.self) { try PresenceYardstick.read(wrong) }
        }
        #expect(Bench.run(["presence", "--hours", "none"]) == 64)
    }

    @Test("a table is columns of text, and an object a row") func table() {
        let table = Table(
            title: "Title", columns: ["rule", "s"],
            rows: [[.text("a"), .number(1.25, decimals: 1)], [.text("bcdef"), .number(-0.01, decimals: 1)]])
        #expect(table.text == "Title\n\nrule     s\na      1.3\nbcdef  0.0\n")
    }
}
