internal import JSON
public import YAML

/// The layers that make the configuration: the file, and above it the node's own document.
///
/// File at start, file read again, document from the broker: each is a candidate for the whole stack, and the same
/// code judges the result. A candidate that is not taken changes nothing.
public struct ConfigurationStack: Sendable {
    /// `sha256:` and 64 hex digits; an argument because digests belong to another module.
    public typealias Digest = @Sendable ([UInt8]) -> String

    /// A document as it was received, and what it is known by.
    public struct Document: Equatable, Sendable {
        /// The payload.
        public var bytes: [UInt8]
        /// Its digest.
        public var hash: String
    }

    /// A stack that is valid and could be taken.
    public struct Candidate: Sendable {
        /// What would be in force.
        public let configuration: Configuration
        fileprivate let file: ConfigurationNode
        fileprivate let document: Document?
    }

    /// What is in force.
    public private(set) var configuration: Configuration
    /// The digest of the canonical form of what is in force.
    public private(set) var hash: String
    /// The node's own document in force, if there is one.
    public private(set) var document: Document?
    private var file: ConfigurationNode
    private let digest: Digest

    /// Makes a stack of a file alone. Throws all its problems.
    public init(file: YAMLNode, digest: @escaping Digest) throws(ConfigurationProblems) {
        self.file = ConfigurationNode(file)
        self.digest = digest
        configuration = try Configuration.read(file: self.file, layers: [])
        hash = Self.hash(configuration, digest)
    }

    /// The hash by which a payload is known.
    public func documentHash(_ bytes: [UInt8]) -> String { digest(bytes) }

    /// The stack with another file. Throws all problems of the result.
    public func candidate(file: YAMLNode) throws(ConfigurationProblems) -> Candidate {
        try candidate(file: ConfigurationNode(file), document: document)
    }

    /// The stack with another document of the node's own; an empty one removes the layer. Throws all problems.
    public func candidate(document bytes: [UInt8]) throws(ConfigurationProblems) -> Candidate {
        try candidate(file: file, document: bytes.isEmpty ? nil : Document(bytes: bytes, hash: documentHash(bytes)))
    }

    /// Takes a candidate.
    public mutating func take(_ candidate: Candidate) {
        configuration = candidate.configuration
        file = candidate.file
        document = candidate.document
        hash = Self.hash(configuration, digest)
    }

    private func candidate(
        file: ConfigurationNode, document: Document?
    ) throws(ConfigurationProblems) -> Candidate {
        let layers = try document.map { document throws(ConfigurationProblems) in [try Self.layer(document.bytes)] }
        return Candidate(
            configuration: try Configuration.read(file: file, layers: layers ?? []), file: file, document: document)
    }

    /// What a document says: `{"config": {…}}`.
    private static func layer(_ bytes: [UInt8]) throws(ConfigurationProblems) -> ConfigurationLayer {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(reading: bytes)
        } catch {
            throw ConfigurationProblems([ConfigurationProblem(error, scope: .node)])
        }
        guard case .object(let object) = value else {
            throw ConfigurationProblems([problem("", "expected an object: {\"config\": {…}}")])
        }
        var problems: [ConfigurationProblem] = []
        for member in object.members where member.name != "config" {
            problems.append(problem(escaped(member.name), "unknown key; a document has the key config alone"))
        }
        let config = object["config"]
        if config == nil { problems.append(problem("config", "is missing; a document is {\"config\": {…}}")) }
        guard let config, problems.isEmpty else { throw ConfigurationProblems(problems) }
        return ConfigurationLayer(scope: .node, config: config)
    }

    private static func problem(_ path: String, _ message: String) -> ConfigurationProblem {
        ConfigurationProblem(path: path, message: message, origin: .document(.node))
    }

    private static func hash(_ configuration: Configuration, _ digest: Digest) -> String {
        digest(configuration.effective.canonical)
    }
}
