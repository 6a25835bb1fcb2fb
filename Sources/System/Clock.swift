internal import CSystem
internal import Glibc

/// The clock for timers: never set, never steps. CLOCK_MONOTONIC, as timerfd uses it; it stands while suspended.
public enum MonotonicClock {
    /// Nanoseconds since boot.
    public static var nanoseconds: Int64 { read(CLOCK_MONOTONIC) }
}

/// The clock for payloads: may be wrong and may step.
public enum WallClock {
    /// Nanoseconds since 1970-01-01 UTC. CLOCK_REALTIME
    public static var nanoseconds: Int64 { read(CLOCK_REALTIME) }
    /// Whether the kernel says that the clock is kept right. adjtimex(2)
    public static var isSynchronised: Bool { csystem_clock_is_synchronised() == 1 }
}

private func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Random bytes from the kernel. getrandom(2)
public func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
        let n = bytes.withUnsafeMutableBytes { csystem_random($0.baseAddress.map { $0 + done }, count - done) }
        precondition(n > 0 || errno == EINTR, "getrandom cannot fail for requests this small")
        if n > 0 { done += n }
    }
    return bytes
}

/// A random number from the kernel.
public func randomNumber() -> UInt64 { randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

/// The boot id as 32 lower-case hex digits, nil where the kernel has none. /proc/sys/kernel/random/boot_id
public func bootID() -> String? {
    guard let bytes = try? readFile("/proc/sys/kernel/random/boot_id", limit: 256) else { return nil }
    let digits = bytes.filter { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
    return digits.count == 32 ? String(decoding: digits, as: UTF8.self) : nil
}

/// Resident memory of this process in bytes; nil where the kernel does not say. /proc/self/statm
public func residentMemory() -> UInt64? {
    guard let bytes = try? readFile("/proc/self/statm", limit: 256) else { return nil }
    // "total resident shared …" in pages.
    let fields = bytes.split(separator: 0x20)
    guard fields.count > 1, let pages = UInt64(String(decoding: fields[1], as: UTF8.self)) else { return nil }
    return pages * UInt64(max(1, sysconf(Int32(_SC_PAGESIZE))))
}

/// Waits that long, whatever happens. nanosleep(2)
public func sleep(nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    var span = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    // Interrupted by a signal it is a little short, which nobody here minds.
    nanosleep(&span, nil)
}

/// Gives arrays that are outgrown back to the system at once.
///
/// Left to itself glibc raises the size from which it does so with each large block that is freed (mallopt(3)); what a
/// table of beacons was before it grew then stays with the process as a hole of half its size. From 32 KiB on, so that
/// the parts of a window, 64 KiB each, are among them.
public func returnLargeAllocations() { csystem_return_large_allocations(32 * 1024) }
