/// A set of slots that is joined, left and gone through without looking for anything.
struct SlotSet {
    private(set) var slots: [Int32] = []
    /// Where in `slots` a slot stands; −1 where it does not.
    private var places: [Int32] = []

    mutating func insert(_ slot: Int32) {
        while places.count <= Int(slot) { places.append(-1) }
        if places[Int(slot)] >= 0 { return }
        places[Int(slot)] = Int32(slots.count)
        slots.append(slot)
    }

    /// Takes a slot out, if it is in; the last one takes its place.
    mutating func remove(_ slot: Int32) {
        guard Int(slot) < places.count, places[Int(slot)] >= 0 else { return }
        let place = places[Int(slot)]
        places[Int(slot)] = -1
        guard let last = slots.popLast(), last != slot else { return }
        slots[Int(place)] = last
        places[Int(last)] = place
    }

    mutating func removeAll() {
        for slot in slots { places[Int(slot)] = -1 }
        slots.removeAll(keepingCapacity: true)
    }
}
