import Agent
import Beacon
import JSON
import Presence
import Testing

@testable import beacond

@Suite("Calibration report")
struct CalibrationReportTests {
    private func report(
        _ calibration: Calibration, seconds: Double = 30, configured: [CalibrationSettings] = []
    ) -> CalibrationReport {
        CalibrationReport(calibration, seconds: seconds, configured: configured)
    }

    @Test("a good one has the power, what it rests on, and what to put into the configuration") func good() throws {
        var calibration = try Calibration("--distance", "1.5m")
        calibration.hear(Shelf.ibeacon(7), steady(-66, 90))
        let report = report(calibration)
        #expect(report.isGood && report.complaint.isEmpty)
        #expect(
            report.output == """
                beacon          ibeacon 39ed98ff-2900-441a-802f-9c398fc199d2 100 7
                heard           90 adverts in 30 s, at 1.5 m
                measured power  -62 dBm at one metre
                spread          1.5 dB, standard error 0.2 dB
                it sends        -59 dBm, 3 dB more than was measured
                verdict         good

                calibrations:
                  beacon-100-7: {format: ibeacon, uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 100, minor: 7, \
                measured_power: -62}

                """)
        #expect(
            report.json == """
                {"beacon":{"format":"ibeacon","uuid":"39ed98ff-2900-441a-802f-9c398fc199d2","major":100,"minor":7},\
                "distance":1.5,"seconds":30,"adverts":90,"measured_power":-62,"deviation":1.5,"standard_error":0.2,\
                "sent_power":-59,"verdict":"good"}

                """)
    }

    @Test("one advert shows no spread: it is unknown, and not 0") func spread() throws {
        var calibration = try Calibration()
        calibration.hear(Shelf.ibeacon(1), [-62])
        #expect(report(calibration).output.contains("\nspread          unknown, of one advert\n"))
        #expect(
            report(calibration).json.contains(
                #""adverts":1,"measured_power":-62,"deviation":null,"standard_error":null,"sent_power":-59,"#))
        calibration.hear(Shelf.ibeacon(1), [-62])
        #expect(report(calibration).output.contains("\nspread          0 dB, standard error 0 dB\n"))
        #expect(report(calibration).json.contains(#""adverts":2,"measured_power":-62,"deviation":0,"#))
    }

    @Test("what the beacon sends is held against what was measured") func sent() throws {
        let lines = [
            (-62, "-62 dBm, as was measured"), (-70, "-70 dBm, 8 dB less than was measured"),
            (0, "0 dBm, which no beacon has at one metre"),
        ]
        for (power, line) in lines {
            var calibration = try Calibration()
            calibration.hear(Shelf.ibeacon(1), steady(-62, 30), power: power)
            #expect(report(calibration).output.contains("\nit sends        \(line)\n"))
        }
    }

    @Test("one that may not be used says why, what to do, and nothing to put anywhere") func bad() throws {
        let cases: [(strengths: [Int8?], seconds: Double, word: String, advice: String)] = [
            (
                steady(-62, 12), 30, "too_few",
                "too few adverts: 30 are needed; listen longer, --seconds 95 or more"
            ),
            (
                steady(-62, 1), 30, "too_few",
                "too few adverts: 30 are needed; it is heard too rarely for 600 s, so shorten its interval"
            ),
            // Ended early: five seconds are the least.
            (
                steady(-62, 20), 1, "too_few",
                "too few adverts: 30 are needed; listen longer, --seconds 5 or more"
            ),
            (
                (0..<100).map { Int8(-60 + $0 % 21 - 10) }, 30, "too_wide",
                "too wide: the spread may be 6 dB; let nobody walk between, leave the beacon and the node where they "
                    + "are, and measure again"
            ),
            (
                steady(-15, 40), 30, "implausible",
                "implausible: no beacon has that; is it the one meant, and 1 m away as --distance says?"
            ),
        ]
        for (strengths, seconds, word, advice) in cases {
            var calibration = try Calibration()
            calibration.hear(Shelf.ibeacon(1), strengths)
            let report = report(calibration, seconds: seconds)
            #expect(!report.isGood && report.complaint.isEmpty)
            #expect(report.output.hasSuffix("\nverdict         \(advice)\n"), "\(report.output)")
            let json = try JSONValue(reading: Array(report.json.utf8))
            #expect(json["verdict"]?.text == word && json["advice"]?.text == advice)
        }
    }

    @Test("nothing heard is told with what was heard instead") func nothing() throws {
        let empty = report(try Calibration(), seconds: 12)
        #expect(
            empty.complaint
                == "no beacon was heard in 12 s; does it send, and one of ibeacon, altbeacon, eddystone-uid, "
                + "eddystone-url?\n")
        #expect(empty.output.isEmpty && !empty.isGood)
        #expect(empty.json == "{\"distance\":1,\"seconds\":12,\"verdict\":\"none\"}\n")
        var named = try Calibration("--minor", "2")
        named.hear(Shelf.ibeacon(1), [-60])
        #expect(
            report(named).complaint
                == "none of 1 advert in 30 s was of the beacon named; without a name the strongest is taken, or those "
                + "near it are listed\n")
        named.hear(Shelf.ibeacon(2), [nil, nil])
        #expect(
            report(named).complaint == "of 2 adverts in 30 s the controller told no signal strength\n")
    }

    @Test("several are listed as they are named, and what came from the air does nothing in a shell")
    func several() throws {
        var calibration = try Calibration()
        calibration.hear(Shelf.ibeacon(1), steady(-60, 31))
        calibration.hear(try #require(Shelf.uid()), [-61, -61, -62, -62], source: 2)
        calibration.hear(try #require(try Shelf.url("http://a.b/';$(x)")), steady(-64, 5))
        let report = report(calibration)
        #expect(
            report.complaint == """
                3 beacons are within 10 dB of the strongest; take the others away, or name one:
                  -60 dBm    31 adverts  --format ibeacon --uuid 39ed98ff-2900-441a-802f-9c398fc199d2 --major 100 --minor 1
                  -61.5 dBm  4 adverts  --format eddystone-uid --namespace 00112233445566778899 --instance 0a0b0c0d0e0f
                  -64 dBm    5 adverts  --format eddystone-url --url 'http://a.b/'\\'';$(x)'

                """)
        #expect(report.output.isEmpty && !report.isGood)
        #expect(
            report.json == """
                {"distance":1,"seconds":30,"verdict":"several","candidates":[\
                {"format":"ibeacon","uuid":"39ed98ff-2900-441a-802f-9c398fc199d2","major":100,"minor":1,\
                "adverts":31,"rssi":-60},\
                {"format":"eddystone-uid","namespace":"00112233445566778899","instance":"0a0b0c0d0e0f",\
                "adverts":4,"rssi":-61.5},\
                {"format":"eddystone-url","url":"http://a.b/';$(x)","adverts":5,"rssi":-64}],"more":0}

                """)
    }

    @Test("a beacon of several formats is told from several beacons by its address") func oneAddress() throws {
        var calibration = try Calibration()
        calibration.hear(Shelf.ibeacon(1), [-60, -60, -60])
        calibration.hear(try #require(Shelf.uid()), [-61, -61, -61])
        #expect(
            report(calibration).complaint.hasPrefix(
                "2 beacons are within 10 dB of the strongest; all come from one address, as of one that sends several "
                    + "formats: name any:\n  -60 dBm    3 adverts  --format ibeacon "))
    }

    @Test("of many ten are listed, and the others counted") func many() throws {
        var calibration = try Calibration()
        for minor in 1...(UInt16(Calibration.limit) + 1) {
            calibration.hear(Shelf.ibeacon(minor), [-60, -60, -60])
        }
        let lines = report(calibration).complaint.split(separator: "\n")
        #expect(lines.count == 13)
        #expect(lines.suffix(2) == ["  and 990 more", "3 adverts of more than 1000 beacons not looked at"])
    }

    @Test("the id is the one that the beacon has in the configuration, else one that is free") func id() throws {
        var calibration = try Calibration()
        calibration.hear(Shelf.ibeacon(1), steady(-62, 30))
        let other = try #require(
            CalibrationSettings(id: "beacon-100-1", of: Shelf.ibeacon(2), measuredPower: -50))
        #expect(report(calibration, configured: [other]).output.contains("\n  beacon-100-1-2: {"))
        let same = try #require(CalibrationSettings(id: "lamp", of: Shelf.ibeacon(1), measuredPower: -50))
        #expect(report(calibration, configured: [other, same]).output.contains("\n  lamp: {"))
    }

    @Test("a URL that is longer on air than it need be is no beacon of a configuration, which is said")
    func spelled() throws {
        var calibration = try Calibration()
        calibration.hear(
            try #require(BeaconIdentity.eddystoneURL(encoded: [3] + Array("example.com/".utf8))), steady(-62, 30))
        let report = report(calibration)
        #expect(
            report.output.hasSuffix(
                "\n\nIt sends its URL in more bytes than it needs, and a configuration cannot name such a beacon.\n"
            ))
    }
}
