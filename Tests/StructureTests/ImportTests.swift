import Testing

/// Which module may know of which: the data flows one way, and the libraries of the edges know nothing of each other.
/// A change here is a change of the architecture.
private let allowedImports: [String: Set<String>] = [
    "CSystem": [],
    "System": ["CSystem"],
    "Beacon": [],
    "Presence": ["Beacon"],
    "HCI": ["CBluetooth", "CZlib", "System"],
    "YAML": ["CYAML"],
    "JSON": [],
    "MQTT": ["CMosquitto", "System"],
    "Outbox": ["System"],
    "Trust": ["CCrypto"],
    "Agent": ["Beacon", "Presence", "YAML", "JSON"],
    "beacond": ["Agent", "Beacon", "HCI", "JSON", "MQTT", "Outbox", "Presence", "System", "Trust", "YAML"],
    "beacon-sim": ["Beacon", "HCI", "JSON", "System", "YAML"],
    "beacon-bench": ["Agent", "Beacon", "HCI", "JSON", "Presence", "System", "YAML"],
]

/// Maps of C libraries: a module map and a shim, no Swift.
private let systemLibraries: Set = ["CBluetooth", "CMosquitto", "CYAML", "CCrypto", "CZlib"]

@Suite("Imports")
struct ImportTests {
    @Test("every source file imports only what the table allows its module")
    func table() throws {
        for source in try Repository.sources(in: "Sources") {
            guard let allowed = allowedImports[source.target] else {
                Issue.record("\(source.path): there is no module \(source.target) in the table")
                continue
            }
            // Glibc is the C library itself and may be used everywhere.
            for (line, module) in source.imports where module != "Glibc" && !allowed.contains(module) {
                Issue.record("\(source.path):\(line): \(source.target) must not import \(module)")
            }
        }
    }

    @Test("Package.swift declares the dependencies of the table and no others")
    func package() throws {
        let text = try Repository.text("Package.swift")
        let target = try Regex(#"\b(?:swift|program)\(\s*"([^"]+)"(?:,\s*\[([^\]]*)\])?\s*\)"#)
        var declared: [String: Set<String>] = ["CSystem": []]
        for match in text.matches(of: target) {
            guard let name = match.output[1].substring.map(String.init) else { continue }
            let list = match.output[2].substring ?? ""
            declared[name] = Set(list.split { !$0.isLetter && $0 != "-" }.map(String.init))
        }
        for name in Set(declared.keys).union(allowedImports.keys).sorted() {
            #expect(declared[name] == allowedImports[name], "\(name)")
        }
        #expect(!text.contains(".package("), "no package from outside")
    }

    @Test("nothing in the programs needs Foundation, Dispatch or async code")
    func noFoundation() throws {
        let forbidden: Set = [
            "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "_Concurrency", "Observation",
        ]
        for source in try Repository.sources(in: "Sources") {
            for (line, module) in source.imports where forbidden.contains(module) {
                Issue.record("\(source.path):\(line): imports \(module)")
            }
            for (index, line) in source.lines.enumerated() where line.isCode {
                if line.contains(" async ") || line.contains("await ") {
                    Issue.record("\(source.path):\(index + 1): async code")
                }
            }
        }
    }

    @Test("the reader of imports sees every form of them")
    func reader() {
        let lines = [
            "import A", "public import B", "@testable import C", "@preconcurrency internal import D",
            "import struct E.Inner", "private import F.Sub", "importance", "// import G", "let import = 1", "",
        ]
        let source = Repository.Source(path: "x", target: "x", lines: lines.map { $0[...] })
        #expect(source.imports.map(\.module) == ["A", "B", "C", "D", "E", "F"])
    }
}

extension Substring {
    /// Whether the line holds more than a comment.
    var isCode: Bool { !drop { $0 == " " }.hasPrefix("//") }
}
