internal import Beacon
internal import System

/// A whole screen of `beacond scan`: a line about the radio, one about what is wrong with it, the table, and a line of keys.
struct ScanScreen {
    /// What there is to show.
    struct Scene {
        /// Where is listened.
        var adapter: String
        /// For how many seconds.
        var seconds: Int64
        /// Beacons, adverts of theirs per second, and beacons that had to be forgotten.
        var beacons: Int
        var rate: Double
        var forgotten: UInt64
        /// What is wrong with the radio, if anything.
        var trouble: String?
        /// The entries that are to be seen, in no order.
        var rows: [ScanRow]
    }

    var size: Terminal.Size
    var hasColours: Bool
    var hasUnicode: Bool

    /// The lines from the top on, as many as there are rows or fewer. Scrolling further than there is anything is
    /// brought back.
    func lines(_ scene: Scene, _ view: inout ScanView) -> [String] {
        let matching = scene.rows.filter { $0.matches(view.filter) }
        let room = max(0, size.rows - 4)
        view.offset = min(view.offset, max(0, matching.count - room))
        let shown = view.order.sorted(matching).dropFirst(view.offset).prefix(room)
        let table = ScanTable(width: size.columns, hasColours: hasColours, hasUnicode: hasUnicode)
        var lines = [plain(headline(scene)), scene.trouble.map { emphasised(plain($0)) } ?? ""]
        lines += table.lines(Array(shown))
        while lines.count < size.rows - 1 { lines.append("") }
        lines.append(plain(footer(matching.count, shown.count, view)))
        return Array(lines.prefix(size.rows))
    }

    /// What draws these lines over whatever is there, without blanking it first: cursor home, and each line erased to its
    /// end (ECMA-48 CUP, EL, ED).
    static func drawing(_ lines: [String]) -> String {
        "\u{1B}[H" + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
    }

    private func plain(_ line: String) -> String {
        cut(hasUnicode ? line : ascii(line), to: size.columns, hasUnicode)
    }

    /// Red (ECMA-48 SGR).
    private func emphasised(_ line: String) -> String { hasColours ? "\u{1B}[31m\(line)\u{1B}[0m" : line }

    private func headline(_ scene: Scene) -> String {
        var parts = [
            "beacond scan", scene.adapter, clock(scene.seconds), counted(scene.beacons, "beacon"),
            "\(decimal(scene.rate, 0)) adverts/s",
        ]
        if scene.forgotten > 0 { parts.append("\(scene.forgotten) forgotten to make room") }
        return parts.joined(separator: "  ")
    }

    private func footer(_ matching: Int, _ shown: Int, _ view: ScanView) -> String {
        if view.isTyping { return "/\(view.filter)_   Enter keeps the filter, Escape drops it" }
        var parts = ["q quit", "/ filter"]
        if matching > shown { parts.append("\(view.offset + 1)–\(view.offset + shown) of \(matching): j k") }
        if !view.filter.isEmpty { parts.append("filter: \(view.filter)") }
        let keys = ScanOrder.Key.allCases.map { key in
            let mark = key == view.order.key ? (view.order.isReversed ? "↑" : "↓") : ""
            return "\(key.letter) \(key.rawValue)\(mark)"
        }
        return (parts + keys).joined(separator: "  ")
    }

    private func clock(_ seconds: Int64) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
