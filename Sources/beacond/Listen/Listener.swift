internal import Agent
internal import HCI
internal import System

/// What a command does while a `Listener` listens for it.
protocol ListeningCommand: AnyObject {
    /// The command's name, for what is said about the radio.
    var name: String { get }
    /// The radio does what it is to, for the first time; `name` is "hci0", or the address of a byte stream.
    func began(at now: Int64, on name: String)
    /// An advert told something.
    func heard(_ heard: Heard, in report: AdvertisingReport, at now: Int64)
    /// What the radio says of itself, everything.
    func reported(_ report: RadioReport)
    /// A sentence about the radio, for a person, without its end.
    func said(_ sentence: String)
    /// Somebody typed.
    func typed(_ bytes: [UInt8])
    /// Time passed, once `began` was called. Returns when this is to be called again at the latest; nil when the
    /// command has seen enough.
    func turn(at now: Int64) -> Int64?
}

extension ListeningCommand {
    func heard(_ heard: Heard, in report: AdvertisingReport, at now: Int64) {}
    func reported(_ report: RadioReport) {}
    func said(_ sentence: String) { StandardError.write("beacond \(name): \(sentence)\n") }
    func typed(_ bytes: [UInt8]) {}
}

/// A radio that listens for one command, until that has seen enough or a signal ends it.
///
/// It has no broker and no state folder.
final class Listener {
    private enum Token {
        static let radio: UInt64 = 1
        static let signals: UInt64 = 2
        static let keyboard: UInt64 = 3
    }

    /// How long the radio may take until it listens: two attempts of a command that is not answered take four seconds,
    /// after which the session says so itself.
    static let patience: Int64 = 10_000_000_000
    /// The radio has so long to fall silent at the end.
    private static let stopLimit: Int64 = 2_000_000_000

    /// Why the radio could not be used; a sentence without its end.
    struct Unavailable: Error {
        var text: String
    }

    /// The radio, for its counters and its tap.
    let radio: RadioLink
    private let adapter: String
    private let keyboard: Int32?
    private var poller: Poller
    private let signals: Signals
    private var startedAt: Int64?
    private var hasHeard = false
    private var isInterrupted = false
    private var isStopping = false
    /// Why nothing can be heard.
    private var blindness: String?
    /// Whether that is only that the kernel is not done with the adapter yet.
    private var isStarting = false

    /// Makes one; `keyboard` is the descriptor of a terminal at which somebody types.
    init(_ tuning: RadioTuning, keyboard: Int32? = nil, signals: consuming Signals) throws(SystemError) {
        self.signals = signals
        self.keyboard = keyboard
        adapter = tuning.adapter
        radio = RadioLink(tuning, entropy: randomNumber(), host: LinuxBluetooth())
        poller = try Poller()
        try poller.add(self.signals.number, token: Token.signals, .readable)
        if let keyboard { try poller.add(keyboard, token: Token.keyboard, .readable) }
    }

    /// Listens. Returns for how many seconds, or why it could not.
    func run(_ command: some ListeningCommand) throws(SystemError) -> Result<Double, Unavailable> {
        let beganAt = MonotonicClock.nanoseconds
        var now = beganAt
        while !isInterrupted {
            now = MonotonicClock.nanoseconds
            var due = now + 1_000_000_000
            if startedAt != nil {
                guard let next = command.turn(at: now) else { break }
                due = next
            } else if let blindness, !isStarting {
                return .failure(Unavailable(text: blindness))
            } else if now - beganAt >= Self.patience {
                return .failure(Unavailable(text: blindness ?? "the controller at \(adapter) does not listen"))
            }
            try wait(until: due, command)
        }
        let heardFor = startedAt.map { Double(now - $0) / 1e9 }
        try stop(command)
        guard let heardFor else { return .failure(Unavailable(text: "ended before the controller listened")) }
        if let blindness, !hasHeard { return .failure(Unavailable(text: blindness)) }
        return .success(heardFor)
    }

    private func wait(until due: Int64, _ command: some ListeningCommand) throws(SystemError) {
        let left = min(due, radio.nextDeadline ?? .max) - MonotonicClock.nanoseconds
        var seenRadio: [(token: UInt64, Readiness)] = []
        var (seenSignals, seenKeyboard) = (false, false)
        try poller.wait(milliseconds: left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)) { token, seen in
            switch token {
            case Token.signals: seenSignals = true
            case Token.keyboard: seenKeyboard = true
            default: seenRadio.append((token, seen))
            }
        }
        let now = MonotonicClock.nanoseconds
        for (token, seen) in seenRadio {
            radio.ready(seen, now: now, token: token) { heard, report in
                hasHeard = true
                command.heard(heard, in: report, at: now)
            }
        }
        radio.tick(now: now, poller: &poller, token: Token.radio)
        if seenSignals { while signals.next() != nil { isInterrupted = true } }
        if seenKeyboard { readKeyboard(command) }
        afterRadio(now, command)
    }

    private func readKeyboard(_ command: some ListeningCommand) {
        guard let keyboard else { return }
        let bytes = Terminal.typed(at: keyboard)
        // The end of a terminal: it was closed.
        if bytes.isEmpty { isInterrupted = true } else { command.typed(bytes) }
    }

    /// A radio that is lost on the way is tried again by itself, and what was heard before counts.
    private func afterRadio(_ now: Int64, _ command: some ListeningCommand) {
        let reports = radio.reports
        radio.reports.removeAll(keepingCapacity: true)
        for report in reports {
            switch report {
            case .listening:
                blindness = nil
                if startedAt == nil {
                    startedAt = now
                    command.began(at: now, on: radio.name)
                }
            case .blind(_, let cause, let text):
                isStarting = cause == AdapterProblem.starting(name: "").cause
                if startedAt != nil, blindness == nil, !isStopping { command.said("\(text); trying again") }
                blindness = text
            case .noted(let text): if !isStopping { command.said(text) }
            case .paused, .missed, .filtered, .advertising, .recovering: break
            }
            command.reported(report)
        }
    }

    private func stop(_ command: some ListeningCommand) throws(SystemError) {
        isStopping = true
        let end = MonotonicClock.nanoseconds + Self.stopLimit
        radio.stop(now: MonotonicClock.nanoseconds)
        while !radio.isStopped && MonotonicClock.nanoseconds < end {
            try wait(until: MonotonicClock.nanoseconds + 20_000_000, command)
        }
    }
}
