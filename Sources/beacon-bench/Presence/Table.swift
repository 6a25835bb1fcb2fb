import JSON

/// A table that can be read and parsed.
struct Table {
    enum Cell {
        case text(String)
        case number(Double, decimals: Int)
    }

    var title: String
    /// Said below the title, in text only.
    var note = ""
    var columns: [String]
    var rows: [[Cell]] = []

    var text: String {
        let cells = rows.map { $0.map(Self.text) }
        let widths = columns.indices.map { column in
            cells.map { $0[column].count }.reduce(columns[column].count, max)
        }
        func line(_ words: [String]) -> String {
            var line = ""
            for (column, word) in words.enumerated() {
                let gap = String(repeating: " ", count: widths[column] - word.count)
                // Names to the left, numbers to the right.
                line += column == 0 ? word + gap : "  " + gap + word
            }
            return line + "\n"
        }
        return "\(title)\n" + (note.isEmpty ? "" : "\(note)\n") + "\n" + line(columns) + cells.map(line).joined()
    }

    private static func text(_ cell: Cell) -> String {
        switch cell {
        case .text(let text): return text
        case .number(let value, let decimals): return value.isFinite ? decimal(value, decimals) : "-"
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("title")
            json.string(title)
            json.key("rows")
            json.array { json in
                for row in rows {
                    json.object { json in
                        for (column, cell) in row.enumerated() {
                            json.key(text: columns[column])
                            switch cell {
                            case .text(let text): json.string(text)
                            case .number(let value, let decimals): json.number(value, decimals: decimals)
                            }
                        }
                    }
                }
            }
        }
    }
}
