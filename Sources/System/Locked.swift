internal import Glibc

/// A value that one thread at a time may touch.
///
/// A pthread mutex and not Synchronization's `Mutex`: ThreadSanitizer knows the former, and reports a race in every
/// correct use of the latter (seen with Swift 6.3).
public final class Locked<Value>: @unchecked Sendable {
    // @unchecked because `value` is only reached while `mutex` is held.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Takes over a value.
    public init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` alone with the value.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
