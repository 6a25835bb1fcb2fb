import Presence
import System

/// Beacons that come back: what was learned of them is remembered, and their absences must not be taken for gaps.
struct ReturningTable {
    var rules = Rule.all
    var seed: UInt64
    /// Beacons of each kind of air.
    var beacons: Int

    /// Each beacon comes so often.
    private static let visits = 6

    func table() -> Table {
        var table = Table(
            title: "Coming back: the second to sixth visit of a beacon",
            note: "Noticed: share of the absences between them with an exit before the return.",
            columns: ["air", "stays s", "away s", "rule", "noticed", "false exits/h", "latency s", "wrong s"])
        let clear = Grid.cells.indices.filter { number in
            let air = Grid.cells[number]
            return air.interval <= 1 && air.loss <= 0.3 && air.burst == 0 && air.duty == 1
        }
        for away in [45.0, 60, 90, 300] { add("clear", clear, stays: 300, away: away, to: &table) }
        for group in Grid.Group.allCases {
            let cells = Grid.cells.indices.filter { Grid.Group(of: Grid.cells[$0]) == group }
            add(group.name, cells, stays: GridTable.visit, away: 600, to: &table)
        }
        return table
    }

    private func add(_ name: String, _ cells: [Int], stays: Double, away: Double, to table: inout Table) {
        for rule in rules {
            var mean = MeanScore()
            var absences = (noticed: 0, all: 0)
            for cell in cells {
                var score = Score()
                var dice = SeededRandom(seed: seed, stream: 9000 + UInt64(cell))
                for _ in 0..<beacons {
                    follow(rule, Grid.cells[cell], stays: stays, away: away, &score, &absences, &dice)
                }
                mean.add(score)
            }
            table.rows.append([
                .text(name), .number(stays, decimals: 0), .number(away, decimals: 0), .text(rule.name),
                .number(Double(absences.noticed) / Double(absences.all), decimals: 3),
                .number(mean.falseExitsPerHour, decimals: 2), .number(mean.meanLatency, decimals: 1),
                .number(mean.wrongPerVisit, decimals: 1),
            ])
        }
    }

    private func follow(
        _ rule: Rule, _ air: Air, stays: Double, away: Double, _ score: inout Score,
        _ absences: inout (noticed: Int, all: Int), _ dice: inout SeededRandom
    ) {
        let starts = (0..<Self.visits).map { Double($0) * (stays + away) }
        let adverts = starts.map { air.adverts(from: $0, until: $0 + stays, &dice) }
        let verdicts = rule.judge(visits: adverts, starts: starts.map { Instant(seconds: $0) })
        for (number, verdict) in verdicts.enumerated().dropFirst() {
            score.add(verdict, length: stays)
            if number + 1 == Self.visits { continue }
            absences.all += 1
            if let last = verdict.stays.last, last.exited.seconds < stays + away { absences.noticed += 1 }
        }
    }
}
