internal import Agent
internal import Presence
internal import System

/// A radio that listens for `beacond calibrate`, until its time is over or a person has seen enough.
///
/// It has no broker, no state folder and nothing on air.
final class CalibrationListener {
    private enum Token {
        static let radio: UInt64 = 1
        static let signals: UInt64 = 2
    }

    /// How long the radio may take until it listens: two attempts of a command that is not answered take four seconds,
    /// after which the session says so itself.
    static let patience: Int64 = 10_000_000_000
    /// The radio has so long to fall silent at the end.
    private static let stopLimit: Int64 = 2_000_000_000
    private static let second: Int64 = 1_000_000_000

    /// What was heard.
    private(set) var calibration: Calibration
    private let radio: RadioLink
    private let adapter: String
    private var progress: CalibrationProgress
    private var poller: Poller
    private let signals: Signals
    private var startedAt: Int64?
    private var isInterrupted = false
    private var isStopping = false
    /// Why nothing can be heard.
    private var blindness: String?

    init(
        _ calibration: Calibration, tuning: RadioTuning, progress: CalibrationProgress, signals: consuming Signals
    ) throws(SystemError) {
        self.calibration = calibration
        self.progress = progress
        self.signals = signals
        adapter = tuning.adapter
        radio = RadioLink(tuning, entropy: randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) })
        poller = try Poller()
        try poller.add(self.signals.number, token: Token.signals, .readable)
    }

    /// Listens. Returns for how many seconds, or why it could not.
    func run() throws(SystemError) -> Result<Double, Unavailable> {
        let beganAt = MonotonicClock.nanoseconds
        var now = beganAt
        while !isInterrupted {
            now = MonotonicClock.nanoseconds
            if let startedAt {
                if now - startedAt >= Int64(calibration.request.seconds) * Self.second { break }
                let seconds = Int((now - startedAt) / Self.second)
                if let text = progress.text(after: seconds, calibration) { StandardError.write(text) }
            } else if let blindness {
                return .failure(Unavailable(text: blindness))
            } else if now - beganAt >= Self.patience {
                return .failure(Unavailable(text: "the controller at \(adapter) does not listen"))
            }
            try wait(until: (startedAt.map { $0 + (now - $0) / Self.second * Self.second } ?? now) + Self.second)
        }
        let heardFor = startedAt.map { Double(now - $0) / Double(Self.second) }
        StandardError.write(progress.ending)
        try stop()
        guard let heardFor else { return .failure(Unavailable(text: "ended before the controller listened")) }
        if let blindness, calibration.count == 0 { return .failure(Unavailable(text: blindness)) }
        return .success(heardFor)
    }

    /// Why the radio could not be used; a sentence without its end.
    struct Unavailable: Error {
        var text: String
    }

    private func wait(until due: Int64) throws(SystemError) {
        let left = min(due, radio.nextDeadline ?? .max) - MonotonicClock.nanoseconds
        var seenRadio: Readiness = []
        var seenSignals = false
        try poller.wait(milliseconds: left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)) { token, seen in
            if token == Token.radio { seenRadio = seen } else { seenSignals = true }
        }
        let now = MonotonicClock.nanoseconds
        if !seenRadio.isEmpty {
            radio.ready(seenRadio, now: now, poller: &poller, token: Token.radio) { heard in
                if case .sighting(let sighting) = heard { calibration.hear(sighting) }
            }
        }
        radio.tick(now: now, poller: &poller, token: Token.radio)
        if seenSignals { while signals.next() != nil { isInterrupted = true } }
        afterRadio(now)
    }

    /// A radio that is lost on the way is tried again by itself, and what was heard before counts.
    private func afterRadio(_ now: Int64) {
        for report in radio.reports {
            switch report {
            case .listening:
                blindness = nil
                if startedAt == nil {
                    startedAt = now
                    StandardError.write(
                        "beacond calibrate: listening for \(calibration.request.seconds) s at \(adapter); "
                            + "Ctrl-C ends it early\n")
                }
            case .blind(_, _, let text), .recovering(_, _, let text):
                if startedAt != nil, blindness == nil, !isStopping {
                    StandardError.write("\(progress.ending)beacond calibrate: \(text); trying again\n")
                }
                blindness = text
            case .paused, .missed, .advertising, .noted: break
            }
        }
        radio.reports.removeAll()
    }

    private func stop() throws(SystemError) {
        isStopping = true
        let end = MonotonicClock.nanoseconds + Self.stopLimit
        radio.stop(now: MonotonicClock.nanoseconds)
        while !radio.isStopped && MonotonicClock.nanoseconds < end {
            try wait(until: MonotonicClock.nanoseconds + 20_000_000)
        }
    }
}
