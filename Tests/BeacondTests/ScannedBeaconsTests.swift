import Agent
import Beacon
import HCI
import JSON
import Presence
import TestSupport
import Testing

@testable import beacond

@Suite("ScannedBeacons")
struct ScannedBeaconsTests {
    @Test("a beacon has strength, distance, rate and interval") func one() throws {
        var beacons = ScannedBeacons()
        var new: [ScanRow] = []
        for number in 0..<40 {
            if let row = beacons.hear(Shelf.ibeacon(1), at: 100 * Int64(number), rssi: -59) { new.append(row) }
        }
        #expect(new.count == 1 && beacons.count == 1 && beacons.adverts == 40)
        let row = try #require(beacons.rows(at: Air.at(3950)).first)
        #expect(row.rssi == -59 && row.adverts == 40 && row.silence == .milliseconds(50))
        #expect(fixed(row.rate) == "10.1" && row.interval == .milliseconds(95))
        #expect((1.0...2.0).contains(row.distance.accuracy))
    }

    @Test("without a measured strength it is there and at no distance") func unmeasured() throws {
        var beacons = ScannedBeacons()
        beacons.hear(Shelf.ibeacon(1), at: 0, rssi: nil)
        let row = try #require(beacons.rows(at: Air.at(0)).first)
        #expect(row.rssi == nil && row.distance == .unknown)
    }

    @Test("a beacon that has left keeps the strength it had, and is shown as gone after ten seconds") func gone()
        throws
    {
        var beacons = ScannedBeacons()
        beacons.hear(Shelf.ibeacon(1), at: 0, rssi: -70)
        let row = try #require(beacons.rows(at: Air.at(60_000)).first)
        #expect(row.rssi == -70 && row.rate == 0 && row.isGone)
        #expect(try #require(beacons.rows(at: Air.at(9_999)).first).isGone == false)
    }

    @Test("scan responses are no adverts") func responses() throws {
        var beacons = ScannedBeacons()
        beacons.hear(Shelf.ibeacon(1), at: 0)
        beacons.hear(Shelf.ibeacon(1), at: 2, isResponse: true)
        #expect(beacons.adverts == 1)
        #expect(try #require(beacons.rows(at: Air.at(2)).first).adverts == 1)
    }

    @Test("telemetry belongs to the beacons of its address") func telemetry() throws {
        var beacons = ScannedBeacons()
        beacons.hear(Shelf.ibeacon(1), at: 0, from: 1)
        beacons.hear(Shelf.ibeacon(2), at: 0, from: 2)
        let report = AdvertisingReport(address: Air.address(2), eventType: .advInd)
        _ = beacons.hear(.telemetry(Air.telemetry, source: Air.address(2).bits), in: report, at: Air.at(1))
        let rows = ScanOrder(key: .name).sorted(beacons.rows(at: Air.at(1)))
        #expect(rows.map(\.telemetry?.battery) == [nil, 3020] && rows.map(\.temperature) == [nil, 21.5])
    }

    @Test("an address that a beacon does not use any more is forgotten after a minute, its last one never")
    func moved() {
        var beacons = ScannedBeacons()
        beacons.hear(Shelf.ibeacon(1), at: 0, from: 1)
        #expect(beacons.hear(Shelf.ibeacon(1), at: 1000, from: 2) == nil)
        beacons.forgetAddresses(at: Air.at(60_000))
        #expect(beacons.count == 1 && beacons.rows(at: Air.at(60_000)).count == 2)
        beacons.forgetAddresses(at: Air.at(60_001))
        #expect(beacons.rows(at: Air.at(60_001)).map(\.address) == [Air.address(2)])
        beacons.forgetAddresses(at: Air.at(3_600_000))
        #expect(beacons.count == 1)
    }

    @Test("beyond the limit the beacon not heard for longest is forgotten, and counted") func limit() {
        var beacons = ScannedBeacons(limit: 3)
        for minor in 1...3 { beacons.hear(Shelf.ibeacon(UInt16(minor)), at: Int64(minor)) }
        beacons.hear(Shelf.ibeacon(1), at: 10)
        #expect(beacons.hear(Shelf.ibeacon(4), at: 11) != nil)
        #expect(beacons.rows(at: Air.at(11)).compactMap(\.identity.minor).sorted() == [1, 3, 4])
        #expect(beacons.count == 3 && beacons.forgotten == 1)
        // It comes again as a new one.
        #expect(beacons.hear(Shelf.ibeacon(2), at: 12) != nil)
    }

