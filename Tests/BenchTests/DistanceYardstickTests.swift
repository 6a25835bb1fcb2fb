import Presence
import TestSupport
import Testing

@testable import beacon_bench

@Suite("beacon-bench distance")
struct DistanceYardstickTests {
    private func read(_ text: String) throws -> [Recording] {
        var reader = RecordingReader()
        try reader.read(text, name: "file")
        return reader.recordings
    }

    @Test("columns are found by name, sets and transmitters are told apart") func columns() throws {
        let found = try read(
            """
            rssi,set,note,time_ms,transmitter,distance_m,measured_power
            -60,hall,x,0,a,1.5,-59
            -61,hall,x,100,a,1.5,-59
            -70,hall,x,0,b,1.5,-59
            -80,yard,x,0,a,3,
            """)
        #expect(found.map(\.name) == ["hall", "yard"])
        #expect(found.map(\.publishedPower) == [-59, nil])
        #expect(found[0].tracks.map(\.transmitter) == ["a", "b"])
        #expect(found[0].tracks[0].samples == [.init(time: 0, rssi: -60), .init(time: 100, rssi: -61)])
    }

    @Test("feet and wall times are read as in the PACT data") func pact() throws {
        let found = try read(
            "distance_ft,timestamp,rssi\n10,2020-05-16 10:27:59.900,-47\n10,2020-05-16 10:28:00.1,-48\n")
        #expect(found[0].name == "file")
        #expect(abs(found[0].tracks[0].distance - 3.048) < 1e-12)
        #expect(found[0].tracks[0].samples[1].time - found[0].tracks[0].samples[0].time == 200)
    }

    static let broken: [(text: String, line: Int)] = [
        ("", 1), ("rssi,time_ms\n-60,1\n", 2), ("distance_m,time_ms,rssi\n1,0,-60\n1,5,-200\n", 3),
        ("distance_m,time_ms,rssi\n-1,0,-60\n", 2), ("distance_m,time_ms,rssi\n1,x,-60\n", 2),
        ("distance_m,time_ms,rssi\n1,10,-60\n1,9,-60\n", 3), ("distance_m,time_ms,rssi\nnan,0,-60\n", 2),
        ("distance_m,timestamp,rssi\n1,2020-05,-60\n", 2),
        ("distance_m,time_ms,rssi,measured_power\n1,0,-60,hot\n", 2),
    ]

    @Test("what cannot be read is named with its line", arguments: broken)
    func refused(text: String, line: Int) {
        var reader = RecordingReader()
        do {
            try reader.read(text, name: "file")
            Issue.record("read: \(text)")
        } catch {
            #expect(error.line == line)
        }
    }

    @Test("the measured power is the median nearest to one metre, put there by free space") func power() throws {
        let found = try read("distance_m,time_ms,rssi\n2,0,-66\n2,1,-66\n2,2,-90\n8,0,-50\n")
        #expect(found[0].measuredPower == -60)
        #expect(try read("distance_m,time_ms,rssi,measured_power\n2,0,-66,-70\n")[0].measuredPower == -70)
    }

    /// A signal that follows free space exactly, ten adverts a second.
    private func freeSpace(_ distances: [(Double, Int8)], seconds: Int64 = 30) -> Recording {
        Recording(
            name: "ideal", publishedPower: -60,
            tracks: distances.map { distance, rssi in
                Track(
                    transmitter: "", distance: distance,
                    samples: (0..<seconds * 10).map { Track.Sample(time: $0 * 100, rssi: rssi) })
            })
    }

    @Test("log-distance in free space has no error, the right order and no flicker") func ideal() {
        let estimator = Estimator(name: "", filter: .standard, law: .logDistance, isPublished: true)
        let score = DistanceScore(
            estimator, on: freeSpace([(1, -60), (1.9953, -66), (3.9811, -72), (7.9433, -78)]))
        #expect(score.windows == 12)
        #expect(score.error < 1e-4)
        #expect(score.ordering == 1)
        #expect(score.nearFar == 1)
        #expect(score.changes == 0)
        #expect(score.changesWithoutHysteresis == 0)
        #expect(score.coverage.map { abs($0 - 1) < 1e-9 } == true)
    }

