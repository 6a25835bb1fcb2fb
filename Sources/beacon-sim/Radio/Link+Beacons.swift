import HCI

// Beacons come, walk and go.
extension Link {
    /// Puts the next presence of a beacon on the schedule.
    mutating func expect(_ beacon: Int, _ presence: Int) {
        let times = scenario.beacons[beacon].presence
        guard let opened, times.indices.contains(presence) else { return }
        schedule.insert(.enter(beacon: beacon, presence: presence), due: opened + times[presence].from)
    }

    mutating func enter(_ beacon: Int, _ presence: Int, _ due: Int64, _ body: (LinkEvent) -> Void) {
        body(.entered(beacon, at: due))
        generation += 1
        var transmission = Transmission(
            scenario.beacons[beacon], number: beacon, seed: scenario.seed &+ UInt64(presence),
            generation: generation, since: due)
        schedule.insert(.advert(slot: beacon, generation: generation), due: due + transmission.phase())
        transmissions[beacon] = transmission
        if let opened, let to = scenario.beacons[beacon].presence[presence].to {
            schedule.insert(.leave(beacon: beacon, presence: presence), due: opened + to)
        }
        place(beacon, due, body)
        if scenario.beacons[beacon].whereabouts.arrival != nil {
            schedule.insert(.step(beacon: beacon, generation: generation), due: due + Link.stride)
        }
    }

    mutating func leave(_ beacon: Int, _ presence: Int, _ due: Int64, _ body: (LinkEvent) -> Void) {
        if scenario.beacons[beacon].whereabouts.arrival != nil { place(beacon, due, body) }
        transmissions[beacon] = nil
        body(.left(beacon, at: due))
        expect(beacon, presence + 1)
    }

    /// Says where a beacon is, if it has a place.
    func place(_ beacon: Int, _ due: Int64, _ body: (LinkEvent) -> Void) {
        guard let since = transmissions[beacon]?.since,
            let position = scenario.beacons[beacon].whereabouts.position(after: due - since)
        else { return }
        body(.placed(beacon, position, at: due))
    }

    /// Says where somebody is who walks, until he has arrived; not while he waits.
    mutating func step(_ beacon: Int, _ generation: UInt64, _ due: Int64, _ body: (LinkEvent) -> Void) {
        let whereabouts = scenario.beacons[beacon].whereabouts
        guard let transmission = transmissions[beacon], transmission.generation == generation,
            let arrival = whereabouts.arrival
        else { return }
        let elapsed = due - transmission.since
        if whereabouts.position(after: elapsed) != whereabouts.position(after: elapsed - Link.stride) {
            place(beacon, due, body)
        }
        if elapsed < arrival {
            schedule.insert(.step(beacon: beacon, generation: generation), due: due + Link.stride)
        }
    }
}
