import Foundation
import Testing

@testable import beacon_bench

/// What is claimed of our distances, held against the recordings in the repository.
@Suite("distances on the recordings")
struct DistanceRecordingTests {
    private static let recordings: Result<[Recording], any Error> = Result {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Recordings")
        var reader = RecordingReader()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        where name.hasSuffix(".csv") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            try reader.read(text, name: String(name.dropLast(4)))
        }
        return reader.recordings
    }

    /// `beacon-bench distance Tests/Recordings/*.csv`
    private static let report = recordings.map { DistanceReport($0) }

    private func row(_ name: String) throws -> DistanceReport.Row {
        try #require(try Self.report.get().rows.first { $0.estimator.name == name })
    }

    @Test("ours errs less than every published estimator and than always saying two metres") func error() throws {
        let ours = try row("ours").mean.error
        for other in try Self.report.get().rows where other.estimator.isPublished || other.estimator.law == nil {
            #expect(ours < other.mean.error, "\(other.estimator.name)")
        }
    }

    @Test("ours orders distances no worse than the best published estimator") func order() throws {
        let ours = try #require(try row("ours").mean.ordering)
        for other in try Self.report.get().rows where other.estimator.isPublished {
            let theirs = try #require(other.mean.ordering)
            #expect(ours >= theirs, "\(other.estimator.name)")
        }
    }

    @Test("our 80 % interval holds the truth 75–90 % of the time") func coverage() throws {
        let covered = try #require(try row("ours").mean.coverage)
        #expect((0.75...0.9).contains(covered))
    }

    @Test("a still beacon changes its class less than once a minute, at every place") func changes() throws {
        for score in try row("ours").scores { #expect(score.changes < 1) }
    }

    @Test("the interval covers what it claims on recordings that had no part in choosing its width") func heldOut()
        throws
    {
        let heldOut = HeldOut(try Self.recordings.get())
        #expect(heldOut.rows.count == 8)
        #expect((0.75...0.9).contains(heldOut.coverage), "\(heldOut.coverage)")
        // What is chosen depends on what is left out, or nothing was.
        #expect(Set(heldOut.rows.map(\.placeDeviation)).count > 1)
    }
}
