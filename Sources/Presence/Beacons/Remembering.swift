internal import Beacon

extension PresenceEngine {
    /// Remembers an advert's transmitter; nil when no region wants it.
    ///
    /// `hash` is that of identity and address, `identityHash` that of the identity alone.
    mutating func newTrack(
        _ sighting: Sighting, hash: UInt64, identityHash: UInt64, at now: Instant, _ reading: Instant
    ) -> Int32? {
        let identity = sighting.identity
        guard configuration.watchesEverything || index.list(of: identity) != nil else { return nil }
        let beacon = record(of: identity, identityHash, at: now, reading)
        makeRoom(tracks: 1, records: 0)
        var track = Track(source: sighting.source, beacon: beacon, reading: reading)
        track.next = records[beacon].firstTrack
        let slot = tracks.insert(track, hash: hash)
        if track.next >= 0 { tracks[track.next].previous = slot }
        records[beacon].firstTrack = slot
        return slot
    }

    /// What an address says of itself is from now on said of this track, which was heard last of those at it.
    mutating func speak(for slot: Int32) {
        if let before = telemetrySources.updateValue(slot, forKey: tracks[slot].source) {
            tracks[before].speaksForAddress = false
        }
        tracks[slot].speaksForAddress = true
    }

    /// The record of a beacon that some region holds, or of any where everything is watched.
    mutating func record(
        of identity: BeaconIdentity, _ identityHash: UInt64, at now: Instant, _ reading: Instant
    ) -> Int32 {
        if let slot = records.slot(of: identity, hash: identityHash) {
            if records[slot].isDismissed {
                records[slot].isDismissed = false
                joinRegions(slot)
            }
            return slot
        }
        makeRoom(tracks: 0, records: 1)
        let slot = records.insert(
            Record(identity: identity, at: now, reading: reading), hash: identityHash)
        joinRegions(slot)
        return slot
    }

    /// The record of a beacon, if it is remembered.
    func knownRecord(of identity: BeaconIdentity) -> Int32? { records.slot(of: identity, hash: hash(identity)) }

    /// The numbers of the regions that hold a beacon, ascending.
    func regions(of identity: BeaconIdentity) -> [Int32] {
        index.list(of: identity).map { index[$0] } ?? []
    }

    /// Makes a beacon a member of all regions that hold it.
    private mutating func joinRegions(_ beacon: Int32) {
        var last: Int32 = -1
        for region in regions(of: records[beacon].identity) {
            let slot = memberships.insert(Membership(beacon: beacon, region: region))
            link(slot, after: last)
            last = slot
        }
        calibrate(beacon)
    }

    /// Puts a membership into the lists of its beacon, after another or as its first, and of its region.
    mutating func link(_ slot: Int32, after last: Int32) {
        let number = Int(memberships[slot].region)
        memberships[slot].exitRSSI = Int8(clamping: monitors[number].region.gate?.exit ?? Int(Int8.min))
        if last >= 0 {
            memberships[last].nextOfBeacon = slot
        } else {
            records[memberships[slot].beacon].firstMembership = slot
        }
        memberships[slot].nextOfBeacon = -1
        memberships[slot].previous = -1
        memberships[slot].next = monitors[number].firstMembership
        if memberships[slot].next >= 0 { memberships[memberships[slot].next].previous = slot }
        monitors[number].firstMembership = slot
    }

    /// Finds out which power at one metre counts for a beacon: the one measured for it, or for a region of it, the
    /// narrowest first; nil where it is taken at its word.
    mutating func calibrate(_ beacon: Int32) {
        let power = configuration.measuredPower(
            of: records[beacon].identity, in: regions(of: records[beacon].identity))
        records[beacon].calibratedPower = power.map { Int8(clamping: $0) }
    }

    // MARK: - Making room

