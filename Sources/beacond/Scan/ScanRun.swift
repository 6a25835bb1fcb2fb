internal import Agent
internal import Beacon
internal import HCI
internal import JSON
internal import Presence
internal import System

/// What `beacond scan` was asked for.
struct ScanRequest: Equatable {
    /// How what was heard is told.
    enum Output: Equatable {
        /// On a screen that is drawn again and again.
        case screen
        /// A line for each new beacon, and a table in the end.
        case lines
        /// A line of JSON for each beacon, each interval.
        case json
    }

    var output = Output.lines
    /// After how many seconds it ends by itself.
    var seconds: Int?
    /// How often the table, or the JSON, is printed.
    var interval: Duration?
    var filter = ""
    var format: BeaconFormat?
    var order = ScanOrder()
    /// Whether scan responses are asked for.
    var isActive = false
    /// Whether the coded PHY is listened on too.
    var isCoded = false
}

/// A scan under way.
final class ScanRun: ListeningCommand {
    private static let second: Int64 = 1_000_000_000
    /// From one drawing to the next, in nanoseconds: four a second where somebody types, else two.
    private static let drawingAfterKey: Int64 = 250_000_000
    private static let drawing: Int64 = 500_000_000

    let name = "scan"
    private let request: ScanRequest
    private var adapter: String
    private let look: TerminalLook
    private var beacons: ScannedBeacons
    private var total: AdvertRate
    private var view = ScanView()
    private var json = JSONWriter()
    private var trouble: String?
    private var startedAt: Int64?
    private var drawnAt: Int64 = 0
    private var toldAt: Int64 = 0
    private var tidiedAt: Int64 = 0
    private var hasTyped = false
    private var isOver = false

    init(_ request: ScanRequest, adapter: String, look: TerminalLook, beacons: ScannedBeacons) {
        self.request = request
        self.adapter = adapter
        self.look = look
        self.beacons = beacons
        total = AdvertRate(from: Instant(nanoseconds: 0))
        view.order = request.order
        view.filter = request.filter
    }

    // MARK: - What the listener says

    func began(at now: Int64) {
        startedAt = now
        total = AdvertRate(from: Instant(nanoseconds: now))
        (toldAt, tidiedAt) = (now, now)
        guard request.output == .screen else {
            let time = request.seconds.map { " for \($0) s" } ?? ""
            said("listening\(time) at \(adapter); Ctrl-C ends it")
            return
        }
        do throws(SystemError) {
            try Terminal.takeOver()
        } catch {
            said("\(error)")
            isOver = true
        }
    }

    func heard(_ heard: Heard, in report: AdvertisingReport, at now: Int64) {
        let instant = Instant(nanoseconds: now)
        let before = beacons.adverts
        let new = beacons.hear(heard, in: report, at: instant)
        if beacons.adverts > before { total.count(at: instant) }
        guard let new, request.output == .lines, isWanted(new) else { return }
        let strength = new.rssi.map { "\(decimal($0, 0)) dBm" } ?? "strength unknown"
        print("heard \(new.identity.format.name) \(new.name)  \(new.address)  \(strength)\n")
    }

    func reported(_ report: RadioReport) {
        guard case .listening(let listening) = report else { return }
        trouble = nil
        adapter = listening.description
    }

    func said(_ sentence: String) {
        if request.output == .screen, startedAt != nil, !isOver {
            trouble = sentence
        } else {
            StandardError.write("beacond scan: \(sentence)\n")
        }
    }

    func typed(_ bytes: [UInt8]) {
        view.type(bytes)
        hasTyped = true
        if view.isOver { isOver = true }
    }

    func turn(at now: Int64) -> Int64? {
        guard !isOver, let startedAt else { return nil }
        var due = now + Self.second
        if let seconds = request.seconds {
            let end = startedAt + Int64(seconds) * Self.second
            if now >= end { return nil }
            due = min(due, end)
        }
        if now - tidiedAt >= Self.second {
            tidiedAt = now
            beacons.forgetAddresses(at: Instant(nanoseconds: now))
        }
        switch request.output {
        case .screen: due = min(due, draw(at: now))
        case .lines:
            if let interval = request.interval { due = min(due, tell(each: interval, at: now)) }
        case .json: due = min(due, tell(each: request.interval ?? .seconds(1), at: now))
        }
        return isOver ? nil : due
    }

