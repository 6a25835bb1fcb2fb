internal import CSystem
internal import Glibc

/// An open file descriptor with one owner; closed when the owner lets go of it.
public struct Descriptor: ~Copyable, Sendable {
    /// The kernel's number, for registration with a `Poller`.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(owning number: Int32) { self.number = number }

    // Silent: a daemon must not trap while it stops. Where the result of close matters, call `close()`.
    deinit { Glibc.close(number) }

    /// Opens a file; links in the last part of the path are followed unless `following` is false. open(2)
    public static func open(
        _ path: String, _ mode: OpenMode, permissions: UInt32 = 0o600, following: Bool = true
    ) throws(SystemError) -> Descriptor {
        var flags = mode.flags | csystem_open_cloexec
        if !following { flags |= csystem_open_nofollow }
        return Descriptor(owning: try checked("open \(path)") { csystem_open(path, flags, permissions) })
    }

    /// Closes and reports what the kernel says about it. close(2)
    public consuming func close() throws(SystemError) {
        let number = self.number
        discard self
        if Glibc.close(number) < 0 { throw SystemError(code: errno, action: "close") }
    }

    /// Reads what is there; 0 means the end. nil means that nothing is there now. read(2)
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        do {
            return try checked("read") { Glibc.read(number, buffer.baseAddress, buffer.count) }
        } catch {
            if error.wouldBlock { return nil }
            throw error
        }
    }

    /// Writes as much as is taken; nil means that nothing can be taken now. EPIPE when the other end is gone, in
    /// programs that called `ignoreBrokenPipes`. write(2)
    public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        do {
            return try checked("write") { Glibc.write(number, bytes.baseAddress, bytes.count) }
        } catch {
            if error.wouldBlock { return nil }
            throw error
        }
    }

    /// Writes everything to a blocking descriptor.
    public func writeAll(_ bytes: [UInt8]) throws(SystemError) { try writeFully(bytes, to: number) }

    /// Makes the file empty. ftruncate(2)
    public func truncate() throws(SystemError) { try checked("empty a file") { ftruncate(number, 0) } }

    /// Waits until the file's content is on the disk. fsync(2)
    public func synchronise() throws(SystemError) { try checked("fsync") { fsync(number) } }

    /// Takes an advisory lock for as long as it is open; `isHeldElsewhere` if another process has it. flock(2)
    public func lockExclusively() throws(SystemError) { try checked("lock") { csystem_lock_exclusively(number) } }
}

/// How a file is opened.
public enum OpenMode: Sendable {
    /// For reading; it must exist.
    case read
    /// For writing into what is there; it must exist.
    case write
    /// For writing; made where it is missing, emptied where it is not.
    case replace
    /// For writing; it must not exist (EEXIST), links included.
    case create
    /// For writing at the end; made where it is missing.
    case append
    /// For reading and writing; made where it is missing.
    case readWrite
    /// A folder, to synchronise its entries.
    case folder

    fileprivate var flags: Int32 {
        switch self {
        case .read: O_RDONLY
        case .write: O_WRONLY
        case .replace: O_WRONLY | O_CREAT | O_TRUNC
        case .create: O_WRONLY | O_CREAT | O_EXCL
        case .append: O_WRONLY | O_CREAT | O_APPEND
        case .readWrite: O_RDWR | O_CREAT
        case .folder: O_RDONLY | csystem_open_directory
        }
    }
}

/// The whole of a file, or an error once it is longer than `limit` bytes (EFBIG).
public func readFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try readFile(path, limit: limit, following: true)
}

/// As above; with `following` false a link in the last part of the path is refused (ELOOP).
public func readFile(_ path: String, limit: Int, following: Bool) throws(SystemError) -> [UInt8] {
    let file = try Descriptor.open(path, .read, following: following)
    var content: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)
    defer { chunk.deallocate() }
    while true {
        let n: Int
        do throws(SystemError) {
            n = try file.read(into: chunk) ?? 0
        } catch {
            throw SystemError(code: error.code, action: "read \(path)")
        }
        if n == 0 { return content }
        if content.count + n > limit { throw SystemError(code: EFBIG, action: "read \(path)") }
        content.append(contentsOf: chunk.prefix(n))
    }
}

/// Ignores SIGPIPE in the whole process: a peer that went away is a result of write, not a signal.
public func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

/// Writes everything to standard output (1) or standard error (2), which belong to the whole process. EINTR when nobody
/// reads and SIGTERM or SIGINT has come meanwhile: a program that reads its signals (see `Signals`) is not to wait for a
/// reader that does not.
public func writeToStandardStream(_ number: Int32, _ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    var patience: Int32 = 0
    while done < bytes.count {
        var watched = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        if try checked("write", { poll(&watched, 1, patience) }) == 0 {
            if csystem_is_told_to_end() != 0 { throw SystemError(code: EINTR, action: "write") }
            patience = 100
            continue
        }
        // No more than a pipe that has room takes without waiting. PIPE_BUF
        try writeFully(Array(bytes[done..<min(done + 4096, bytes.count)]), to: number)
        done += 4096
    }
}

/// Whether a person looks at standard output (1) or standard error (2). isatty(3)
public func isTerminal(_ number: Int32) -> Bool { isatty(number) == 1 }

private func writeFully(_ bytes: [UInt8], to number: Int32) throws(SystemError) {
    var done = 0
    while done < bytes.count {
        let from = done
        done += try checked("write") {
            bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress.map { $0 + from }, $0.count - from) }
        }
    }
}
