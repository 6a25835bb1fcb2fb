/// Which tracks are in which region, found anew each second.
///
/// A list in each region, kept up as beacons come and go, would make a flood of them cost a search each.
struct RegionRoll {
    /// Where each region's slots begin in `slots`, and one more for where the last ones end.
    private var starts: [Int] = []
    private var slots: [Int32] = []

    /// The slots of the region's tracks, in no order.
    func tracks(in region: Int) -> ArraySlice<Int32> { slots[starts[region]..<starts[region + 1]] }

    /// Calls the roll: counts each region's tracks, gives it its stretch, and fills that from its end.
    mutating func call(_ tracks: Tracks, _ records: Records, regions: Int) {
        starts.removeAll(keepingCapacity: true)
        starts.append(contentsOf: repeatElement(0, count: regions + 1))
        var slot = tracks.oldest
        while slot >= 0 {
            for region in records[tracks[slot].beacon].regions { starts[Int(region)] += 1 }
            slot = tracks[slot].newer
        }
        var total = 0
        for region in starts.indices {
            total += starts[region]
            starts[region] = total
        }
        slots.removeAll(keepingCapacity: true)
        slots.append(contentsOf: repeatElement(-1, count: total))
        slot = tracks.oldest
        while slot >= 0 {
            for region in records[tracks[slot].beacon].regions {
                starts[Int(region)] -= 1
                slots[starts[Int(region)]] = slot
            }
            slot = tracks[slot].newer
        }
    }
}
