import System
import Testing

@Suite("Poller")
struct PollerTests {
    @Test("it tells by token which descriptor is ready for what")
    func ready() throws {
        let (one, other) = try StreamSocket.pair()
        let near = Descriptor(owning: one)
        let far = Descriptor(owning: other)
        let wakeup = try Wakeup()
        var poller = try Poller()
        try poller.add(near.number, token: .max, .readable)
        try poller.add(wakeup.number, token: 7, .readable)
        #expect(try poller.wait(milliseconds: 0) { _, _ in } == 0)

        try far.writeAll([1])
        var seen: [UInt64: Readiness] = [:]
        #expect(try poller.wait(milliseconds: 1000) { seen[$0] = $1 } == 1)
        #expect(seen == [.max: .readable])

        wakeup.ring()
        try poller.change(near.number, token: 9, [.readable, .writable])
        seen = [:]
        #expect(try poller.wait(milliseconds: 1000) { seen[$0] = $1 } == 2)
        #expect(seen == [9: [.readable, .writable], 7: .readable])

        wakeup.acknowledge()
        try poller.remove(near.number)
        #expect(try poller.wait(milliseconds: 0) { _, _ in } == 0)
    }

    @Test("the end of the other side is seen without having been asked for")
    func closed() throws {
        var poller = try Poller()
        let (one, other) = try StreamSocket.pair()
        let near = Descriptor(owning: one)
        let far = Descriptor(owning: other)
        try poller.add(near.number, token: 1, [])
        try far.close()
        var seen: Readiness = []
        #expect(try poller.wait(milliseconds: 1000) { seen = $1 } == 1)
        #expect(seen == .closed)
    }

    @Test("more descriptors than one wait reports come with the next one")
    func many() throws {
        var poller = try Poller()
        let wakeups = try (0..<100).map { _ in try Wakeup() }
        for (index, wakeup) in wakeups.enumerated() {
            try poller.add(wakeup.number, token: UInt64(index), .readable)
            wakeup.ring()
        }
        var seen: Set<UInt64> = []
        while try poller.wait(
            milliseconds: 0,
            { token, _ in
                seen.insert(token)
                wakeups[Int(token)].acknowledge()
            }) > 0
        {}
        #expect(seen == Set(0..<100))
    }

    @Test("a descriptor that is not open is an error")
    func notOpen() throws {
        let poller = try Poller()
        #expect(throws: SystemError(code: 9, action: "watch a descriptor")) {
            try poller.add(-1, token: 0, .readable)
        }
    }

    @Test("an alarm in the past rings at once, one in the future then, and one that is off not at all")
    func alarm() throws {
        let alarm = try Alarm()
        var poller = try Poller()
        try poller.add(alarm.number, token: 0, .readable)
        #expect(try poller.wait(milliseconds: 0) { _, _ in } == 0)
        for past in [Int64.min, -1, 0, 1, MonotonicClock.nanoseconds] {
            try alarm.set(at: past)
            #expect(try poller.wait(milliseconds: 1000) { _, _ in } == 1)
            alarm.acknowledge()
            #expect(try poller.wait(milliseconds: 0) { _, _ in } == 0)
        }
        let goal = MonotonicClock.nanoseconds + 20_000_000
        try alarm.set(at: goal)
        #expect(try poller.wait(milliseconds: 5000) { _, _ in } == 1)
        #expect(MonotonicClock.nanoseconds >= goal)
        try alarm.set(at: nil)
        #expect(try poller.wait(milliseconds: 0) { _, _ in } == 0)
        alarm.acknowledge()
    }

    @Test("several rings of a wake-up are taken note of at once")
    func rings() throws {
        let wakeup = try Wakeup()
        for _ in 0..<1000 { wakeup.ring() }
        wakeup.acknowledge()
        wakeup.acknowledge()
        var poller = try Poller()
        try poller.add(wakeup.number, token: 0, .readable)
        #expect(try poller.wait(milliseconds: 0) { _, _ in } == 0)
    }
}
