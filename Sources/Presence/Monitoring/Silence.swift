extension PresenceEngine {
    /// When silence, or while blind the blindness, may next change what is known of a region.
    var nextJudgement: Instant {
        if clock.blindSince != nil { return max(nextLoss, judgedUpTo) }
        guard let first = silences.first, let due = clock.instant(ofReading: first.reading) else {
            return .distantFuture
        }
        return max(due, judgedUpTo)
    }

    /// Leaves whose silence has lasted long enough; while blind, declares those regions unknown of which nothing has
    /// been known for as long as that.
    mutating func judgeSilence(at now: Instant) {
        if let blindSince = clock.blindSince { return judgeBlindness(since: blindSince, at: now) }
        let reading = clock.reading(at: now)
        while let entry = silences.first, entry.reading <= reading {
            silences.removeFirst()
            if entry.membership >= 0 {
                judge(entry.membership, entry, at: now)
            } else {
                judgeRegion(Int(entry.region), entry, at: now)
            }
        }
    }

    private mutating func judge(_ slot: Int32, _ entry: SilenceQueue.Entry, at now: Instant) {
        guard isLiving(entry) else { return }
        // Heard since it was queued, it goes back even if it is due by now, to be left in its turn.
        if silenceDeadline(of: slot) > entry.reading { return queue(slot) }
        // By the clock that does not stand still: what is heard while blind is all of one reading.
        let wasHeard = records[memberships[slot].beacon].lastTime > memberships[slot].countedAt
        leave(slot, at: now, reason: wasHeard ? .weak : .silence)
    }

    private mutating func judgeRegion(_ number: Int, _ entry: SilenceQueue.Entry, at now: Instant) {
        guard isLiving(entry) else { return }
        monitors[number].queuedFor = .distantFuture
        guard monitors[number].inside == 0, monitors[number].state.value == .unknown else { return }
        if monitors[number].silentSince + monitors[number].region.exitAfter > entry.reading {
            return queueRegion(number)
        }
        become(.outside, number, at: now)
    }

    // MARK: - The queue

    /// How long silence of a beacon in a region must last until it counts as gone.
    func silenceNeeded(by slot: Int32) -> Span {
        let number = Int(memberships[slot].region)
        // Whatever was asked for: a radio that tells of each beacon once in ten seconds cannot tell its absence sooner.
        let exitAfter = max(monitors[number].region.exitAfter, leastSilence)
        switch monitors[number].region.exit {
        case .fixed: return exitAfter
        case .learned: return records[memberships[slot].beacon].gaps.silence(floor: exitAfter)
        }
    }

    /// The reading of the listening clock at which that is.
    func silenceDeadline(of slot: Int32) -> Instant { memberships[slot].counted + silenceNeeded(by: slot) }

    /// Queues a beacon that is inside.
    mutating func queue(_ slot: Int32) {
        let reading = silenceDeadline(of: slot)
        memberships[slot].queuedFor = reading
        silences.insert(
            SilenceQueue.Entry(reading: reading, region: memberships[slot].region, membership: slot))
        compactSilences()
    }

    /// Queues a region that nobody is known to be in.
    mutating func queueRegion(_ number: Int) {
        let reading = monitors[number].silentSince + monitors[number].region.exitAfter
        monitors[number].queuedFor = reading
        silences.insert(SilenceQueue.Entry(reading: reading, region: Int32(number), membership: -1))
        compactSilences()
    }

    private mutating func compactSilences() {
        if silences.count <= 2 * (memberships.count + monitors.count) + deadEntriesTolerated { return }
        // Taken out while its entries are asked about.
        var queue = SilenceQueue()
        swap(&queue, &silences)
        queue.removeAll { !isLiving($0) }
        swap(&queue, &silences)
    }

    /// Whether an entry is the one that its owner is queued by now.
    private func isLiving(_ entry: SilenceQueue.Entry) -> Bool {
        if entry.membership < 0 { return monitors[Int(entry.region)].queuedFor == entry.reading }
        let member = memberships[entry.membership]
        return member.isInside && member.queuedFor == entry.reading && member.region == entry.region
    }

    /// What was learned of a beacon's gaps has changed how long its silence must last: whoever is to be left notably
    /// earlier now is queued again. Who is left later finds out in his turn.
    ///
    /// While little is known that silence shrinks with every advert. To be left a sixteenth later than could be is not
    /// worth an entry for each of them.
    mutating func queueEarlier(_ beacon: Int32) {
        let least = records[beacon].gaps.silence(floor: .zero)
        let margin = max(Self.worthQueueing, Span(nanoseconds: least.nanoseconds / 16))
        var slot = records[beacon].firstMembership
        while slot >= 0 {
            // The first condition does without the region, which may be far away in memory.
            if memberships[slot].isInside
                && memberships[slot].counted + least + margin < memberships[slot].queuedFor
                && silenceDeadline(of: slot) + margin < memberships[slot].queuedFor
            {
                queue(slot)
            }
            slot = memberships[slot].nextOfBeacon
        }
    }

    /// To be left less than this earlier is not worth another entry in the queue.
    private static var worthQueueing: Span { .seconds(1) }

    /// Queues everybody anew, after all of them may have changed.
    mutating func expectSilences() {
        silences.removeAll()
        for number in monitors.indices {
            monitors[number].queuedFor = .distantFuture
            if monitors[number].inside == 0 && monitors[number].state.value == .unknown { queueRegion(number) }
            var slot = monitors[number].firstMembership
            while slot >= 0 {
                if memberships[slot].isInside { queue(slot) }
                slot = memberships[slot].next
            }
        }
        expectLosses()
    }

    // MARK: - Blindness

    /// Finds out when blindness, if there is any, will next cost what is known of a region.
    mutating func expectLosses() {
        nextLoss = .distantFuture
        for number in monitors.indices { expectLoss(of: number) }
    }

    mutating func expectLoss(of number: Int) {
        guard let blindSince = clock.blindSince,
            let deadline = lossDeadline(number, blindSince, clock.reading(at: blindSince))
        else { return }
        nextLoss = min(nextLoss, deadline)
    }

    private func lossDeadline(_ number: Int, _ blindSince: Instant, _ reading: Instant) -> Instant? {
        // How long it may be silent now before it is left, as long as the most patient of its beacons; and when it was
        // last heard.
        var (longest, last) = (monitors[number].region.exitAfter, blindSince)
        var slot = monitors[number].inside > 0 ? monitors[number].firstMembership : -1
        while slot >= 0 {
            if memberships[slot].isInside {
                longest = max(longest, silenceNeeded(by: slot))
                last = max(last, memberships[slot].countedAt)
            }
            slot = memberships[slot].next
        }
        return monitors[number].lossDeadline(
            blindSince: blindSince, reading: reading, exitTime: longest, lastTime: last)
    }

    private mutating func judgeBlindness(since blindSince: Instant, at now: Instant) {
        let reading = clock.reading(at: now)
        for number in monitors.indices {
            guard let deadline = lossDeadline(number, blindSince, reading), deadline <= now else { continue }
            // Where nobody is known to be, absence has to be listened for from the start. A visit's silence goes on
            // where it stood.
            if monitors[number].inside == 0 { monitors[number].silentSince = reading }
            if monitors[number].state.value != .unknown { become(.unknown, cause: blindCause, number, at: now) }
        }
        expectLosses()
    }
}
