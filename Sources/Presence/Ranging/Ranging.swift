internal import Beacon

extension PresenceEngine {
    /// One second of ranging for every region that wants it, and the regions' numbers of beacons.
    mutating func range(at now: Instant) {
        // While blind there is nothing new to say, and silence is no news.
        if clock.blindSince == nil {
            let reading = clock.reading(at: now)
            for number in monitors.indices {
                recount(number)
                if monitors[number].isRanging { outcomes.append(.ranged(ranged(number, at: now, reading))) }
            }
        }
        second &+= 1
    }

    private mutating func ranged(_ number: Int, at now: Instant, _ reading: Instant) -> Ranged {
        // A flooded region has thousands of tracks: what is sorted is small, and only what is listed is spelt out.
        var found: [Ranked] = []
        var member = monitors[number].firstMembership
        while member >= 0 {
            var slot = records[memberships[member].beacon].firstTrack
            while slot >= 0 {
                if reading - tracks[slot].lastHeard < Self.forgottenAfter {
                    let accuracy = self.reading(of: slot, reading).distance.accuracy
                    found.append(
                        Ranked(
                            accuracy: accuracy, identity: records[memberships[member].beacon].identity,
                            source: tracks[slot].source, slot: slot))
                }
                slot = tracks[slot].next
            }
            member = memberships[member].next
        }
        found.sort()
        var items: [Ranged.Item] = []
        items.reserveCapacity(min(found.count, Self.rangedLimit))
        for entry in found.prefix(Self.rangedLimit) {
            let beacon = self.reading(of: entry.slot, reading)
            tracks[entry.slot].proximity = beacon.proximity
            let adverts = tracks[entry.slot].second == second ? Int(tracks[entry.slot].adverts) : 0
            items.append(Ranged.Item(reading: beacon, adverts: adverts))
        }
        return Ranged(
            region: monitors[number].region.id, time: now, items: items,
            more: max(0, found.count - Self.rangedLimit))
    }

    /// What a track says at a reading of the listening clock: its last mean, until that is too old.
    private func reading(of slot: Int32, _ reading: Instant) -> BeaconReading {
        let isStale = reading - tracks[slot].lastSignal >= Self.unknownAfter
        return configuration.reading(
            records[tracks[slot].beacon].identity, rssi: isStale ? nil : tracks[slot].mean,
            signal: isStale ? nil : tracks[slot].trace.signal(at: reading, configuration.filter),
            sent: Int(tracks[slot].measuredPower),
            calibrated: records[tracks[slot].beacon].calibratedPower, following: tracks[slot].proximity)
    }
}

/// A track's place in a ranging outcome: the nearest first, ties by identity and then by address, unknown ones last.
private struct Ranked: Comparable {
    var accuracy: Double
    var identity: BeaconIdentity
    var source: UInt64
    var slot: Int32

    static func < (a: Ranked, b: Ranked) -> Bool {
        if a.accuracy != b.accuracy {
            return a.accuracy < 0 ? false : b.accuracy < 0 ? true : a.accuracy < b.accuracy
        }
        return a.identity != b.identity ? a.identity < b.identity : a.source < b.source
    }
}
