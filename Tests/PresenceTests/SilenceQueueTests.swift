import TestSupport
import Testing

@testable import Presence

@Suite struct SilenceQueueTests {
    @Test("entries come out by time, and in the regions' order where they fall together") func order() {
        var random = SeededGenerator(seed: 2)
        for count in 0..<60 {
            var queue = SilenceQueue()
            var expected: [SilenceQueue.Entry] = []
            for region in 0..<count {
                let entry = SilenceQueue.Entry(
                    reading: Scene.instant(.random(in: 0...9, using: &random)), region: Int32(region % 7),
                    membership: Int32(region) - 1)
                expected.append(entry)
            }
            for entry in expected.shuffled(using: &random) { queue.insert(entry) }
            expected.sort { ($0.reading, $0.region, $0.membership) < ($1.reading, $1.region, $1.membership) }
            var found: [SilenceQueue.Entry] = []
            while let first = queue.first {
                found.append(first)
                queue.removeFirst()
            }
            #expect(found == expected)
        }
    }

    @Test("an empty queue stays empty") func empty() {
        var queue = SilenceQueue()
        queue.removeFirst()
        #expect(queue.first == nil)
    }
}

@Suite struct AgeQueueTests {
    @Test("whoever was heard longest ago comes out first, however often others were heard in the meantime")
    func order() {
        var random = SeededGenerator(seed: 3)
        var queue = AgeQueue()
        var heard: [Int32: Instant] = [:]
        for step in 0..<20_000 as Range<Int64> {
            let slot = Int32.random(in: 0...40, using: &random)
            let now = Scene.instant(step)
            if heard[slot] == nil { queue.insert(slot, generation: 1, heard: now) }
            heard[slot] = now
            guard step % 7 == 0 else { continue }
            let limit = Scene.instant(step - .random(in: -1...60, using: &random))
            let expected = heard.min { ($0.value, $0.key) < ($1.value, $1.key) }.flatMap { $1 < limit ? $0 : nil }
            let found = queue.takeOldest(before: limit) { heard[$0.slot] }
            if found != expected {
                Issue.record("step \(step): \(found as Int32?) instead of \(expected as Int32?)")
                return
            }
            if let found { heard[found] = nil }
        }
        #expect(queue.count == heard.count)
    }

    @Test("who is in a slot now is not taken for who was there before") func generations() {
        var queue = AgeQueue()
        queue.insert(5, generation: 1, heard: Scene.instant(1))
        queue.insert(5, generation: 2, heard: Scene.instant(9))
        let living: (AgeQueue.Entry) -> Instant? = { $0.generation == 2 ? Scene.instant(9) : nil }
        #expect(queue.takeOldest(before: Scene.instant(9), living) == nil)
        #expect(queue.takeOldest(before: Scene.instant(10), living) == 5)
        #expect(queue.count == 0)
    }
}
