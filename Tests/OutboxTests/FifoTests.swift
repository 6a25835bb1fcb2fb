import TestSupport
import Testing

@testable import Outbox

@Suite("Fifo")
struct FifoTests {
    @Test("it is an array that forgets its front, whatever is put in and taken out where")
    func likeAnArray() {
        var random = SeededGenerator(seed: 7)
        var fifo = Fifo<Int>()
        var array: [Int] = []
        for step in 0..<20_000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                fifo.append(step)
                array.append(step)
            case 2, 3:
                guard !array.isEmpty else { break }
                let offset = Int.random(in: 0..<min(array.count, 4), using: &random)
                #expect(fifo.remove(at: offset) == array.remove(at: offset))
            default:
                let offset = Int.random(in: 0...min(array.count, 4), using: &random)
                fifo.insert(step, at: offset)
                array.insert(step, at: offset)
            }
            #expect(fifo.count == array.count)
        }
        #expect((0..<fifo.count).map { fifo[$0] } == array)
        #expect(array.last.flatMap { last in fifo.firstOffset { $0 == last } } == array.indices.last)
        #expect(fifo.firstOffset { $0 == -1 } == nil)
    }
}
