internal import Beacon
internal import Presence

/// Beacons as lines of text, in columns.
struct ScanTable {
    /// Columns from left to right.
    private enum Column: CaseIterable {
        case format, name, address, rssi, bar, distance, range, rate, interval, last, battery, temperature

        var title: String {
            switch self {
            case .format: "FORMAT"
            case .name: "BEACON"
            case .address: "ADDRESS"
            case .rssi: "DBM"
            case .bar: ""
            case .distance: "METRES"
            case .range: "RANGE"
            case .rate: "PER S"
            case .interval: "EVERY"
            case .last: "LAST"
            case .battery: "BATTERY"
            case .temperature: "TEMP"
            }
        }

        /// Numbers stand at the right of their column.
        var isNumber: Bool {
            switch self {
            case .format, .name, .address, .bar, .range: false
            case .rssi, .distance, .rate, .interval, .last, .battery, .temperature: true
            }
        }
    }

    /// What makes a table narrower, the least missed first.
    private enum Saving: CaseIterable {
        case address, interval, shortNames, range, temperature, bar, battery, rate, format, last
    }

    /// Into how many columns it has to fit; nil is as many as it takes.
    var width: Int?
    /// Whether escape sequences for colours may be used.
    var hasColours = false
    /// Whether there are other characters than ASCII's.
    var hasUnicode = true

    /// A line of titles, then a line for each beacon, in the order given.
    func lines(_ rows: [ScanRow]) -> [String] {
        var savings: Set<Saving> = []
        var rest = Saving.allCases[...]
        var table = cells(rows, savings)
        while let width, Self.width(table) > width, let next = rest.popFirst() {
            savings.insert(next)
            table = cells(rows, savings)
        }
        return table.lines.enumerated().map { index, cells in
            styled(line(cells, table.columns, table.widths), index == 0 ? nil : rows[index - 1])
        }
    }

    private struct Cells {
        var columns: [Column]
        var widths: [Int]
        var lines: [[String]]
    }

    private func cells(_ rows: [ScanRow], _ savings: Set<Saving>) -> Cells {
        let columns = Column.allCases.filter { column in
            switch column {
            case .name, .rssi, .distance: true
            case .format: !savings.contains(.format)
            case .address: !savings.contains(.address)
            case .bar: !savings.contains(.bar)
            case .range: !savings.contains(.range)
            case .rate: !savings.contains(.rate)
            case .interval: !savings.contains(.interval)
            case .last: !savings.contains(.last)
            case .battery: !savings.contains(.battery) && rows.contains { $0.telemetry?.battery != nil }
            case .temperature: !savings.contains(.temperature) && rows.contains { $0.temperature != nil }
            }
        }
        let shortens = savings.contains(.shortNames)
        let lines =
            [columns.map(\.title)]
            + rows.map { row in
                columns.map { hasUnicode ? text($0, row, shortens) : ascii(text($0, row, shortens)) }
            }
        // What is drawn is one character wide: everything else is escaped.
        let widths = columns.indices.map { column in lines.reduce(0) { max($0, $1[column].unicodeScalars.count) } }
        return Cells(columns: columns, widths: widths, lines: lines)
    }

    private static let gap = 2

    private static func width(_ cells: Cells) -> Int {
        cells.widths.reduce(0, +) + gap * (cells.widths.count - 1)
    }

    private func text(_ column: Column, _ row: ScanRow, _ shortens: Bool) -> String {
        switch column {
        case .format: row.identity.format.name
        case .name: shortens ? row.shortName : row.name
        case .address: row.address.description
        case .rssi: row.rssi.map { decimal($0, 0) } ?? "-"
        case .bar: row.rssi.map(SignalBar.text) ?? ""
        case .distance: row.distance.accuracy < 0 ? "-" : metres(row.distance.accuracy)
        case .range: row.distance.range.map { "\(metres($0.lowerBound))–\(metres($0.upperBound))" } ?? ""
        case .rate: row.rate < 0.05 ? "-" : fixed(row.rate)
        case .interval: row.interval.map(interval) ?? "-"
        case .last: age(row.silence)
        case .battery: row.telemetry?.battery.map { "\(decimal(Double($0) / 1000, 2)) V" } ?? ""
        case .temperature: row.temperature.map { "\(fixed($0)) °C" } ?? ""
        }
    }

