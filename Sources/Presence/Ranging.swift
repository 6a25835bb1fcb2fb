internal import Beacon

extension PresenceEngine {
    /// One second of ranging for every region that wants it, and the regions' numbers of beacons.
    mutating func range(at now: Instant) {
        tracks.endSecond()
        // While blind there is nothing new to say, and silence is no news.
        if clock.blindSince != nil { return }
        let reading = clock.reading(at: now)
        roll.call(tracks, records, regions: monitors.count)
        for number in monitors.indices {
            recount(number, reading)
            if monitors[number].isRanging { outcomes.append(.ranged(ranged(number, at: now, reading))) }
        }
    }

    /// Counts the different beacons heard within the region's exit time; says so when the number changed.
    private mutating func recount(_ number: Int, _ reading: Instant) {
        guard monitors[number].state.value == .inside else { return }
        turn += 1
        var count = 0
        let within = monitors[number].region.exitAfter
        for slot in roll.tracks(in: number) where reading - tracks[slot].lastHeard < within {
            let beacon = tracks[slot].beacon
            if records[beacon].countedAt == turn { continue }
            records[beacon].countedAt = turn
            count += 1
        }
        // Within the exit time the last beacon may have been evicted; the region itself was heard all the same.
        count = max(count, 1)
        if count == monitors[number].state.beacons { return }
        monitors[number].state.beacons = count
        outcomes.append(.regionIs(monitors[number].state))
    }

    private func ranged(_ number: Int, at now: Instant, _ reading: Instant) -> Ranged {
        // A flooded region has thousands of tracks: what is sorted is small, and only what is listed is spelt out.
        var found: [Ranked] = []
        for slot in roll.tracks(in: number) where reading - tracks[slot].lastHeard < Self.forgottenAfter {
            let accuracy = self.reading(of: tracks[slot], reading).distance.accuracy
            found.append(Ranked(accuracy: accuracy, key: tracks[slot].key, slot: slot))
        }
        found.sort()
        var items: [Ranged.Item] = []
        items.reserveCapacity(min(found.count, Self.rangedLimit))
        for entry in found.prefix(Self.rangedLimit) {
            items.append(
                Ranged.Item(
                    reading: self.reading(of: tracks[entry.slot], reading),
                    adverts: tracks[entry.slot].advertsLastSecond))
        }
        return Ranged(
            region: monitors[number].region.id, time: now, items: items,
            more: max(0, found.count - Self.rangedLimit))
    }

    /// What a track says at a reading of the listening clock: its last mean, until that is too old.
    private func reading(of track: Track, _ reading: Instant) -> BeaconReading {
        let rssi = reading - track.lastSignal >= Self.unknownAfter ? nil : track.lastMean
        return configuration.reading(track.key.identity, rssi, track.measuredPower)
    }
}

/// A track's place in a ranging outcome: the nearest first, ties by identity and then by address, unknown ones last.
private struct Ranked: Comparable {
    var accuracy: Double
    var key: Track.Key
    var slot: Int32

    static func < (a: Ranked, b: Ranked) -> Bool {
        if a.accuracy != b.accuracy {
            return a.accuracy < 0 ? false : b.accuracy < 0 ? true : a.accuracy < b.accuracy
        }
        return a.key.identity != b.key.identity ? a.key.identity < b.key.identity : a.key.source < b.key.source
    }
}
