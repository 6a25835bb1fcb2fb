public import Beacon

/// What presence is to watch, and its bounds.
public struct PresenceConfiguration: Equatable, Sendable {
    /// The regions, each with an id of its own; their order is the order of outcomes that fall on one moment.
    public var regions: [Region]
    /// The length of a window; one of less than a millisecond is taken as a millisecond.
    public var windowLength: Span
    /// Windows end when the monotonic clock shows this and any number of lengths, and seconds of ranging likewise: nodes
    /// that got power at one moment do not all publish at one moment.
    public var phase: Span
    /// How signal strength becomes distance.
    public var distance: DistanceModel
    /// How the signal strengths of a transmitter become one.
    public var filter: FilterKind
    /// The power at one metre, in dBm, that was measured for single beacons.
    public var calibrations: [BeaconIdentity: Int]
    /// How many beacons, and how many transmitters, are remembered at most; at least one.
    public var beaconLimit: Int
    /// Whether beacons outside every region are kept too, for windows. For a person looking at a capture.
    public var watchesEverything: Bool

    /// Makes a configuration.
    public init(
        regions: [Region], windowLength: Span = .seconds(10), phase: Span = .zero,
        distance: DistanceModel = DistanceModel(), filter: FilterKind = .standard,
        calibrations: [BeaconIdentity: Int] = [:],
        beaconLimit: Int = 10_000, watchesEverything: Bool = false
    ) {
        self.regions = regions
        self.windowLength = windowLength
        self.phase = phase
        self.distance = distance
        self.filter = filter
        self.calibrations = calibrations
        self.beaconLimit = beaconLimit
        self.watchesEverything = watchesEverything
    }
}

extension PresenceConfiguration {
    /// How a beacon was heard: the distance is of the filtered signal, its class of the one before, too.
    func reading(
        _ identity: BeaconIdentity, rssi: Double?, signal: FilteredSignal?, sent measuredPower: Int,
        calibrated: Int8?,
        following before: Proximity = .unknown
    ) -> BeaconReading {
        let distance = distance.estimate(
            rssi: signal?.rssi, measuredPower: calibrated.map { Int($0) } ?? measuredPower,
            samples: signal?.samples ?? 1)
        return BeaconReading(
            identity: identity, rssi: rssi, distance: distance,
            proximity: before.following(accuracy: distance.accuracy),
            powerIsSuspect: calibrated == nil && !PowerTrust.isPlausible(measuredPower))
    }

    /// The power at one metre that was measured for a beacon, or for the narrowest of its regions that has one.
    func measuredPower(of identity: BeaconIdentity, in numbers: [Int32]) -> Int? {
        if let power = calibrations[identity] { return power }
        var best: (length: Int, power: Int)?
        for number in numbers {
            let region = regions[Int(number)]
            guard let power = region.measuredPower else { continue }
            let length = region.constraint.prefix.length
            if length > best?.length ?? 0 { best = (length, power) }
        }
        return best?.power
    }
}