    @Test("the constant is off by the truth's own distance from it, and orders by chance") func constant() {
        let estimator = Estimator(name: "", filter: .none, law: nil, isPublished: false)
        let score = DistanceScore(estimator, on: freeSpace([(1, -60), (2, -66), (4, -72)]))
        #expect(abs(score.error - 2.0 / 3) < 1e-9)
        #expect(score.ordering.map { abs($0 - 0.5) < 1e-9 } == true)
        #expect(score.coverage == nil)
    }

    @Test("one distance has no order: it is left out of the mean, a dash in tables and null in JSON")
    func oneDistance() {
        let one = freeSpace([(2, -66)])
        let estimator = Estimator(name: "", filter: .standard, law: .logDistance, isPublished: true)
        let score = DistanceScore(estimator, on: one)
        #expect(score.windows == 3 && score.ordering == nil)
        let ordered = DistanceScore(estimator, on: freeSpace([(1, -60), (4, -72)]))
        #expect(DistanceScore(meanOf: [score, ordered]).ordering == 1)
        let report = DistanceReport([one])
        #expect(report.json.contains(#""order":null,"#) && !report.json.contains(#""order":0"#))
        let lines = report.text.split(separator: "\n")
        #expect(
            lines.contains { $0.hasPrefix("always 2 m") && $0.contains("   0.000       –  ") }, "\(report.text)")
    }

    @Test("distances count the same, however long was recorded at each") func weights() {
        var recording = freeSpace([(1, -60), (4, -72)], seconds: 100)
        recording.tracks[0].samples.removeLast(900)
        let estimator = Estimator(name: "", filter: .none, law: nil, isPublished: false)
        #expect(abs(DistanceScore(estimator, on: recording).error - 1) < 1e-9)
    }

    @Test("a signal that swings over a bound flickers only without hysteresis") func flicker() {
        var recording = freeSpace([(3, -70)], seconds: 120)
        for index in recording.tracks[0].samples.indices {
            recording.tracks[0].samples[index].rssi = index / 10 % 2 == 0 ? -69 : -70
        }
        let estimator = Estimator(name: "", filter: .none, law: .logDistance, isPublished: true)
        let score = DistanceScore(estimator, on: recording)
        #expect(score.changes == 0)
        #expect(score.changesWithoutHysteresis > 50)
    }

    @Test("a recording with gaps of days and windows of single adverts is judged without trouble") func gaps() {
        let samples: [Track.Sample] = [0, 5, 1 << 40, (1 << 40) + 1].map { Track.Sample(time: $0, rssi: -60) }
        let recording = Recording(
            name: "gaps", publishedPower: nil, tracks: [Track(transmitter: "", distance: 2, samples: samples)])
        for estimator in Estimator.all {
            let score = DistanceScore(estimator, on: recording)
            #expect(score.windows == 0)
            #expect(score.error == 0)
        }
        #expect(DistanceReport([recording]).json.hasPrefix(#"{"sets":[{"set":"gaps","measured_power":-54"#))
        #expect(DistanceReport([]).text.contains("always 2 m"))
    }

    @Test("exit codes tell usage, data and absence apart") func exitCodes() throws {
        let folder = try TemporaryFolder()
        #expect(DistanceYardstick.run(["--help"]) == 0)
        #expect(DistanceYardstick.run([]) == 64)
        #expect(DistanceYardstick.run(["--loud"]) == 64)
        #expect(DistanceYardstick.run([folder.path + "/absent.csv"]) == 66)
        #expect(DistanceYardstick.run([folder.path]) == 66)
    }
}
