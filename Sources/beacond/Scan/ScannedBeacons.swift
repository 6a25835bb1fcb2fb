internal import Agent
internal import Beacon
internal import HCI
internal import Presence

/// What `beacond scan` knows of the beacons around: one entry for each beacon and address that it was heard from.
///
/// Bounded: where there are too many, the one that was not heard for longest is forgotten.
struct ScannedBeacons {
    /// A beacon at an address.
    private struct Track {
        var identity: BeaconIdentity
        var source: UInt64
        var address: DeviceAddress
        var phy: RadioPHY
        var filter: SignalFilter
        var gaps = GapHistory()
        var rate: AdvertRate
        /// The power at one metre in dBm that it sent last.
        var power: Int
        var adverts: UInt64 = 0
        /// Of these, as many were told already.
        var told: UInt64 = 0
        var heard: Instant
    }

    private struct Key: Hashable {
        var identity: BeaconIdentity
        var source: UInt64
    }

    /// A beacon that is heard from a new address is forgotten at the old one after so long.
    static let addressMemory = Span.seconds(60)
    /// How many entries there may be where no configuration says it.
    static let usualLimit = 10_000

    private let limit: Int
    private let distance: DistanceModel
    private let filter: FilterKind
    private let power: (BeaconIdentity) -> Int?
    private var tracks: [Track?] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var identities: [BeaconIdentity: Int] = [:]
    private var order = RecentOrder()
    private var telemetry: [UInt64: Telemetry] = [:]
    /// Adverts of beacons, scan responses apart.
    private(set) var adverts: UInt64 = 0
    /// Beacons that were forgotten to make room.
    private(set) var forgotten: UInt64 = 0

    /// Knows nothing yet. `power` is what was measured of a beacon at one metre, in dBm, and counts instead of what it
    /// sends.
    init(
        limit: Int = usualLimit, distance: DistanceModel = DistanceModel(), filter: FilterKind = .standard,
        power: @escaping (BeaconIdentity) -> Int? = { _ in nil }
    ) {
        self.limit = max(1, limit)
        self.distance = distance
        self.filter = filter
        self.power = power
    }

    /// As a configuration has limit, formula, filter and measured powers.
    init(_ configuration: Configuration?) {
        guard let configuration else {
            self.init()
            return
        }
        let own = configuration.distance
        let calibrations = Dictionary(
            configuration.calibrations.compactMap { entry in
                entry.beacon.identityPrefix.map { ($0, entry.measuredPower) }
            }, uniquingKeysWith: { first, _ in first })
        // Of several regions that hold a beacon the narrowest counts.
        let regions = configuration.regions.compactMap { region in
            region.identityPrefix.flatMap { prefix in region.measuredPower.map { (prefix, $0) } }
        }.sorted { $0.0.length > $1.0.length }
        self.init(
            limit: configuration.limits.beacons,
            distance: DistanceModel(
                defaultMeasuredPower: own.measuredPower, law: own.model, exponent: own.exponent),
            filter: own.filter.kind,
            power: { identity in
                calibrations[identity]
                    ?? regions.first { identity.prefix($0.0.length) == $0.0 }?.1
            })
    }

    /// How many beacons are known, whatever number of addresses they have.
    var count: Int { identities.count }

    /// Takes what was heard. Returns the entry of a beacon that was not known before.
    mutating func hear(_ heard: Heard, in report: AdvertisingReport, at now: Instant) -> ScanRow? {
        switch heard {
        case .sighting(let sighting): return hear(sighting, report, now)
        case .telemetry(let account, let source):
            // More accounts than beacons: those of beacons that are still there come again soon.
            if telemetry[source] == nil, telemetry.count >= limit { telemetry.removeAll() }
            telemetry[source] = account
            return nil
        }
    }

