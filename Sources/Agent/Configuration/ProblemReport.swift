extension ConfigurationProblems {
    /// The problems as a compiler shows them: `file:line:column: path: sentence`, the line, and a caret below it.
    ///
    /// The name is the file's as it was asked for; the source is its content, which may be anything.
    public func report(source: [UInt8], name: String) -> String {
        let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var text = ""
        for problem in problems {
            switch problem.origin {
            case .file(let mark):
                text += "\(escaped(name, limit: 255)):\(problem.description)\n"
                if lines.indices.contains(mark.line - 1) {
                    text += ConfigurationProblems.excerpt(of: lines[mark.line - 1], column: mark.column)
                }
            case .document: text += "\(problem.description)\n"
            }
        }
        let count = problems.count + omitted
        if omitted > 0 { text += "and \(omitted) more\n" }
        return text + "\(count) \(count == 1 ? "problem" : "problems")\n"
    }

    /// A line of the source and a caret below the column; of a long line the part around it.
    private static func excerpt(of line: ArraySlice<UInt8>, column: Int) -> String {
        let width = 100
        let scalars = Array(String(decoding: line, as: UTF8.self).unicodeScalars.filter { $0 != "\r" })
        let caret = min(max(column - 1, 0), scalars.count)
        let start = scalars.count > width ? max(0, min(caret - width / 2, scalars.count - width)) : 0
        let end = min(scalars.count, start + width)
        // Indented by four, of which a cut takes one.
        let lead = start > 0 ? "   …" : "    "
        let before = shown(scalars[start..<caret])
        let after = shown(scalars[caret..<max(caret, end)])
        let padding = String(repeating: " ", count: before.unicodeScalars.count)
        return "\(lead)\(before)\(after)\(end < scalars.count ? "…" : "")\n    \(padding)^\n"
    }

    /// Tabs as one space each, or the caret would not stand below its column.
    private static func shown(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars.map { $0 == "\t" ? " " : $0 })
        return escaped(String(text), limit: .max)
    }
}
