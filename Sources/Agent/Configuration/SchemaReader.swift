/// Reads a tree by a schema: sets what is good, and notes every problem of what is not.
struct SchemaReader<Root: Sendable> {
    let schema: Schema<Root>
    /// What stands above all paths here: `regions.entrance`.
    let prefix: String
    var root: Root
    private(set) var problems: [ConfigurationProblem] = []
    /// Where each key that has a value was written.
    private var origins: [String: ConfigurationOrigin] = [:]
    /// Where each key that is null was written.
    private var nulls: [String: ConfigurationOrigin] = [:]
    private var faulty: Set<String> = []

    init(_ schema: Schema<Root>, into root: Root, prefix: String = "") {
        self.schema = schema
        self.root = root
        self.prefix = prefix
    }

    /// Reads a map and judges it as a whole; `origin` is where a complaint about it stands.
    mutating func read(_ node: ConfigurationNode, at origin: ConfigurationOrigin) {
        origins[""] = origin
        map(node, at: "")
        for setting in schema.settings where setting.isRequired && origins[setting.path] == nil {
            if faulty.contains(setting.path) { continue }
            note(
                setting.path, "is missing and has no default; it must be \(setting.bounds)",
                at: place(of: setting.path))
        }
        for rule in schema.rules where faulty.isDisjoint(with: rule.others + [rule.path]) {
            if let complaint = rule.complaint(root, { origins[$0] != nil }) {
                let written = ([rule.path] + rule.others).first { !$0.isEmpty && (origins[$0] ?? nulls[$0]) != nil }
                note(rule.path, complaint, at: place(of: rule.path.isEmpty ? "" : written ?? rule.path))
            }
        }
    }

    private mutating func map(_ node: ConfigurationNode, at path: String) {
        switch node.value {
        case .null: return
        case .map(let entries):
            for entry in entries { self.entry(entry, below: path) }
        default:
            faulty.formUnion(schema.settings.map(\.path).filter { path.isEmpty || $0.hasPrefix(path + ".") })
            note(path, "expected keys below it, found \(node.value.found)", at: node.origin)
        }
    }

    private mutating func entry(_ entry: ConfigurationNode.Entry, below parent: String) {
        let path = parent.isEmpty ? entry.key : "\(parent).\(entry.key)"
        // A key with a dot in it is no path.
        switch entry.key.contains(".") ? nil : schema[path] {
        case nil:
            note(
                parent.isEmpty ? shownKey(entry.key) : "\(parent).\(shownKey(entry.key))",
                unknown(entry.key, below: parent), at: entry.origin)
        case .section:
            // Where it is blamed for a key that is missing.
            origins[path] = entry.origin
            map(entry.node, at: path)
        case .setting(let setting):
            if entry.node.value == .null {
                // A default, and the place to blame if there is none.
                nulls[path] = entry.origin
                return
            }
            origins[path] = entry.node.origin
            if let complaint = setting.read(entry.node.value, &root) {
                faulty.insert(path)
                note(path, complaint.message, at: entry.node.origin)
            }
        case .entries(let entries):
            switch entry.node.value {
            case .null: return
            case .map(let map): entries.read(map.filter { $0.node.value != .null }, &root, &problems)
            default: note(path, "expected a map of ids, found \(entry.node.value.found)", at: entry.node.origin)
            }
        }
    }

    /// Where a key is written, else what it belongs to.
    private func place(of path: String) -> ConfigurationOrigin {
        var path = path
        while true {
            if let origin = origins[path] ?? nulls[path] { return origin }
            path = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? ""
        }
    }

    private mutating func note(_ path: String, _ message: String, at origin: ConfigurationOrigin) {
        let whole = [prefix, path].filter { !$0.isEmpty }.joined(separator: ".")
        problems.append(ConfigurationProblem(path: whole, message: message, origin: origin))
    }

    private func unknown(_ key: String, below path: String) -> String {
        let names = schema.names(below: path)
        let start = "is no key that this version knows"
        if let name = nearest(to: key, among: names) { return "\(start); did you mean \(name)?" }
        // A key of another section, set at the wrong depth.
        let elsewhere = schema.items.map(\.path).first { $0.hasSuffix(".\(key)") }
        if let elsewhere { return "\(start); did you mean \(elsewhere)?" }
        return "\(start); here are \(names.joined(separator: ", "))"
    }
}

/// A key from outside as part of a path.
func shownKey(_ key: String) -> String { key.isEmpty ? "''" : escaped(key, limit: 64) }

/// The name that differs least from a key, if it is by a slip of the finger.
func nearest(to key: String, among names: [String]) -> String? {
    // Nobody means a name of half the length, and the table below stays small.
    let letters = Array(key.lowercased().unicodeScalars.prefix(40)).map { $0 == "-" ? "_" : $0 }
    var best: (name: String, distance: Int)?
    for name in names {
        let distance = editDistance(letters, Array(name.unicodeScalars))
        if distance <= max(1, name.count / 3), distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
}

/// Levenshtein's distance: how many letters are to be changed, added or left out.
private func editDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in second.enumerated() {
            let changed = diagonal + (letter == other ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(changed, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[second.count]
}

/// Reads the entries of a map whose keys are ids; `make` makes the value that an entry is read into.
func readEntries<Value: Sendable>(
    _ entries: [ConfigurationNode.Entry], below path: String, _ schema: Schema<Value>,
    _ problems: inout [ConfigurationProblem], _ make: (_ id: String) -> Value
) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(entries.count)
    for entry in entries {
        let path = "\(path).\(shownKey(entry.key))"
        if case .failure(let complaint) = Kind.id.read(.text(entry.key)) {
            problems.append(ConfigurationProblem(path: path, message: complaint.message, origin: entry.origin))
        }
        var reader = SchemaReader(schema, into: make(entry.key), prefix: path)
        reader.read(entry.node, at: entry.origin)
        problems += reader.problems
        values.append(reader.root)
    }
    return values
}
