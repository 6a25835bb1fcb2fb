internal import JSON

extension Configuration {
    /// The documented reference: a configuration file with every key, what it is good for, its bounds, its default and
    /// when a change takes effect. It is itself valid.
    public static var reference: String {
        var lines = header
        for item in schema.items {
            switch item {
            case .section(let path, let text):
                lines += ["", "# \(text)", "\(path):"]
            case .setting(let setting):
                let indent = setting.path.contains(".") ? 2 : 0
                if indent == 0 { lines.append("") }
                lines += setting.comment(indent: indent)
                let name = setting.path.split(separator: ".").last ?? ""
                let mark = setting.isRequired ? "" : "#"
                let value = setting.shownValue(of: Configuration())
                lines.append("\(String(repeating: " ", count: indent))\(mark)\(name): \(value)")
            case .entries(let entries):
                lines.append("")
                lines += commentLines(entries.text, indent: 0)
                lines += commentLines(remarks(entries.reach, entries.liveness), indent: 0)
                lines.append("\(entries.path):")
                lines += entries.reference().map { "  \($0)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let header = [
        "# Configuration of beacond: the reference. Every key stands here; those with a # directly before them are",
        "# commented out and show their default, or an example where there is none.",
        "#",
        "# Durations are 500ms, 10s, 5m, 2h. Texts need no quotes, whatever they look like. A key that is null or",
        "# empty has its default. Unknown keys, keys given twice, anchors and tags are refused.",
        "#",
        "# `beacond check FILE` says everything that is wrong with a file, or prints what is in force with it.",
        "# Documents from the broker are laid over this file; what they may not set says so.",
    ]
}

extension Setting {
    /// What the reference says above the key.
    func comment(indent: Int) -> [String] {
        var facts = "Value: \(bounds)."
        if isRequired { facts += " Required." } else if example != nil { facts += " No default." }
        return commentLines(text, indent: indent)
            + commentLines("\(facts) \(remarks(reach, liveness))", indent: indent)
    }

    /// The value that the reference shows: the default, or an example.
    func shownValue(of defaults: Root) -> String {
        switch example ?? write(defaults) ?? .null {
        case .string(let text): yamlScalar(text, inFlow: false)
        case .number(let number): number.literal
        case .bool(let bool): "\(bool)"
        case .array(let elements): yamlLine(.array(elements), inFlow: false)
        case .null, .object: ""
        }
    }
}

/// Who may change a key, and when that takes effect.
private func remarks(_ reach: Reach, _ liveness: Liveness) -> String {
    let effect =
        switch liveness {
        case .live: "Changes live."
        case .reconnect: "A change reconnects."
        case .restart: "A change needs a restart."
        }
    return switch reach {
    case .everywhere: effect
    case .file: "\(effect) Not in documents."
    }
}

/// A text as comment lines of at most 100 columns, broken between words.
private func commentLines(_ text: String, indent: Int) -> [String] {
    let start = String(repeating: " ", count: indent) + "#"
    var lines: [String] = []
    var line = start
    for word in text.split(separator: " ") {
        if line.count + 1 + word.count > 100 {
            lines.append(line)
            line = start
        }
        line += " \(word)"
    }
    return lines + [line]
}
