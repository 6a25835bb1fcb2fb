public import Beacon

/// Which beacons belong to a region: all whose identity starts with the same bytes.
///
/// iBeacon and AltBeacon identities are UUID, major, minor in that order, Eddystone ones namespace and instance, so
/// every constraint the field knows is a prefix: 16, 18 or 20 bytes; 10 or 16 bytes; a whole URL. Absent means any.
public struct IdentityConstraint: Hashable, Sendable {
    /// The prefix; its `length` says how much of an identity is compared.
    public let prefix: BeaconIdentity

    /// Makes a constraint from the prefix that identities must have.
    public init(prefix: BeaconIdentity) { self.prefix = prefix }

    /// Whether an identity satisfies the constraint.
    public func isSatisfied(by identity: BeaconIdentity) -> Bool {
        identity.format == prefix.format && Self.mayCompare(prefix.length, of: identity)
            && identity.prefix(prefix.length) == prefix
    }

    /// Whether so many bytes can tell that an identity belongs to a region. A URL has no parts that could be absent:
    /// `https://example.com/` is another place than `https://example.com/x`, so only the whole of it counts.
    static func mayCompare(_ length: Int, of identity: BeaconIdentity) -> Bool {
        identity.format == .eddystoneURL ? length == identity.length : length <= identity.length
    }
}
