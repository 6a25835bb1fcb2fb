/// What silence may change next: beacons that are in a region, and regions of which it is unknown whether anybody is.
///
/// An advert does not touch it, for that would cost every advert; what turns out too early is queued again. So each
/// costs something once in its exit time, and only the logarithm of the number of all. An entry whose owner has been
/// queued for another reading since is dead, and thrown away when its turn comes.
struct SilenceQueue {
    /// Whom to look at, at which reading of the listening clock.
    struct Entry: Comparable {
        var reading: Instant
        /// The region's number.
        var region: Int32
        /// The membership; −1 for the region itself.
        var membership: Int32

        /// What falls on one moment comes in the regions' order.
        static func < (a: Entry, b: Entry) -> Bool {
            if a.reading != b.reading { return a.reading < b.reading }
            return a.region != b.region ? a.region < b.region : a.membership < b.membership
        }
    }

    private var heap = Heap<Entry>()

    var count: Int { heap.count }

    /// The entry that is due first.
    var first: Entry? { heap.first }

    mutating func insert(_ entry: Entry) { heap.insert(entry) }
    mutating func removeFirst() { heap.removeFirst() }
    mutating func removeAll() { heap.removeAll() }

    /// Throws away what is not wanted.
    mutating func removeAll(where isUnwanted: (Entry) -> Bool) { heap.removeAll(where: isUnwanted) }
}
