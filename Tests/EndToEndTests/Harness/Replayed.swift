import Foundation
import JSON
import TestSupport
import Testing

/// What `beacond replay` made of a capture, in the capture's own time.
struct Replayed {
    /// A message that the agent would have published.
    struct Message {
        /// The part of the topic behind `<prefix>/data/<site>/<node>/`: "enter/entrance".
        let kind: String
        /// The payload.
        let payload: JSONValue
        /// The payload as it was written.
        let text: String

        /// When what it tells was decided, in milliseconds since the capture's start; −1 where it has no time.
        var milliseconds: Int {
            guard let time = (payload["time"] ?? payload["since"] ?? payload["start"])?.text else { return -1 }
            return Replayed.milliseconds(time)
        }
    }

    /// Every message, in order.
    let messages: [Message]
    /// Standard output, to the byte.
    let output: Data

    /// Replays a capture with a configuration: who the node is, then what the test adds.
    init(_ capture: Capture, _ configuration: String) throws {
        let folder = try TemporaryFolder()
        try capture.bytes.write(to: URL(fileURLWithPath: folder.path("capture.btsnoop")))
        try self.init(file: folder.path("capture.btsnoop"), configuration)
    }

    /// The same of a file.
    init(file: String, _ configuration: String) throws {
        let folder = try TemporaryFolder()
        let head = """
            site: store-12
            node: s12-shelf-3
            radio: {adapter: "unix:/dev/null"}

            """
        // The whole output and not its lines: bytes are compared.
        let child = try Child(
            "/bin/sh",
            [
                "-c", #"exec "$0" replay "$1" --config "$2" > "$3""#, builtProgram("beacond"), file,
                try folder.write("config.yaml", head + configuration), folder.path("messages"),
            ])
        let status = try child.waitForExit(within: 120)
        #expect(status == 0, "\(child.errors)")
        output = try Data(contentsOf: URL(fileURLWithPath: folder.path("messages")))
        messages = try String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
            let value = try JSONValue(reading: Array(line.utf8))
            guard let topic = value["topic"]?.text, let payload = value["payload"],
                let start = line.range(of: #""payload":"#)?.upperBound
            else { return nil }
            let kind = topic.split(separator: "/").dropFirst(4).joined(separator: "/")
            return Message(kind: kind, payload: payload, text: String(line[start...].dropLast()))
        }
    }

    /// The messages of one kind.
    func of(_ kind: String) -> [Message] { messages.filter { $0.kind == kind } }

    /// Enters and exits, a line each: kind, minor, seconds, and of an exit the reason.
    var visits: [String] {
        messages.filter { $0.kind.hasPrefix("enter/") || $0.kind.hasPrefix("exit/") }.map { message in
            let minor = message.payload.at("beacon", "minor")?.integer ?? -1
            let reason = message.payload["reason"]?.text.map { " \($0)" } ?? ""
            return "\(message.kind) \(minor) \(Double(message.milliseconds) / 1000)\(reason)"
        }
    }

    /// Holds every message to the schema of its kind.
    func expectValid() throws {
        try expectValidPayloads(messages.map { "beacons/data/store-12/s12-shelf-3/\($0.kind) \($0.text)" })
    }

    /// Milliseconds since the start of every capture, of a time as messages have it.
    static func milliseconds(_ time: String) -> Int {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        guard let date = formatter.date(from: time) else { return -1 }
        return Int(((date.timeIntervalSince1970 - Double(Capture.start)) * 1000).rounded())
    }
}

/// Holds payloads to the schemas in deploy/schemas: lines of a topic and a payload, as mosquitto_sub prints them. Returns
/// what the validator said.
@discardableResult
func expectValidPayloads(_ lines: [String]) throws -> String {
    let validator = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("validate_payloads.py").path
    let folder = try TemporaryFolder()
    let file = try folder.write("messages", lines.map { $0 + "\n" }.joined())
    let child = try Child("/bin/sh", ["-c", "/usr/bin/python3 -W ignore '\(validator)' < '\(file)'"])
    let status = try child.waitForExit(within: 60)
    let said = child.lines.map(\.text).joined(separator: "\n")
    #expect(status == 0, "\(said)")
    return said
}
