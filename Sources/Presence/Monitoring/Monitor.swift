/// What monitoring knows of one region: the state machine between unknown, inside and outside.
///
/// A visit and the state are two things: a visit stays open while the state is unknown, so that blindness neither ends
/// it nor starts a second one.
struct Monitor {
    var region: Region
    var state: RegionState
    /// The visit of the region as a whole, where it is tracked so; −1 when there is none.
    var visit: Int32 = -1
    /// How many of its beacons are inside.
    var inside = 0
    /// The first of its memberships; −1 when it has none.
    var firstMembership: Int32 = -1
    /// The listening clock when silence began: at the last advert, or when listening for it began.
    var silentSince: Instant
    /// The reading it is queued for itself, while nobody is inside and that is unknown.
    var queuedFor = Instant.distantFuture

    init(region: Region, at now: Instant, reading: Instant) {
        self.region = region
        silentSince = reading
        state = RegionState(
            region: region.id, value: .unknown, cause: .starting, since: now, beacons: 0, isUncertain: false)
    }

    /// When blindness will have lasted so long that nothing is known any more; nil when that would change nothing.
    ///
    /// `reading` is the listening clock's, which stands still meanwhile. Adverts do arrive while blind, from a buffer
    /// or because the radio was thought worse of than it deserved; what they say is as good as ever.
    func lossDeadline(blindSince: Instant, reading: Instant, exitTime: Span, lastTime: Instant) -> Instant? {
        if state.value == .unknown && (inside > 0 || silentSince == reading) { return nil }
        return max(blindSince, lastTime) + exitTime
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
        state.beacons = value == .inside ? max(inside, 1) : 0
        state.isUncertain = false
    }
}
