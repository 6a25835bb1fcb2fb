import Beacon
import TestSupport
import Testing

@testable import Presence

@Suite("PrefixTable")
struct PrefixTableTests {
    /// What the table replaces: every region is asked.
    private func regions(_ constraints: [IdentityConstraint], of identity: BeaconIdentity) -> [Int32] {
        constraints.indices.filter { constraints[$0].isSatisfied(by: identity) }.map { Int32($0) }
    }

    private func found(_ table: PrefixTable, _ identity: BeaconIdentity) -> [Int32] {
        table.list(of: identity).map { Array(table[$0]) } ?? []
    }

    /// Identities of few values each, so that they have much in common.
    private func identity(_ random: inout SeededGenerator) -> BeaconIdentity {
        let few = { (random: inout SeededGenerator) in UInt16.random(in: 0..<3, using: &random) }
        let uuid = UUID128(high: UInt64(few(&random)), low: UInt64(few(&random)) << 63)
        let bytes = { (count: Int, random: inout SeededGenerator) in
            [UInt8](repeating: 0, count: count - 1) + [UInt8(few(&random))]
        }
        let uid = BeaconIdentity.eddystoneUID(namespace: bytes(10, &random), instance: bytes(6, &random))
        let url = BeaconIdentity.eddystoneURL(
            encoded: [2] + [UInt8](repeating: 0x61, count: Int.random(in: 1...17, using: &random)))
        let major = few(&random)
        let minor = few(&random)
        return switch few(&random) {
        case 0: .ibeacon(uuid: uuid, major: major, minor: minor)
        case 1: .altbeacon(uuid: uuid, major: major, minor: minor)
        default: (Bool.random(using: &random) ? uid : url) ?? .ibeacon(uuid: uuid, major: major, minor: minor)
        }
    }

    @Test("a beacon is in the regions that hold it, in their order, and in no others")
    func sameAsAskingEach() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let constraints = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                let whole = identity(&random)
                let isPart = Int.random(in: 0..<3, using: &random) > 0
                return IdentityConstraint(
                    prefix: isPart ? whole.prefix(Int.random(in: 0...20, using: &random)) : whole)
            }
            let table = PrefixTable(constraints)
            for _ in 0..<60 {
                let beacon = identity(&random)
                #expect(found(table, beacon) == regions(constraints, of: beacon))
                let part = beacon.prefix(Int.random(in: 0...20, using: &random))
                #expect(found(table, part) == regions(constraints, of: part))
            }
        }
    }

    @Test("a URL is only in the region of the whole of it")
    func wholeURL() throws {
        let short = try #require(BeaconIdentity.eddystoneURL(encoded: [3, 0x61, 0x07]))
        let long = try #require(BeaconIdentity.eddystoneURL(encoded: [3, 0x61, 0x07, 0x62]))
        let table = PrefixTable([IdentityConstraint(prefix: long), IdentityConstraint(prefix: short)])
        #expect(found(table, long) == [0])
        #expect(found(table, short) == [1])
        #expect(table.list(of: short.prefix(2)) == nil)
    }

    @Test("regions of one constraint share a list, and what is in none has none")
    func lists() {
        let uuid = UUID128(high: 1, low: 2)
        let beacon = BeaconIdentity.ibeacon(uuid: uuid, major: 3, minor: 4)
        let table = PrefixTable(
            [beacon.prefix(18), beacon.prefix(16), beacon.prefix(18)].map { IdentityConstraint(prefix: $0) })
        #expect(table.count == 2)
        #expect(found(table, beacon) == [0, 1, 2])
        #expect(found(table, .ibeacon(uuid: uuid, major: 5, minor: 4)) == [1])
        #expect(table.list(of: .altbeacon(uuid: uuid, major: 3, minor: 4)) == nil)
        #expect(PrefixTable([]).list(of: beacon) == nil)
    }
}
