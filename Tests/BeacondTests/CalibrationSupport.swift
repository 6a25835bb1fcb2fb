import Beacon
import Presence
import System

@testable import beacond

/// Beacons and adverts for the tests of `beacond calibrate`.
enum Shelf {
    static let uuid = "39ed98ff-2900-441a-802f-9c398fc199d2"

    static func ibeacon(_ minor: UInt16) -> BeaconIdentity {
        .ibeacon(uuid: UUID128(uuid) ?? UUID128(high: 0, low: 0), major: 100, minor: minor)
    }

    static func uid() -> BeaconIdentity? {
        .eddystoneUID(
            namespace: Hexadecimal.bytes("00112233445566778899") ?? [],
            instance: Hexadecimal.bytes("0a0b0c0d0e0f") ?? [])
    }

    static func url(_ url: String) throws -> BeaconIdentity? { try EddystoneURL(url, power: 0).identity }
}

extension Calibration {
    /// A measurement that was asked for by a command line.
    init(_ arguments: String...) throws {
        let options =
            ["distance", "seconds", "config"].map { CommandLineOption($0, takesValue: true) } + WantedBeacon.options
        self.init(try CalibrateCommand.request(try CommandLineOptions(arguments, options: options)))
    }

    /// Takes adverts of a beacon.
    mutating func hear(_ identity: BeaconIdentity, _ strengths: [Int8?], power: Int = -59, source: UInt64 = 1) {
        for rssi in strengths {
            hear(
                Sighting(
                    identity: identity, source: source, rssi: rssi, measuredPower: power,
                    time: Instant(nanoseconds: 0)))
        }
    }
}

/// So many adverts that go up and down by a decibel.
func steady(_ rssi: Int8, _ count: Int) -> [Int8?] { (0..<count).map { rssi + Int8($0 % 3 - 1) } }
