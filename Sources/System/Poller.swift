internal import CSystem
internal import Glibc

/// What a descriptor is watched for, and what was seen.
public struct Readiness: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a set of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// There is something to read, or the end.
    public static let readable = Readiness(rawValue: 1)
    /// There is room to write.
    public static let writable = Readiness(rawValue: 2)
    /// The other end is gone. Always watched.
    public static let closed = Readiness(rawValue: 4)
}

/// Waits for several descriptors at once. epoll(7)
public struct Poller: ~Copyable {
    private let epoll: Descriptor
    private var tokens: [UInt64]
    private var events: [UInt32]
    private static let batch = 32

    /// Makes an empty poller.
    public init() throws(SystemError) {
        // Before any property has a value: Swift 6.0 crashes over a throw that would have to take some back.
        let number = try checked("make an epoll descriptor") { csystem_epoll_create() }
        epoll = Descriptor(owning: number)
        tokens = [UInt64](repeating: 0, count: Poller.batch)
        events = [UInt32](repeating: 0, count: Poller.batch)
    }

    /// Watches a descriptor; `token` comes back with each readiness.
    public func add(_ descriptor: Int32, token: UInt64, _ interest: Readiness) throws(SystemError) {
        try set(csystem_epoll_add, descriptor, token, interest)
    }

    /// Changes what a descriptor is watched for.
    public func change(_ descriptor: Int32, token: UInt64, _ interest: Readiness) throws(SystemError) {
        try set(csystem_epoll_modify, descriptor, token, interest)
    }

    /// Stops watching a descriptor that is still open. A closed one is forgotten by the kernel itself.
    public func remove(_ descriptor: Int32) throws(SystemError) {
        try set(csystem_epoll_remove, descriptor, 0, [])
    }

    private func set(_ op: Int32, _ fd: Int32, _ token: UInt64, _ interest: Readiness) throws(SystemError) {
        var bits: UInt32 = 0
        if interest.contains(.readable) { bits |= csystem_epoll_in }
        if interest.contains(.writable) { bits |= csystem_epoll_out }
        try checked("watch a descriptor") { csystem_epoll_set(epoll.number, op, fd, bits, token) }
    }

    /// Waits for at most `milliseconds` (nil: for ever) and calls `body` once for each ready descriptor.
    /// Returns how many there were.
    @discardableResult
    public mutating func wait(
        milliseconds: Int32?, _ body: (_ token: UInt64, _ seen: Readiness) -> Void
    ) throws(SystemError) -> Int {
        let count = Int(
            csystem_epoll_wait(epoll.number, &tokens, &events, Int32(Poller.batch), milliseconds ?? -1))
        if count < 0 {
            let code = errno
            if code == EINTR { return 0 }
            throw SystemError(code: code, action: "wait for descriptors")
        }
        for i in 0..<count {
            var seen: Readiness = []
            if events[i] & csystem_epoll_in != 0 { seen.insert(.readable) }
            if events[i] & csystem_epoll_out != 0 { seen.insert(.writable) }
            if events[i] & (csystem_epoll_hangup | csystem_epoll_error) != 0 { seen.insert(.closed) }
            body(tokens[i], seen)
        }
        return count
    }
}
