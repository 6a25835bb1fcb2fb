import Foundation
import JSON
import TestSupport

/// A running `beacon-sim --vhci`: a store, and the controllers behind this machine's adapters in it.
final class Store {
    /// A line of the air log: what a controller had on air from then on.
    struct Air: Equatable {
        /// From 1 on.
        let controller: Int64
        /// Hexadecimal advertising data; nil while it was off.
        let data: String?
    }

    private let child: Child
    private let folder: TemporaryFolder

    /// Puts so many adapters into the machine; `scenario` is in YAML.
    init(adapters: Int = 1, _ scenario: String) throws {
        folder = try TemporaryFolder()
        child = try Child(
            builtProgram("beacon-sim"),
            [
                "--vhci", "\(adapters)", "--scenario", try folder.write("store.yaml", scenario), "--truth",
                folder.path("truth"),
                // In the output, so that a test can wait for a line of it.
                "--air", "/dev/stdout",
            ])
        try child.wait(forLine: "host \(adapters) is hci", within: Guest.limit)
    }

    deinit { child.kill() }

    /// The number N of the hciN that a host of the scenario was last, from 1 on.
    func adapter(host: Int = 1) throws -> Int {
        let start = "host \(host) is hci"
        let line = child.lines.last { $0.text.contains(start) }?.text ?? ""
        let digits = line.range(of: start).map { line[$0.upperBound...].prefix { $0.isNumber } } ?? ""
        guard let number = Int(digits) else {
            throw TestFailure(description: "host \(host) has no adapter: \(child.lines.map(\.text))")
        }
        return number
    }

    /// The changes on air so far.
    var air: [Air] { Self.air(child.lines) }

    /// Waits until `look` finds in the changes on air what it looks for.
    @discardableResult
    func wait<Found>(
        for what: String, within limit: TimeInterval = Guest.limit, _ look: ([Air]) throws -> Found?
    ) throws -> Found {
        try child.wait(for: what, within: limit) { try look(Self.air($0)) }
    }

    /// Waits until a payload is the last one that went on air by one controller; nil is silence.
    func wait(onAir data: String?, controller: Int64 = 1) throws {
        try wait(for: "\(data ?? "silence") on air") { air in
            air.last { $0.controller == controller }.map { $0.data == data } == true ? true : nil
        }
    }

    /// Ends it and returns its truth, a value for each line.
    func truth() throws -> [JSONValue] {
        let status = try child.stop(within: Guest.limit)
        if status != 0 { throw TestFailure(description: "beacon-sim ended with \(status): \(child.lines)") }
        return try String(contentsOfFile: folder.path("truth"), encoding: .utf8).split(separator: "\n").map {
            line in
            try JSONValue(reading: Array(line.utf8))
        }
    }

    /// Ends it at once: the adapters are pulled out.
    func pullOut() throws {
        child.kill()
        try child.waitForExit()
    }

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
