internal import Agent
internal import HCI
internal import System

/// A measurement while the radio listens for it.
final class CalibrationRun: ListeningCommand {
    private static let second: Int64 = 1_000_000_000

    let name = "calibrate"
    /// What was heard.
    private(set) var calibration: Calibration
    private let adapter: String
    private var progress: CalibrationProgress
    private var startedAt: Int64 = 0

    init(_ calibration: Calibration, adapter: String, progress: CalibrationProgress) {
        self.calibration = calibration
        self.adapter = adapter
        self.progress = progress
    }

    func began(at now: Int64) {
        startedAt = now
        said("listening for \(calibration.request.seconds) s at \(adapter); Ctrl-C ends it early")
    }

    func heard(_ heard: Heard, in report: AdvertisingReport, at now: Int64) {
        if case .sighting(let sighting) = heard { calibration.hear(sighting) }
    }

    func said(_ sentence: String) { StandardError.write("\(progress.ending)beacond calibrate: \(sentence)\n") }

    func turn(at now: Int64) -> Int64? {
        let seconds = (now - startedAt) / Self.second
        if seconds >= Int64(calibration.request.seconds) { return nil }
        if let text = progress.text(after: Int(seconds), calibration) { StandardError.write(text) }
        return startedAt + (seconds + 1) * Self.second
    }

    /// Takes the line of progress away again.
    func finish() { StandardError.write(progress.ending) }
}
