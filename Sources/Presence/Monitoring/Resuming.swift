public import Beacon

/// A visit that was open when the engine was asked: what has to be kept for it to go on after a restart.
public struct OpenVisit: Equatable, Sendable {
    /// The region's id.
    public var region: String
    /// The region's constraint. A region of another identity under the same id does not continue the visit.
    public var constraint: IdentityConstraint
    /// Whether it is of the region as a whole or of one beacon in it.
    public var track: Region.Tracking
    /// The visit's id.
    public var id: VisitID
    /// When it began.
    public var enteredAt: Instant
    /// How many adverts it had.
    public var adverts: Int
    /// The beacon last heard in it, which is the visit's own where each beacon is tracked.
    public var identity: BeaconIdentity
    /// How that was heard last, in dBm.
    public var rssi: Int8?
    /// The power at one metre that it sent, in dBm.
    public var measuredPower: Int
    /// When that was.
    public var lastSeen: Instant
    /// Time listened since then.
    public var silence: Span
    /// Blind time since the visit began.
    public var blind: Span
    /// What was learned of the gaps between that beacon's adverts.
    public var gaps: GapHistory
    /// When all this was so.
    public var asOf: Instant
}

extension PresenceEngine {
    /// The visits that are open now, by region and, where each beacon is tracked, by beacon.
    public func openVisits(at time: Instant) -> [OpenVisit] {
        let now = max(time, latest)
        var open: [OpenVisit] = []
        for number in monitors.indices {
            if monitors[number].visit >= 0 { open.append(openVisit(wholeVisit(of: number), number, at: now)) }
            var own: [OpenVisit] = []
            var slot = monitors[number].firstMembership
            while slot >= 0 {
                if memberships[slot].visit >= 0 { own.append(openVisit(ownVisit(of: slot), number, at: now)) }
                slot = memberships[slot].next
            }
            open += own.sorted { $0.identity < $1.identity }
        }
        return open
    }

    private func openVisit(_ visit: Visit, _ number: Int, at now: Instant) -> OpenVisit {
        let beacon = knownRecord(of: visit.last.identity)
        return OpenVisit(
            region: monitors[number].region.id, constraint: monitors[number].region.constraint,
            track: monitors[number].region.track, id: visit.id, enteredAt: visit.enteredAt, adverts: visit.adverts,
            identity: visit.last.identity, rssi: visit.last.rssi, measuredPower: visit.last.measuredPower,
            lastSeen: visit.last.time, silence: clock.reading(at: now) - visit.lastReading,
            blind: clock.blindness(at: now) - visit.blindnessBefore,
            gaps: beacon.map { records[$0].gaps } ?? GapHistory(), asOf: now)
    }

    /// Takes up visits that were open before a restart. The time since then was not listened to: a visit whose beacon
    /// is heard before its silence has lasted long enough goes on, without a second enter; another is closed with the
    /// reason `restart`. One whose region is no longer there, or another, is closed at once.
    mutating func resume(_ open: [OpenVisit], at now: Instant) {
        let numberByID = Dictionary(
            monitors.enumerated().map { ($1.region.id, $0) }, uniquingKeysWith: { first, _ in first })
        for visit in open {
            guard let number = numberByID[visit.region], visit.constraint == monitors[number].region.constraint,
                visit.track == monitors[number].region.track, visit.constraint.isSatisfied(by: visit.identity)
            else {
                abandon(
                    visit, .regionRemoved, notify: numberByID[visit.region].map { monitors[$0].region.notifyOnExit }
                )
                continue
            }
            if !resume(visit, number, at: now) {
                abandon(visit, .evicted, notify: monitors[number].region.notifyOnExit)
            }
        }
    }

    private mutating func resume(_ open: OpenVisit, _ number: Int, at now: Instant) -> Bool {
        let reading = clock.reading(at: now)
        let heard = reading - open.silence
        let beacon: Int32
        if let known = knownRecord(of: open.identity) {
            beacon = known
        } else {
            // More visits than may be remembered: the rest of them cannot go on.
            if records.count >= max(configuration.beaconLimit, 1) { return false }
            beacon = record(of: open.identity, hash(open.identity), at: open.lastSeen, heard)
            records[beacon].gaps = open.gaps
            records[beacon].measuredPower = Int16(clamping: open.measuredPower)
        }
        var slot = records[beacon].firstMembership
        while slot >= 0 && Int(memberships[slot].region) != number { slot = memberships[slot].nextOfBeacon }
        guard slot >= 0, !memberships[slot].isInside,
            open.track == .beacons || monitors[number].visit < 0
        else { return false }
        var visit = Visit(
            id: open.id, enteredAt: open.enteredAt,
            blindnessBefore: clock.blindness(at: now) - open.blind - max(now - open.asOf, .zero),
            last: Visit.Last(
                identity: open.identity, rssi: open.rssi, measuredPower: open.measuredPower, time: open.lastSeen),
            lastReading: heard)
        visit.adverts = open.adverts
        visit.isResumed = true
        memberships[slot].isInside = true
        memberships[slot].counted = heard
        memberships[slot].countedAt = open.lastSeen
        monitors[number].inside += 1
        if open.track == .beacons {
            memberships[slot].visit = visits.insert(visit)
        } else {
            monitors[number].visit = visits.insert(visit)
        }
        return true
    }

    /// Closes a visit that cannot go on.
    private mutating func abandon(_ open: OpenVisit, _ reason: ExitReason, notify: Bool?) {
        let last = Visit.Last(
            identity: open.identity, rssi: open.rssi, measuredPower: open.measuredPower, time: open.lastSeen)
        outcomes.append(
            .exited(
                Exited(
                    region: open.region, sequence: takeSequence(), visit: open.id, time: latest,
                    beacon: reading(last), lastSeen: open.lastSeen, dwell: open.lastSeen - open.enteredAt,
                    reason: reason, adverts: open.adverts, interval: open.gaps.interval, silence: open.silence,
                    blind: open.blind + max(latest - open.asOf, .zero), leftBefore: nil, notify: notify ?? true)))
    }
}
