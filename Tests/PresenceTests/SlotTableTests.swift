import TestSupport
import Testing

@testable import Presence

/// A table with its keys, as presence has them: in slots that are used again.
private struct Keyed {
    var table = SlotTable()
    private var keys: [UInt64] = []
    private var free: [Int32] = []
    let hash: (UInt64) -> UInt64

    init(expecting count: Int = 0, hash: @escaping (UInt64) -> UInt64) {
        table = SlotTable(expecting: count)
        self.hash = hash
    }

    func slot(of key: UInt64) -> Int32? { table.slot(hash: hash(key)) { keys[Int($0)] == key } }

    mutating func insert(_ key: UInt64) -> Int32 {
        let slot = free.popLast() ?? Int32(keys.count)
        if Int(slot) == keys.count { keys.append(key) } else { keys[Int(slot)] = key }
        table.insert(slot, hash: hash(key))
        return slot
    }

    mutating func remove(_ key: UInt64) -> Int32? {
        guard let slot = slot(of: key) else { return nil }
        table.remove(slot, hash: hash(key))
        free.append(slot)
        return slot
    }
}

/// SplitMix64's last steps: every bit of the key moves every bit of the hash.
func mixed(_ key: UInt64) -> UInt64 {
    var generator = SeededGenerator(seed: key)
    return generator.next()
}

@Suite("SlotTable")
struct SlotTableTests {
    /// Hashes of a key, good ones and bad ones.
    enum Hashing: String, CaseIterable, Sendable {
        case mixed, same, highest, lowest, ascending, crowdedAtTheEnd, halfTheSame, lowerHalfOnly

        func hash(_ key: UInt64) -> UInt64 {
            switch self {
            case .mixed: PresenceTests.mixed(key)
            case .same: 7
            case .highest: .max
            case .lowest: 0
            case .ascending: key << 32
            case .crowdedAtTheEnd: .max - key << 33
            case .halfTheSame: key & 1 == 0 ? .max : PresenceTests.mixed(key)
            case .lowerHalfOnly: key
            }
        }
    }

    @Test("a table finds what a dictionary finds, whatever the hashes are like", arguments: Hashing.allCases)
    func sameAsDictionary(hashing: Hashing) {
        let hash: @Sendable (UInt64) -> UInt64 = { hashing.hash($0) }
        var random = SeededGenerator(seed: 1)
        var table = Keyed(hash: hash)
        var expected: [UInt64: Int32] = [:]
        for step in 0..<20_000 {
            let key = UInt64.random(in: 0..<300, using: &random)
            // Grows for a while, shrinks for a while.
            let isGrowing = step / 1_000 % 2 == 0
            if Int.random(in: 0..<4, using: &random) < (isGrowing ? 3 : 1) {
                if expected[key] == nil { expected[key] = table.insert(key) }
            } else {
                let removed = table.remove(key)
                #expect(removed == expected.removeValue(forKey: key), "\(hashing.rawValue), step \(step)")
            }
            #expect(table.table.count == expected.count)
            let asked = UInt64.random(in: 0..<300, using: &random)
            #expect(table.slot(of: asked) == expected[asked], "\(hashing.rawValue), step \(step)")
            if step % 2_000 == 1_999 {
                for key: UInt64 in 0..<300 {
                    #expect(table.slot(of: key) == expected[key], "\(hashing.rawValue), key \(key)")
                }
            }
        }
    }

    @Test("a million keys that come and go leave neither memory nor traces")
    func churn() {
        var table = Keyed(hash: mixed)
        for key: UInt64 in 0..<10_000 { _ = table.insert(key) }
        let bytes = table.table.byteCount
        for key: UInt64 in 10_000..<1_010_000 {
            _ = table.remove(key - 10_000)
            _ = table.insert(key)
        }
        #expect(table.table.count == 10_000)
        #expect(table.table.byteCount == bytes)
        #expect((1_000_000..<1_010_000).allSatisfy { table.slot(of: $0) != nil })
        #expect((990_000..<1_000_000).allSatisfy { table.slot(of: $0) == nil })
        for key: UInt64 in 1_000_000..<1_010_000 { _ = table.remove(key) }
        #expect(table.table.count == 0)
        #expect(table.slot(of: 1_005_000) == nil)
    }

    @Test("an entry takes no more than 12.5 bytes, and 10 if the number of them was known")
    func memory() {
        var table = Keyed(hash: mixed)
        var known = Keyed(expecting: 10_000, hash: mixed)
        let before = known.table.byteCount
        // Some hundred bytes are there whatever happens, and what is large is rounded up to a page.
        let slack = 500 + 4_096
        var worst = 0.0
        for key: UInt64 in 0..<10_000 {
            _ = table.insert(key)
            _ = known.insert(key)
            worst = max(worst, Double(table.table.byteCount - slack) / Double(key + 1))
        }
        #expect(worst < 12.6)
        #expect(known.table.byteCount == before)
        #expect(known.table.byteCount < 10 * 10_000 + slack)
    }

    @Test("an empty table finds nothing and removes nothing")
    func empty() {
        for count in [0, 10] {
            var table = SlotTable(expecting: count)
            table.remove(0, hash: .max)
            #expect(table.slot(hash: .max) { _ in true } == nil)
            #expect(table.slot(hash: 0) { _ in true } == nil)
            table.insert(3, hash: .max)
            table.remove(4, hash: .max)
            table.remove(3, hash: 0)
            #expect(table.slot(hash: .max) { $0 == 3 } == 3)
            table.removeAll()
            #expect(table.count == 0)
            #expect(table.slot(hash: .max) { _ in true } == nil)
            table.insert(.max, hash: .max)
            #expect(table.slot(hash: .max) { _ in true } == .max)
        }
    }
}
