internal import Glibc

/// A failed system call: what was tried, and the kernel's reason.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The `errno` value.
    public let code: Int32
    /// What was being done, in words: "open /var/lib/beacond".
    public let action: String

    /// Makes an error of an `errno` value.
    public init(code: Int32, action: String) {
        self.code = code
        self.action = action
    }

    /// "cannot open /x: No such file or directory".
    public var description: String { "cannot \(action): \(reason)" }

    /// The kernel's reason alone. strerror
    public var reason: String { String(cString: strerror(code)) }

    /// Whether the call would have waited.
    public var wouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }

    /// Whether the reader of a pipe or socket is gone.
    public var isBrokenPipe: Bool { code == EPIPE }

    /// Whether a signal to end came before it was done.
    public var isInterrupted: Bool { code == EINTR }

    /// Whether the thing named is not there.
    public var isMissing: Bool { code == ENOENT }

    /// Whether there already is something of that name.
    public var isThere: Bool { code == EEXIST }

    /// Whether somebody else holds it.
    public var isHeldElsewhere: Bool { code == EWOULDBLOCK || code == EAGAIN || code == EADDRINUSE }
}

/// Runs a system call until it is not interrupted; the only place that looks at `errno`.
@discardableResult
func checked<Result: SignedInteger>(
    _ action: @autoclosure () -> String, _ call: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError(code: code, action: action()) }
    }
}
