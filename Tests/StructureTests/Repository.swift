import Foundation

/// The package's folder and what it holds.
enum Repository {
    /// Its root, from where this file is.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A Swift file.
    struct Source {
        /// From the root: "Sources/MQTT/BrokerClient.swift".
        let path: String
        /// The folder below Sources or Tests: "MQTT".
        let target: String
        let lines: [Substring]
    }

    /// All Swift files below a folder.
    static func sources(in folder: String) throws -> [Source] {
        let base = root.appendingPathComponent(folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: base.path)
        return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            let text = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
            return Source(
                path: "\(folder)/\(name)", target: String(name.prefix { $0 != "/" }),
                lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
    }
}

extension Repository.Source {
    /// The modules that are imported, with the number of the line.
    var imports: [(line: Int, module: String)] {
        lines.enumerated().compactMap { index, line in
            var words = line.split(separator: " ").map(String.init)[...]
            while let word = words.first, word != "import" {
                guard word.hasPrefix("@") || Self.accessLevels.contains(word) else { return nil }
                words.removeFirst()
            }
            guard words.popFirst() == "import" else { return nil }
            if let kind = words.first, Self.importKinds.contains(kind) { words.removeFirst() }
            guard let module = words.first?.split(separator: ".").first else { return nil }
            return (index + 1, String(module))
        }
    }

    private static let accessLevels: Set = ["public", "package", "internal", "fileprivate", "private"]
    private static let importKinds: Set = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
    ]
}