    // MARK: - Telling

    private func draw(at now: Int64) -> Int64 {
        let pause = hasTyped ? Self.drawingAfterKey : Self.drawing
        if now - drawnAt < pause { return drawnAt + pause }
        drawnAt = now
        hasTyped = false
        // Asked each time: a window that changed its size is drawn right the next time, without a signal.
        let size = Terminal.size(of: 1) ?? Terminal.Size(rows: 24, columns: 80)
        let screen = ScanScreen(size: size, hasColours: look.hasColours, hasUnicode: look.hasUnicode)
        print(ScanScreen.drawing(screen.lines(scene(at: now), &view)))
        return now + pause
    }

    private func scene(at now: Int64) -> ScanScreen.Scene {
        let instant = Instant(nanoseconds: now)
        return ScanScreen.Scene(
            adapter: adapter, seconds: (now - (startedAt ?? now)) / Self.second, beacons: beacons.count,
            rate: total.perSecond(at: instant), forgotten: beacons.forgotten, trouble: trouble,
            rows: beacons.rows(at: instant).filter { isWanted($0, byText: false) })
    }

    private func tell(each interval: Duration, at now: Int64) -> Int64 {
        let length = Span(interval).nanoseconds
        if now - toldAt < length { return toldAt + length }
        // In step with the start, whatever a turn takes.
        toldAt += (now - toldAt) / length * length
        tell(at: now)
        return toldAt + length
    }

    private func tell(at now: Int64) {
        let instant = Instant(nanoseconds: now)
        if request.output == .json {
            let heard = beacons.rowsHeardSince(at: instant).filter { isWanted($0.row) }
            // By what they are, so that the order is always the same.
            let sorted = heard.sorted {
                ($0.row.identity, $0.row.address.bits) < ($1.row.identity, $1.row.address.bits)
            }
            let wall = WallClock.nanoseconds
            json.reset()
            for (row, adverts) in sorted { row.write(adverts: adverts, time: wall, to: &json) }
            if !json.bytes.isEmpty, !StandardOutput.write(json.bytes) { isOver = true }
        } else {
            let table = table(at: now)
            if !table.isEmpty { print(table + "\n") }
        }
    }

    /// The table of all beacons; empty where there are none.
    private func table(at now: Int64) -> String {
        let width = look.isDrawable ? Terminal.size(of: 1)?.columns : nil
        let rows = beacons.rows(at: Instant(nanoseconds: now)).filter { isWanted($0) }
        if rows.isEmpty { return "" }
        // A file keeps what a terminal may not show.
        let table = ScanTable(width: width, hasUnicode: look.hasUnicode || !look.isDrawable)
        return table.lines(view.order.sorted(rows)).map { "\($0)\n" }.joined()
    }

    private func print(_ text: String) {
        if !StandardOutput.write(Array(text.utf8)) { isOver = true }
    }

    private func isWanted(_ row: ScanRow, byText: Bool = true) -> Bool {
        (request.format.map { $0 == row.identity.format } ?? true) && (!byText || row.matches(view.filter))
    }

    /// The last words, and the terminal as it was.
    func finish(at now: Int64) {
        Terminal.restore()
        isOver = true
        guard let startedAt else { return }
        if request.output == .json {
            tell(at: now)
        } else {
            print(table(at: now))
        }
        let seconds = decimal(Double(now - startedAt) / 1e9, 0)
        var parts = [
            "\(counted(beacons.count, "beacon")), \(counted(Int(beacons.adverts), "advert")) in \(seconds) s"
        ]
        if beacons.forgotten > 0 {
            parts.append("\(counted(Int(beacons.forgotten), "beacon")) forgotten to make room")
        }
        if let trouble { parts.append(trouble) }
        said(parts.joined(separator: "; "))
    }
}
