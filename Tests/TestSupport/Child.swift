public import Foundation

/// What a test waited for and did not come, with what was said by then.
public struct TestFailure: Error, CustomStringConvertible {
    /// The sentence and the output.
    public let description: String

    /// Makes a failure.
    public init(description: String) { self.description = description }
}

/// A program that a test runs: its output line by line, its end, and waiting for both without sleeping.
///
/// Started by posix_spawn and not by Foundation's Process, whose end is only noticed where a run loop runs.
public final class Child: Sendable {
    /// A line that the program wrote, without its end.
    public struct Line: Sendable, Equatable {
        /// Whether it came on standard error.
        public let isError: Bool
        /// The line.
        public let text: String
    }

    private final class Record: @unchecked Sendable {
        // @unchecked because all fields are only reached while `condition` is locked.
        let condition = NSCondition()
        var lines: [Line] = []
        var openStreams = 2
        var status: Int32?
    }

    private let record = Record()
    private let program: String
    /// The process id.
    public let pid: Int32

    /// Starts a program by its path; it inherits the environment and gets `environment` on top.
    public init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        self.program = URL(fileURLWithPath: program).lastPathComponent
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (pid, output, errors) = try spawn(
            program, [program] + arguments, variables.map { "\($0.key)=\($0.value)" })
        self.pid = pid
        Children.add(pid)
        follow(output, isError: false)
        follow(errors, isError: true)
        let record = record
        let waiter = Thread {
            var raw: Int32 = 0
            while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
            Children.remove(pid)
            record.condition.lock()
            // As a shell has it: the exit code, or 128 and the signal.
            record.status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
            record.condition.broadcast()
            record.condition.unlock()
        }
        waiter.start()
    }

    deinit { kill() }

    private func follow(_ descriptor: Int32, isError: Bool) {
        let record = record
        let reader = Thread {
            var pending: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65536)
            while true {
                let n = read(descriptor, &chunk, chunk.count)
                if n < 0, errno == EINTR { continue }
                if n <= 0 { break }
                pending += chunk.prefix(n)
                let parts = pending.split(separator: 0x0A, omittingEmptySubsequences: false)
                let lines = parts.dropLast().map {
                    Line(isError: isError, text: String(decoding: $0, as: UTF8.self))
                }
                pending = Array(parts.last ?? [])
                record.condition.lock()
                record.lines += lines
                record.condition.broadcast()
                record.condition.unlock()
            }
            close(descriptor)
            record.condition.lock()
            if !pending.isEmpty {
                record.lines.append(Line(isError: isError, text: String(decoding: pending, as: UTF8.self)))
            }
            record.openStreams -= 1
            record.condition.broadcast()
            record.condition.unlock()
        }
        reader.start()
    }

    /// The lines so far, of both streams as they came.
    public var lines: [Line] {
        record.condition.lock()
        defer { record.condition.unlock() }
        return record.lines
    }

    /// The lines of standard output so far.
    public var output: [String] { lines.filter { !$0.isError }.map(\.text) }

    /// The lines of standard error so far.
    public var errors: [String] { lines.filter(\.isError).map(\.text) }

    /// Waits until `look` finds in the lines what it looks for; throws after `limit`, and at once when the program
    /// has ended without.
    @discardableResult
    public func wait<Found>(
        for what: String, within limit: TimeInterval = 20, _ look: ([Line]) throws -> Found?
    ) throws -> Found {
        let end = Date(timeIntervalSinceNow: limit)
        record.condition.lock()
        defer { record.condition.unlock() }
        while true {
            if let found = try look(record.lines) { return found }
            if record.status != nil, record.openStreams == 0 { throw failure("ended before \(what)") }
            if !record.condition.wait(until: end) { throw failure("did not show \(what) within \(limit) s") }
        }
    }

    /// Waits for a line that contains a text.
    @discardableResult
    public func wait(forLine text: String, within limit: TimeInterval = 20) throws -> String {
        try wait(for: "\"\(text)\"", within: limit) { lines in lines.first { $0.text.contains(text) }?.text }
    }

    /// Waits for the end and the rest of the output. Returns the exit code, or 128 and the signal that ended it.
    @discardableResult
    public func waitForExit(within limit: TimeInterval = 20) throws -> Int32 {
        let end = Date(timeIntervalSinceNow: limit)
        record.condition.lock()
        defer { record.condition.unlock() }
        while true {
            if let status = record.status, record.openStreams == 0 { return status }
            if !record.condition.wait(until: end) { throw failure("did not end within \(limit) s") }
        }
    }

    /// Whether it has not ended.
    public var isRunning: Bool {
        record.condition.lock()
        defer { record.condition.unlock() }
        return record.status == nil
    }

    /// Sends a signal.
    public func send(_ signal: Int32) {
        record.condition.lock()
        defer { record.condition.unlock() }
        // Not once it was waited for: the number may be another process by then.
        if record.status == nil { Foundation.kill(pid, signal) }
    }

    /// SIGKILL: no chance to tidy up.
    public func kill() { send(SIGKILL) }

    /// SIGTERM, and the exit code; killed when it does not end in time.
    @discardableResult
    public func stop(within limit: TimeInterval = 10) throws -> Int32 {
        send(SIGTERM)
        do {
            return try waitForExit(within: limit)
        } catch {
            kill()
            throw error
        }
    }

    private func failure(_ sentence: String) -> TestFailure {
        let said = record.lines.suffix(200).map { ($0.isError ? "! " : "  ") + $0.text }.joined(separator: "\n")
        let ended = record.status.map { " (ended with \($0))" } ?? ""
        return TestFailure(description: "\(program) \(sentence)\(ended). It said:\n\(said)")
    }
}

/// The children that run, so that a test process that exits takes them along.
private enum Children {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var pids: Set<Int32> = []  // because only reached while `lock` is held
    private static let atExit: Void = {
        atexit { Children.killAll() }
    }()

    static func add(_ pid: Int32) {
        _ = atExit
        lock.withLock { _ = pids.insert(pid) }
    }

    static func remove(_ pid: Int32) { lock.withLock { _ = pids.remove(pid) } }

    static func killAll() { lock.withLock { for pid in pids { kill(pid, SIGKILL) } } }
}

private let spawning = NSLock()

/// Starts a program with two pipes; returns its id and what to read from.
private func spawn(_ path: String, _ arguments: [String], _ environment: [String]) throws -> (Int32, Int32, Int32) {
    var output: [Int32] = [0, 0]
    var errors: [Int32] = [0, 0]
    // One at a time: a child that is started between pipe and fcntl would keep this one's pipes open.
    spawning.lock()
    defer { spawning.unlock() }
    guard pipe(&output) == 0, pipe(&errors) == 0 else {
        throw TestFailure(description: "cannot make pipes for \(path)")
    }
    for end in output + errors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    posix_spawn_file_actions_adddup2(&actions, errors[1], 2)
    // A test process may block or ignore signals that the program is to get.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: Int32 = 0
    let failed = posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
    close(output[1])
    close(errors[1])
    if failed != 0 {
        close(output[0])
        close(errors[0])
        throw TestFailure(description: "cannot start \(path): \(String(cString: strerror(failed)))")
    }
    return (pid, output[0], errors[0])
}
