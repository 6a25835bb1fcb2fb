internal import Agent
internal import Beacon
internal import HCI
internal import Presence
internal import System
internal import YAML

/// One way through the program, and how far adverts go on it: to sightings, or through an agent to windows.
///
/// A class because packets are lent by one part while another is at work on them, as in the daemon.
final class Passage {
    /// What a pass over the capture gave.
    struct Yield: Equatable {
        var adverts = 0
        var sightings = 0
        /// Bytes of all payloads.
        var payload = 0
    }

    /// Where the adverts go; nil for decoding alone.
    private var agent: NodeAgent?
    private let hasAgent: Bool
    private var reader = AdvertisingReportReader()
    private var yield = Yield()
    private var counters = Counters()
    /// The first packet's time, and the time at which the next pass begins, so that time never goes back.
    private var start: Int64?
    private var base: Int64 = 0
    private var now: Int64 = 0
    private var nextTick: Int64 = 0

    /// The daemon looks at its sockets and lets time pass so often, in nanoseconds.
    private static let tick: Int64 = 20_000_000
    /// Between the end of a capture and its beginning anew, in nanoseconds.
    static let pause: Int64 = 1_000_000

    /// Decoding alone.
    init() { hasAgent = false }

    /// Through an agent that watches regions of these prefixes, of iBeacons or AltBeacons.
    init(regions: [BeaconIdentity], beacons: Int, watchesEverything: Bool) throws {
        hasAgent = true
        let text = Self.configuration(regions, beacons: beacons)
        let stack = try ConfigurationStack(file: try YAMLNode(reading: Array(text.utf8))) { _ in "sha256:none" }
        var start = NodeAgent.Start(
            stack: stack, epoch: 1, boot: String(repeating: "0", count: 32), version: "bench", library: "none")
        start.watchesEverything = watchesEverything
        var agent = NodeAgent(start, at: moment)
        perform(agent.opening(at: moment))
        perform(agent.handle(.radio(.listening(Listening(adapter: "bench", commands: nil, phys: []))), at: moment))
        self.agent = agent
    }

    /// How much time has passed in it so far, in nanoseconds.
    var time: Int64 { now }

    /// Takes a whole capture; later passes follow it in time.
    func pass(over capture: consuming CaptureReader) throws(CaptureError) -> Yield {
        yield = Yield()
        start = nil
        while try capture.next({ take($0) }) {}
        base = now + Self.pause
        return yield
    }

    private func take(_ item: CapturedItem<UnsafeRawBufferPointer>) {
        let first = start ?? item.time
        start = first
        now = max(now, base + (item.time &- first))
        if now >= nextTick {
            if hasAgent { perform(agent?.handle(.ticked(counters), at: moment) ?? []) }
            nextTick = now + Self.tick
        }
        switch item.content {
        case .hciEvent(let event): reader.read(event: event) { report, data in take(report, data) }
        case .linkLayerAdvert(let report, let data): take(report, data)
        case .hciCommand, .hciOther, .linkLayerOther, .crcRefused, .skipped: break
        }
    }

    private func take(_ report: AdvertisingReport, _ data: UnsafeRawBufferPointer) {
        yield.adverts += 1
        _ = Heard.each(
            in: data, source: report.address.bits, rssi: report.signal, at: Instant(nanoseconds: now)
        ) { heard in
            if case .sighting = heard { yield.sightings += 1 }
            if hasAgent { perform(agent?.handle(Event(heard), at: moment) ?? []) }
        }
    }

    private var moment: Moment {
        Moment(instant: Instant(nanoseconds: now), wall: 1_767_225_600_000_000_000 + now, isSynchronised: true)
    }

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            if case .publish(let message) = effect { yield.payload += message.payload.count }
        }
    }

    private static func configuration(_ regions: [BeaconIdentity], beacons: Int) -> String {
        var text = """
            site: bench
            node: bench
            radio: {adapter: "unix:/dev/null"}
            limits: {beacons: \(max(1, beacons))}
            regions:

            """
        for (number, prefix) in regions.enumerated() {
            text += "  r\(number): {format: \(prefix.format.name), ranging: off"
            if let uuid = prefix.uuid { text += ", uuid: \(uuid)" }
            if let major = prefix.major { text += ", major: \(major)" }
            if let minor = prefix.minor { text += ", minor: \(minor)" }
            text += "}\n"
        }
        return regions.isEmpty ? text.replacingLastLine : text
    }
}

extension String {
    /// Without `regions:`, which needs something below it.
    fileprivate var replacingLastLine: String {
        split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    }
}
