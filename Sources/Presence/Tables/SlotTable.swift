/// Finds the slot of a key by its hash; the keys themselves stay in the slots, wherever those are.
///
/// Open addressing with linear probing in which the entries are in the order of their hashes, all of them: where an
/// entry belongs grows with its hash, and an entry that has to make room moves on by one place. So a look-up stops at
/// the first larger hash, whether it found anything or not; removing moves back what follows and leaves no trace; and
/// growing is one pass that needs no key. An entry is eight bytes: half of the hash, and the slot.
///
/// Where entries are depends on the process's secret (`IdentityHash`), therefore there is no way to walk through them.
struct SlotTable: Sendable {
    /// Four entries of five places are taken at most; a look-up then takes three steps on average.
    private static let fullest = (entries: 4, places: 5)
    private static let fewestPlaces = 16
    /// So many places more than hashes have, for entries that had to move on at the end.
    private static let spare = 32
    /// A place without an entry: above all entries, so that a look-up needs no test for it.
    private static let empty = UInt64.max

    /// Hash and slot, ascending, with gaps. The last place is always empty, so that every search ends.
    private var places: [UInt64] = []
    /// How many places hashes have.
    private var capacity: UInt64 = 0
    /// How many entries there are.
    private(set) var count = 0

    /// Makes an empty table, which grows as it has to; with room for so many entries it takes ten bytes for each.
    init(expecting count: Int = 0) {
        if count > 0 { rebuild(capacity: UInt64(Self.places(for: count))) }
    }

    /// How many bytes the table takes: 10 to 12.5 for each entry, once there are many.
    var byteCount: Int { places.capacity * MemoryLayout<UInt64>.stride }

    /// The slot with this hash of which `isSame` says that it has the key; nil if there is none.
    @inline(__always)
    func slot(hash: UInt64, _ isSame: (Int32) -> Bool) -> Int32? {
        if count == 0 { return nil }
        let lowest = Self.entry(hash, 0)
        return places.withUnsafeBufferPointer { places in
            var place = Self.home(lowest, capacity)
            while places[place] < lowest { place += 1 }
            // The same half of the hash: nearly always the one that is looked for.
            let highest = Self.entry(hash, .max)
            while places[place] <= highest {
                let slot = Int32(truncatingIfNeeded: places[place])
                if isSame(slot) { return slot }
                place += 1
            }
            return nil
        }
    }

    /// Adds a slot, which must be 0 or more, under the hash of its key, which must not be in the table.
    mutating func insert(_ slot: Int32, hash: UInt64) {
        precondition(slot >= 0, "slots are counted from 0")
        if (count + 1) * Self.fullest.places > Int(capacity) * Self.fullest.entries {
            // By a quarter: four moves for each entry, and never much more memory than is needed.
            rebuild(capacity: UInt64(max(Self.places(for: count + 1), Int(capacity) + Int(capacity) / 4)))
        }
        count += 1
        let capacity = capacity
        let needsPlace = places.withUnsafeMutableBufferPointer { places in
            var moving = Self.entry(hash, slot)
            var place = Self.home(moving, capacity)
            while places[place] < moving { place += 1 }
            while moving != Self.empty {
                swap(&places[place], &moving)
                place += 1
            }
            return place == places.count
        }
        // The last place was taken: the search for what is not there would run off the end.
        if needsPlace { places.append(Self.empty) }
    }

    /// Removes a slot that was added under this hash; does nothing if it is not there.
    mutating func remove(_ slot: Int32, hash: UInt64) {
        if count == 0 { return }
        let entry = Self.entry(hash, slot)
        let capacity = capacity
        let wasThere = places.withUnsafeMutableBufferPointer { places -> Bool in
            var place = Self.home(entry, capacity)
            while places[place] < entry { place += 1 }
            if places[place] != entry { return false }
            // What follows moves back until something stands where it belongs. Nothing belongs to the place after the
            // last, which is empty.
            while places[place + 1] != Self.empty && Self.home(places[place + 1], capacity) <= place {
                places[place] = places[place + 1]
                place += 1
            }
            places[place] = Self.empty
            return true
        }
        if wasThere { count -= 1 }
    }

    /// Removes everything and keeps the memory.
    mutating func removeAll() {
        count = 0
        places.withUnsafeMutableBufferPointer { $0.update(repeating: Self.empty) }
    }

    private static func places(for count: Int) -> Int {
        max(fewestPlaces, (count * fullest.places + fullest.entries - 1) / fullest.entries)
    }

    /// The upper half of the hash above the slot. A slot has 31 bits, so that no entry is `empty`.
    @inline(__always)
    private static func entry(_ hash: UInt64, _ slot: Int32) -> UInt64 {
        hash & 0xFFFF_FFFF_0000_0000 | UInt64(UInt32(bitPattern: slot))
    }

    /// Where an entry belongs: its hash as a fraction of all hashes, times the number of places.
    @inline(__always)
    private static func home(_ entry: UInt64, _ capacity: UInt64) -> Int {
        Int(truncatingIfNeeded: ((entry >> 32) &* capacity) >> 32)
    }

    private mutating func rebuild(capacity: UInt64) {
        precondition(capacity < 1 << 31, "the place of an entry is found in 64 bits")
        let old = places
        self.capacity = capacity
        places = [UInt64](repeating: Self.empty, count: Int(capacity) + Self.spare)
        var next = 0
        for entry in old where entry != Self.empty {
            next = max(next, Self.home(entry, capacity))
            if next + 1 >= places.count { places.append(Self.empty) }
            places[next] = entry
            next += 1
        }
    }
}
