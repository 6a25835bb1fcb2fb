/// The regions that are not outside, by when their silence may have lasted long enough: a binary heap.
///
/// An advert does not touch it, for that would cost every advert; an entry that turns out too early is queued again. So
/// a region costs something once in its exit time, and the end of many regions, each at its own moment, costs each only
/// the logarithm of their number.
struct SilenceQueue {
    /// A region's number, and the reading of the listening clock at which to look at it.
    struct Entry: Comparable {
        var reading: Instant
        var region: Int32

        /// Regions that fall on one moment come in their own order.
        static func < (a: Entry, b: Entry) -> Bool {
            a.reading != b.reading ? a.reading < b.reading : a.region < b.region
        }
    }

    private var heap: [Entry] = []

    var count: Int { heap.count }

    /// The entry that is due first.
    var first: Entry? { heap.first }

    mutating func insert(_ entry: Entry) {
        var place = heap.count
        heap.append(entry)
        while place > 0 {
            let parent = (place - 1) / 2
            if heap[parent] < heap[place] { return }
            heap.swapAt(parent, place)
            place = parent
        }
    }

    mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var place = 0
        while true {
            var least = place
            for child in 2 * place + 1...2 * place + 2 where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == place { return }
            heap.swapAt(least, place)
            place = least
        }
    }

    mutating func removeAll() { heap.removeAll(keepingCapacity: true) }
}
