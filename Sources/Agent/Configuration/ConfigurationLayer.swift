public import JSON

/// Whom a document is for. The later in this order wins.
public enum ConfigurationScope: String, Sendable, CaseIterable, Comparable {
    /// Every node.
    case all
    /// The nodes of one site.
    case site
    /// The nodes of a group.
    case group
    /// One node.
    case node

    /// The wider before the narrower.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .all: 0
        case .site: 1
        case .group: 2
        case .node: 3
        }
    }
}

/// What one document lays over the configuration file.
public struct ConfigurationLayer: Equatable, Sendable {
    /// Whom the document is for.
    public let scope: ConfigurationScope
    /// What it says.
    let root: ConfigurationNode

    /// Takes what a document has under `config`.
    public init(scope: ConfigurationScope, config: JSONValue) {
        self.scope = scope
        root = ConfigurationNode(config, scope: scope)
    }
}

extension ConfigurationNode {
    /// Lays a patch over this (JSON merge patch, RFC 7396).
    ///
    /// Where the RFC removes an entry that is null, the null stays in its place with its origin: it means the default
    /// all the same, and a complaint about it can say where it stands.
    mutating func merge(_ patch: ConfigurationNode) {
        guard case .map(let patches) = patch.value else {
            self = patch
            return
        }
        guard case .map(var entries) = value else {
            self = patch
            return
        }
        // Taken out while it changes, so that it is changed in place.
        value = .null
        var places: [String: Int] = [:]
        for (place, entry) in entries.enumerated() { places[entry.key] = place }
        for patch in patches {
            if let place = places[patch.key] {
                entries[place].origin = patch.origin
                entries[place].node.merge(patch.node)
            } else {
                entries.append(patch)
            }
        }
        value = .map(entries)
    }
}