    private func line(_ cells: [String], _ columns: [Column], _ widths: [Int]) -> String {
        var line = ""
        for (index, column) in columns.enumerated() {
            let padding = String(repeating: " ", count: widths[index] - cells[index].unicodeScalars.count)
            line += column.isNumber ? padding + cells[index] : cells[index] + padding
            // A bar belongs to the number before it, a range to its distance.
            if index + 1 < columns.count { line += String(repeating: " ", count: Self.gap) }
        }
        while line.last == " " { line.removeLast() }
        return width.map { cut(line, to: $0, hasUnicode) } ?? line
    }

    // MARK: - Colours

    /// Select Graphic Rendition: bold, faint, and three colours (ECMA-48 8.3.117).
    private func styled(_ line: String, _ row: ScanRow?) -> String {
        guard hasColours else { return line }
        guard let row else { return "\u{1B}[1m\(line)\u{1B}[0m" }
        if row.isGone { return "\u{1B}[2m\(line)\u{1B}[0m" }
        guard let rssi = row.rssi, let start = line.firstIndex(where: SignalBar.marks(hasUnicode).contains),
            let end = line.lastIndex(where: SignalBar.marks(hasUnicode).contains)
        else { return line }
        return "\(line[..<start])\u{1B}[\(SignalBar.colour(rssi))m\(line[start...end])\u{1B}[0m"
            + "\(line[line.index(after: end)...])"
    }
}

/// A signal strength as a bar of ten characters.
enum SignalBar {
    /// No bar and a full one, in dBm: the weakest that receivers hear, and a beacon at a hand's breadth.
    private static let bounds = (-100.0, -40.0)
    private static let width = 10

    static func text(_ rssi: Double) -> String {
        let share = min(max((rssi - bounds.0) / (bounds.1 - bounds.0), 0), 1)
        let full = Int((share * Double(width)).rounded())
        return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    }

    /// What a bar is drawn with.
    static func marks(_ hasUnicode: Bool) -> Set<Character> { hasUnicode ? ["█", "░"] : ["#", "."] }

    /// Green, yellow and red: good, usable, and about to be lost.
    static func colour(_ rssi: Double) -> Int { rssi >= -65 ? 32 : rssi >= -80 ? 33 : 31 }
}

/// Metres with one decimal below ten.
private func metres(_ metres: Double) -> String { metres < 9.95 ? fixed(metres) : decimal(metres, 0) }

/// A number with one decimal, zero too.
func fixed(_ value: Double) -> String {
    let text = decimal(value, 1)
    return text.contains(".") || text.contains("e") ? text : text + ".0"
}

private func interval(_ span: Span) -> String {
    let milliseconds = span.milliseconds
    return milliseconds < 1000 ? "\(milliseconds) ms" : "\(decimal(Double(milliseconds) / 1000, 1)) s"
}

private func age(_ span: Span) -> String {
    let seconds = span.milliseconds / 1000
    return switch seconds {
    case ..<1: "now"
    case ..<100: "\(seconds) s"
    case ..<6000: "\(seconds / 60) min"
    default: "\(seconds / 3600) h"
    }
}

/// Cuts a line without escape sequences to so many columns; a cut is shown.
func cut(_ line: String, to width: Int, _ hasUnicode: Bool) -> String {
    guard line.unicodeScalars.count > width else { return line }
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: line.unicodeScalars.prefix(max(0, width - 1)))
    return String(kept) + (width > 0 ? (hasUnicode ? "…" : "~") : "")
}

/// What we draw, in ASCII.
func ascii(_ text: String) -> String {
    var result = ""
    for character in text {
        switch character {
        case "█": result += "#"
        case "░": result += "."
        case "…": result += "~"
        case "–": result += "-"
        case "°": result += ""
        case "↑": result += "^"
        case "↓": result += "v"
        default: result.append(character)
        }
    }
    return result
}
