internal import Beacon

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
