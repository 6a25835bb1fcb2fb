internal import Agent
internal import HCI
internal import JSON
internal import Presence
internal import System

/// One capture on its way through an agent.
///
/// The capture's time is both clocks: monotonic from its first packet on, and the wall. Time never goes back, and a gap
/// that no recording would have is cut short, so that one wrong time stamp does not cost hours of ranging.
///
/// A class because packets are lent by `capture` and reports by `reader` while the agent is at work on them.
final class Replay {
    /// The longest gap that is lived through, in nanoseconds: an hour. In it every region is left.
    private static let longestGap: Int64 = 3600 * 1_000_000_000
    /// How much output is gathered before it is written.
    private static let outputChunk = 64 * 1024

    private var capture: CaptureReader
    private var agent: NodeAgent
    private var reader = AdvertisingReportReader()
    private var counters = Counters()
    private var refusedByCRC: UInt64 = 0
    private var others: UInt64 = 0
    private var skipped: UInt64 = 0
    private var earlier: UInt64 = 0
    private var gaps: UInt64 = 0
    /// Monotonic time of the packet at hand, and the wall time of the one before.
    private var now: Int64 = 0
    private var wall: Int64?
    private var json = JSONWriter()
    private var output: [UInt8] = []
    private var isRead = true

    init(path: String, stack: ConfigurationStack, showsEverything: Bool) throws(SystemError) {
        capture = try CaptureReader(path: path)
        // Fixed ids: the same capture gives the same bytes.
        var start = NodeAgent.Start(
            stack: stack, epoch: 1, boot: String(repeating: "0", count: 32), version: Program.version,
            library: "none")
        start.watchesEverything = showsEverything
        agent = NodeAgent(start, at: Moment(instant: Instant(nanoseconds: 0), wall: 0, isSynchronised: false))
        self.start = start
    }

    private let start: NodeAgent.Start

    /// Runs to the end of the capture, or to where it cannot be read any more. Returns why that is.
    func run() -> CaptureError? {
        var failure: CaptureError?
        do throws(CaptureError) {
            while isRead, try capture.next({ take($0) }) {}
        } catch {
            failure = error
        }
        if wall != nil { perform(agent.finish(counters, at: moment)) }
        flush()
        return failure
    }

    /// What was read, in a line.
    var summary: String {
        var parts = [
            "\(capture.packets) packets", "\(counters.adverts) adverts", "\(counters.scanResponses) scan responses",
        ]
        if refusedByCRC > 0 { parts.append("\(refusedByCRC) refused by CRC") }
        if counters.malformed > 0 { parts.append("\(counters.malformed) malformed") }
        if others > 0 { parts.append("\(others) of other kinds") }
        if skipped > 0 { parts.append("\(skipped) unreadable") }
        if earlier > 0 { parts.append("\(earlier) stamped earlier than one before") }
        if gaps > 0 { parts.append("\(gaps) gaps of more than an hour cut to an hour") }
        return parts.joined(separator: ", ")
    }

    // MARK: - In

    private func take(_ item: CapturedItem<UnsafeRawBufferPointer>) {
        pass(to: item.time)
        switch item.content {
        case .hciEvent(let bytes):
            let faults = reader.read(event: bytes) { report, data in take(report, data) }
            counters.malformed += UInt64(faults.count)
        case .linkLayerAdvert(let report, let data): take(report, data)
        case .crcRefused: refusedByCRC += 1
        case .hciCommand, .hciOther, .linkLayerOther: others += 1
        case .skipped: skipped += 1
        }
    }

    private func take(_ report: AdvertisingReport, _ data: UnsafeRawBufferPointer) {
        if report.isScanResponse { counters.scanResponses += 1 } else { counters.adverts += 1 }
        let malformed = Heard.each(in: data, of: report, now: now) { heard in
            perform(agent.handle(Event(heard), at: moment))
        }
        if !malformed.isEmpty { counters.malformed += 1 }
    }

    /// Lets the time until a packet pass, exits and windows included.
    private func pass(to time: Int64) {
        guard let before = wall else {
            wall = time
            agent = NodeAgent(start, at: moment)
            perform(agent.opening(at: moment))
            perform(agent.handle(.connected(session: "replay"), at: moment))
            perform(
                agent.handle(.radio(.listening(Listening(adapter: "replay", commands: nil, phys: []))), at: moment))
            return
        }
        let (difference, overflow) = time.subtractingReportingOverflow(before)
        if time < before {
            earlier += 1
            perform(agent.handle(.ticked(counters), at: moment))
        } else {
            if difference > Self.longestGap || overflow { gaps += 1 }
            let step = overflow ? Self.longestGap : min(difference, Self.longestGap)
            // Captures may claim any time; at the end of what can be counted it stands still.
            live(until: now > .max - step ? .max : now + step, wall: time)
        }
    }

    /// Lets time pass from one thing that is due to the next: what a gap of an hour gives rise to is printed as it comes,
    /// and not gathered first.
    private func live(until goal: Int64, wall end: Int64) {
        while isRead, case let due = agent.nextDeadline.nanoseconds, due > now, due < goal {
            now = due
            wall = end &- (goal &- due)
            perform(agent.handle(.ticked(counters), at: moment))
        }
        now = goal
        wall = end
        perform(agent.handle(.ticked(counters), at: moment))
    }

    private var moment: Moment {
        // Nobody vouches for the clock that stamped the packets.
        Moment(instant: Instant(nanoseconds: now), wall: wall ?? 0, isSynchronised: false)
    }

    // MARK: - Out

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .publish(let message), .farewell(let message): print(message)
            case .log(let level, let text) where level < .info: StandardError.write("\(level.name): \(text)\n")
            case .log, .store, .tune, .reconnect, .limitQueue: break
            }
        }
    }

    private func print(_ message: Message) {
        json.reset()
        json.object { json in
            json.key("topic")
            json.string(message.topic)
            json.key("qos")
            json.integer(message.qos)
            json.key("retain")
            json.bool(message.retain)
            json.key("payload")
            if message.payload.isEmpty { json.null() } else { json.raw(message.payload) }
        }
        json.newline()
        output += json.bytes
        if output.count >= Self.outputChunk { flush() }
    }

    private func flush() {
        // A reader that went away, as `head` does, has seen enough.
        if !StandardOutput.write(output) { isRead = false }
        output.removeAll(keepingCapacity: true)
    }
}
