import Agent
import Beacon
import HCI
import Presence
import System

@testable import beacond

/// Rows and adverts for the tests of `beacond scan`.
enum Air {
    static func address(_ number: UInt64) -> DeviceAddress { DeviceAddress(0xC000_0000_0000 | number, .random) }

    static func row(
        _ identity: BeaconIdentity, _ address: UInt64 = 1, rssi: Double?, metres: Double = -1, rate: Double = 9.8,
        interval: Int64? = 100, silence: Int64 = 0, telemetry: Telemetry? = nil
    ) -> ScanRow {
        ScanRow(
            identity: identity, address: self.address(address), rssi: rssi,
            distance: metres < 0 ? .unknown : DistanceEstimate(accuracy: metres, range: metres / 2...metres * 2),
            rate: rate, interval: interval.map { .milliseconds($0) }, silence: .seconds(silence),
            telemetry: telemetry)
    }

    /// A battery of 3.02 V at 21.5 °C.
    static let telemetry = Telemetry(
        battery: 3020, temperatureSteps: 21 * 256 + 128, adverts: 1000, uptimeDeciseconds: 10_000)

    static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
}

extension ScannedBeacons {
    /// Hears an advert at so many milliseconds.
    @discardableResult
    mutating func hear(
        _ identity: BeaconIdentity, at milliseconds: Int64, from address: UInt64 = 1, rssi: Int8? = -60,
        isResponse: Bool = false
    ) -> ScanRow? {
        let report = AdvertisingReport(
            address: Air.address(address), eventType: isResponse ? [.legacy, .scanResponse] : .advInd, rssi: rssi)
        let sighting = Sighting(
            identity: identity, source: report.address.bits, rssi: rssi, measuredPower: -59,
            time: Air.at(milliseconds))
        return hear(.sighting(sighting), in: report, at: Air.at(milliseconds))
    }
}
