public import Beacon
public import Presence

/// A region as it is configured.
public struct RegionSettings: Equatable, Sendable {
    /// The name in topics.
    public var id = ""
    /// The format of its beacons.
    public var format = BeaconFormat.ibeacon
    /// The UUID of iBeacons and AltBeacons.
    public var uuid: UUID128?
    /// Their major number; nil is any.
    public var major: UInt16?
    /// Their minor number; nil is any.
    public var minor: UInt16?
    /// The ten bytes of an Eddystone UID's namespace.
    public var namespace: [UInt8]?
    /// The six bytes of its instance; nil is any.
    public var instance: [UInt8]?
    /// The URL of an Eddystone URL.
    public var url: String?
    /// What enters and leaves.
    public var track = Region.Tracking.region
    /// When its beacons are ranged.
    public var ranging = Region.Ranging.inside
    /// What makes an enter.
    public var enter = Region.Enter.steady
    /// What makes an exit.
    public var exit = Region.Exit.learned
    /// How long nothing must be heard of a beacon before it is taken for gone; with a learned exit, at least.
    public var exitAfter: Duration = .seconds(10)
    /// How strong an advert must be to count for an enter, in dBm; nil if it need not.
    public var enterRSSI: Int?
    /// How strong one must be to keep its beacon inside; nil is `gateMargin` below `enterRSSI`.
    public var exitRSSI: Int?
    /// The power at one metre that was measured for its beacons, in dBm.
    public var measuredPower: Int?
    /// Whether an enter is published.
    public var notifyOnEntry = true
    /// Whether an exit is published.
    public var notifyOnExit = true

    init() {}

    /// How much weaker than for an enter an advert may be to keep its beacon inside, in dB: somewhat more than a beacon
    /// that nobody moves goes up and down by.
    static let gateMargin = 6

    /// How strong its beacons must be; nil if they need not.
    public var gate: SignalGate? {
        enterRSSI.map { SignalGate(enter: $0, exit: exitRSSI ?? $0 - Self.gateMargin) }
    }

    /// The first bytes of the identity of every beacon in the region; nil only before the settings are valid.
    public var identityPrefix: BeaconIdentity? {
        switch format {
        case .ibeacon, .altbeacon:
            guard let uuid else { return nil }
            let whole =
                format == .ibeacon
                ? BeaconIdentity.ibeacon(uuid: uuid, major: major ?? 0, minor: minor ?? 0)
                : BeaconIdentity.altbeacon(uuid: uuid, major: major ?? 0, minor: minor ?? 0)
            // UUID 16 bytes, major 2, minor 2.
            return whole.prefix(major == nil ? 16 : minor == nil ? 18 : 20)
        case .eddystoneUID:
            guard let namespace else { return nil }
            let zeros = [UInt8](repeating: 0, count: Self.instanceLength)
            // Namespace 10 bytes, instance 6.
            return BeaconIdentity.eddystoneUID(namespace: namespace, instance: instance ?? zeros)?
                .prefix(instance == nil ? Self.namespaceLength : Self.namespaceLength + Self.instanceLength)
        case .eddystoneURL:
            guard let url else { return nil }
            return try? EddystoneURL(url, power: 0).identity
        }
    }

    /// Bytes of an Eddystone namespace and instance (google/eddystone, eddystone-uid/README.md).
    static let namespaceLength = 10
    static let instanceLength = 6
}
