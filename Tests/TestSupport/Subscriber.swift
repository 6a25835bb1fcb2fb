public import Foundation

/// A mosquitto_sub: what an analyst sees.
public final class Subscriber: Sendable {
    /// A message as mosquitto_sub printed it.
    public struct Message: Equatable, Sendable {
        /// Where it was published.
        public let topic: String
        /// Whether it came out of the broker's memory.
        public let retain: Bool
        /// 0…2.
        public let qos: Int
        /// What was published; JSON here has no line ends.
        public let payload: String

        /// Makes a message to compare with.
        public init(topic: String, retain: Bool = false, qos: Int = 1, payload: String) {
            self.topic = topic
            self.retain = retain
            self.qos = qos
            self.payload = payload
        }
    }

    private let child: Child

    /// Subscribes and waits until the broker has said yes.
    public init(
        port: UInt16, _ filters: [String] = ["#"], user: (name: String, password: String)? = nil
    ) throws {
        // Separated by tabs, which neither topics nor JSON contain. Line-buffered, or a pipe would get whole blocks.
        var arguments = ["-oL", "/usr/bin/mosquitto_sub", "-V", "5", "-h", "127.0.0.1", "-p", "\(port)"]
        if let user { arguments += ["-u", user.name, "-P", user.password] }
        arguments += ["-q", "2", "-d", "-F", "%t\\t%r\\t%q\\t%p"]
        for filter in filters { arguments += ["-t", filter] }
        child = try Child("/usr/bin/stdbuf", arguments)
        try child.wait(forLine: "Subscribed (mid:")
    }

    deinit { child.kill() }

    /// All messages so far.
    public var messages: [Message] { Self.parse(child.lines) }

    /// Waits until `look` finds in the messages so far what it looks for.
    @discardableResult
    public func wait<Found>(
        for what: String, within limit: TimeInterval = 20, _ look: ([Message]) throws -> Found?
    ) throws -> Found {
        try child.wait(for: what, within: limit) { try look(Self.parse($0)) }
    }

    /// Waits for the first message, of those after the first `count` ones, that fits.
    @discardableResult
    public func first(
        after count: Int = 0, within limit: TimeInterval = 20, _ what: String, where fits: (Message) -> Bool
    ) throws -> Message {
        try wait(for: what, within: limit) { $0.dropFirst(count).first(where: fits) }
    }

    private static func parse(_ lines: [Child.Line]) -> [Message] {
        lines.compactMap { line in
            let parts = line.text.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
            // Other lines are what -d says about the connection.
            guard parts.count == 4, let qos = Int(parts[2]) else { return nil }
            return Message(
                topic: String(parts[0]), retain: parts[1] == "1", qos: qos, payload: String(parts[3]))
        }
    }
}
