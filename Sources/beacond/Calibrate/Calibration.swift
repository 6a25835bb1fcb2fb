internal import Beacon
internal import Presence

/// What `beacond calibrate` was asked for.
struct CalibrationRequest: Equatable, Sendable {
    /// Which beacon; any, if none was named.
    var beacon = WantedBeacon()
    /// How far it is from the node, in metres, 0.1…10.
    var distance = 1.0
    /// How long is listened, in seconds, 5…600.
    var seconds = 30
}

/// A measurement under way: what was heard of which beacon, and in the end what that comes to.
struct Calibration: Sendable {
    /// A beacon that may be the one.
    struct Candidate: Sendable {
        var identity: BeaconIdentity
        var measurement: PowerCalibration
        /// The power at one metre in dBm that it sent last, plausible or not.
        var sentPower: Int
        /// The address that it sent from last.
        var source: UInt64

        /// The median of its signal strength in dBm.
        var median: Double { measurement.median ?? -.infinity }
    }

    /// What it came to.
    enum Result: Sendable {
        /// No beacon was heard that could be the one.
        case nothing
        /// More than one could be: these, the strongest first, and so many more.
        case several([Candidate], more: Int)
        /// This one was measured; the finding says whether it may be used.
        case measured(Candidate, PowerCalibration.Finding)
    }

    /// In dB: by so much the strongest must lead, or it is not known to be the near one. Of equal beacons the next one
    /// is then more than three times as far, and what a place does to a signal by itself (7 dB in
    /// `DistanceModel`) is less.
    static let lead = 10.0
    /// Adverts: a beacon that passes is heard once or twice, and one reading is no strength to go by.
    static let fewestOfRival = 3
    /// How many beacons are kept apart, of which each takes 2 kB. One that is first heard after so many others is
    /// counted and not looked at.
    static let limit = 1_000
    /// How many rivals are listed.
    static let shown = 10

    let request: CalibrationRequest
    private var candidates: [BeaconIdentity: Candidate] = [:]
    /// Adverts of beacons other than those that were named.
    private(set) var others = 0
    /// Adverts of the beacon whose strength the controller did not tell.
    private(set) var unmeasured = 0
    /// Adverts of beacons beyond the limit.
    private(set) var unheeded = 0

    init(_ request: CalibrationRequest) { self.request = request }

    /// Takes an advert.
    mutating func hear(_ sighting: Sighting) {
        guard request.beacon.matches(sighting.identity) else { return others += 1 }
        guard let rssi = sighting.rssi else { return unmeasured += 1 }
        if candidates[sighting.identity] == nil {
            guard candidates.count < Self.limit else { return unheeded += 1 }
            candidates[sighting.identity] = Candidate(
                identity: sighting.identity, measurement: PowerCalibration(distance: request.distance),
                sentPower: sighting.measuredPower, source: sighting.source)
        }
        candidates[sighting.identity]?.measurement.add(rssi)
        candidates[sighting.identity]?.sentPower = sighting.measuredPower
        candidates[sighting.identity]?.source = sighting.source
    }

    /// How many beacons could be the one.
    var count: Int { candidates.count }

    /// Those that could be the one, the strongest first; the ones heard once or twice only where there are no others.
    var ranking: [Candidate] {
        let steady = candidates.values.filter { $0.measurement.samples >= Self.fewestOfRival }
        return (steady.isEmpty ? Array(candidates.values) : steady)
            .map { (median: $0.median, candidate: $0) }
            // By identity where they are equally strong, so that the order is always the same.
            .sorted { ($1.median, $0.candidate.identity) < ($0.median, $1.candidate.identity) }
            .map(\.candidate)
    }

    /// What was heard so far comes to.
    var result: Result {
        let ranking = ranking
        guard let first = ranking.first, let finding = first.measurement.finding else { return .nothing }
        let near = ranking.prefix { first.median - $0.median < Self.lead }
        if near.count > 1 {
            return .several(Array(near.prefix(Self.shown)), more: max(0, near.count - Self.shown))
        }
        return .measured(first, finding)
    }
}
