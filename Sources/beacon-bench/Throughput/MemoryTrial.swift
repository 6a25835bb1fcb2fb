import Glibc
internal import HCI
internal import System

/// The most memory that one agent takes: in a process of its own, which has nothing else, and streams its capture from a
/// file.
struct MemoryTrial {
    /// How many regions the agent watches.
    static let regions = 10
    /// At least so much of the agent's time, in nanoseconds, so that windows of all beacons have ended and been written
    /// more than once.
    private static let duration: Int64 = 35_000_000_000
    /// An agent that is still short of it after so many passes has a capture without time.
    private static let mostPasses = 10_000

    var beacons: Int
    /// The made-up capture.
    var bytes: [UInt8]

    /// Starts this program again on a temporary file. The most memory that it took, in bytes; nil where it does not
    /// start.
    func run() throws -> Int? {
        // mkstemp(3) puts letters of its own into the place of six of these.
        var path = Array("/tmp/beacon-bench-\(String(repeating: "X", count: 6))".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        defer { unlink(path) }
        close(descriptor)
        let file = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard Throughput.save(bytes, file) == 0 else { return nil }
        let arguments = [
            "beacon-bench", "throughput", "--memory", "--beacons", "\(beacons)", "--made-up", file,
        ]
        return Self.output(of: arguments).flatMap { Int($0.filter(\.isNumber)) }
    }

    /// What the other process does: prints the figure, in bytes.
    static func measure(_ path: String, beacons: Int) throws -> Int? {
        let passage = try Passage(
            regions: SyntheticCapture.prefixes(regions), beacons: beacons, watchesEverything: false)
        var passes = 0
        while passage.time < duration, passes < mostPasses {
            _ = try passage.pass(over: CaptureReader(path: path))
            passes += 1
        }
        return ProcessFigures.peakMemory
    }

    /// The first bytes of what this program writes when it is started with these arguments; nil when it fails.
    private static func output(of arguments: [String]) -> String? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/proc/self/exe", &actions, nil, &strings, environ)
        close(ends[1])
        guard failure == 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 64)
        // One line of less than that, in one piece; 0 when the process ends without one.
        let count = read(ends[0], &buffer, buffer.count)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0 && count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
