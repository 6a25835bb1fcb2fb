internal import Beacon

/// A stay from enter to exit, of a region as a whole or of one beacon in it.
///
/// What is heard meanwhile is noted in the memberships, which each advert touches anyway, and gathered when it is asked
/// for: when a beacon leaves, or the visit ends.
struct Visit {
    /// The last sighting, for the exit to report.
    struct Last {
        var identity: BeaconIdentity
        var rssi: Int8?
        var measuredPower: Int
        var time: Instant
    }

    var id: VisitID
    var enteredAt: Instant
    /// All blind time up to the enter, on the engine's count.
    var blindnessBefore: Span
    var adverts = 0
    var last: Last
    /// The listening clock at the last sighting.
    var lastReading: Instant
    /// Whether it was begun before a restart and nothing has been heard of it since.
    var isResumed = false

    /// Gathers what a membership has noted.
    mutating func gather(_ member: Membership, of identity: BeaconIdentity) {
        if member.adverts == 0 { return }
        adverts += Int(member.adverts)
        isResumed = false
        if member.countedAt < last.time { return }
        last = Last(
            identity: identity, rssi: member.rssi, measuredPower: Int(member.measuredPower),
            time: member.countedAt)
        lastReading = member.counted
    }
}

extension PresenceEngine {
    /// The visit of one membership, with all that was noted for it.
    func ownVisit(of member: Int32) -> Visit {
        var visit = visits[memberships[member].visit]
        visit.gather(memberships[member], of: records[memberships[member].beacon].identity)
        return visit
    }

    /// The visit of a region as a whole, with all that was noted for it.
    func wholeVisit(of number: Int) -> Visit {
        var visit = visits[monitors[number].visit]
        var member = monitors[number].firstMembership
        while member >= 0 {
            if memberships[member].isInside {
                visit.gather(memberships[member], of: records[memberships[member].beacon].identity)
            }
            member = memberships[member].next
        }
        return visit
    }
}
