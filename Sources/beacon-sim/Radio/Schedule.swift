/// What is to happen when: a binary heap by time, and by order of entry where times are equal.
struct Schedule<Event> {
    private struct Entry {
        let due: Int64
        let order: UInt64
        let event: Event

        func isBefore(_ other: Entry) -> Bool { (due, order) < (other.due, other.order) }
    }

    private var heap: [Entry] = []
    private var entered: UInt64 = 0

    /// When the next event is due.
    var nextDue: Int64? { heap.first?.due }

    mutating func insert(_ event: Event, due: Int64) {
        entered += 1
        heap.append(Entry(due: due, order: entered, event: event))
        var child = heap.count - 1
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The next event if it is due by `now`.
    mutating func take(until now: Int64) -> (due: Int64, event: Event)? {
        guard let first = heap.first, first.due <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in (2 * parent + 1)...(2 * parent + 2)
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            if least == parent { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return (first.due, first.event)
    }
}