    private mutating func hear(_ sighting: Sighting, _ report: AdvertisingReport, _ now: Instant) -> ScanRow? {
        let key = Key(identity: sighting.identity, source: sighting.source)
        var place = places[key]
        let isNew = place == nil && identities[sighting.identity] == nil
        if place == nil { place = add(key, sighting, report, now) }
        guard let place, var track = tracks[place] else { return nil }
        // In place: a copy of a track is 300 bytes.
        tracks[place] = nil
        if !report.isScanResponse {
            adverts += 1
            if track.adverts > 0 { track.gaps.learn(now - track.heard) }
            track.adverts += 1
            track.rate.count(at: now)
        }
        if let rssi = sighting.rssi { track.filter.add(rssi, at: now) }
        track.power = sighting.measuredPower
        track.phy = report.secondaryPHY ?? report.primaryPHY
        track.heard = now
        tracks[place] = track
        order.use(place)
        return isNew ? row(track, now) : nil
    }

    private mutating func add(
        _ key: Key, _ sighting: Sighting, _ report: AdvertisingReport, _ now: Instant
    ) -> Int {
        if places.count >= limit, let oldest = order.oldest {
            if let track = tracks[oldest], identities[track.identity] == 1 { forgotten += 1 }
            forget(oldest)
        }
        let track = Track(
            identity: sighting.identity, source: sighting.source, address: report.address,
            phy: report.primaryPHY, filter: SignalFilter(filter), rate: AdvertRate(from: now),
            power: sighting.measuredPower, heard: now)
        let place: Int
        if let spare = free.popLast() {
            place = spare
            tracks[spare] = track
        } else {
            place = tracks.count
            tracks.append(track)
        }
        places[key] = place
        identities[key.identity, default: 0] += 1
        order.use(place)
        return place
    }

    private mutating func forget(_ place: Int) {
        guard let track = tracks[place] else { return }
        order.remove(place)
        tracks[place] = nil
        free.append(place)
        places[Key(identity: track.identity, source: track.source)] = nil
        telemetry[track.source] = nil
        let left = (identities[track.identity] ?? 1) - 1
        identities[track.identity] = left > 0 ? left : nil
    }

    /// Forgets addresses that their beacons do not use any more.
    mutating func forgetAddresses(at now: Instant) {
        guard places.count > identities.count else { return }
        var newest: [BeaconIdentity: Instant] = [:]
        for case let track? in tracks {
            newest[track.identity] = max(newest[track.identity] ?? track.heard, track.heard)
        }
        for place in tracks.indices {
            guard let track = tracks[place], now - track.heard > Self.addressMemory,
                let last = newest[track.identity], track.heard < last
            else { continue }
            forget(place)
        }
    }

    /// Everything that is known, in no order.
    func rows(at now: Instant) -> [ScanRow] { tracks.compactMap { $0.map { row($0, now) } } }

    /// The entries that were heard since the last time, in no order, each with how often.
    mutating func rowsHeardSince(at now: Instant) -> [(row: ScanRow, adverts: UInt64)] {
        var rows: [(row: ScanRow, adverts: UInt64)] = []
        for place in tracks.indices {
            guard let track = tracks[place], track.adverts > track.told else { continue }
            rows.append((row(track, now), track.adverts - track.told))
            tracks[place]?.told = track.adverts
        }
        return rows
    }

    private func row(_ track: Track, _ now: Instant) -> ScanRow {
        // What it was when it was last heard: a beacon that has left shows how near it was.
        let signal = track.filter.signal(at: track.heard)
        let power = self.power(track.identity) ?? track.power
        return ScanRow(
            identity: track.identity, address: track.address, phy: track.phy, rssi: signal?.rssi,
            measuredPower: power,
            distance: distance.estimate(rssi: signal?.rssi, measuredPower: power, samples: signal?.samples ?? 1),
            rate: track.rate.perSecond(at: now), interval: track.gaps.interval, adverts: track.adverts,
            silence: now - track.heard, telemetry: telemetry[track.source])
    }
}
