/// What a person sees while `beacond calibrate` listens.
struct CalibrationProgress {
    /// Seconds from one line to the next where they are kept, as in a file.
    static let sparseStep = 10

    /// Whether a line may be written over: on a terminal.
    let isTerminal: Bool
    private var said = 0

    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    /// What to write after so many seconds; nil if nothing.
    mutating func text(after seconds: Int, _ calibration: Calibration) -> String? {
        let step = isTerminal ? 1 : Self.sparseStep
        let left = calibration.request.seconds - seconds
        guard seconds >= said + step, left > 0 else { return nil }
        said = seconds - seconds % step
        let line = "\(left) s left, \(Self.heard(calibration))"
        // To the start of the line, and what was there is erased (ECMA-48, EL).
        return isTerminal ? "\r\(line)\u{1B}[K" : "beacond calibrate: \(line)\n"
    }

    /// What takes the last line away again.
    var ending: String { isTerminal && said > 0 ? "\r\u{1B}[K" : "" }

    private static func heard(_ calibration: Calibration) -> String {
        guard let first = calibration.ranking.first else { return "nothing heard yet" }
        let adverts = counted(first.measurement.samples, "advert")
        let sum = "\(adverts), median \(decimal(first.median, 1)) dBm"
        return calibration.count == 1 ? sum : "\(calibration.count) beacons; the strongest: \(sum)"
    }
}
