internal import JSON
public import YAML

/// Where a piece of configuration was written.
public enum ConfigurationOrigin: Hashable, Sendable {
    /// In the file: line and column, from 1.
    case file(YAMLMark)
    /// In a document of that scope.
    case document(ConfigurationScope)
}

/// Configuration before anybody says what it means: of the file and of documents alike, so that one validator serves
/// both.
public struct ConfigurationNode: Equatable, Sendable {
    /// What is written.
    enum Value: Equatable, Sendable {
        /// `null`, or nothing at all: the default, or the entry is removed.
        case null
        /// JSON's `true` and `false`.
        case bool(Bool)
        /// A number of JSON, as it is written.
        case number(String)
        /// A text in quotes.
        case text(String)
        /// A plain scalar of YAML: a number, a truth value or a text, as the key would have it.
        case plain(String)
        /// A list.
        case list([ConfigurationNode])
        /// A map.
        case map([Entry])
    }

    /// One `key: value`.
    struct Entry: Equatable, Sendable {
        var key: String
        var origin: ConfigurationOrigin
        var node: ConfigurationNode
    }

    var value: Value
    var origin: ConfigurationOrigin
}

extension ConfigurationNode {
    /// Takes over a file.
    public init(_ node: YAMLNode) {
        origin = .file(node.mark)
        switch node.value {
        case .scalar(let scalar):
            let isNull = scalar.isPlain && ["", "~", "null"].contains(scalar.text)
            value = isNull ? .null : scalar.isPlain ? .plain(scalar.text) : .text(scalar.text)
        case .sequence(let nodes): value = .list(nodes.map { ConfigurationNode($0) })
        case .mapping(let entries):
            value = .map(
                entries.map {
                    Entry(key: $0.key, origin: .file($0.mark), node: ConfigurationNode($0.value))
                })
        }
    }

    /// Takes over what a document says.
    init(_ json: JSONValue, scope: ConfigurationScope) {
        origin = .document(scope)
        switch json {
        case .null: value = .null
        case .bool(let bool): value = .bool(bool)
        case .number(let number): value = .number(number.literal)
        case .string(let text): value = .text(text)
        case .array(let elements): value = .list(elements.map { ConfigurationNode($0, scope: scope) })
        case .object(let object):
            value = .map(
                object.members.map {
                    Entry(key: $0.name, origin: .document(scope), node: ConfigurationNode($0.value, scope: scope))
                })
        }
    }
}

extension ConfigurationNode.Value {
    /// What is written, for a message.
    var found: String {
        switch self {
        case .null: "nothing"
        case .bool(let bool): "\(bool)"
        case .number(let literal): escaped(literal)
        case .text(let text): "the text \(quoted(text))"
        case .plain(let text): quoted(text)
        case .list: "a list"
        case .map: "a map"
        }
    }

    /// The text, in quotes or plain; nil of anything else.
    var text: String? {
        switch self {
        case .text(let text), .plain(let text): text
        default: nil
        }
    }
}
