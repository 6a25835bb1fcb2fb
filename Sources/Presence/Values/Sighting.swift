public import Beacon

/// One advert of one beacon, as the radio heard it.
public struct Sighting: Sendable {
    /// Which beacon.
    public var identity: BeaconIdentity
    /// What tells two transmitters of one identity apart: the advertiser's address, in any stable encoding.
    public var source: UInt64
    /// Received signal strength in dBm; nil where the controller had none (it says 127). A missing one is not averaged.
    public var rssi: Int8?
    /// The power that the beacon says is received at one metre, in dBm; kept as it came.
    public var measuredPower: Int
    /// When it was heard.
    public var time: Instant

    /// Makes a sighting.
    public init(identity: BeaconIdentity, source: UInt64, rssi: Int8?, measuredPower: Int, time: Instant) {
        self.identity = identity
        self.source = source
        self.rssi = rssi
        self.measuredPower = measuredPower
        self.time = time
    }
}
