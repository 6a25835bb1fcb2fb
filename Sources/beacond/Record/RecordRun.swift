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
    private let adapter: String
    private let isTerminal: Bool
    private let makeFile: () throws(SystemError) -> CaptureFile
    private var file: CaptureFile?
    private var startedAt: Int64?
    private var adverts = 0
    private var hasProgress = false
    private var isOver = false

    /// Makes one. The file is made with the first packet: a radio that is not there leaves none behind.
    init(
        _ request: RecordRequest, adapter: String, isTerminal: Bool,
        makeFile: @escaping () throws(SystemError) -> CaptureFile
    ) {
        self.request = request
        self.adapter = adapter
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

    func began(at now: Int64) {
        startedAt = now
        let time = request.seconds.map { " for \($0) s" } ?? ""
        said("recording\(time) at \(adapter), \(ByteCount.text(request.size)) at most; Ctrl-C ends it")
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
        // Once a second at least, so that somebody who follows the file sees it grow.
        attempt { () throws(SystemError) in try file?.flush(everything: true) }
        if isTerminal, seconds > 0 {
            StandardError.write("\r\(seconds) s, \(summary)\u{1B}[K")
            hasProgress = true
        }
        return isOver ? nil : startedAt + (seconds + 1) * Self.second
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

/// Bytes for people: 10 MB, in thousands.
enum ByteCount {
    static func text(_ count: Int) -> String {
        switch count {
        case ..<1000: "\(count) bytes"
        case ..<1_000_000: "\(decimal(Double(count) / 1e3, 1)) kB"
        case ..<1_000_000_000: "\(decimal(Double(count) / 1e6, 1)) MB"
        default: "\(decimal(Double(count) / 1e9, 1)) GB"
        }
    }

    /// Reads `500k`, `10M`, `2G` or a plain number, in thousands; nil for anything else.
    static func read(_ text: String) -> Int? {
        let units: [(Character, Int)] = [("k", 1000), ("M", 1_000_000), ("G", 1_000_000_000)]
        let unit = units.first { $0.0 == text.last }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard (1...12).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(digits)
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        return overflow ? nil : product
    }
}
