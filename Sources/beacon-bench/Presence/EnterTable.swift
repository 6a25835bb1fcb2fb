import Presence
import System

/// Who is let in: beacons that pass at the edge should not be, beacons that stay should be, and soon.
struct EnterTable {
    var seed: UInt64
    /// Passes and stays of each kind.
    var trials: Int

    /// Seconds of a pass.
    private static let pass = 3.0
    /// Seconds of a stay; a beacon that did not enter by then counts as never.
    private static let stay = 600.0

    private static let rules = Region.Enter.allCases.map { enter in
        // An exit does not matter here.
        Rule(name: enter.rawValue, exit: .fixed, exitAfter: 3600, enter: enter)
    }

    func passing() -> Table {
        var table = Table(
            title: "Passing in 3 s at the edge: share that enters", note: "95 % of adverts lost, by themselves.",
            columns: ["interval s"] + Self.rules.map(\.name))
        for (number, interval) in Grid.intervals.enumerated() {
            let shares = enters(Air(interval: interval, loss: 0.95), Self.pass, stream: 6000 + UInt64(number))
                .map { Double($0.count) / Double(trials) }
            table.rows.append(
                [.number(interval, decimals: 2)] + shares.map { .number($0, decimals: 4) })
        }
        return table
    }

    func staying() -> Table {
        var table = Table(
            title: "Staying: seconds from arrival to enter",
            note: "Loss of single adverts, duty 100 %. Never: share that has not entered after 10 min.",
            columns: ["interval s", "loss"]
                + Self.rules.flatMap { ["\($0.name) median", "\($0.name) 90 %", "\($0.name) never"] })
        for (number, interval) in Grid.intervals.enumerated() {
            for (second, loss) in Grid.losses.enumerated() {
                let stream = 7000 + UInt64(number * 100 + second)
                var row: [Table.Cell] = [.number(interval, decimals: 2), .number(loss, decimals: 1)]
                for entered in enters(Air(interval: interval, loss: loss), Self.stay, stream: stream) {
                    row += [
                        .number(quantile(entered, 0.5), decimals: 2), .number(quantile(entered, 0.9), decimals: 2),
                        .number(1 - Double(entered.count) / Double(trials), decimals: 3),
                    ]
                }
                table.rows.append(row)
            }
        }
        return table
    }

    /// When each rule let a beacon in, of those that it let in.
    func enters(_ air: Air, _ length: Double, stream: UInt64) -> [[Double]] {
        var dice = SeededRandom(seed: seed, stream: stream)
        var entered: [[Double]] = Self.rules.map { _ in [] }
        for _ in 0..<trials {
            let adverts = air.adverts(until: length, &dice)
            for (number, rule) in Self.rules.enumerated() {
                if let time = rule.firstEnter(adverts) { entered[number].append(time.seconds) }
            }
        }
        return entered
    }

    /// Among all trials, those that never entered last; infinite if it is one of these.
    private func quantile(_ values: [Double], _ share: Double) -> Double {
        let rank = Int((share * Double(trials)).rounded(.up)) - 1
        return rank < values.count ? values.sorted()[rank] : .infinity
    }
}
