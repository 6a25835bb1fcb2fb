internal import Beacon
internal import HCI
internal import System

/// A capture that is made up: a fleet of iBeacons, each of which is heard once an interval, in another order each time.
///
/// btsnoop with LE Advertising Report events of one report, as a controller of Bluetooth 4 sends them. The same numbers
/// make the same bytes.
struct SyntheticCapture {
    /// How many beacons there are.
    var beacons = 10_000
    /// How often each of them is heard.
    var rounds = 10
    /// The time between two adverts of a beacon, in milliseconds.
    var interval = 1_000
    /// Where the random numbers start.
    var seed: UInt64 = 1

    /// The identities: ten UUIDs, a hundred majors in each, and minors as they are needed. So 10 regions can be UUIDs,
    /// 1,000 can be majors, and 10,000 can be beacons, and the same beacons are in all of them.
    static func identity(_ number: Int) -> BeaconIdentity {
        .ibeacon(
            uuid: UUID128(high: 0x39ED_98FF_2900_441A, low: 0x802F_9C39_8FC1_0000 | UInt64(number % 10)),
            major: UInt16(truncatingIfNeeded: number / 10 % 100),
            minor: UInt16(truncatingIfNeeded: number / 1_000))
    }

    /// The prefixes of so many regions, which hold as many of the beacons as they can.
    static func prefixes(_ count: Int) -> [BeaconIdentity] {
        (0..<count).map { identity($0).prefix(count <= 10 ? 16 : count <= 1_000 ? 18 : 20) }
    }

    /// The file.
    var bytes: [UInt8] {
        var random = SeededRandom(seed: seed)
        var file = BtsnoopWriter.header
        file.reserveCapacity(beacons * rounds * 69 + 100)
        var order = Array(0..<beacons)
        // A base for the levels: each beacon has its own distance.
        let levels = order.map { _ in Int8.random(in: -90 ... -50, using: &random) }
        for round in 0..<rounds {
            order.shuffle(using: &random)
            for (place, number) in order.enumerated() {
                let time = (Int64(round) * Int64(beacons) + Int64(place)) * Int64(interval) * 1_000_000
                let report = AdvertisingReport(
                    address: DeviceAddress(0xC000_0000_0000 | UInt64(number), .random),
                    eventType: .advNonconnInd, rssi: levels[number] + .random(in: -4...4, using: &random))
                let data = Frame.ibeacon(Self.identity(number), power: -59)
                file += BtsnoopWriter.record(
                    [4] + AdvertisingReportWriter.legacyEvent(reports: [(report, data)]), direction: .received,
                    time: Self.start + time / Int64(max(beacons, 1)))
            }
        }
        return file
    }

    /// 2026-01-01T00:00:00Z in nanoseconds since 1970.
    static let start: Int64 = 1_767_225_600_000_000_000
}

extension Frame {
    /// The whole advert of an iBeacon with this identity.
    fileprivate static func ibeacon(_ identity: BeaconIdentity, power: Int8) -> [UInt8] {
        guard let uuid = identity.uuid, let major = identity.major, let minor = identity.minor else { return [] }
        return IBeacon(uuid: uuid, major: major, minor: minor, power: power).advertisingData()
    }
}
