internal import Beacon

extension PresenceEngine {
    /// Puts other regions in the place of those watched. One that keeps its id, its identity and what it tracks keeps its
    /// state and visits; the others' visits are closed.
    mutating func replaceRegions(with regions: [Region], at now: Instant) {
        let reading = clock.reading(at: now)
        // Its entries speak of regions by numbers that mean something else from here on.
        silences.removeAll()
        let numberByID = Dictionary(
            monitors.enumerated().map { ($1.region.id, $0) }, uniquingKeysWith: { first, _ in first })
        var numberNow: [Int: Int32] = [:]
        var next: [Monitor] = []
        for (number, region) in regions.enumerated() {
            guard let old = numberByID[region.id], monitors[old].region.continues(as: region) else {
                next.append(Monitor(region: region, at: now, reading: reading))
                continue
            }
            numberNow[old] = Int32(number)
            next.append(monitors[old])
            next[number].region = region
        }
        let ids = Set(regions.map(\.id))
        for old in monitors.indices where numberNow[old] == nil {
            closeVisits(old, at: now)
            if !ids.contains(monitors[old].region.id) {
                outcomes.append(.regionRemoved(id: monitors[old].region.id))
            }
        }
        let kept = Set(numberNow.values)
        for number in next.indices where !kept.contains(Int32(number)) {
            outcomes.append(.regionIs(next[number].state))
        }
        for number in next.indices { next[number].firstMembership = -1 }
        monitors = next
        isKnownInside = next.map { $0.state.value == .inside }
        assignRegions(numberNow)
    }

    private mutating func closeVisits(_ number: Int, at now: Instant) {
        if monitors[number].visit >= 0 { closeWholeVisit(of: number, at: now, .regionRemoved) }
        var open: [(identity: BeaconIdentity, slot: Int32)] = []
        var slot = monitors[number].firstMembership
        while slot >= 0 {
            if memberships[slot].visit >= 0 { open.append((records[memberships[slot].beacon].identity, slot)) }
            slot = memberships[slot].next
        }
        for (_, slot) in open.sorted(by: { $0.identity < $1.identity }) {
            closeOwnVisit(of: slot, at: now, .regionRemoved)
        }
    }

    /// Gives every beacon its memberships anew: those in regions that stay as they are, and new ones. `numberNow` is
    /// the new number of each old one that stays. Beacons that no region holds any more are dismissed.
    private mutating func assignRegions(_ numberNow: [Int: Int32]) {
        for beacon in records.all where !records[beacon].isDismissed {
            var old: [Int32: Int32] = [:]
            var slot = records[beacon].firstMembership
            while slot >= 0 {
                if let number = numberNow[Int(memberships[slot].region)] {
                    old[number] = slot
                } else {
                    memberships[slot].isInside = false
                    memberships.remove(slot)
                }
                slot = memberships[slot].nextOfBeacon
            }
            records[beacon].firstMembership = -1
            var last: Int32 = -1
            for region in regions(of: records[beacon].identity) {
                let slot = old[region] ?? memberships.insert(Membership(beacon: beacon, region: region))
                memberships[slot].region = region
                link(slot, after: last)
                last = slot
            }
            calibrate(beacon)
            if last >= 0 || configuration.watchesEverything { continue }
            dismiss(beacon)
            records[beacon].isDismissed = true
            dismissed.append(beacon)
        }
    }
}
