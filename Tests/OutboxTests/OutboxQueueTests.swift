import TestSupport
import Testing

@testable import Outbox

private func message(
    _ id: UInt64, _ kind: OutgoingMessage.Kind, _ topic: String = "t", _ text: String = ""
) -> OutgoingMessage {
    OutgoingMessage(id: id, kind: kind, topic: topic, payload: Array(text.utf8))
}

@Suite("OutboxQueue")
struct OutboxQueueTests {
    /// Takes out everything there is, without answering.
    private func drain(_ outbox: inout OutboxQueue) -> [UInt64] {
        var ids: [UInt64] = []
        while let message = outbox.next() { ids.append(message.id) }
        return ids
    }

    @Test("events leave in the order they came")
    func order() {
        var outbox = OutboxQueue()
        for id in 1...100 { outbox.append(message(UInt64(id), .event)) }
        #expect(drain(&outbox) == Array(1...100))
        #expect(outbox.inFlightCount == 100)
        #expect(outbox.next() == nil)
    }

    @Test("replies leave before facts, facts before events, events before windows")
    func classes() {
        var outbox = OutboxQueue()
        outbox.append(message(1, .window))
        outbox.append(message(2, .event))
        outbox.append(message(3, .latest))
        outbox.append(message(4, .reply))
        #expect(drain(&outbox) == [4, 3, 2, 1])
    }

