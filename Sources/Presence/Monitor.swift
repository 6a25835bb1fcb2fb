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
    /// The slots of its tracks, in no order.
    var tracks: [Int32] = []

    init(region: Region, at now: Instant, reading: Instant) {
        self.region = region
        silentSince = reading
        state = RegionState(region: region.id, value: .unknown, cause: .starting, since: now, beacons: 0)
    }

    /// The reading of the listening clock at which silence has lasted long enough; nil when that would change nothing.
    var silenceDeadline: Instant? {
        state.value == .outside ? nil : silentSince + region.exitAfter
    }

    /// Whether blindness since a time has lasted so long that nothing is known any more.
    func isLost(blindSince: Instant, now: Instant) -> Bool {
        state.value != .unknown && now - blindSince >= region.exitAfter
    }

    /// Takes a new state; returns whether it is one.
    mutating func become(_ value: RegionState.Value, cause: RegionState.Cause? = nil, at now: Instant) -> Bool {
        if state.value == value && state.cause == cause { return false }
        state.value = value
        state.cause = cause
        state.since = now
        if value != .inside { state.beacons = 0 }
        return true
    }

    /// Whether its beacons are ranged now.
    var isRanging: Bool {
        switch region.ranging {
        case .off: false
        case .always: true
        case .inside: state.value == .inside
        }
    }
}
