import Foundation
import JSON
import TestSupport
import Testing

/// A store made of Google's Bumble, which nobody here wrote: a controller for a node, and a device beside it.
final class BumbleStore {
    /// An answer of the controller to the node.
    struct Answer: Equatable {
        /// Bumble's name for the command: "HCI_RESET_COMMAND".
        let command: String
        /// 0 is success. Core Spec Vol 1 Part F
        let status: Int64
    }

    /// The Python that has Bumble; nil where there is none.
    static let python = ProcessInfo.processInfo.environment["BUMBLE_PYTHON"]
    /// Why there is none.
    static let missing = Comment(
        rawValue: ProcessInfo.processInfo.environment["BUMBLE_MISSING"]
            ?? "BUMBLE_PYTHON is not set; it is what Tests/bumble/python.sh prints")
    /// Who the device is.
    static let device = "C0:DE:00:00:00:01"

    private let child: Child
    /// Where the controller is, as `radio.adapter` has it.
    let address: String

    /// Starts it at an address, with a controller that claims its extended commands or not, and a device that advertises
    /// an iBeacon of −59 dBm.
    init(at address: String, claims: Bool, uuid: String, major: UInt16, minor: UInt16) throws {
        self.address = address
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("bumble/store.py").path
        child = try Child(
            try #require(Self.python),
            [
                script, address, "--commands", claims ? "claimed" : "unclaimed",
                "--beacon", uuid, "\(major)", "\(minor)", "-59",
            ])
        try child.wait(forLine: "\"listening\"")
    }

    deinit { child.kill() }

    /// What the controller answered so far.
    var answers: [Answer] {
        Self.values(child.lines).compactMap { value in
            guard let command = value["command"]?.text, let status = value["status"]?.integer else { return nil }
            return Answer(command: command, status: status)
        }
    }

    /// What the device heard so far, in hexadecimal.
    var heard: [String] { Self.heard(child.lines) }

    /// Waits until the device hears this, in hexadecimal.
    func wait(forHearing data: String, within limit: TimeInterval = 20) throws {
        try child.wait(for: "\(data) on air", within: limit) { Self.heard($0).last == data ? true : nil }
    }

    /// Ends it; returns what it complained of.
    func end() throws -> [String] {
        #expect(try child.stop() == 0)
        return child.errors
    }

    private static func heard(_ lines: [Child.Line]) -> [String] {
        values(lines).compactMap { $0["event"]?.text == "heard" ? $0["data"]?.text : nil }
    }

    private static func values(_ lines: [Child.Line]) -> [JSONValue] {
        lines.filter { !$0.isError }.compactMap { try? JSONValue(reading: Array($0.text.utf8)) }
    }
}
