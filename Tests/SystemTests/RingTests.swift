import System
import Testing

@Suite("Ring")
struct RingTests {
    private func isRung(_ wakeup: Wakeup) throws -> Bool {
        var poller = try Poller()
        try poller.add(wakeup.number, token: 1, .readable)
        return try poller.wait(milliseconds: 0) { _, _ in } == 1
    }

    @Test("elements come out in the order they went in, round the end of the ring too")
    func order() throws {
        let ring = Ring<Int>(capacity: 3, wakeup: try Wakeup())
        for round in 0..<5 {
            #expect(ring.offer(round * 2))
            #expect(ring.offer(round * 2 + 1))
            #expect(ring.count == 2)
            #expect(ring.take() == round * 2)
            #expect(ring.take() == round * 2 + 1)
        }
        #expect(ring.take() == nil)
        #expect(ring.dropped == 0)
    }

    @Test("a full ring refuses what is offered, and keeps what it has")
    func full() throws {
        let ring = Ring<Int>(capacity: 2, wakeup: try Wakeup())
        #expect([1, 2, 3].map { ring.offer($0) } == [true, true, false])
        #expect([ring.take(), ring.take(), ring.take()] == [1, 2, nil])
        #expect(ring.dropped == 0)
    }

    @Test("a full ring drops its oldest for what is pushed, and counts that")
    func pushed() throws {
        let ring = Ring<Int>(capacity: 2, wakeup: try Wakeup())
        for element in 1...5 { ring.push(element) }
        #expect([ring.take(), ring.take(), ring.take()] == [4, 5, nil])
        #expect(ring.dropped == 3)
    }

    @Test("only the first element of an empty ring wakes the reader")
    func wakes() throws {
        let wakeup = try Wakeup()
        let ring = Ring<Int>(capacity: 4, wakeup: wakeup)
        #expect(try !isRung(wakeup))
        #expect(ring.offer(1))
        #expect(try isRung(wakeup))
        wakeup.acknowledge()
        ring.push(2)
        #expect(ring.offer(3))
        #expect(try !isRung(wakeup))
        while ring.take() != nil {}
        ring.push(4)
        #expect(try isRung(wakeup))
    }

    @Test("what one thread offers another one takes, all of it and in order")
    func threads() throws {
        let wakeup = try Wakeup()
        let ring = Ring<Int>(capacity: 8, wakeup: wakeup)
        let room = try Wakeup()
        let writer = try WorkThread(name: "writer") {
            guard var poller = try? Poller(), (try? poller.add(room.number, token: 0, .readable)) != nil else {
                return
            }
            for element in 0..<20_000 {
                while !ring.offer(element) {
                    // The reader rings whenever it made room.
                    _ = try? poller.wait(milliseconds: 1000) { _, _ in room.acknowledge() }
                }
            }
        }
        var poller = try Poller()
        try poller.add(wakeup.number, token: 0, .readable)
        var taken: [Int] = []
        while taken.count < 20_000 {
            guard try poller.wait(milliseconds: 20_000, { _, _ in wakeup.acknowledge() }) > 0 else { break }
            while let element = ring.take() { taken.append(element) }
            room.ring()
        }
        #expect(taken == Array(0..<20_000))
        writer.join()
    }
}
