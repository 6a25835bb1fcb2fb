internal import Beacon

/// What presence is to watch, and its bounds.
public struct PresenceConfiguration: Equatable, Sendable {
    /// The regions, each with an id of its own; their order is the order of outcomes that fall on one moment.
    public var regions: [Region]
    /// The length of a window; one of less than a millisecond is taken as a millisecond.
    public var windowLength: Span
    /// How signal strength becomes distance.
    public var distance: DistanceModel
    /// How many beacons, and how many transmitters, are remembered at most; at least one.
    public var beaconLimit: Int
    /// Whether beacons outside every region are kept too, for windows. For a person looking at a capture.
    public var watchesEverything: Bool

    /// Makes a configuration.
    public init(
        regions: [Region], windowLength: Span = .seconds(10), distance: DistanceModel = DistanceModel(),
        beaconLimit: Int = 10_000, watchesEverything: Bool = false
    ) {
        self.regions = regions
        self.windowLength = windowLength
        self.distance = distance
        self.beaconLimit = beaconLimit
        self.watchesEverything = watchesEverything
    }
}

extension PresenceConfiguration {
    /// A reading with its distance.
    func reading(_ identity: BeaconIdentity, _ rssi: Double?, _ measuredPower: Int) -> BeaconReading {
        let distance = distance.estimate(rssi: rssi, measuredPower: measuredPower)
        return BeaconReading(
            identity: identity, rssi: rssi, distance: distance,
            proximity: Proximity(accuracy: distance.accuracy),
            powerIsSuspect: !PowerTrust.isPlausible(measuredPower))
    }

    /// How long a silent transmitter may still be wanted, by ranging or by some region's number of beacons.
    var rememberedFor: Span {
        regions.reduce(PresenceEngine.forgottenAfter) { max($0, $1.exitAfter) }
    }
}
