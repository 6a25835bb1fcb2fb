internal import Beacon

extension PresenceEngine {
    /// One second of ranging for every region that wants it, and the regions' numbers of beacons.
    mutating func range(at now: Instant) {
        for slot in heardThisSecond where tracks[slot].signals > 0 {
            tracks[slot].lastMean = Double(tracks[slot].sum) / Double(tracks[slot].signals)
        }
        // While blind there is nothing new to say, and silence is no news.
        if clock.blindSince == nil {
            let reading = clock.reading(at: now)
            for i in monitors.indices {
                recount(i, reading)
                if monitors[i].isRanging { outcomes.append(.ranged(ranged(monitors[i], at: now, reading))) }
            }
        }
        for slot in heardThisSecond {
            tracks[slot].adverts = 0
            tracks[slot].signals = 0
            tracks[slot].sum = 0
        }
        heardThisSecond.removeAll(keepingCapacity: true)
    }

    /// Counts the different beacons heard within the region's exit time; says so when the number changed.
    private mutating func recount(_ number: Int, _ reading: Instant) {
        guard monitors[number].state.value == .inside else { return }
        turn += 1
        var count = 0
        let within = monitors[number].region.exitAfter
        for slot in monitors[number].tracks where reading - tracks[slot].lastHeard < within {
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

    private func ranged(_ monitor: Monitor, at now: Instant, _ reading: Instant) -> Ranged {
        var items: [(item: Ranged.Item, source: UInt64)] = []
        for slot in monitor.tracks {
            let track = tracks[slot]
            let silence = reading - track.lastHeard
            if silence >= Self.forgottenAfter { continue }
            let rssi = silence >= Self.unknownAfter ? nil : track.lastMean
            items.append(
                (
                    Ranged.Item(
                        reading: configuration.reading(track.key.identity, rssi, track.measuredPower),
                        adverts: Int(track.adverts)),
                    track.key.source
                ))
        }
        items.sort { a, b in
            let (near, far) = (a.item.reading.distance.accuracy, b.item.reading.distance.accuracy)
            if near != far { return near < 0 ? false : far < 0 ? true : near < far }
            let (one, other) = (a.item.reading.identity, b.item.reading.identity)
            return one != other ? one < other : a.source < b.source
        }
        return Ranged(
            region: monitor.region.id, time: now, items: items.prefix(Self.rangedLimit).map(\.item),
            more: max(0, items.count - Self.rangedLimit))
    }
}
