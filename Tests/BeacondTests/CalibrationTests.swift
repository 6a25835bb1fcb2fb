import Beacon
import Presence
import System
import Testing

@testable import beacond

@Suite("Calibration")
struct CalibrationTests {
    /// What a result is, in a word or as the numbers of the beacons.
    private func summary(_ calibration: Calibration) -> String {
        switch calibration.result {
        case .nothing: "nothing"
        case .several(let candidates, let more):
            "several \(candidates.compactMap(\.identity.minor).map { "\($0)" }.joined(separator: " ")) + \(more)"
        case .measured(let beacon, let finding):
            "\(beacon.identity.minor ?? 0): \(finding.measuredPower) \(finding.verdict.rawValue)"
        }
    }

    @Test("the only beacon is the one") func only() throws {
        var calibration = try Calibration()
        #expect(summary(calibration) == "nothing")
        calibration.hear(Shelf.ibeacon(1), steady(-62, 40))
        #expect(summary(calibration) == "1: -62 good")
    }

    @Test("the strongest is the one where it leads by 10 dB, and else it is asked which") func lead() throws {
        var calibration = try Calibration()
        calibration.hear(Shelf.ibeacon(1), steady(-72, 40))
        calibration.hear(Shelf.ibeacon(2), steady(-62, 40))
        #expect(summary(calibration) == "2: -62 good")
        calibration.hear(Shelf.ibeacon(3), steady(-71, 40))
        #expect(summary(calibration) == "several 2 3 + 0")
    }

    @Test("one that is heard rarely is a rival all the same, and one that passes is none") func rare() throws {
        var calibration = try Calibration()
        calibration.hear(Shelf.ibeacon(1), steady(-62, 40))
        calibration.hear(Shelf.ibeacon(2), [-50, -50])
        #expect(summary(calibration) == "1: -62 good")
        calibration.hear(Shelf.ibeacon(2), [-50])
        #expect(summary(calibration) == "2: -50 too_few")
        calibration.hear(Shelf.ibeacon(2), [-54, -54, -54, -54])
        #expect(summary(calibration) == "several 2 1 + 0")
    }

    @Test("a beacon that was heard once is told of where there is no other") func once() throws {
        var calibration = try Calibration()
        calibration.hear(Shelf.ibeacon(1), [-62])
        #expect(summary(calibration) == "1: -62 too_few")
    }

    @Test("a name picks one, however strong others are") func named() throws {
        var calibration = try Calibration("--minor", "2")
        calibration.hear(Shelf.ibeacon(1), steady(-40, 40))
        #expect(summary(calibration) == "nothing")
        #expect(calibration.others == 40)
        calibration.hear(Shelf.ibeacon(2), steady(-80, 40))
        #expect(summary(calibration) == "2: -80 good")
    }

    @Test("a part of a name leaves those that have it") func partlyNamed() throws {
        var calibration = try Calibration("--uuid", Shelf.uuid.uppercased())
        calibration.hear(Shelf.ibeacon(1), steady(-62, 40))
        calibration.hear(Shelf.ibeacon(2), steady(-62, 40))
        #expect(summary(calibration) == "several 1 2 + 0")
    }

    @Test("what free space takes is added at another distance") func distance() throws {
        var calibration = try Calibration("--distance", "2m")
        calibration.hear(Shelf.ibeacon(1), steady(-62, 40))
        #expect(summary(calibration) == "1: -56 good")
    }

    @Test("an advert without a signal strength is counted and not averaged") func unmeasured() throws {
        var calibration = try Calibration()
        calibration.hear(Shelf.ibeacon(1), [nil, nil])
        #expect(summary(calibration) == "nothing" && calibration.unmeasured == 2)
    }

    @Test("a flood of beacons is bounded, and what goes beyond is counted") func flood() throws {
        var calibration = try Calibration()
        for minor in 0..<UInt16(Calibration.limit + 5) { calibration.hear(Shelf.ibeacon(minor), [-60, -60, -60]) }
        #expect(calibration.count == Calibration.limit && calibration.unheeded == 15)
        #expect(summary(calibration) == "several 0 1 2 3 4 5 6 7 8 9 + 990")
    }

