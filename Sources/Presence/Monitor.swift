internal import Beacon

/// What monitoring knows of one region: the state machine between unknown, inside and outside.
///
/// A visit and the state are two things: a visit stays open while the state is unknown, so that blindness neither ends
/// it nor starts a second one.
struct Monitor {
    struct Visit {
        var sequence: UInt64
        var enteredAt: Instant
        var blindnessAtEnter: Span
        var adverts = 0
    }

    /// The last sighting, for the exit to report.
    struct Last {
        var identity: BeaconIdentity
        var rssi: Int8?
        var measuredPower: Int
        var time: Instant
    }

    var region: Region
    var state: RegionState
    var visit: Visit?
    var last: Last?
    /// The listening clock when silence began: at the last advert, or when listening for it began.
    var silentSince: Instant
    init(region: Region, at now: Instant, reading: Instant) {
        self.region = region
        silentSince = reading
        state = RegionState(region: region.id, value: .unknown, cause: .starting, since: now, beacons: 0)
    }

    /// The reading of the listening clock at which silence has lasted long enough.
    var silenceDeadline: Instant { silentSince + region.exitAfter }

    /// When blindness will have lasted so long that nothing is known any more; nil when that would change nothing.
    ///
    /// `reading` is the listening clock's, which stands still meanwhile. Adverts do arrive while blind, from a buffer
    /// or because the radio was thought worse of than it deserved; what they say is as good as ever.
    func lossDeadline(blindSince: Instant, reading: Instant) -> Instant? {
        if state.value == .unknown && (visit != nil || silentSince == reading) { return nil }
        return max(blindSince, last?.time ?? blindSince) + region.exitAfter
    }

    /// Whether its beacons are ranged now.
    var isRanging: Bool {
        switch region.ranging {
        case .off: false
        case .always: true
        case .inside: state.value == .inside
        }
    }

    /// Takes another state.
    mutating func become(_ value: RegionState.Value, cause: RegionState.Cause?, at now: Instant) {
        state.value = value
        state.cause = cause
        state.since = now
        state.beacons = value == .inside ? 1 : 0
    }
}
