public import JSON
public import YAML

/// One thing wrong with a configuration: which key, where it is written, and a sentence.
public struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The key with those above it, `advertise.major`; empty if it concerns the whole.
    public let path: String
    /// The sentence, with what was expected and what was found; escaped.
    public let message: String
    /// Where it is written.
    public let origin: ConfigurationOrigin

    /// Makes a problem.
    public init(path: String, message: String, origin: ConfigurationOrigin) {
        self.path = path
        self.message = message
        self.origin = origin
    }

    /// The file is not even YAML.
    public init(_ error: YAMLError) {
        self.init(path: "", message: error.message, origin: .file(error.mark))
    }

    /// A document is not even JSON.
    public init(_ error: JSONError, scope: ConfigurationScope) {
        self.init(path: "", message: error.description, origin: .document(scope))
    }

    /// Place, path and sentence on one line.
    public var description: String { "\(place): \(sentence)" }

    /// `12:3`, or which document.
    var place: String {
        switch origin {
        case .file(let mark): "\(mark.line):\(mark.column)"
        case .document(let scope): "\(scope.rawValue) document"
        }
    }

    /// Path and sentence.
    var sentence: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// Everything that is wrong with a configuration, the file's problems in the order of their places, then the documents'.
public struct ConfigurationProblems: Error, Equatable, Sendable, CustomStringConvertible {
    /// How many are kept at most: a reply with a hundred of 200 bytes is far below the 256 KiB that a packet may have.
    public static let maximumCount = 100

    /// The problems.
    public let problems: [ConfigurationProblem]
    /// How many more there are.
    public let omitted: Int

    /// Takes problems in any order.
    public init(_ problems: [ConfigurationProblem]) {
        // Sorting keeps the order of equals, which is that of the keys.
        let sorted = problems.enumerated().sorted { left, right in
            switch (left.element.origin, right.element.origin) {
            case (.file(let first), .file(let second)):
                first == second ? left.offset < right.offset : first < second
            case (.document(let first), .document(let second)):
                first == second ? left.offset < right.offset : first < second
            case (.file, .document): true
            case (.document, .file): false
            }
        }
        self.problems = sorted.prefix(Self.maximumCount).map(\.element)
        omitted = max(0, problems.count - Self.maximumCount)
    }

    /// One line a problem.
    public var description: String {
        let lines = problems.map(\.description)
        return (omitted > 0 ? lines + ["and \(omitted) more"] : lines).joined(separator: "\n")
    }
}