    @Test("every format can be named, and a URL as text whatever its spelling on air") func formats() throws {
        let uid = try #require(Shelf.uid())
        let url = try #require(try Shelf.url("https://example.com/"))
        // The same in full: 3 is https://, and nothing is abbreviated.
        let spelled = try #require(BeaconIdentity.eddystoneURL(encoded: [3] + Array("example.com/".utf8)))
        let names: [(arguments: [String], count: Int)] = [
            (["--namespace", "00112233445566778899"], 1), (["--instance", "0A0B0C0D0E0F"], 1),
            (["--url", "https://example.com/"], 2), (["--format", "altbeacon"], 0), (["--format", "ibeacon"], 1),
            ([], 4),
        ]
        for (arguments, count) in names {
            let line = try CommandLineOptions(arguments, options: WantedBeacon.options)
            let wanted = try WantedBeacon(line)
            #expect([uid, url, spelled, Shelf.ibeacon(1)].filter(wanted.matches).count == count, "\(arguments)")
            #expect(wanted.isAny == arguments.isEmpty)
        }
    }

    @Test(
        "a command line that makes no sense is told why",
        arguments: [
            (["--distance", "11m"], "--distance is 0.1m…10m, not '11m'"),
            (["--distance", "0.09"], "--distance is 0.1m…10m, not '0.09'"),
            (["--distance", "1.234m"], "--distance is 0.1m…10m, not '1.234m'"),
            (["--distance", "nan"], "--distance is 0.1m…10m, not 'nan'"),
            (["--distance", "m"], "--distance is 0.1m…10m, not 'm'"),
            (["--seconds", "4"], "--seconds is 5…600, not '4'"),
            (["--seconds", "601"], "--seconds is 5…600, not '601'"),
            (["--seconds", "30s"], "--seconds is 5…600, not '30s'"),
            (["--uuid", "39ed"], "--uuid is 32 hexadecimal digits, not '39ed'"),
            (["--major", "70000"], "--major is 0…65535, not '70000'"),
            (["--minor", ""], "--minor is 0…65535, not ''"),
            (["--namespace", "00"], "--namespace is 20 hexadecimal digits, not '00'"),
            (["--instance", "x\u{1B}"], "--instance is 12 hexadecimal digits, not 'x\\u{1B}'"),
            (["--url", "example.com"], "--url begins with http:// or https://, and not as 'example.com'"),
            (
                ["--minor", "1", "--url", "http://a"],
                "--minor and --url are of two formats, of which a beacon has one"
            ),
            (
                ["--format", "iBeacon"],
                "--format is ibeacon, altbeacon, eddystone-uid or eddystone-url, not 'iBeacon'"
            ),
            (["--format", "ibeacon", "--url", "http://a"], "a beacon of format ibeacon has no --url"),
            (["now"], "unexpected 'now'"),
        ])
    func misuse(arguments: [String], sentence: String) throws {
        let options =
            ["distance", "seconds"].map { CommandLineOption($0, takesValue: true) } + WantedBeacon.options
        let line = try CommandLineOptions(arguments, options: options)
        #expect(throws: LineMisuse(sentence: sentence)) { try CalibrateCommand.request(line) }
    }

    @Test("on a terminal one line is written over each second, elsewhere there is a line each ten")
    func progress() throws {
        var calibration = try Calibration("--seconds", "21")
        var terminal = CalibrationProgress(isTerminal: true)
        #expect(terminal.text(after: 0, calibration) == nil && terminal.ending.isEmpty)
        #expect(terminal.text(after: 1, calibration) == "\r20 s left, nothing heard yet\u{1B}[K")
        #expect(terminal.text(after: 1, calibration) == nil)
        calibration.hear(Shelf.ibeacon(1), [-62])
        #expect(terminal.text(after: 3, calibration) == "\r18 s left, 1 advert, median -62 dBm\u{1B}[K")
        calibration.hear(Shelf.ibeacon(1), [-61, -62, -61])
        calibration.hear(Shelf.ibeacon(2), [-61])
        #expect(
            terminal.text(after: 20, calibration)
                == "\r1 s left, 2 beacons; the strongest: 4 adverts, median -61.5 dBm\u{1B}[K")
        #expect(terminal.text(after: 21, calibration) == nil && terminal.ending == "\r\u{1B}[K")
        var file = CalibrationProgress(isTerminal: false)
        let lines = (0...21).compactMap { file.text(after: $0, calibration) }
        #expect(
            lines == [
                "beacond calibrate: 11 s left, 2 beacons; the strongest: 4 adverts, median -61.5 dBm\n",
                "beacond calibrate: 1 s left, 2 beacons; the strongest: 4 adverts, median -61.5 dBm\n",
            ])
        #expect(file.ending.isEmpty)
    }
}
