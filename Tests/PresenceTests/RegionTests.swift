import Beacon
import TestSupport
import Testing

@testable import Presence

@Suite struct RegionTests {
    @Test("a constraint holds the identities that begin with it, of its own format") func constraint() throws {
        let uuid = Scene.uuid
        let beacon = Scene.beacon(0, 65_535)
        for length in [16, 18, 20] {
            #expect(IdentityConstraint(prefix: beacon.prefix(length)).isSatisfied(by: beacon))
        }
        #expect(IdentityConstraint(prefix: beacon.prefix(16)).isSatisfied(by: Scene.beacon(7, 7)))
        // Absent is any, zero is zero.
        #expect(!IdentityConstraint(prefix: beacon.prefix(18)).isSatisfied(by: Scene.beacon(7, 65_535)))
        #expect(!IdentityConstraint(prefix: beacon).isSatisfied(by: Scene.beacon(0, 0)))
        #expect(
            !IdentityConstraint(prefix: beacon).isSatisfied(by: .altbeacon(uuid: uuid, major: 0, minor: 65_535)))
        let namespace: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        let one = try #require(BeaconIdentity.eddystoneUID(namespace: namespace, instance: [0, 0, 0, 0, 0, 1]))
        let two = try #require(BeaconIdentity.eddystoneUID(namespace: namespace, instance: [0, 0, 0, 0, 0, 2]))
        #expect(IdentityConstraint(prefix: one.prefix(10)).isSatisfied(by: two))
        #expect(!IdentityConstraint(prefix: one).isSatisfied(by: two))
    }

    @Test("a prefix is not satisfied by what is shorter than it") func shorter() {
        let beacon = Scene.beacon(0, 0)
        #expect(!IdentityConstraint(prefix: beacon).isSatisfied(by: beacon.prefix(18)))
    }

    @Test("a URL is matched as a whole, not by how it begins") func wholeURL() throws {
        let site = try #require(try EddystoneURL("https://example.com/", power: 0).identity)
        let page = try #require(try EddystoneURL("https://example.com/x", power: 0).identity)
        let index = RegionIndex([Region(id: "site", constraint: IdentityConstraint(prefix: site))])
        for (identity, isInside) in [(site, true), (page, false)] {
            #expect(IdentityConstraint(prefix: site).isSatisfied(by: identity) == isInside)
            #expect(index.holds(identity) == isInside)
            #expect(index.regions(of: identity) == (isInside ? [0] : []))
        }
    }

    @Test("the index finds what the constraints say, in the regions' order") func index() {
        var random = SeededGenerator(seed: 9)
        let regions = (0..<300).map { number -> Region in
            let major = UInt16.random(in: 0...3, using: &random)
            let minor = UInt16.random(in: 0...9, using: &random)
            let identity: BeaconIdentity =
                Bool.random(using: &random)
                ? Scene.beacon(major, minor) : .altbeacon(uuid: Scene.uuid, major: major, minor: minor)
            let length = [0, 10, 16, 18, 20].randomElement(using: &random) ?? 20
            return Region(id: "\(number)", constraint: IdentityConstraint(prefix: identity.prefix(length)))
        }
        let index = RegionIndex(Array(regions.prefix(20)))
        for major in 0...4 as ClosedRange<UInt16> {
            for minor in 0...10 as ClosedRange<UInt16> {
                for identity in [
                    Scene.beacon(major, minor), .altbeacon(uuid: Scene.uuid, major: major, minor: minor),
                    .ibeacon(uuid: UUID128(high: 0, low: 1), major: major, minor: minor),
                ] {
                    for (index, regions) in [(index, Array(regions.prefix(20))), (RegionIndex(regions), regions)] {
                        let expected = regions.indices.filter {
                            regions[$0].constraint.isSatisfied(by: identity)
                        }
                        #expect(index.regions(of: identity).map(Int.init) == expected)
                        #expect(index.holds(identity) == !expected.isEmpty)
                    }
                }
            }
        }
    }

    @Test("10,000 regions are looked up as often as three") func cost() {
        let few = RegionIndex([.of("a"), .of("b", 1), .of("c", 1, 1)])
        let many = RegionIndex(
            (0..<10_000).map { number in
                let (major, minor) = (UInt16(number / 100), UInt16(number % 100))
                return number % 3 == 0 ? .of("\(number)") : .of("\(number)", major, number % 3 == 1 ? nil : minor)
            })
        #expect(few.lengths(of: .ibeacon).sorted() == [16, 18, 20])
        #expect(many.lengths(of: .ibeacon).sorted() == [16, 18, 20])
        #expect(many.lengths(of: .eddystoneUID) == [])
    }
}
