import Foundation
import HCI
import Testing

@testable import beacon_bench

@Suite("beacon-bench throughput")
struct ThroughputTests {
    private let capture = SyntheticCapture(beacons: 50, rounds: 4, interval: 1_000, seed: 1)

    @Test("a made-up capture is the same for the same seed, and every beacon is heard as often as asked for")
    func synthetic() throws {
        #expect(capture.bytes == capture.bytes)
        var other = capture
        other.seed = 2
        #expect(capture.bytes != other.bytes)
        let yield = try Passage().pass(over: CaptureReader(capture.bytes))
        #expect(yield == Passage.Yield(adverts: 200, sightings: 200, payload: 0))
    }

    @Test("as many regions as asked for hold the beacons", arguments: [1, 10, 11, 1_000, 1_001])
    func regions(count: Int) {
        let prefixes = SyntheticCapture.prefixes(count)
        #expect(Set(prefixes).count == count)
        #expect(
            (0..<count).allSatisfy { SyntheticCapture.identity($0).prefix(prefixes[$0].length) == prefixes[$0] })
    }

    @Test("every variant is measured, its windows are written, and no advert is lost on the way")
    func trial() throws {
        let trial = ThroughputTrial(
            capture: .synthetic(capture.bytes), regions: [0, 10, 1_000], beacons: 50, rounds: 3)
        let result = try trial.run()
        #expect(result.adverts == 200 && result.sightings == 200)
        #expect(result.variants.map(\.regions) == [nil, 0, 10, 1_000])
        #expect(result.variants[0].payload == 0)
        #expect(result.ratio ?? 0 >= 1)
        #expect(result.json.hasPrefix(#"{"adverts":200,"sightings":200,"rounds":3,"#))
        #expect(result.table.contains("windows, 1000 regions"))
    }

    @Test("decoding alone has no numbers of regions to compare") func decodingAlone() throws {
        let result = try ThroughputTrial(
            capture: .synthetic(capture.bytes), regions: [], beacons: 50, rounds: 1
        ).run()
        #expect(result.ratio == nil && !result.table.contains("slowest") && result.json.contains(#""ratio":null"#))
    }

    @Test("a made-up capture's file is measured as its bytes are, and its beacons are in the regions")
    func madeUp() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("beacon-bench-\(UUID()).btsnoop")
            .path
        defer { unlink(path) }
        #expect(Throughput.save(capture.bytes, path) == 0)
        let trial = ThroughputTrial(capture: .madeUp(path), regions: [10], beacons: 50, rounds: 1)
        let inMemory = ThroughputTrial(capture: .synthetic(capture.bytes), regions: [10], beacons: 50, rounds: 1)
        let (result, same) = (try trial.run(), try inMemory.run())
        #expect(result.sightings == 200 && result.isMadeUp && result.peakMemory == nil)
        #expect(result.variants.map(\.payload) == same.variants.map(\.payload))
        #expect(try MemoryTrial.measure(path, beacons: 50) ?? 0 > 1_000_000)
    }

    @Test("strangers are sent through each agent that has regions, and none of them is a beacon of its windows")
    func flood() throws {
        let passage = try Passage(regions: SyntheticCapture.prefixes(10), beacons: 50, watchesEverything: false)
        let result = try Flood(strangersAMinute: 600).run(through: passage) { CaptureReader(capture.bytes) }
        #expect(result.strangers == 600 && result.allocations == nil)
        let trial = ThroughputTrial(
            capture: .synthetic(capture.bytes), regions: [0, 10], beacons: 50, rounds: 1, hasFlood: true)
        let table = try trial.run().table
        #expect(table.contains("99960 strangers in a minute, 10 regions: "))
        #expect(!table.contains("minute, 0 regions"))
    }

    @Test("what makes no sense is a mistake of usage, and a capture that is not there one of input")
    func misuse() {
        for arguments in [
            ["--rounds", "0"], ["--regions", "x"], ["--beacons", "-1"], ["--nothing"], ["a", "b"],
            ["--made-up", "a", "b"], ["--memory"],
        ] {
            #expect(Throughput.run(arguments) == 64)
        }
        #expect(Throughput.run(["/nowhere/at/all"]) == 66)
        #expect(Throughput.run(["--help"]) == 0)
    }
}
