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
        let index = PrefixTable([IdentityConstraint(prefix: site)])
        for (identity, isInside) in [(site, true), (page, false)] {
            #expect(IdentityConstraint(prefix: site).isSatisfied(by: identity) == isInside)
            #expect(index.list(of: identity).map { index[$0] } == (isInside ? [0] : nil))
        }
    }
}
