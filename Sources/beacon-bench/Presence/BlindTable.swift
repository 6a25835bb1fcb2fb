import Presence
import System

/// What times in which the node cannot listen do to exits.
struct BlindTable {
    var rules = Rule.all
    var seed: UInt64
    var visits: Int

    /// Seconds from one blindness to the next, and its length.
    private static let period = 600.0
    private static let length = 20.0

    /// The beacon is heard so well that it is never lost but for blindness.
    private static let air = [Air(interval: 0.1), Air(interval: 1), Air(interval: 1, loss: 0.3)]

    func table() -> Table {
        var table = Table(
            title: "Blind for 20 s in each 10 min",
            note:
                "Beacons of 0.1 s and 1 s, nothing lost, and of 1 s, 30 % lost. Running: the clock does not stop.",
            columns: ["rule", "clock", "false exits/h seeing", "false exits/h blind", "latency s"])
        for rule in rules {
            for stops in [true, false] {
                var tried = rule
                tried.knowsOfBlindness = stops
                let (seeing, blind) = scores(tried)
                table.rows.append([
                    .text(rule.name), .text(stops ? "stopped" : "running"),
                    .number(seeing.falseExitsPerHour, decimals: 2), .number(blind.falseExitsPerHour, decimals: 2),
                    .number(blind.meanLatency, decimals: 1),
                ])
            }
        }
        return table
    }

    /// The same visits with and without blindness.
    func scores(_ rule: Rule) -> (seeing: Score, blind: Score) {
        var (seeing, blind) = (Score(), Score())
        let length = GridTable.visit
        for (number, air) in Self.air.enumerated() {
            var dice = SeededRandom(seed: seed, stream: 5000 + UInt64(number))
            for _ in 0..<visits {
                let adverts = air.adverts(until: length, &dice)
                // From anywhere in a period on, up to after the visit's end.
                let start = dice.uniform() * Self.period
                let blindness = (0..<4).map { turn in
                    let from = start + Double(turn) * Self.period
                    return Instant(seconds: from)..<Instant(seconds: from + Self.length)
                }
                let heard = adverts.filter { advert in !blindness.contains { $0.contains(advert) } }
                seeing.add(rule.judge(adverts), length: length)
                blind.add(rule.judge(heard, blindness: blindness), length: length)
            }
        }
        return (seeing, blind)
    }
}
