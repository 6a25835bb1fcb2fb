internal import CSystem
internal import Glibc

/// A descriptor that becomes readable at a time on the monotonic clock. timerfd_create(2)
public struct Alarm: ~Copyable, Sendable {
    private let timer: Descriptor

    /// Makes an alarm that is not set.
    public init() throws(SystemError) {
        timer = Descriptor(owning: try checked("make a timer") { csystem_timer_create() })
    }

    /// The number to register with a `Poller`.
    public var number: Int32 { timer.number }

    /// Sets the alarm to a monotonic time in nanoseconds (see `MonotonicClock`); nil switches it off.
    public func set(at nanoseconds: Int64?) throws(SystemError) {
        // 0 would switch it off, so a time already past is 1 ns.
        try checked("set a timer") { csystem_timer_set(timer.number, nanoseconds.map { max($0, 1) } ?? 0) }
    }

    /// Takes note of a ring, so that the descriptor is no longer readable.
    public func acknowledge() { drain(timer) }
}

/// A descriptor by which one thread wakes another's `Poller`. eventfd(2)
public final class Wakeup: Sendable {
    private let event: Descriptor

    /// Makes one that has not been rung.
    public init() throws(SystemError) {
        event = Descriptor(owning: try checked("make an eventfd") { csystem_eventfd() })
    }

    /// The number to register with a `Poller`.
    public var number: Int32 { event.number }

    /// Makes the descriptor readable. Callable from any thread.
    public func ring() {
        var one: UInt64 = 1
        // Because a full counter already is a pending wake-up, the result does not matter.
        _ = Glibc.write(event.number, &one, 8)
    }

    /// Takes note of all rings so far.
    public func acknowledge() { drain(event) }

    /// Waits for a ring, for at most that long, and takes note of it. poll(2)
    public func wait(for limit: Duration) {
        let (seconds, attoseconds) = limit.components
        var watched = pollfd(fd: event.number, events: Int16(POLLIN), revents: 0)
        poll(&watched, 1, Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
        acknowledge()
    }
}

/// Signals as something to read instead of something that interrupts. signalfd(2)
public struct Signals: ~Copyable, Sendable {
    private let source: Descriptor

    /// Signals that programs here wait for.
    public enum Signal: Sendable { case terminate, interrupt, hangUp }

    /// Blocks SIGTERM, SIGINT and SIGHUP in this thread, and so in those it makes later, and collects them.
    public init() throws(SystemError) {
        let wanted = [SIGTERM, SIGINT, SIGHUP]
        source = Descriptor(
            owning: try checked("watch signals") { csystem_signalfd(wanted, Int32(wanted.count)) })
    }

    /// The number to register with a `Poller`.
    public var number: Int32 { source.number }

    /// The next signal, nil when there is none.
    public func next() -> Signal? {
        // struct signalfd_siginfo is 128 bytes and starts with the signal number (signalfd(2)).
        var info = [UInt8](repeating: 0, count: 128)
        let n = info.withUnsafeMutableBytes { Glibc.read(source.number, $0.baseAddress, $0.count) }
        guard n == 128 else { return nil }
        switch info.withUnsafeBytes({ $0.load(as: Int32.self) }) {
        case SIGHUP: return .hangUp
        case let number:
            // For whoever waits for a reader that does not read; see `writeToStandardStream`.
            csystem_tell_to_end()
            return number == SIGINT ? .interrupt : .terminate
        }
    }
}

/// Reads an 8-byte counter away.
private func drain(_ counter: borrowing Descriptor) {
    var count: UInt64 = 0
    // Because "nothing to read" is as good as "read", the result does not matter.
    _ = Glibc.read(counter.number, &count, 8)
}
