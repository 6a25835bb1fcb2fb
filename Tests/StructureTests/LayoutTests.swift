import Foundation
import Testing

@Suite("Layout")
struct LayoutTests {
    @Test("the top level of the repository holds the agreed names only")
    func topLevel() throws {
        let agreed: Set = ["Package.swift", "Sources", "Tests", "deploy", "config.yaml", "README.md", "LICENSE"]
        for name in try Repository.names(in: "") where !name.hasPrefix(".") {
            #expect(agreed.contains(name), "\(name) has no place at the top level")
        }
    }

    @Test("no file is longer than 450 lines")
    func length() throws {
        for source in try Repository.sources(in: "Sources") + Repository.sources(in: "Tests") {
            #expect(
                source.lines.count <= 450, "\(source.path) has \(source.lines.count) lines: find its second idea")
        }
    }

    @Test("no type has the name of its module, which would hide the module")
    func typeNames() throws {
        for source in try Repository.sources(in: "Sources") {
            for (index, line) in source.lines.enumerated() where line.isCode {
                for kind in ["struct", "class", "enum", "protocol", "actor", "typealias"] {
                    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                    guard let at = words.firstIndex(where: { $0 == kind }), at + 1 < words.count else { continue }
                    #expect(words[at + 1] != source.target, "\(source.path):\(index + 1)")
                }
            }
        }
    }

    @Test("no source traps on purpose, forces a value, or leaves work for later")
    func noShortcuts() throws {
        for source in try Repository.sources(in: "Sources") {
            for (index, line) in source.lines.enumerated() {
                for word in ["fatalError(", "try! ", "as! ", "TODO", "FIXME", "XXX"] where line.contains(word) {
                    Issue.record("\(source.path):\(index + 1): \(word)")
                }
            }
        }
    }

    @Test("every waiver of a check has a line that says why")
    func waivers() throws {
        for source in try Repository.sources(in: "Sources") {
            for (index, line) in source.lines.enumerated() where line.isCode {
                guard line.contains("@unchecked") || line.contains("nonisolated(unsafe)") else { continue }
                // Beside it: in the lines before or just after.
                let near = source.lines[max(index - 6, 0)...min(index + 3, source.lines.count - 1)]
                #expect(
                    near.contains { $0.lowercased().contains("because") }, "\(source.path):\(index + 1): \(line)")
            }
        }
    }

    @Test("tests do not sleep")
    func noSleep() throws {
        for source in try Repository.sources(in: "Tests") where source.target != "StructureTests" {
            for (index, line) in source.lines.enumerated() where line.isCode {
                for call in ["sleep(", "Task.sleep", "Thread.sleep"] where line.contains(call) {
                    Issue.record("\(source.path):\(index + 1): \(call)")
                }
            }
        }
    }
}
