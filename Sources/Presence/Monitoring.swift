internal import Beacon

extension PresenceEngine {
    /// When silence, or while blind the blindness, may next change what is known of a region.
    var nextJudgement: Instant {
        if clock.blindSince != nil { return max(nextLoss, judgedUpTo) }
        guard let first = silences.first, let due = clock.instant(ofReading: first.reading) else {
            return .distantFuture
        }
        return max(due, judgedUpTo)
    }

    /// Takes an advert of a region's beacon.
    mutating func heard(_ sighting: Sighting, in number: Int, at now: Instant, _ reading: Instant) {
        monitors[number].silentSince = reading
        monitors[number].last = Monitor.Last(
            identity: sighting.identity, rssi: sighting.rssi, measuredPower: sighting.measuredPower, time: now)
        if monitors[number].visit == nil { enter(number, sighting, at: now) }
        monitors[number].visit?.adverts += 1
        if monitors[number].state.value != .inside { become(.inside, number, at: now) }
    }

    /// Leaves the regions whose silence has lasted long enough; while blind, declares those unknown of which nothing
    /// has been known for as long as that.
    mutating func judgeSilence(at now: Instant) {
        if let blindSince = clock.blindSince { return judgeBlindness(since: blindSince, at: now) }
        let reading = clock.reading(at: now)
        while let entry = silences.first, entry.reading <= reading {
            silences.removeFirst()
            let number = Int(entry.region)
            let deadline = monitors[number].silenceDeadline
            if deadline != entry.reading {
                // Heard since it was queued. It goes back even if it is due by now, to be left in its turn.
                silences.insert(SilenceQueue.Entry(reading: deadline, region: entry.region))
                continue
            }
            leave(number, at: now, reason: .silence)
            become(.outside, number, at: now)
        }
    }

    /// Closes a region's visit, if one is open.
    mutating func leave(_ number: Int, at now: Instant, reason: ExitReason) {
        guard let visit = monitors[number].visit, let last = monitors[number].last else { return }
        monitors[number].visit = nil
        outcomes.append(
            .exited(
                Exited(
                    region: monitors[number].region.id, sequence: takeSequence(), visit: visit.sequence,
                    time: now,
                    beacon: configuration.reading(
                        last.identity, last.rssi.map(Double.init), last.measuredPower),
                    lastSeen: last.time, dwell: last.time - visit.enteredAt, reason: reason,
                    adverts: visit.adverts, silence: clock.reading(at: now) - monitors[number].silentSince,
                    blind: clock.blindness(at: now) - visit.blindnessAtEnter,
                    notify: monitors[number].region.notifyOnExit)))
    }

    /// Queues every region whose silence would be news, after all of them may have changed.
    mutating func expectSilences() {
        silences.removeAll()
        for (number, monitor) in monitors.enumerated() where monitor.state.value != .outside {
            silences.insert(SilenceQueue.Entry(reading: monitor.silenceDeadline, region: Int32(number)))
        }
        expectLosses()
    }

    /// Finds out when blindness, if there is any, will next cost what is known of a region.
    mutating func expectLosses() {
        nextLoss = .distantFuture
        for number in monitors.indices { expectLoss(of: number) }
    }

    private mutating func expectLoss(of number: Int) {
        guard let blindSince = clock.blindSince,
            let deadline = monitors[number].lossDeadline(
                blindSince: blindSince, reading: clock.reading(at: blindSince))
        else { return }
        nextLoss = min(nextLoss, deadline)
    }

    private mutating func judgeBlindness(since blindSince: Instant, at now: Instant) {
        let reading = clock.reading(at: now)
        for number in monitors.indices {
            guard let deadline = monitors[number].lossDeadline(blindSince: blindSince, reading: reading),
                deadline <= now
            else { continue }
            // Where nobody is known to be, absence has to be listened for from the start. A visit's silence goes on
            // where it stood.
            if monitors[number].visit == nil { monitors[number].silentSince = reading }
            if monitors[number].state.value != .unknown { become(.unknown, cause: .radioBlind, number, at: now) }
        }
        expectLosses()
    }

    private mutating func enter(_ number: Int, _ sighting: Sighting, at now: Instant) {
        let sequence = takeSequence()
        monitors[number].visit = Monitor.Visit(
            sequence: sequence, enteredAt: now, blindnessAtEnter: clock.blindness(at: now))
        outcomes.append(
            .entered(
                Entered(
                    region: monitors[number].region.id, sequence: sequence, time: now,
                    beacon: configuration.reading(
                        sighting.identity, sighting.rssi.map(Double.init), sighting.measuredPower),
                    notify: monitors[number].region.notifyOnEntry)))
    }

    /// Gives a region another state, and sees to it that this one is judged in time.
    private mutating func become(
        _ value: RegionState.Value, cause: RegionState.Cause? = nil, _ number: Int, at now: Instant
    ) {
        let wasOutside = monitors[number].state.value == .outside
        monitors[number].become(value, cause: cause, at: now)
        outcomes.append(.regionIs(monitors[number].state))
        // A region is queued once from the moment it stops being outside until it is outside again.
        if wasOutside {
            silences.insert(
                SilenceQueue.Entry(reading: monitors[number].silenceDeadline, region: Int32(number)))
        }
        expectLoss(of: number)
    }
}
