import System

/// Exits over the grid, averaged by how rarely a beacon is heard.
struct GridTable {
    var rules = Rule.all
    var seed: UInt64
    /// Visits of each cell.
    var visits: Int
    var scan = Air.Scan.random
    /// The cells' numbers.
    var cells = Array(Grid.cells.indices)

    /// Seconds.
    static let visit = 1800.0

    /// The scores of the rules in a cell, in their order.
    func scores(_ cell: Int) -> [Score] {
        var dice = SeededRandom(seed: seed, stream: UInt64(cell))
        var scores = rules.map { _ in Score() }
        for _ in 0..<visits {
            let adverts = Grid.cells[cell].adverts(until: Self.visit, scan: scan, &dice)
            for (number, rule) in rules.enumerated() {
                scores[number].add(rule.judge(adverts), length: Self.visit)
            }
        }
        return scores
    }

    /// The averages of each group, and every cell.
    func tables() -> (groups: Table, cells: Table) {
        var means = Grid.Group.allCases.map { _ in rules.map { _ in MeanScore() } }
        var cells = Table(
            title: "Every cell",
            columns: [
                "interval s", "loss", "burst s", "duty", "gap s", "rule", "false exits/h", "latency s", "wrong s",
                "uncertain",
            ])
        for number in self.cells {
            let air = Grid.cells[number]
            for (rule, score) in zip(rules.indices, scores(number)) {
                means[Grid.Group(of: air).rawValue][rule].add(score)
                cells.rows.append(
                    [
                        .number(air.interval, decimals: 2), .number(air.loss, decimals: 1),
                        .number(air.burst, decimals: 0), .number(air.duty, decimals: 1),
                        .number(air.meanGap, decimals: 2), .text(rules[rule].name),
                    ]
                        + Self.cells(
                            score.falseExitsPerHour, score.meanLatency, score.wrongPerVisit, score.uncertainShare))
            }
        }
        var groups = Table(
            title: "Exits by the mean gap between adverts received, \(self.cells.count) kinds of air",
            note: """
                Visits of half an hour of a beacon never heard before, \(visits) of each kind. Wrong: seconds of a visit \
                and after it in which the rule did not say what was true. Sure: false exits of which the rule did not say \
                `uncertain`.
                """,
            columns: ["group", "rule", "false exits/h", "latency s", "wrong s", "uncertain", "sure exits/h"])
        for group in Grid.Group.allCases {
            for (number, rule) in rules.enumerated() {
                let mean = means[group.rawValue][number]
                groups.rows.append(
                    [.text(group.name), .text(rule.name)]
                        + Self.cells(
                            mean.falseExitsPerHour, mean.meanLatency, mean.wrongPerVisit, mean.uncertainShare)
                        + [.number(mean.confidentFalseExitsPerHour, decimals: 2)])
            }
        }
        return (groups, cells)
    }

    private static func cells(_ exits: Double, _ latency: Double, _ wrong: Double, _ uncertain: Double) -> [Table
        .Cell]
    {
        [
            .number(exits, decimals: 2), .number(latency, decimals: 1), .number(wrong, decimals: 1),
            .number(uncertain, decimals: 2),
        ]
    }
}
