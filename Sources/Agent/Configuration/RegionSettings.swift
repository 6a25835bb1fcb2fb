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
    /// When its beacons are ranged.
    public var ranging = Region.Ranging.inside
    /// How long nothing must be heard of it before it is left.
    public var exitAfter: Duration = .seconds(10)
    /// Whether an enter is published.
    public var notifyOnEntry = true
    /// Whether an exit is published.
    public var notifyOnExit = true

    init() {}

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
