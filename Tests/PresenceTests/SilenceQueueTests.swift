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
                    reading: Scene.instant(.random(in: 0...9, using: &random)), region: Int32(region))
                expected.append(entry)
            }
            for entry in expected.shuffled(using: &random) { queue.insert(entry) }
            expected.sort { ($0.reading, $0.region) < ($1.reading, $1.region) }
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

@Suite struct SlotSetTests {
    @Test("a set of slots holds what was put in and not taken out") func membership() {
        var random = SeededGenerator(seed: 3)
        var set = SlotSet()
        var expected = Set<Int32>()
        for step in 0..<5_000 {
            let slot = Int32.random(in: 0...40, using: &random)
            if Bool.random(using: &random) {
                set.insert(slot)
                expected.insert(slot)
            } else {
                set.remove(slot)
                expected.remove(slot)
            }
            if step % 1_000 == 999 {
                set.removeAll()
                expected = []
            }
            #expect(set.slots.count == expected.count && Set(set.slots) == expected)
        }
    }
}
