import Foundation
import JSON
import TestSupport

/// A running `beacon-sim`: the store, and the controllers of the agents that connect.
final class Simulator {
    /// A line of the air log: what a controller had on air from then on.
    struct Air: Equatable {
        let controller: Int64
        /// Hexadecimal advertising data; nil while it was off.
        let data: String?
    }

    private let child: Child
    private let folder: TemporaryFolder
    private let truthFile: String
    /// Where it listens, as `radio.adapter` has it.
    let address: String

    /// Starts it with a scenario in YAML, and waits until it listens.
    init(scenario: String, seconds: Int? = nil) throws {
        folder = try TemporaryFolder()
        address = "unix:\(folder.path("hci"))"
        truthFile = folder.path("truth")
        var arguments = [
            "--listen", address, "--scenario", try folder.write("store.yaml", scenario), "--truth", truthFile,
            // In the output, so that a test can wait for a line of it.
            "--air", "/dev/stdout",
        ]
        if let seconds { arguments += ["--seconds", "\(seconds)"] }
        child = try Child(builtProgram("beacon-sim"), arguments)
        try child.wait(forLine: "listening on")
    }

    deinit { child.kill() }

    /// The changes on air so far.
    var air: [Air] { Self.air(child.lines) }

    /// Waits until `look` finds in the changes on air what it looks for.
    @discardableResult
    func wait<Found>(
        for what: String, within limit: TimeInterval = 20, _ look: ([Air]) throws -> Found?
    ) throws -> Found {
        try child.wait(for: what, within: limit) { try look(Self.air($0)) }
    }

    /// Waits until a payload is the last one that went on air.
    func wait(onAir data: String?, within limit: TimeInterval = 20) throws {
        try wait(for: "\(data ?? "silence") on air", within: limit) { $0.last?.data == data ? true : nil }
    }

    /// Ends it and returns its truth, a value for each line.
    func truth() throws -> [JSONValue] {
        let status = try child.stop()
        if status != 0 { throw TestFailure(description: "beacon-sim ended with \(status): \(child.lines)") }
        return try String(contentsOfFile: truthFile, encoding: .utf8).split(separator: "\n").map { line in
            try JSONValue(reading: Array(line.utf8))
        }
    }

    /// SIGSTOP: the controllers hang, their connections stay.
    func pause() { child.send(SIGSTOP) }

    /// SIGCONT.
    func resume() { child.send(SIGCONT) }

    /// Ends it at once: the controller is unplugged.
    func kill() { child.kill() }

    private static func air(_ lines: [Child.Line]) -> [Air] {
        lines.compactMap { line in
            guard !line.isError, line.text.hasPrefix("{"),
                let value = try? JSONValue(reading: Array(line.text.utf8)),
                let controller = value["controller"]?.integer, let isOn = value["on"]?.bool
            else { return nil }
            return Air(controller: controller, data: isOn ? value["data"]?.text : nil)
        }
    }
}
