internal import CSystem
internal import Glibc

/// A thread that runs one function to its end. pthread_create(3)
public final class WorkThread: @unchecked Sendable {
    // @unchecked because `thread` is written once, before any other thread can know of this object.
    private var thread = pthread_t()

    private final class Start {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts `body` at once. The name, 15 bytes at most, is what `top -H` shows.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(Start(name, body))
        let failed = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                csystem_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        if failed != 0 {
            start.release()
            throw SystemError(code: failed, action: "start the thread \(name)")
        }
    }

    /// Waits for its end. Call it once.
    public func join() { pthread_join(thread, nil) }
}
