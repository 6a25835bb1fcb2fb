internal import Agent
internal import HCI
internal import System

/// A recording under way: everything that passes between host and controller.
final class RecordRun: ListeningCommand {
    private static let second: Int64 = 1_000_000_000

    let name = "record"
    /// Why the file could not be written.
    private(set) var failure: SystemError?
    private let request: RecordRequest
    private let isTerminal: Bool
    private let makeFile: () throws(SystemError) -> CaptureFile
    private var file: CaptureFile?
    private var startedAt: Int64?
    private var adverts = 0
    private var hasProgress = false
    /// After how many seconds the rest was written, and the progress told.
    private var toldAfter: Int64 = 0
    private var isOver = false

    /// Makes one. The file is made with the first packet: a radio that is not there leaves none behind.
    init(
        _ request: RecordRequest, isTerminal: Bool,
        makeFile: @escaping () throws(SystemError) -> CaptureFile
    ) {
        self.request = request
        self.isTerminal = isTerminal
        self.makeFile = makeFile
    }

    /// A packet passed between host and controller.
    func carried(_ kind: H4Kind, _ bytes: UnsafeRawBufferPointer, _ direction: CaptureDirection) {
        if isOver { return }
        attempt { () throws(SystemError) in
            if file == nil { file = try makeFile() }
            guard let file else { return }
            file.append(kind, bytes, direction, time: WallClock.nanoseconds)
            try file.flush(everything: false)
            if file.isFull { isOver = true }
        }
    }

    func began(at now: Int64, on name: String) {
        startedAt = now
        let time = request.seconds.map { " for \($0) s" } ?? ""
        said("recording\(time) at \(name), \(ByteCount.text(request.size)) at most; Ctrl-C ends it")
    }

    func heard(_ heard: Heard, in report: AdvertisingReport, at now: Int64) { adverts += 1 }

    func said(_ sentence: String) {
        StandardError.write((hasProgress ? "\r\u{1B}[K" : "") + "beacond record: \(sentence)\n")
        hasProgress = false
    }

    func turn(at now: Int64) -> Int64? {
        guard let startedAt, !isOver else { return nil }
        let seconds = (now - startedAt) / Self.second
        if let limit = request.seconds, seconds >= Int64(limit) { return nil }
        let due = startedAt + (seconds + 1) * Self.second
        if seconds <= toldAfter { return isOver ? nil : due }
        toldAfter = seconds
        // Once a second, so that somebody who follows the file sees it grow.
        attempt { () throws(SystemError) in try file?.flush(everything: true) }
        if isTerminal {
            StandardError.write("\r\(seconds) s, \(summary)\u{1B}[K")
            hasProgress = true
        }
        return isOver ? nil : due
    }

    private var summary: String {
        "\(counted(Int(file?.packets ?? 0), "packet")), \(ByteCount.text(file?.size ?? 0)), "
            + "\(counted(adverts, "advert")) of beacons"
    }

    /// Writes the rest, and says what there is. A reader that went away has seen enough.
    func finish(at now: Int64) {
        if failure == nil { attempt { () throws(SystemError) in try file?.flush(everything: true) } }
        guard let startedAt, failure == nil else { return }
        let end = file?.isFull == true ? "; ended at \(ByteCount.text(request.size))" : ""
        said("\(decimal(Double(now - startedAt) / 1e9, 0)) s, \(summary)\(end)")
    }

    private func attempt(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) { try body() } catch {
            isOver = true
            if !error.isBrokenPipe, failure == nil { failure = error }
        }
    }
}