    @Test("under a flood of beacons and addresses it keeps to its limit and its order") func flood() {
        var random = SeededGenerator(seed: 3)
        var beacons = ScannedBeacons(limit: 20)
        var heard: [(BeaconIdentity, UInt64)] = []
        for number in 0..<5000 {
            let key = (Shelf.ibeacon(.random(in: 0...40, using: &random)), UInt64.random(in: 0...2, using: &random))
            beacons.hear(key.0, at: Int64(number), from: key.1)
            heard.removeAll { $0 == key }
            heard.append(key)
            if number % 100 == 99 {
                let rows = beacons.rows(at: Air.at(Int64(number)))
                let kept = Set(rows.map { "\($0.identity) \($0.address)" })
                #expect(kept == Set(heard.suffix(20).map { "\($0.0) \(Air.address($0.1))" }))
                #expect(beacons.count == Set(rows.map(\.identity)).count)
            }
        }
    }

    @Test("what was heard since the last time is told once") func since() {
        var beacons = ScannedBeacons()
        beacons.hear(Shelf.ibeacon(1), at: 0)
        beacons.hear(Shelf.ibeacon(1), at: 100)
        beacons.hear(Shelf.ibeacon(2), at: 100)
        #expect(beacons.rowsHeardSince(at: Air.at(200)).map(\.adverts).sorted() == [1, 2])
        #expect(beacons.rowsHeardSince(at: Air.at(300)).isEmpty)
        beacons.hear(Shelf.ibeacon(2), at: 400)
        #expect(beacons.rowsHeardSince(at: Air.at(400)).map(\.row.identity) == [Shelf.ibeacon(2)])
    }

    @Test("a calibration counts before a region, the narrower region before the wider, and both before the beacon")
    func powers() throws {
        let text = """
            site: s
            node: n
            radio: {adapter: "unix:/x"}
            regions:
              wide: {uuid: \(Shelf.uuid), measured_power: -70}
              narrow: {uuid: \(Shelf.uuid), major: 100, minor: 2, measured_power: -71}
            calibrations:
              three: {format: ibeacon, uuid: \(Shelf.uuid), major: 100, minor: 3, measured_power: -72}
            """
        var beacons = ScannedBeacons(try Configuration.read(text: Array(text.utf8)))
        for minor in 1...3 { beacons.hear(Shelf.ibeacon(UInt16(minor)), at: 0) }
        beacons.hear(try #require(Shelf.uid()), at: 0)
        let rows = ScanOrder(key: .format).sorted(beacons.rows(at: Air.at(0)))
        #expect(rows.map(\.measuredPower) == [-70, -71, -72, -59])
    }

    @Test("a line of JSON has everything that is known") func json() {
        var writer = JSONWriter()
        var row = Air.row(Shelf.ibeacon(1), rssi: -58.25, metres: 1.3, telemetry: Air.telemetry)
        row.write(adverts: 10, time: 1_767_225_600_000_000_000, to: &writer)
        #expect(
            writer.text == """
                {"time":"2026-01-01T00:00:00.000Z","format":"ibeacon","uuid":"39ed98ff-2900-441a-802f-9c398fc199d2",\
                "major":100,"minor":1,"address":"c0:00:00:00:00:01","phy":"1m","adverts":10,"rssi":-58.3,\
                "measured_power":-59,"distance":1.3,"range":[0.65,2.6],"rate":9.8,"interval_ms":100,"battery_mv":3020,\
                "temperature":21.5}

                """)
        writer.reset()
        row = Air.row(Shelf.ibeacon(1), rssi: nil, rate: 1, interval: nil)
        row.write(adverts: 1, time: 0, to: &writer)
        #expect(writer.text.hasSuffix(#""rssi":null,"measured_power":-59,"distance":-1,"rate":1}"# + "\n"))
    }
}

@Suite("AdvertRate")
struct AdvertRateTests {
    @Test("it is over ten seconds, and over one at least") func spans() {
        var rate = AdvertRate(from: Air.at(500))
        rate.count(at: Air.at(500))
        #expect(rate.perSecond(at: Air.at(500)) == 1)
        for second in 1...60 { rate.count(at: Air.at(Int64(second) * 1000)) }
        #expect(fixed(rate.perSecond(at: Air.at(60_000))) == "1.1")
        #expect(fixed(rate.perSecond(at: Air.at(69_999))) == "0.1")
        #expect(rate.perSecond(at: Air.at(70_000)) == 0)
        // After any pause.
        rate.count(at: Air.at(9_000_000))
        #expect(fixed(rate.perSecond(at: Air.at(9_000_900))) == "0.1")
    }
}
