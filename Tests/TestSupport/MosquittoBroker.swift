public import Foundation

/// A real mosquitto on a free loopback port.
public final class MosquittoBroker {
    /// Who may connect.
    public enum Access {
        /// Everybody.
        case anonymous
        /// Only these users, with their passwords.
        case users([String: String])
    }

    /// The port, the same after a restart.
    public private(set) var port: UInt16 = 0
    /// More lines for the configuration file, as they stand in mosquitto.conf(5).
    public var options: [String] = []

    private let folder: TemporaryFolder
    private var child: Child?

    /// Prepares a broker and starts it, unless told otherwise.
    public init(access: Access = .anonymous, options: [String] = [], starts: Bool = true) throws {
        folder = try TemporaryFolder()
        self.options = options
        port = try Self.freePort()
        try allow(access)
        if starts { try start() }
    }

    deinit { child?.kill() }

    /// The program's output, for the message of a failed test.
    public var log: String { child?.lines.map(\.text).joined(separator: "\n") ?? "" }

    /// Changes who may connect; a running broker takes it over with `reload`.
    public func allow(_ access: Access) throws {
        switch access {
        case .anonymous:
            authentication = "allow_anonymous true"
        case .users(let users):
            let file = try folder.write("passwords", users.map { "\($0.key):\($0.value)\n" }.joined())
            // The tool hashes a file of plain passwords in place.
            let hashing = try Child("/usr/bin/mosquitto_passwd", ["-U", file])
            guard try hashing.waitForExit() == 0 else {
                throw TestFailure(description: "mosquitto_passwd failed: \(hashing.lines)")
            }
            authentication = "allow_anonymous false\npassword_file \(file)"
        }
        try configure()
    }

    private var authentication = ""

    private func configure() throws {
        // "user root": run as root it would become another user, who cannot read the folder. Ignored otherwise.
        try folder.write(
            "mosquitto.conf",
            """
            listener \(port) 127.0.0.1
            user root
            log_dest stderr
            log_type all
            persistence false
            \(authentication)
            \(options.joined(separator: "\n"))

            """)
    }

    /// Starts it and waits until it listens.
    public func start() throws {
        // Another process may take a port between the look and the start.
        for attempt in 1...5 {
            try configure()
            let child = try Child("/usr/sbin/mosquitto", ["-c", folder.path("mosquitto.conf")])
            do {
                try child.wait(forLine: " running")
                self.child = child
                return
            } catch {
                let hasEnded = !child.isRunning
                child.kill()
                if attempt == 5 || wasUsed || !hasEnded { throw error }
                port = try Self.freePort()
            }
        }
    }

    private var wasUsed = false

    /// Stops it as an operator does; clients get a DISCONNECT. Retained messages and sessions are lost.
    public func stop() throws {
        wasUsed = true
        try child?.stop()
        child = nil
    }

    /// Ends it as a power cut does.
    public func kill() throws {
        wasUsed = true
        child?.kill()
        try child?.waitForExit()
        child = nil
    }

    /// Lets it hang: connections stand, and nothing is answered until it is killed.
    public func freeze() { child?.send(SIGSTOP) }

    /// Makes it read its files again.
    public func reload() throws {
        let before = child?.lines.count ?? 0
        child?.send(SIGHUP)
        try child?.wait(for: "a reload") { lines in lines.dropFirst(before).first { $0.text.contains("Reloading") }
        }
    }

    /// Waits for a line in its log.
    public func wait(forLine text: String, within limit: TimeInterval = 20) throws {
        try child?.wait(forLine: text, within: limit)
    }

    /// Publishes with mosquitto_pub, which waits for the acknowledgement at QoS 1.
    public func publish(
        _ topic: String, _ payload: String, qos: Int = 1, retain: Bool = false, more: [String] = []
    ) throws {
        var arguments = ["-V", "5", "-h", "127.0.0.1", "-p", "\(port)", "-q", "\(qos)", "-t", topic]
        if retain { arguments.append("-r") }
        arguments += payload.isEmpty ? ["-n"] : ["-m", payload]
        let child = try Child("/usr/bin/mosquitto_pub", arguments + more)
        let status = try child.waitForExit()
        if status != 0 { throw TestFailure(description: "mosquitto_pub ended with \(status): \(child.lines)") }
    }

    /// A port that nobody listens on. Below the range from which the kernel takes ports for outgoing connections
    /// (32768…60999), so that it is still free after a stop.
    public static func freePort() throws -> UInt16 {
        for _ in 0..<200 {
            let port = UInt16.random(in: 20000..<32000)
            let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(probe) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if bound == 0 { return port }
        }
        throw TestFailure(description: "no free port")
    }
}
