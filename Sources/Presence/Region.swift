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

/// An area as beacons define it, and what is to be said about it. Core Location's `CLBeaconRegion`.
public struct Region: Hashable, Sendable {
    /// When its beacons are ranged.
    public enum Ranging: String, Sendable, CaseIterable { case inside, always, off }

    /// The name in topics, unique among regions.
    public var id: String
    /// Which beacons belong to it.
    public var constraint: IdentityConstraint
    /// When its beacons are ranged.
    public var ranging: Ranging
    /// How long, of time listened, no advert must have been heard before it is left.
    public var exitAfter: Span
    /// Whether an enter is an event. The region's state is published all the same.
    public var notifyOnEntry: Bool
    /// Whether an exit is an event.
    public var notifyOnExit: Bool

    /// Makes a region.
    public init(
        id: String, constraint: IdentityConstraint, ranging: Ranging = .inside, exitAfter: Span = .seconds(10),
        notifyOnEntry: Bool = true, notifyOnExit: Bool = true
    ) {
        self.id = id
        self.constraint = constraint
        self.ranging = ranging
        self.exitAfter = exitAfter
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
    }
}

/// Finds the regions of a beacon at a cost that does not grow with their number: one look-up per prefix length in use.
struct RegionIndex: Sendable {
    private struct Lengths: Sendable {
        var format: BeaconFormat
        var lengths: [Int]
    }

    private var regionsByPrefix: [BeaconIdentity: [Int32]] = [:]
    private var lengthsByFormat: [Lengths] = []

    init(_ regions: [Region]) {
        for (number, region) in regions.enumerated() {
            let prefix = region.constraint.prefix
            regionsByPrefix[prefix, default: []].append(Int32(number))
            if let i = lengthsByFormat.firstIndex(where: { $0.format == prefix.format }) {
                if !lengthsByFormat[i].lengths.contains(prefix.length) {
                    lengthsByFormat[i].lengths.append(prefix.length)
                }
            } else {
                lengthsByFormat.append(Lengths(format: prefix.format, lengths: [prefix.length]))
            }
        }
    }

    /// How long the prefixes are that a beacon of a format is looked up by, once each.
    func lengths(of format: BeaconFormat) -> [Int] {
        lengthsByFormat.first { $0.format == format }?.lengths ?? []
    }

    /// Whether any region holds the beacon; allocates nothing.
    func holds(_ identity: BeaconIdentity) -> Bool {
        for length in lengths(of: identity.format) where IdentityConstraint.mayCompare(length, of: identity) {
            if regionsByPrefix[identity.prefix(length)] != nil { return true }
        }
        return false
    }

    /// The numbers of all regions that hold the beacon, in the regions' order.
    func regions(of identity: BeaconIdentity) -> [Int32] {
        var found: [Int32] = []
        for length in lengths(of: identity.format) where IdentityConstraint.mayCompare(length, of: identity) {
            guard let regions = regionsByPrefix[identity.prefix(length)] else { continue }
            // The usual beacon is in one region, or in several of one constraint: it shares their list.
            found = found.isEmpty ? regions : (found + regions).sorted()
        }
        return found
    }
}
