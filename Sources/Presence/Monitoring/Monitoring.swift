internal import Beacon

extension PresenceEngine {
    /// Takes an advert of a beacon that a region holds.
    @inline(__always)
    mutating func heard(_ sighting: Sighting, by slot: Int32, at now: Instant, _ reading: Instant) {
        if memberships[slot].isInside {
            // One without a strength is no sign of distance.
            if let rssi = sighting.rssi, rssi < memberships[slot].exitRSSI { return }
            memberships[slot].note(sighting, at: now, reading)
            let number = Int(memberships[slot].region)
            if !isKnownInside[number] { become(.inside, number, at: now) }
        } else {
            heardOutside(sighting, by: slot, at: now, reading)
        }
    }

    private mutating func heardOutside(
        _ sighting: Sighting, by slot: Int32, at now: Instant, _ reading: Instant
    ) {
        let number = Int(memberships[slot].region)
        if let gate = monitors[number].region.gate, !gate.admits(sighting.rssi) { return }
        monitors[number].silentSince = reading
        guard hasEntered(slot, number, reading) else { return }
        comeInside(slot, number, sighting, at: now, reading)
        if monitors[number].state.value != .inside { become(.inside, number, at: now) }
    }

    /// Whether this advert, strong enough as it is, makes an enter.
    private mutating func hasEntered(_ slot: Int32, _ number: Int, _ reading: Instant) -> Bool {
        // A visit that is open although nobody is known to be there waits for exactly this.
        if monitors[number].visit >= 0 && monitors[number].state.value == .unknown { return true }
        switch monitors[number].region.enter {
        case .first: return true
        case .steady: return memberships[slot].evidence.heard(at: reading)
        }
    }

    private mutating func comeInside(
        _ slot: Int32, _ number: Int, _ sighting: Sighting, at now: Instant, _ reading: Instant
    ) {
        memberships[slot].isInside = true
        memberships[slot].evidence = EnterEvidence()
        memberships[slot].adverts = 0
        memberships[slot].note(sighting, at: now, reading)
        monitors[number].inside += 1
        monitors[number].queuedFor = .distantFuture
        queue(slot)
        switch monitors[number].region.track {
        case .region where monitors[number].visit < 0:
            monitors[number].visit = enter(number, sighting, at: now, reading)
        case .beacons where memberships[slot].visit < 0:
            memberships[slot].visit = enter(number, sighting, at: now, reading)
        default: break
        }
    }

    private mutating func enter(_ number: Int, _ sighting: Sighting, at now: Instant, _ reading: Instant) -> Int32 {
        let sequence = takeSequence()
        let visit = Visit(
            id: VisitID(epoch: epoch, sequence: sequence), enteredAt: now,
            blindnessBefore: clock.blindness(at: now),
            last: Visit.Last(
                identity: sighting.identity, rssi: sighting.rssi, measuredPower: sighting.measuredPower, time: now),
            lastReading: reading)
        outcomes.append(
            .entered(
                Entered(
                    region: monitors[number].region.id, sequence: sequence, visit: visit.id, time: now,
                    beacon: self.reading(visit.last), notify: monitors[number].region.notifyOnEntry)))
        return visits.insert(visit)
    }

    // MARK: - Leaving

    /// A beacon is no longer in a region. Whose visit that ends is told, and the region's state if it was the last.
    mutating func leave(_ slot: Int32, at now: Instant, reason: ExitReason) {
        let number = Int(memberships[slot].region)
        let beacon = memberships[slot].beacon
        if memberships[slot].visit >= 0 {
            closeOwnVisit(of: slot, at: now, reason)
        } else if monitors[number].visit >= 0 {
            if monitors[number].inside == 1 {
                closeWholeVisit(of: number, at: now, reason)
            } else {
                visits[monitors[number].visit].gather(memberships[slot], of: records[beacon].identity)
            }
        }
        memberships[slot].isInside = false
        memberships[slot].adverts = 0
        memberships[slot].queuedFor = .distantFuture
        memberships[slot].evidence = EnterEvidence()
        monitors[number].inside -= 1
        if monitors[number].inside > 0 { return }
        if reason == .evicted {
            // It may be there still: nobody listens for it any more, which is not the same as its silence.
            monitors[number].silentSince = clock.reading(at: now)
            become(.unknown, cause: .evicted, number, at: now)
        } else {
            become(.outside, number, at: now)
        }
    }

