import Foundation
import System
import Testing

@Suite("Clocks, threads and signals")
struct ProcessTests {
    @Test("monotonic time does not go back, and the wall clock agrees with the calendar")
    func clocks() {
        let first = MonotonicClock.nanoseconds
        #expect(MonotonicClock.nanoseconds >= first)
        #expect(abs(Double(WallClock.nanoseconds) / 1e9 - Date().timeIntervalSince1970) < 5)
        _ = WallClock.isSynchronised
    }

    @Test("random bytes are as many as asked for, and others each time")
    func random() {
        #expect(randomBytes(0) == [])
        #expect(randomBytes(1000).count == 1000)
        #expect(randomBytes(32) != randomBytes(32))
    }

    @Test("the boot id is 32 hex digits and stays")
    func boot() {
        #expect(bootID()?.utf8.count == 32)
        #expect(bootID() == bootID())
    }

    @Test("a thread runs once, under its name, and can be waited for")
    func thread() throws {
        let names = Locked<[String]>([])
        for name in ["broker", "fifteen-bytes-x"] {
            let thread = try WorkThread(name: name) {
                let comm = (try? readFile("/proc/thread-self/comm", limit: 32)) ?? []
                let name = String(decoding: comm.dropLast(), as: UTF8.self)
                names.withLock { $0.append(name) }
            }
            thread.join()
        }
        #expect(names.withLock { $0 } == ["broker", "fifteen-bytes-x"])
    }

    @Test("a thread that does not end is not waited for longer than allowed")
    func boundedJoin() throws {
        let release = try Wakeup()
        let thread = try WorkThread(name: "held up") {
            guard var poller = try? Poller(), (try? poller.add(release.number, token: 0, .readable)) != nil else {
                return
            }
            _ = try? poller.wait(milliseconds: nil) { _, _ in }
        }
        let before = MonotonicClock.nanoseconds
        #expect(!thread.join(within: .zero))
        #expect(!thread.join(within: .milliseconds(20)))
        #expect(MonotonicClock.nanoseconds - before >= 20_000_000)
        release.ring()
        #expect(thread.join(within: .seconds(20)))
    }

    @Test("a locked value is changed by one thread at a time")
    func locked() throws {
        let counter = Locked(0)
        let threads = try (0..<4).map { number in
            try WorkThread(name: "count-\(number)") {
                for _ in 0..<10_000 { counter.withLock { $0 += 1 } }
            }
        }
        for thread in threads { thread.join() }
        #expect(counter.withLock { $0 } == 40_000)
    }

    @Test("a throwing body leaves the value unlocked")
    func lockedThrow() {
        let value = Locked(1)
        let error = SystemError(code: 5, action: "x")
        #expect(throws: error) { try value.withLock { (_) throws(SystemError) in throw error } }
        #expect(value.withLock { $0 } == 1)
    }

    @Test("signals are read and do not end the program")
    func signals() throws {
        // On a thread of its own: the signals stay blocked in the thread that collects them.
        let seen = Locked<[Signals.Signal]>([])
        let thread = try WorkThread(name: "signals") {
            guard let signals = try? Signals() else { return }
            for number in [SIGHUP, SIGTERM, SIGINT] {
                pthread_kill(pthread_self(), number)
                guard let signal = signals.next() else { return }
                seen.withLock { $0.append(signal) }
            }
            if signals.next() != nil { seen.withLock { $0 = [] } }
        }
        thread.join()
        #expect(seen.withLock { $0 } == [.hangUp, .terminate, .interrupt])
    }
}
