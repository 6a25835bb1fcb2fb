internal import Beacon

extension PresenceEngine {
    /// Remembers a transmitter; nil when no region wants it.
    mutating func newTrack(_ key: Track.Key, _ reading: Instant) -> Int32? {
        guard configuration.watchesEverything || index.holds(key.identity) else { return nil }
        // Making room may take this very beacon's record, so it is looked up after that.
        makeRoom(tracks: 1, records: records.slot(of: key.identity) == nil ? 1 : 0)
        let beacon =
            records.slot(of: key.identity)
            ?? records.insert(Record(identity: key.identity, regions: index.regions(of: key.identity)))
        records.addTrack(to: beacon)
        return tracks.insert(Track(key: key, beacon: beacon, reading: reading))
    }

    /// Makes room for so many more.
    mutating func makeRoom(tracks wanted: Int, records more: Int) {
        // The newest cannot make room for itself.
        let limit = max(configuration.beaconLimit, 1)
        while tracks.count + wanted > limit && tracks.count > 0 {
            evicted += 1
            forget(tracks.oldest)
        }
        // There are no more beacons with a transmitter than transmitters, so those too many only wait for their window.
        while records.count + more > limit, let waiting = records.waiting { records.evict(waiting) }
    }

    /// Forgets transmitters that neither ranging nor any region's number of beacons can still want.
    mutating func forgetSilentTracks(at now: Instant) {
        let reading = clock.reading(at: now)
        while tracks.oldest >= 0 && reading - tracks[tracks.oldest].lastHeard >= rememberedFor {
            forget(tracks.oldest)
        }
    }

    /// Gives every beacon the regions that hold it now, and forgets the transmitters that none does.
    mutating func assignRegions() {
        for (identity, beacon) in records.slotByIdentity {
            records[beacon].regions = index.regions(of: identity)
        }
        if configuration.watchesEverything { return }
        var slot = tracks.oldest
        while slot >= 0 {
            let newer = tracks[slot].newer
            if records[tracks[slot].beacon].regions.isEmpty { forget(slot) }
            slot = newer
        }
    }

    private mutating func forget(_ slot: Int32) {
        records.removeTrack(from: tracks[slot].beacon)
        tracks.remove(slot)
    }
}
