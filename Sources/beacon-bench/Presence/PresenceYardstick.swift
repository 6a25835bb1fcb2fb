import Agent
import Glibc
import JSON
import System

/// `beacon-bench presence`: how true the rules for enter and exit are, over simulated truth.
struct PresenceYardstick: Equatable {
    /// Not used while the rules were chosen.
    var seed: UInt64 = 20_261_130
    /// Hours of presence in each kind of air.
    var hours = 12.0
    var rules = Rule.all
    var scan = Air.Scan.random
    var showsCells = false
    var isJSON = false

    static let help = """
        beacon-bench presence: how true the rules for enter and exit are, over simulated truth

        usage: beacon-bench presence [--seed N] [--hours N] [--rule NAME] [--scan KIND] [--cells] [--json]

          --seed N       another truth; the default was not used while the rules were chosen
          --hours N      hours of presence in each kind of air, 1 to 1000; default 12
          --rule NAME    only one: \(Rule.all.map { "'\($0.name)'" }.joined(separator: ", "))
          --scan KIND    random: an advert meets a scan window by chance, the default; windows: one in each 100 ms,
                         with which some intervals beat
          --cells        a row for each kind of air too
          --json         one object a table instead of text
          --help         this text

        The same options give the same bytes.
        Exit codes: 64 usage.

        """

    static let yardstick = Bench.Yardstick(
        name: "presence", synopsis: "false exits, late exits, phantom enters of each rule, over simulated truth"
    ) { arguments in
        do throws(Misuse) {
            guard let asked = try read(arguments) else {
                write(help, to: 1)
                return 0
            }
            asked.print()
            return 0
        } catch {
            write("beacon-bench presence: \(error.reason)\n", to: 2)
            return EX_USAGE
        }
    }

    struct Misuse: Error, Equatable { var reason: String }

    /// What the command line asks for; nil for help.
    static func read(_ arguments: [String]) throws(Misuse) -> PresenceYardstick? {
        let given: CommandLineOptions
        do throws(CommandLineMisuse) {
            given = try CommandLineOptions(
                arguments,
                options: ["seed", "hours", "rule", "scan"].map { CommandLineOption($0, takesValue: true) }
                    + ["cells", "json"].map { CommandLineOption($0) } + [CommandLineOption("help", letter: "h")])
        } catch {
            switch error {
            case .unknown(let word): throw Misuse(reason: "\(quoted(word)) is not an option")
            case .missingValue(let word): throw Misuse(reason: "\(quoted(word)) needs a value")
            case .repeated(let word): throw Misuse(reason: "\(word) is given twice")
            }
        }
        if given.has("help") { return nil }
        if let word = given.operands.first { throw Misuse(reason: "\(quoted(word)) is not an option") }
        var asked = PresenceYardstick()
        asked.showsCells = given.has("cells")
        asked.isJSON = given.has("json")
        if let text = given["seed"] {
            guard let seed = UInt64(text) else { throw Misuse(reason: "--seed \(quoted(text)) is no whole number") }
            asked.seed = seed
        }
        if let text = given["hours"] {
            guard let hours = Int(text), (1...1000).contains(hours) else {
                throw Misuse(reason: "--hours \(quoted(text)) is no whole number from 1 to 1000")
            }
            asked.hours = Double(hours)
        }
        if let text = given["rule"] {
            guard let rule = Rule.all.first(where: { $0.name == text }) else {
                throw Misuse(reason: "--rule \(quoted(text)) is none of those in --help")
            }
            asked.rules = [rule]
        }
        if let text = given["scan"] {
            guard let scan = Air.Scan(rawValue: text) else {
                throw Misuse(reason: "--scan \(quoted(text)) is neither random nor windows")
            }
            asked.scan = scan
        }
        return asked
    }

    private func print() {
        let visits = Int((hours * 3600 / GridTable.visit).rounded())
        let grid = GridTable(rules: rules, seed: seed, visits: visits, scan: scan).tables()
        put(grid.groups)
        if showsCells { put(grid.cells) }
        put(LeavingTable(rules: rules, seed: seed, visits: visits).table())
        // Each comes six times.
        put(ReturningTable(rules: rules, seed: seed, beacons: max(1, visits / 6)).table())
        put(BlindTable(rules: rules, seed: seed, visits: visits).table())
        // Shares of a few per cent want more trials than hours.
        put(EnterTable(seed: seed, trials: 1000 * visits).passing())
        put(EnterTable(seed: seed, trials: 10 * visits).staying())
    }

    private func put(_ table: Table) {
        if isJSON {
            var json = JSONWriter()
            table.write(to: &json)
            json.newline()
            write(json.text, to: 1)
        } else {
            write(table.text + "\n", to: 1)
        }
    }
}
