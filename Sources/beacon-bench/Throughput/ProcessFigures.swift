import Glibc
internal import System

/// What the kernel and the allocator say of this process.
enum ProcessFigures {
    /// CPU time of all threads in nanoseconds: other programs on the machine do not count. CLOCK_PROCESS_CPUTIME_ID
    static var processorTime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The most memory that was ever resident, in bytes; nil where the kernel does not say. VmHWM, proc(5)
    static var peakMemory: Int? {
        guard let status = try? readFile("/proc/self/status", limit: 64 * 1024) else { return nil }
        let line = status.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Array("VmHWM:".utf8)) }
        let digits = line?.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? []
        return Int(String(decoding: digits, as: UTF8.self)).map { $0 * 1024 }
    }

    /// How often memory was allocated so far; nil unless `Tests/allocations.sh` started the program.
    ///
    /// glibc has no such count. The one that the script preloads is found by its name.
    static var allocations: UInt64? { counter?() }

    private typealias Counter = @convention(c) () -> UInt64

    private static let counter: Counter? = {
        // nil is RTLD_DEFAULT: whatever is loaded.
        guard let symbol = dlsym(nil, "beacond_allocations") else { return nil }
        return unsafeBitCast(symbol, to: Counter.self)
    }()
}
