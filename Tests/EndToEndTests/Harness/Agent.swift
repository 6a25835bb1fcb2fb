import Foundation
import TestSupport

/// A node: its configuration file, its state folder, and the `beacond run` that uses them, again and again if need be.
final class Agent {
    /// Its folder, with the configuration, the password and the state.
    let folder: TemporaryFolder
    private var child: Child?
    private let environment: [String: String]

    /// The configuration file.
    var file: String { folder.path("config.yaml") }
    /// The state folder.
    var state: String { folder.path("state") }

    /// A node that does not run yet; `environment` is added to that of the tests.
    init(environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        self.environment = environment
    }

    deinit { child?.kill() }

    /// Writes the configuration: who the node is and where its controller and its broker are, then what the test adds.
    func configure(
        adapter: String, port: UInt16, user: (name: String, password: String)? = nil, site: String = "store-12",
        node: String = "s12-shelf-3", radio: [String] = [], _ more: String = ""
    ) throws {
        var lines = ["site: \(site)", "node: \(node)", "state_folder: \(state)"]
        lines += ["radio:", "  adapter: \(adapter)"] + radio.map { "  \($0)" }
        lines += ["mqtt:", "  host: 127.0.0.1", "  port: \(port)"]
        if let user {
            try folder.write("password", user.password + "\n")
            lines += ["  username: \(user.name)", "  password_file: \(folder.path("password"))"]
        }
        try folder.write("config.yaml", (lines + [more, ""]).joined(separator: "\n"))
    }

    /// Starts it.
    func start() throws {
        child = try Child(builtProgram("beacond"), ["run", "--config", file], environment: environment)
    }

    /// What it wrote since its last start, of both streams.
    var log: [String] { child?.lines.map(\.text) ?? [] }

    /// Waits for a line of its log.
    @discardableResult
    func wait(forLine text: String, within limit: TimeInterval = 20) throws -> String {
        guard let child else { throw TestFailure(description: "the agent was not started") }
        return try child.wait(forLine: text, within: limit)
    }

    /// SIGHUP: it reads its file again.
    func reload() { child?.send(SIGHUP) }

    /// SIGSTOP: it stands still, and what comes for it waits.
    func pause() { child?.send(SIGSTOP) }

    /// SIGCONT.
    func resume() { child?.send(SIGCONT) }

    /// SIGINT, as Ctrl-C sends it.
    func interrupt() { child?.send(SIGINT) }

    /// SIGTERM; returns the exit code.
    @discardableResult
    func stop(within limit: TimeInterval = 20) throws -> Int32 {
        guard let child else { throw TestFailure(description: "the agent was not started") }
        return try child.stop(within: limit)
    }

    /// SIGKILL, as a power cut would.
    func kill() throws {
        child?.kill()
        try child?.waitForExit()
    }

    /// Waits for its own end; returns the exit code.
    func waitForExit(within limit: TimeInterval = 20) throws -> Int32 {
        guard let child else { throw TestFailure(description: "the agent was not started") }
        return try child.waitForExit(within: limit)
    }

    /// Whether it runs.
    var isRunning: Bool { child?.isRunning ?? false }
}
