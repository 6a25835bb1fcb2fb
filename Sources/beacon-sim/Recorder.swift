import HCI
import System

/// What one host hears of a store, in virtual time, as a btsnoop capture: no socket, no waiting.
///
/// The host is switched on, asks for adverts and scans from the first moment to the last. The same scenario and the
/// same options give the same bytes.
final class Recorder {
    /// How much is gathered before it is written, bytes.
    private static let chunk = 64 * 1024

    private let scenario: Scenario
    private let recording: Options.Recording
    private let file: Descriptor
    private var link: Link
    private var truth: TruthLog
    private var output = Output()
    private var failure: SystemError?

    /// What was heard and not yet written, and the books.
    private struct Output {
        var bytes = BtsnoopWriter.header
        var written: UInt64 = 0
        var ledger = Ledger()
        /// Nanoseconds since 1970 at which the store opens.
        var start: Int64 = 0
        /// Nanoseconds since then.
        var now: Int64 = 0

        mutating func record(_ packet: [UInt8], _ direction: CaptureDirection) {
            BtsnoopWriter.append(packet, direction: direction, time: start + now, to: &bytes)
        }
    }

    init(
        _ scenario: Scenario, _ recording: Options.Recording, file: consuming Descriptor, truth: consuming TruthLog
    ) {
        self.scenario = scenario
        self.recording = recording
        self.file = file
        self.truth = truth
        link = Link(scenario)
        output.start = recording.start
    }

    /// Records that many nanoseconds; returns the first failure to write.
    func run(_ length: Int64) -> SystemError? {
        truth.began(scenario)
        // Those before it only take their numbers.
        for _ in 0..<recording.host { _ = link.connect() }
        guard let (host, address) = link.connect() else { return nil }
        truth.connected(host, connection: 1, address: address, at: 0)
        let scan = ScanParameters(active: false, interval: recording.interval, window: recording.window)
        for command in [.reset, .setEventMask(0x2000_1FFF_FFFF_FFFF), scan.command, .setScanEnable(true)] {
            send(command, host)
        }
        // Until before the end, so that a recording of 10 s holds the first ten seconds and nothing of the eleventh.
        while let due = link.nextDue, due < length, failure == nil {
            output.now = due
            link.advance(to: due) { take($0) }
            failure = truth.failure
            if output.bytes.count >= Recorder.chunk { flush() }
        }
        output.now = length
        send(.setScanEnable(false), host)
        flush()
        truth.disconnected(host, connection: 1, ledger: output.ledger, beacons: scenario.beacons, at: length)
        truth.ended(longestSlip: 0, skipped: 0, at: length)
        return failure ?? truth.failure
    }

    private func send(_ command: Command, _ host: Int) {
        output.record(command.bytes, .sent)
        link.receive(command, from: host, now: output.now) { take($0) }
    }

    private func take(_ event: LinkEvent) {
        switch event {
        case .reply(_, let bytes): output.record(bytes, .received)
        case .advert(_, let sender, let bytes):
            output.record(bytes, .received)
            output.written += UInt64(bytes.count)
            output.ledger.queued(sender, end: output.written)
            output.ledger.written(output.written, now: output.now)
        case .missed(_, let sender, let miss): output.ledger.missed(sender, miss)
        case .scanning, .entered, .left, .placed, .readdressed, .fault, .unplugged, .plugged:
            truth.note(event, scenario)
        // It advertises nothing.
        case .air: break
        }
    }

    private func flush() {
        guard failure == nil else { return }
        do throws(SystemError) {
            try file.writeAll(output.bytes)
        } catch {
            failure = SystemError(code: error.code, action: "write \(recording.path)")
        }
        output.bytes.removeAll(keepingCapacity: true)
    }
}
