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

/// The boot id as 32 lower-case hex digits, nil where the kernel has none. /proc/sys/kernel/random/boot_id
public func bootID() -> String? {
    guard let bytes = try? readFile("/proc/sys/kernel/random/boot_id", limit: 256) else { return nil }
    let digits = bytes.filter { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
    return digits.count == 32 ? String(decoding: digits, as: UTF8.self) : nil
}
