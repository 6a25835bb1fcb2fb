import System

/// How soon a beacon that has not been there for long is let go.
struct LeavingTable {
    var rules = Rule.all
    var seed: UInt64
    var visits: Int

    /// When the beacon leaves, in seconds after its arrival; what lies between is as likely.
    private static let lengths = [20.0...120, 150...600]

    func table() -> Table {
        var table = Table(
            title: "Leaving soon, by how often a beacon is heard",
            note: "Clear: intervals of 1 s at most, three adverts in ten lost at most, by themselves; duty 100 %.",
            columns: ["air", "leaves after", "rule", "latency s", "longest s", "false exits/h"])
        let clear = Grid.cells.indices.filter { number in
            let air = Grid.cells[number]
            return air.interval <= 1 && air.loss <= 0.3 && air.burst == 0 && air.duty == 1
        }
        var kinds = [("clear", clear)]
        for group in Grid.Group.allCases {
            kinds.append((group.name, Grid.cells.indices.filter { Grid.Group(of: Grid.cells[$0]) == group }))
        }
        for (name, cells) in kinds {
            for (number, length) in Self.lengths.enumerated() {
                let scores = scores(cells, length, stream: UInt64(number))
                for (rule, score) in zip(rules, scores) {
                    let lengths = "\(Int(length.lowerBound))-\(Int(length.upperBound)) s"
                    table.rows.append([
                        .text(name), .text(lengths), .text(rule.name), .number(score.meanLatency, decimals: 1),
                        .number(score.longestLatency, decimals: 1), .number(score.falseExitsPerHour, decimals: 2),
                    ])
                }
            }
        }
        return table
    }

    private func scores(_ cells: [Int], _ length: ClosedRange<Double>, stream: UInt64) -> [Score] {
        var scores = rules.map { _ in Score() }
        for cell in cells {
            var dice = SeededRandom(seed: seed, stream: 1000 + 1000 * stream + UInt64(cell))
            for _ in 0..<visits {
                let end = length.lowerBound + dice.uniform() * (length.upperBound - length.lowerBound)
                let adverts = Grid.cells[cell].adverts(until: end, &dice)
                for (number, rule) in rules.enumerated() { scores[number].add(rule.judge(adverts), length: end) }
            }
        }
        return scores
    }
}
