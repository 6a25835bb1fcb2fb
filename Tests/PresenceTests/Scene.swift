import Beacon

@testable import Presence

/// An engine, the time in milliseconds, and what it has said so far as lines of text.
final class Scene {
    static let uuid = UUID128(high: 0x39ED_98FF_2900_441A, low: 0x802F_9C39_8FC1_99D2)

    var engine: PresenceEngine
    private var lines: [String] = []

    init(
        _ configuration: PresenceConfiguration, hearing: Bool = true, at start: Int64 = 0, epoch: UInt64 = 1,
        continuing: [OpenVisit] = []
    ) {
        engine = PresenceEngine(
            configuration, at: Self.instant(start), hearing: hearing, epoch: epoch, continuing: continuing)
        record()
    }

    /// With windows long enough to stay out of the way.
    convenience init(_ regions: Region..., hearing: Bool = true) {
        self.init(PresenceConfiguration(regions: regions, windowLength: .seconds(3_600)), hearing: hearing)
    }

    static func instant(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    static func beacon(_ major: UInt16, _ minor: UInt16) -> BeaconIdentity {
        .ibeacon(uuid: uuid, major: major, minor: minor)
    }

    @discardableResult
    func hear(
        _ major: UInt16, _ minor: UInt16, at milliseconds: Int64, rssi: Int8? = -60, from source: UInt64 = 1,
        power: Int = -59
    ) -> Bool {
        let isWatched = engine.sighted(
            Sighting(
                identity: Self.beacon(major, minor), source: source, rssi: rssi, measuredPower: power,
                time: Self.instant(milliseconds)))
        record()
        return isWatched
    }

    func advance(to milliseconds: Int64) {
        engine.advance(to: Self.instant(milliseconds))
        record()
    }

    func hears(from milliseconds: Int64) {
        engine.hears(from: Self.instant(milliseconds))
        record()
    }

    func isBlind(from milliseconds: Int64, cause: RegionState.Cause = .radioBlind) {
        engine.isBlind(from: Self.instant(milliseconds), cause: cause)
        record()
    }

    func reconfigure(_ regions: Region..., at milliseconds: Int64) {
        var configuration = engine.configuration
        configuration.regions = regions
        reconfigure(configuration, at: milliseconds)
    }

    func reconfigure(_ configuration: PresenceConfiguration, at milliseconds: Int64) {
        engine.reconfigure(configuration, at: Self.instant(milliseconds))
        record()
    }

    func endWindow(at milliseconds: Int64) {
        engine.endWindow(at: Self.instant(milliseconds))
        record()
    }

    private func record() { lines += engine.takeOutcomes().map(\.line) }

    /// What was said since the last call, without ranging and windows.
    func said() -> [String] { take { !$0.contains(" ranged ") && !$0.contains(" window ") } }

    /// The ranging outcomes since the last call.
    func ranged() -> [String] { take { $0.contains(" ranged ") } }

    /// The windows since the last call.
    func windows() -> [String] { take { $0.contains(" window ") } }

    private func take(_ isWanted: (String) -> Bool) -> [String] {
        defer { lines = [] }
        return lines.filter(isWanted)
    }
}

extension Region {
    /// A region of the scene's UUID, of all of it or of one major or one beacon; entered by the first advert and left
    /// after a fixed time, unless it is to be otherwise.
    static func of(
        _ id: String, _ major: UInt16? = nil, _ minor: UInt16? = nil, track: Tracking = .region,
        ranging: Ranging = .off, enter: Enter = .first, exit: Exit = .fixed, exitAfter: Span = .seconds(10),
        gate: SignalGate? = nil, measuredPower: Int? = nil, notifyOnEntry: Bool = true, notifyOnExit: Bool = true
    ) -> Region {
        let length = major == nil ? 16 : minor == nil ? 18 : 20
        return Region(
            id: id, constraint: IdentityConstraint(prefix: Scene.beacon(major ?? 0, minor ?? 0).prefix(length)),
            track: track, ranging: ranging, enter: enter, exit: exit, exitAfter: exitAfter, gate: gate,
            measuredPower: measuredPower, notifyOnEntry: notifyOnEntry, notifyOnExit: notifyOnExit)
    }
}
