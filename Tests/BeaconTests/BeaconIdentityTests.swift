import Beacon
import Testing

@Suite("BeaconIdentity")
struct BeaconIdentityTests {
    private let beacon = BeaconIdentity.ibeacon(uuid: .example, major: 0x0102, minor: 0xFFFE)
    private let namespace: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

    @Test("an identity takes 24 bytes, wherever it is kept")
    func size() {
        #expect(MemoryLayout<BeaconIdentity>.stride == 24)
    }

    @Test("an iBeacon and an AltBeacon give back UUID, major and minor, and are not each other")
    func numbers() {
        let other = BeaconIdentity.altbeacon(uuid: .example, major: 0x0102, minor: 0xFFFE)
        for identity in [beacon, other] {
            #expect(identity.uuid == .example)
            #expect(identity.major == 0x0102)
            #expect(identity.minor == 0xFFFE)
            #expect(identity.namespace == nil && identity.instance == nil && identity.url == nil)
            #expect(Hexadecimal.text(identity.bytes) == "39ed98ff2900441a802f9c398fc199d20102fffe")
        }
        #expect(beacon != other)
        #expect(beacon.bytes == other.bytes)
    }

    @Test("an Eddystone UID gives back namespace and instance, and takes no other lengths")
    func uid() throws {
        let instance: [UInt8] = [10, 11, 12, 13, 14, 255]
        let identity = try #require(BeaconIdentity.eddystoneUID(namespace: namespace, instance: instance))
        #expect(identity.length == 16)
        #expect(identity.namespace == "00010203040506070809")
        #expect(identity.instance == "0a0b0c0d0eff")
        #expect(identity.uuid == nil && identity.major == nil && identity.minor == nil && identity.url == nil)
        #expect(identity.prefix(10).namespace == "00010203040506070809")
        #expect(identity.prefix(10).instance == nil)
        #expect(BeaconIdentity.eddystoneUID(namespace: namespace + [0], instance: [0, 0, 0, 0, 0]) == nil)
        #expect(BeaconIdentity.eddystoneUID(namespace: [], instance: instance) == nil)
    }

    @Test("an Eddystone URL gives back the URL, and takes no reserved code and no other length")
    func url() throws {
        let identity = try #require(BeaconIdentity.eddystoneURL(encoded: [2, 0x61, 0x07]))
        #expect(identity.url == "http://a.com")
        #expect(identity.length == 3)
        #expect(BeaconIdentity.eddystoneURL(encoded: [3] + [UInt8](repeating: 0x61, count: 17))?.length == 18)
        for encoded: [UInt8] in [
            [], [2], [4, 0x61], [2, 0x0E], [2, 0x20], [2, 0x7F], [2, 0xFF],
            [3] + [UInt8](repeating: 0x61, count: 18),
        ] {
            #expect(BeaconIdentity.eddystoneURL(encoded: encoded) == nil)
        }
    }

    @Test("a prefix of every length has the first bytes and no others, and differs from every other length")
    func prefixes() {
        var seen: Set<BeaconIdentity> = []
        for length in 0...20 {
            let prefix = beacon.prefix(length)
            #expect(prefix.length == length)
            #expect(prefix.bytes == Array(beacon.bytes.prefix(length)))
            #expect(prefix.format == .ibeacon)
            #expect(prefix == prefix.prefix(20))
            seen.insert(prefix)
        }
        #expect(seen.count == 21)
        #expect(beacon.prefix(20) == beacon)
        #expect(beacon.prefix(-1).length == 0)
        #expect(beacon.prefix(.max) == beacon)
        #expect(beacon.prefix(.min).length == 0)
    }

    @Test("beacons share a prefix exactly if they share the bytes of it")
    func sharedPrefixes() {
        let sibling = BeaconIdentity.ibeacon(uuid: .example, major: 0x0102, minor: 0)
        let cousin = BeaconIdentity.ibeacon(uuid: .example, major: 0x0103, minor: 0xFFFE)
        #expect(beacon.prefix(18) == sibling.prefix(18))
        #expect(beacon.prefix(19) != sibling.prefix(19))
        #expect(beacon.prefix(16) == cousin.prefix(16))
        #expect(beacon.prefix(18) != cousin.prefix(18))
        #expect(beacon.prefix(16).uuid == .example)
        #expect(beacon.prefix(16).major == nil)
        #expect(beacon.prefix(18).major == 0x0102)
        #expect(beacon.prefix(18).minor == nil)
        #expect(beacon.prefix(15).uuid == nil)
    }

    @Test("identities are in the order of format, bytes, length")
    func order() throws {
        let uid = try #require(BeaconIdentity.eddystoneUID(namespace: namespace, instance: [0, 0, 0, 0, 0, 0]))
        let sorted = [
            beacon.prefix(18),
            .ibeacon(uuid: .example, major: 0x0102, minor: 0),
            beacon,
            .ibeacon(uuid: .example, major: 0x0103, minor: 0),
            .ibeacon(uuid: UUID128(high: .max, low: 0), major: 0, minor: 0),
            .altbeacon(uuid: UUID128(high: 0, low: 0), major: 0, minor: 0),
            uid.prefix(10),
            uid,
        ]
        #expect(sorted.reversed().sorted() == sorted)
    }

    @Test("an identity is described in a line")
    func described() throws {
        #expect("\(beacon)" == "ibeacon 39ed98ff-2900-441a-802f-9c398fc199d2 258 65534")
        #expect("\(beacon.prefix(18))" == "ibeacon 39ed98ff-2900-441a-802f-9c398fc199d2 258")
        let uid = try #require(BeaconIdentity.eddystoneUID(namespace: namespace, instance: [0, 0, 0, 0, 0, 1]))
        #expect("\(uid)" == "eddystone-uid 00010203040506070809 000000000001")
        let url = try #require(BeaconIdentity.eddystoneURL(encoded: [1, 0x61, 0x00]))
        #expect("\(url)" == "eddystone-url https://www.a.com/")
    }

    @Test("a format is found by the name it is printed with")
    func formats() {
        #expect(BeaconFormat.allCases.map(\.name) == ["ibeacon", "altbeacon", "eddystone-uid", "eddystone-url"])
        for format in BeaconFormat.allCases { #expect(BeaconFormat(name: format.name) == format) }
        #expect(BeaconFormat(name: "iBeacon") == nil)
        #expect(BeaconFormat(name: "") == nil)
    }
}