    @Test("every eighth message is the oldest one, so that windows get through a flood of events")
    func neverStarve() {
        var outbox = OutboxQueue()
        outbox.append(message(1000, .window))
        outbox.append(message(1001, .window))
        for id in 0..<20 { outbox.append(message(UInt64(id), .event)) }
        #expect(
            drain(&outbox) == [0, 1, 2, 3, 4, 5, 6, 1000, 7, 8, 9, 10, 11, 12, 13, 1001, 14, 15, 16, 17, 18, 19])
    }

    @Test("what is returned takes its place again, in whatever order it comes back")
    func returned() {
        var outbox = OutboxQueue()
        for id in 1...6 { outbox.append(message(UInt64(id), .event)) }
        for _ in 1...4 { _ = outbox.next() }
        outbox.delivered(2)
        for id in [3, 1, 4] as [UInt64] { outbox.returned(id) }
        outbox.returned(4)
        outbox.delivered(99)
        #expect(drain(&outbox) == [1, 3, 4, 5, 6])
        for id in [6, 1, 4, 3, 5] as [UInt64] { outbox.returned(id) }
        #expect(outbox.waitingCount(.event) == 5)
        #expect(drain(&outbox) == [1, 3, 4, 5, 6])
        #expect(outbox.counters.delivered == 1)
        #expect(outbox.counters.returned == 8)
    }

    @Test("what can never be sent is forgotten and counted")
    func refused() {
        var outbox = OutboxQueue()
        outbox.append(message(1, .event))
        _ = outbox.next()
        outbox.refused(1)
        #expect(outbox.isEmpty)
        #expect(outbox.counters == .init(refused: 1))
    }

    @Test("a full class gives up its oldest message, and of events the first and last id are remembered")
    func overflow() {
        var outbox = OutboxQueue(limits: .init(events: 3, windows: 2))
        for id in 1...10 { outbox.append(message(UInt64(id), .event)) }
        for id in 11...13 { outbox.append(message(UInt64(id), .window)) }
        #expect(outbox.takeGap() == .init(count: 7, first: 1, last: 7))
        #expect(outbox.takeGap() == nil)
        #expect(outbox.counters.dropped == [.event: 7, .window: 1])
        #expect(drain(&outbox) == [8, 9, 10, 12, 13])
        // All in flight: there is nothing older to give up.
        outbox.append(message(14, .event))
        #expect(outbox.takeGap() == .init(count: 1, first: 14, last: 14))
        outbox.delivered(8)
        outbox.append(message(15, .event))
        for id in [9, 10, 12, 13] as [UInt64] { outbox.returned(id) }
        // The third one is the eighth in all, so it is the oldest.
        #expect(drain(&outbox) == [9, 10, 12, 15, 13])
    }

    @Test("large windows are given up at the bound of their bytes, oldest first, and small ones at their number")
    func windowBytes() {
        let large = [UInt8](repeating: 0x20, count: 64 << 10)
        let fit = OutboxQueue.windowBytes / large.count
        var outbox = OutboxQueue(limits: .init(windows: 1_000))
        func appendWindow(_ id: Int, _ payload: [UInt8]) {
            outbox.append(OutgoingMessage(id: UInt64(id), kind: .window, topic: "t", payload: payload))
        }
        for id in 1...fit + 3 { appendWindow(id, large) }
        #expect(outbox.counters.dropped == [.window: 3] && outbox.waitingCount(.window) == fit)
        // What is in flight counts, whether it comes back or not, and what was delivered does not.
        #expect(outbox.next()?.id == 4)
        appendWindow(fit + 4, large)
        #expect(outbox.counters.dropped == [.window: 4])
        outbox.returned(4)
        appendWindow(fit + 5, large)
        #expect(outbox.counters.dropped == [.window: 5])
        #expect(outbox.next()?.id == 6)
        outbox.delivered(6)
        appendWindow(fit + 6, large)
        #expect(outbox.counters.dropped == [.window: 5] && outbox.waitingCount(.window) == fit)
        // One window makes room for many, and many make room for one.
        for id in 0..<100 { appendWindow(10_000 + id, [0x20]) }
        #expect(outbox.counters.dropped == [.window: 6])
        for id in 0..<1_000 { appendWindow(20_000 + id, [0x20]) }
        #expect(outbox.waitingCount(.window) == 1_000 && outbox.next()?.id == 20_000)
        outbox.append(OutgoingMessage(id: 1, kind: .event, topic: "t", payload: large))
        #expect(outbox.counters.dropped[.event] == nil)
    }

    @Test("of a topic's facts only the newest waits, at the place of the first")
    func latest() {
        var outbox = OutboxQueue()
        outbox.append(message(1, .latest, "a", "1"))
        outbox.append(message(2, .latest, "b", "1"))
        outbox.append(message(3, .latest, "a", "2"))
        outbox.append(message(4, .latest, "a", "3"))
        #expect(outbox.counters.replaced == 2)
        #expect(drain(&outbox) == [4, 2])
    }

    @Test("a newer fact waits until the older one of its topic has landed, and others pass it")
    func oneFactInFlight() {
        var outbox = OutboxQueue()
        outbox.append(message(1, .latest, "a"))
        #expect(drain(&outbox) == [1])
        outbox.append(message(2, .latest, "a"))
        outbox.append(message(3, .latest, "b"))
        outbox.append(message(4, .event))
        #expect(drain(&outbox) == [3, 4])
        outbox.delivered(1)
        #expect(drain(&outbox) == [2])
    }

    @Test("a returned fact is forgotten where a newer one waits, else it waits again")
    func returnedFact() {
        var outbox = OutboxQueue()
        outbox.append(message(1, .latest, "a"))
        outbox.append(message(2, .latest, "b"))
        _ = drain(&outbox)
        outbox.append(message(3, .latest, "a"))
        outbox.returned(1)
        outbox.returned(2)
        outbox.append(message(4, .latest, "b"))
        #expect(drain(&outbox) == [4, 3])
        #expect(outbox.counters.replaced == 2)
    }

    @Test("topics of facts are bounded, the oldest is given up")
    func factLimit() {
        var outbox = OutboxQueue(limits: .init(latest: 2))
        for id in 1...3 { outbox.append(message(UInt64(id), .latest, "\(id)")) }
        outbox.append(message(4, .latest, "1"))
        #expect(outbox.counters.dropped == [.latest: 2])
        #expect(drain(&outbox) == [3, 4])
    }

    @Test("under random use nothing is lost uncounted, nothing doubled, and no order is changed")
    func randomUse() {
        for seed in 0..<30 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var outbox = OutboxQueue(limits: .init(events: 20, windows: 5, latest: 8, replies: 4))
            var flying: [OutgoingMessage] = []
            var appended: UInt64 = 0
            var last: [OutgoingMessage.Kind: UInt64] = [:]
            var newest: [String: UInt64] = [:]
            for _ in 0..<3000 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4:
                    guard let kind = OutgoingMessage.Kind.allCases.randomElement(using: &random) else { break }
                    outbox.append(message(appended, kind, "\(Int.random(in: 0..<10, using: &random))"))
                    appended += 1
                case 4..<7:
                    if flying.count < 6, let message = outbox.next() { flying.append(message) }
                case 7, 8:
                    // A broker answers in order.
                    guard !flying.isEmpty else { break }
                    let message = flying.removeFirst()
                    outbox.delivered(message.id)
                    if message.kind == .latest {
                        #expect(newest[message.topic].map { $0 < message.id } ?? true)
                        newest[message.topic] = message.id
                    } else {
                        #expect(last[message.kind].map { $0 < message.id } ?? true)
                        last[message.kind] = message.id
                    }
                default:
                    flying.shuffle(using: &random)
                    for message in flying { outbox.returned(message.id) }
                    flying = []
                }
                #expect(outbox.inFlightCount == flying.count)
                let kept = OutgoingMessage.Kind.allCases.reduce(flying.count) { $0 + outbox.waitingCount($1) }
                let counters = outbox.counters
                let gone = counters.delivered + counters.replaced + counters.dropped.values.reduce(0, +)
                #expect(UInt64(kept) + gone == appended)
                #expect(outbox.waitingCount(.event) <= 20 && outbox.waitingCount(.latest) <= 8)
            }
        }
    }
}