    /// Makes room for so many more.
    mutating func makeRoom(tracks wanted: Int, records more: Int) {
        // The newest cannot make room for itself.
        let limit = max(configuration.beaconLimit, 1)
        while records.count + more > limit, let oldest = records.takeOldest(before: .distantFuture) {
            evicted += 1
            leaveAll(oldest, reason: .evicted)
            forget(oldest)
        }
        while tracks.count + wanted > limit, let oldest = tracks.takeOldest(before: .distantFuture) {
            evicted += 1
            forgetTrack(oldest)
        }
    }

    /// Forgets transmitters that ranging lists no longer.
    mutating func forgetSilentTracks(at now: Instant) {
        let limit = clock.reading(at: now) - Self.forgottenAfter
        while let slot = tracks.takeOldest(before: limit + Span(nanoseconds: 1)) { forgetTrack(slot) }
    }

    /// Forgets beacons long silent, with what was learned of them, unless they are in a region or in the window.
    mutating func forgetSilentRecords(at now: Instant) {
        let limit = clock.reading(at: now) - Self.rememberedFor
        var kept: [Int32] = []
        while let slot = records.takeOldest(before: limit) {
            if records[slot].adverts > 0 || isInside(slot) { kept.append(slot) } else { forget(slot) }
        }
        for slot in kept { records.putBack(slot) }
    }

    private func isInside(_ beacon: Int32) -> Bool {
        var slot = records[beacon].firstMembership
        while slot >= 0 {
            if memberships[slot].isInside { return true }
            slot = memberships[slot].nextOfBeacon
        }
        return false
    }

    /// Takes a beacon out of every region it is in.
    private mutating func leaveAll(_ beacon: Int32, reason: ExitReason) {
        var slot = records[beacon].firstMembership
        while slot >= 0 {
            if memberships[slot].isInside { leave(slot, at: latest, reason: reason) }
            slot = memberships[slot].nextOfBeacon
        }
    }

    /// Forgets a beacon that is in no region any more.
    mutating func forget(_ beacon: Int32) {
        dismiss(beacon)
        telemetry[beacon] = nil
        removeRecord(beacon)
    }

    /// Removes a record that nothing belongs to any more.
    mutating func removeRecord(_ beacon: Int32) {
        records.remove(beacon, hash: hash(records[beacon].identity))
    }

    /// Forgets a beacon's tracks and memberships; what it has in the window stays.
    mutating func dismiss(_ beacon: Int32) {
        while records[beacon].firstTrack >= 0 { forgetTrack(records[beacon].firstTrack) }
        var slot = records[beacon].firstMembership
        records[beacon].firstMembership = -1
        while slot >= 0 {
            let next = memberships[slot].nextOfBeacon
            unlink(slot)
            memberships.remove(slot)
            slot = next
        }
    }

    private mutating func unlink(_ slot: Int32) {
        let (previous, next) = (memberships[slot].previous, memberships[slot].next)
        if next >= 0 { memberships[next].previous = previous }
        if previous >= 0 {
            memberships[previous].next = next
        } else {
            monitors[Int(memberships[slot].region)].firstMembership = next
        }
    }

    private mutating func forgetTrack(_ slot: Int32) {
        // The last word of a beacon that falls silent, for the exit to report.
        let beacon = tracks[slot].beacon
        if records[beacon].firstTrack == slot && tracks[slot].next < 0 {
            records[beacon].lastSignal = tracks[slot].trace.signal(
                at: tracks[slot].lastSignal, configuration.filter)
        }
        let (previous, next, source) = (tracks[slot].previous, tracks[slot].next, tracks[slot].source)
        if next >= 0 { tracks[next].previous = previous }
        if previous >= 0 { tracks[previous].next = next } else { records[tracks[slot].beacon].firstTrack = next }
        if tracks[slot].speaksForAddress { telemetrySources[source] = nil }
        tracks.remove(slot, hash: hash.adding(source, to: hash(records[beacon].identity)))
    }
}
