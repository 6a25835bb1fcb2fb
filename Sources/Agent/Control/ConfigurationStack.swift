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

    /// A document that the node holds on its disk, and whether it counts.
    public struct Layer: Equatable, Sendable {
        /// Whether a document counts.
        public enum Standing: Equatable, Sendable {
            /// It is laid over the file.
            case inForce
            /// It is not valid over the file that is there now; a better file brings it back.
            case refused(ConfigurationProblems)
            /// The file says that documents do not count.
            case switchedOff
        }

        /// The document.
        public var document: Document
        /// Whether it counts.
        public var standing: Standing
    }

    /// A stack that is valid and could be taken.
    public struct Candidate: Sendable {
        /// What would be in force.
        public let configuration: Configuration
        fileprivate let file: ConfigurationNode
        fileprivate var layer: Layer?
    }

    /// What is in force.
    public private(set) var configuration: Configuration
    /// The digest of the canonical form of what is in force.
    public private(set) var hash: String
    /// The node's own document, if it has one.
    public private(set) var layer: Layer?
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

    /// The document that is laid over the file.
    public var documentInForce: Document? { layer?.standing == .inForce ? layer?.document : nil }

    /// The stack with another file. Throws all problems of the file, and of the result where a document is in force.
    ///
    /// The file has to be valid alone as well, for that is how the next start judges it.
    public func candidate(file: YAMLNode) throws(ConfigurationProblems) -> Candidate {
        let file = ConfigurationNode(file)
        do throws(ConfigurationProblems) {
            return try candidate(file: file, holding: layer?.document)
        } catch {
            guard let layer, layer.standing != .inForce else { throw error }
            var alone = try candidate(file: file, holding: nil)
            alone.layer = Layer(document: layer.document, standing: .refused(error))
            return alone
        }
    }

    /// The stack with another document of the node's own; an empty one removes the layer. Throws all problems.
    public func candidate(document bytes: [UInt8]) throws(ConfigurationProblems) -> Candidate {
        try candidate(file: file, holding: bytes.isEmpty ? nil : held(bytes))
    }

    /// Takes a candidate.
    public mutating func take(_ candidate: Candidate) {
        configuration = candidate.configuration
        file = candidate.file
        layer = candidate.layer
        hash = Self.hash(configuration, digest)
    }

    /// Takes the document that the node holds on its disk. One that is not valid over the file is held, and no more.
    public mutating func restore(document bytes: [UInt8]) {
        do throws(ConfigurationProblems) {
            take(try candidate(file: file, holding: held(bytes)))
        } catch {
            layer = Layer(document: held(bytes), standing: .refused(error))
        }
    }

    private func held(_ bytes: [UInt8]) -> Document { Document(bytes: bytes, hash: documentHash(bytes)) }

    private func candidate(
        file: ConfigurationNode, holding document: Document?
    ) throws(ConfigurationProblems) -> Candidate {
        let alone = try Configuration.read(file: file)
        guard let document else { return Candidate(configuration: alone, file: file, layer: nil) }
        guard alone.control.enabled else {
            let layer = Layer(document: document, standing: .switchedOff)
            return Candidate(configuration: alone, file: file, layer: layer)
        }
        return Candidate(
            configuration: try Configuration.read(file: file, layers: [try Self.layer(document.bytes)]), file: file,
            layer: Layer(document: document, standing: .inForce))
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
        guard case .object = config else {
            let found = ConfigurationNode(config, scope: .node).value.found
            throw ConfigurationProblems([problem("config", "expected an object, found \(found)")])
        }
        return ConfigurationLayer(scope: .node, config: config)
    }

    private static func problem(_ path: String, _ message: String) -> ConfigurationProblem {
        ConfigurationProblem(path: path, message: message, origin: .document(.node))
    }

    private static func hash(_ configuration: Configuration, _ digest: Digest) -> String {
        digest(configuration.effective.canonical)
    }
}
