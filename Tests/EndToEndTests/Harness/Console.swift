import Foundation
import TestSupport

/// A console: a terminal at which a test sits: what a program drew on it, and keys for it.
final class Console {
    private let master: Int32
    /// Held open, so that its settings outlive the program.
    private let slave: Int32
    /// The terminal's name, /dev/pts/N.
    let name: String
    private var drawn: [UInt8] = []

    /// Makes one of so many rows and columns.
    init(rows: Int, columns: Int) throws {
        master = posix_openpt(O_RDWR | O_NOCTTY)
        guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
            throw TestFailure(description: "cannot make a terminal")
        }
        self.name = String(cString: name)
        slave = open(self.name, O_RDWR | O_NOCTTY)
        guard slave >= 0 else { throw TestFailure(description: "cannot open \(self.name)") }
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let stty = try Child("/bin/sh", ["-c", "stty rows \(rows) cols \(columns) < \(self.name)"])
        guard try stty.waitForExit() == 0 else { throw TestFailure(description: "stty: \(stty.errors)") }
    }

    deinit {
        close(master)
        close(slave)
    }

    /// Starts a program with it as standard input and output; its errors are the child's lines.
    func start(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Child {
        let variables = ["TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": ""].merging(environment) { $1 }
        return try Child(
            "/bin/sh", ["-c", #"exec "$0" "$@" <> \#(name) >&0"#, program] + arguments, environment: variables)
    }

    /// Types.
    func type(_ keys: String) {
        var bytes = Array(keys.utf8)
        _ = write(master, &bytes, bytes.count)
    }

    /// Reads on until the program has drawn a text, behind what was waited for before.
    func wait(for text: String, within limit: TimeInterval = 20) throws {
        let end = Date(timeIntervalSinceNow: limit)
        let wanted = Array(text.utf8)
        while true {
            if let found = Data(drawn).range(of: Data(wanted)) {
                drawn.removeFirst(found.upperBound)
                return
            }
            var watched = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            let left = end.timeIntervalSinceNow
            guard left > 0, poll(&watched, 1, Int32(left * 1000) + 1) > 0 else {
                throw TestFailure(
                    description: "\(text) was not drawn; there is \(String(decoding: drawn, as: UTF8.self))")
            }
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = read(master, &chunk, chunk.count)
            guard count > 0 else { throw TestFailure(description: "the terminal ended before \(text)") }
            drawn += chunk.prefix(count)
        }
    }

    /// How it is set: its flags and control characters.
    var settings: String {
        var settings = termios()
        tcgetattr(slave, &settings)
        return "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag) \(settings.c_cc)"
    }
}

// stdlib.h has these only under _XOPEN_SOURCE, which Swift's module of it does not define.
@_silgen_name("posix_openpt") private func posix_openpt(_ flags: Int32) -> Int32
@_silgen_name("grantpt") private func grantpt(_ master: Int32) -> Int32
@_silgen_name("unlockpt") private func unlockpt(_ master: Int32) -> Int32
@_silgen_name("ptsname") private func ptsname(_ master: Int32) -> UnsafePointer<CChar>?
