/// A binary heap: the least entry first, for as much as the logarithm of their number.
struct Heap<Entry: Comparable> {
    private var entries: [Entry] = []

    var count: Int { entries.count }

    /// The least entry.
    var first: Entry? { entries.first }

    mutating func insert(_ entry: Entry) {
        var place = entries.count
        entries.append(entry)
        while place > 0 {
            let parent = (place - 1) / 2
            if entries[parent] < entries[place] { return }
            entries.swapAt(parent, place)
            place = parent
        }
    }

    mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in 2 * place + 1...2 * place + 2
            where child < entries.count && entries[child] < entries[least] {
                least = child
            }
            if least == place { return }
            entries.swapAt(least, place)
            place = least
        }
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Throws away what is not wanted.
    mutating func removeAll(where isUnwanted: (Entry) -> Bool) {
        entries.removeAll(where: isUnwanted)
        // What is sorted is a heap.
        entries.sort()
    }
}

/// Dead entries are thrown away when there are more of them than of the living, and these more: seldom enough to cost
/// each of them nothing, often enough to bound them.
let deadEntriesTolerated = 64

/// Who was heard when: what is remembered longest is found without looking at the rest.
///
/// An advert does not touch it, for that would cost every advert: an entry says how old somebody was when it was made,
/// and whoever was heard since is entered again when its turn comes. So each advert is paid for once at most.
struct AgeQueue {
    struct Entry: Comparable {
        /// The listening clock at an advert, the last one or an earlier one.
        var heard: Instant
        var slot: Int32
        /// Tells who is in the slot from who was there before.
        var generation: UInt32

        static func < (a: Entry, b: Entry) -> Bool {
            if a.heard != b.heard { return a.heard < b.heard }
            return a.slot != b.slot ? a.slot < b.slot : a.generation < b.generation
        }
    }

    private var heap = Heap<Entry>()

    var count: Int { heap.count }

    mutating func insert(_ slot: Int32, generation: UInt32, heard: Instant) {
        heap.insert(Entry(heard: heard, slot: slot, generation: generation))
    }

    /// Throws away the entries of who is no longer there, if they are too many; `living` says how many are.
    mutating func compact(living: Int, _ isThere: (Entry) -> Bool) {
        if heap.count > 2 * living + deadEntriesTolerated { heap.removeAll { !isThere($0) } }
    }

    /// Takes out who was heard longest ago, if that was before a time; nil if nobody was.
    ///
    /// `lastHeard` says when an entry's owner was last heard, nil if it is no longer there.
    mutating func takeOldest(before limit: Instant, _ lastHeard: (Entry) -> Instant?) -> Int32? {
        while let entry = heap.first, entry.heard < limit {
            heap.removeFirst()
            guard let heard = lastHeard(entry) else { continue }
            if heard == entry.heard { return entry.slot }
            heap.insert(Entry(heard: heard, slot: entry.slot, generation: entry.generation))
        }
        return nil
    }
}
