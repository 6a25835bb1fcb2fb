internal import JSON

/// When a changed key takes effect.
enum Liveness: Sendable {
    /// At once.
    case live
    /// With a new connection to the broker, which is made at once.
    case reconnect
    /// When the agent is started again.
    case restart
}

/// Where a key may be set.
enum Reach: Sendable {
    /// In the file and in every document.
    case everywhere
    /// In the file alone: what identifies the node, and what a document must not cut it off by.
    case file
}

/// The keys of a value: their names, kinds, defaults, reach and meaning.
///
/// Everything that knows keys works on this: validation, the effective configuration and the reference text.
struct Schema<Root: Sendable>: Sendable {
    /// A key, or what groups keys, in the order of the reference.
    enum Item: Sendable {
        /// Keys that stand below one name.
        case section(path: String, text: String)
        /// One key.
        case setting(Setting<Root>)
        /// A map whose keys are ids.
        case entries(Entries<Root>)
    }

    let items: [Item]
    let rules: [Rule<Root>]
    private let places: [String: Int]

    init(_ items: [Item], rules: [Rule<Root>] = []) {
        self.items = items
        self.rules = rules
        var places: [String: Int] = [:]
        for (place, item) in items.enumerated() { places[item.path] = place }
        self.places = places
    }

    /// What stands at a path, keys joined by dots.
    subscript(path: String) -> Item? { places[path].map { items[$0] } }

    /// The settings, in order.
    var settings: [Setting<Root>] {
        items.compactMap { item in
            if case .setting(let setting) = item { setting } else { nil }
        }
    }

    /// The names that may stand directly below a path; at the top, below nothing.
    func names(below path: String) -> [String] {
        let prefix = path.isEmpty ? "" : path + "."
        return items.map(\.path).filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
            .filter { !$0.contains(".") }
    }
}

extension Schema.Item {
    var path: String {
        switch self {
        case .section(let path, _): path
        case .setting(let setting): setting.path
        case .entries(let entries): entries.path
        }
    }
}

/// One key.
struct Setting<Root: Sendable>: Sendable {
    /// The key and those above it: `radio.interval`.
    let path: String
    /// What it is good for, in sentences.
    let text: String
    /// What it may be: `0…65535`.
    let bounds: String
    /// Whether there must be a value.
    let isRequired: Bool
    /// What the reference shows where there is no default.
    let example: JSONValue?
    let reach: Reach
    let liveness: Liveness
    /// Sets it; says what is wrong otherwise.
    let read: @Sendable (ConfigurationNode.Value, inout Root) -> Complaint?
    /// Its value; nil where there is none.
    let write: @Sendable (Root) -> JSONValue?

    /// A key that always has a value; a required one has no default.
    init<Value>(
        _ path: String, _ field: any WritableKeyPath<Root, Value> & Sendable, _ kind: Kind<Value>,
        required example: JSONValue? = nil, reach: Reach = .everywhere, liveness: Liveness = .live, _ text: String
    ) {
        self.path = path
        self.text = text
        self.bounds = kind.bounds
        self.isRequired = example != nil
        self.example = example
        self.reach = reach
        self.liveness = liveness
        read = { value, root in
            switch kind.read(value) {
            case .success(let result): root[keyPath: field] = result
            case .failure(let complaint): return complaint
            }
            return nil
        }
        write = { kind.write($0[keyPath: field]) }
    }

    /// A key that may have no value.
    init<Value>(
        _ path: String, optional field: any WritableKeyPath<Root, Value?> & Sendable, _ kind: Kind<Value>,
        example: JSONValue, reach: Reach = .everywhere, liveness: Liveness = .live, _ text: String
    ) {
        self.path = path
        self.text = text
        self.bounds = kind.bounds
        self.isRequired = false
        self.example = example
        self.reach = reach
        self.liveness = liveness
        read = { value, root in
            switch kind.read(value) {
            case .success(let result): root[keyPath: field] = result
            case .failure(let complaint): return complaint
            }
            return nil
        }
        write = { $0[keyPath: field].map(kind.write) }
    }
}

/// A map whose keys are ids.
struct Entries<Root: Sendable>: Sendable {
    let path: String
    let text: String
    let reach: Reach
    let liveness: Liveness
    /// Reads all entries.
    let read: @Sendable ([ConfigurationNode.Entry], inout Root, inout [ConfigurationProblem]) -> Void
    /// Writes all entries.
    let write: @Sendable (Root) -> JSONObject
    /// The lines of the reference below the key.
    let reference: @Sendable () -> [String]
}

/// A condition between keys, looked at when each of them is good for itself.
struct Rule<Root: Sendable>: Sendable {
    /// The key that is to blame; empty for what they all belong to.
    let path: String
    /// The other keys that it looks at.
    let others: [String]
    /// What is wrong; nil if nothing is. `isSet` says whether a key is written at all.
    let complaint: @Sendable (_ root: Root, _ isSet: (String) -> Bool) -> String?

    init(
        _ path: String, with others: [String] = [],
        _ complaint: @escaping @Sendable (_ root: Root, _ isSet: (String) -> Bool) -> String?
    ) {
        self.path = path
        self.others = others
        self.complaint = complaint
    }
}
