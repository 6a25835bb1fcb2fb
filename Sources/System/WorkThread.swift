internal import CSystem
internal import Glibc

/// A thread that runs one function to its end. pthread_create(3)
public final class WorkThread: @unchecked Sendable {
    // @unchecked because `thread` is written once, before any other thread can know of this object.
    private var thread = pthread_t()
    private let ended: Wakeup

    private final class Start {
        let name: String
        let ended: Wakeup
        let body: @Sendable () -> Void
        init(_ name: String, _ ended: Wakeup, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.ended = ended
            self.body = body
        }
    }

    /// Starts `body` at once. The name, 15 bytes at most, is what `top -H` shows.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        ended = try Wakeup()
        let start = Unmanaged.passRetained(Start(name, ended, body))
        let failed = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                csystem_name_thread(start.name)
                start.body()
                start.ended.ring()
                return nil
            }, start.toOpaque())
        if failed != 0 {
            start.release()
            throw SystemError(code: failed, action: "start the thread \(name)")
        }
    }

    /// Waits for its end. Call it once.
    public func join() { pthread_join(thread, nil) }

    /// Waits for its end, for at most that long; false when it has not ended by then. For a thread that may be held
    /// up by what has no time limit, such as a name server: the end of the program does not wait for it.
    public func join(within limit: Duration) -> Bool {
        let end = Duration.nanoseconds(MonotonicClock.nanoseconds) + limit
        var watched = pollfd(fd: ended.number, events: Int16(POLLIN), revents: 0)
        while watched.revents == 0 {
            let left = end - .nanoseconds(MonotonicClock.nanoseconds)
            if left <= .zero && poll(&watched, 1, 0) == 0 { return false }
            // Again after a signal; a millisecond more, so that the last part of one is not spent spinning.
            let (seconds, attoseconds) = min(max(left, .zero), .seconds(3600)).components
            poll(&watched, 1, Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
        }
        pthread_join(thread, nil)
        return true
    }
}