    /// Closes the visit of one membership and tells why.
    mutating func closeOwnVisit(of member: Int32, at now: Instant, _ reason: ExitReason) {
        let visit = ownVisit(of: member)
        visits.remove(memberships[member].visit)
        memberships[member].visit = -1
        close(visit, Int(memberships[member].region), at: now, reason)
    }

    /// Closes the visit of a region as a whole and tells why.
    mutating func closeWholeVisit(of number: Int, at now: Instant, _ reason: ExitReason) {
        let visit = wholeVisit(of: number)
        visits.remove(monitors[number].visit)
        monitors[number].visit = -1
        close(visit, number, at: now, reason)
    }

    private mutating func close(_ visit: Visit, _ number: Int, at now: Instant, _ reason: ExitReason) {
        let wasResumed = visit.isResumed && (reason == .silence || reason == .weak)
        outcomes.append(
            .exited(
                Exited(
                    region: monitors[number].region.id, sequence: takeSequence(), visit: visit.id, time: now,
                    beacon: reading(visit.last), lastSeen: visit.last.time,
                    dwell: visit.last.time - visit.enteredAt, reason: wasResumed ? .restart : reason,
                    adverts: visit.adverts,
                    interval: knownRecord(of: visit.last.identity).flatMap { records[$0].gaps.interval },
                    silence: clock.reading(at: now) - visit.lastReading,
                    blind: clock.blindness(at: now) - visit.blindnessBefore,
                    leftBefore: wasResumed ? max(visit.last.time, firstListening ?? now) : nil,
                    notify: monitors[number].region.notifyOnExit)))
    }

    // MARK: - States

    /// Gives a region another state, and sees to it that this one is judged in time.
    mutating func become(
        _ value: RegionState.Value, cause: RegionState.Cause? = nil, _ number: Int, at now: Instant
    ) {
        monitors[number].become(value, cause: cause, at: now)
        isKnownInside[number] = value == .inside
        outcomes.append(.regionIs(monitors[number].state))
        if value == .unknown && monitors[number].inside == 0 { queueRegion(number) }
        expectLoss(of: number)
    }

    /// Once a second: the number of beacons inside where it changed, and whether anything can be said of an exit.
    mutating func recount(_ number: Int) {
        guard monitors[number].state.value == .inside else { return }
        let isUncertain = !hasCertainBeacon(number)
        let count = max(monitors[number].inside, 1)
        if count == monitors[number].state.beacons && isUncertain == monitors[number].state.isUncertain { return }
        monitors[number].state.beacons = count
        monitors[number].state.isUncertain = isUncertain
        outcomes.append(.regionIs(monitors[number].state))
    }

    /// Whether at least one beacon inside is heard often enough for its absence to be told from bad luck.
    private func hasCertainBeacon(_ number: Int) -> Bool {
        // Who asks for a fixed time gets what a fixed time is worth.
        if monitors[number].region.exit == .fixed { return true }
        var slot = monitors[number].firstMembership
        while slot >= 0 {
            if memberships[slot].isInside && !isUncertain(slot) { return true }
            slot = memberships[slot].next
        }
        return false
    }

    private func isUncertain(_ slot: Int32) -> Bool {
        let floor = monitors[Int(memberships[slot].region)].region.exitAfter
        return records[memberships[slot].beacon].gaps.isUncertain(floor: floor)
    }

    /// A beacon as it was last heard in a visit.
    func reading(_ last: Visit.Last) -> BeaconReading {
        var (signal, calibrated): (FilteredSignal?, Int8?) = (nil, nil)
        if let beacon = knownRecord(of: last.identity) {
            calibrated = records[beacon].calibratedPower
            signal = self.signal(of: beacon)
        }
        // Of a beacon that is forgotten the last advert is all there is.
        let alone = last.rssi.map { FilteredSignal(rssi: Double($0), samples: 1) }
        return configuration.reading(
            last.identity, rssi: last.rssi.map(Double.init), signal: signal ?? alone, sent: last.measuredPower,
            calibrated: calibrated)
    }

    /// A beacon's filtered signal as it was when it was last heard: that of its newest track.
    private func signal(of beacon: Int32) -> FilteredSignal? {
        var newest: Int32 = -1
        var slot = records[beacon].firstTrack
        while slot >= 0 {
            if newest < 0 || tracks[slot].lastSignal > tracks[newest].lastSignal { newest = slot }
            slot = tracks[slot].next
        }
        if newest < 0 { return records[beacon].lastSignal }
        return tracks[newest].trace.signal(at: tracks[newest].lastSignal, configuration.filter)
    }
}
