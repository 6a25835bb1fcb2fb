import Beacon

@testable import Presence

/// Reads outcomes in order and complains about the first that cannot be true.
struct Judge {
    var accepted: [Sighting]
    /// The visits that are open.
    var open: [VisitID: Entered] = [:]
    var windowAdverts = 0
    private var regions: [String: Region] = [:]
    /// Regions that have, or had at some time, a gate that may have held adverts back.
    private var gated: Set<String> = []
    private var sequence: UInt64 = 0
    private var windowEnd: Instant?
    private var states: [String: RegionState] = [:]

    init(accepted: [Sighting]) { self.accepted = accepted }

    /// Judges what one call found out.
    mutating func complaint(about findings: Life.Findings) -> String? {
        if findings.begins {
            sequence = 0
            windowEnd = nil
            states = [:]
        }
        // Until a region is configured otherwise what is told is about the one before.
        let changed = Dictionary(uniqueKeysWithValues: findings.regions.map { ($0.id, $0) })
        if findings.begins { regions = changed }
        gated.formUnion(findings.regions.filter { $0.gate != nil }.map(\.id))
        var last = Instant(nanoseconds: .min)
        for outcome in findings.outcomes {
            if let time = outcome.time {
                if time < last { return "goes back in time: \(outcome.line)" }
                last = time
            }
            if let why = complaint(about: outcome) { return "\(why): \(outcome.line)" }
        }
        regions = changed
        return nil
    }

    private mutating func complaint(about outcome: Outcome) -> String? {
        switch outcome {
        case .entered(let it): return entered(it)
        case .exited(let it): return exited(it)
        case .regionIs(let it): return regionIs(it)
        case .regionRemoved(let id): return isOpen(id) ? "removed with an open visit" : nil
        case .ranged(let it): return ranged(it)
        case .windowEnded(let it): return windowEnded(it)
        }
    }

    private func isOpen(_ region: String) -> Bool { open.values.contains { $0.region == region } }

    private mutating func entered(_ it: Entered) -> String? {
        let isTwice = open.values.contains { other in
            other.region == it.region
                && (regions[it.region]?.track == .region || other.beacon.identity == it.beacon.identity)
        }
        if isTwice { return "entered twice" }
        if it.sequence <= sequence { return "its number does not rise" }
        if it.visit.sequence != it.sequence { return "its visit is not its number" }
        let matching = accepted.first { $0.time == it.time && $0.identity == it.beacon.identity }
        guard matching != nil else { return "nobody was heard" }
        if let gate = regions[it.region]?.gate, it.beacon.rssi.map({ Int($0) < gate.enter }) ?? true {
            return "it was too weak"
        }
        sequence = it.sequence
        open[it.visit] = it
        return nil
    }

    private mutating func exited(_ it: Exited) -> String? {
        guard let enter = open.removeValue(forKey: it.visit) else { return "left without being entered" }
        if it.sequence <= sequence { return "its number does not rise" }
        sequence = it.sequence
        if it.region != enter.region { return "not the region that was entered" }
        if it.dwell != it.lastSeen - enter.time { return "its dwell is not from the enter to the last advert" }
        if it.dwell < .zero { return "its dwell is negative" }
        if it.silence + it.blind < it.time - it.lastSeen { return "silence and blindness are too short" }
        if it.silence > it.time - it.lastSeen { return "silence is too long" }
        if !accepted.contains(where: { $0.time == it.lastSeen && $0.identity == it.beacon.identity }) {
            return "nobody was last seen"
        }
        if (it.reason == .restart) != (it.leftBefore != nil) { return "only after a restart are there bounds" }
        if let before = it.leftBefore, before < it.lastSeen || before > it.time { return "the bounds are wrong" }
        guard let region = regions[it.region] else { return nil }
        if [.silence, .restart].contains(it.reason) && it.silence < region.exitAfter {
            return "silence is too short"
        }
        if region.track == .beacons && enter.beacon.identity != it.beacon.identity { return "another beacon" }
        // Where every advert counts, the last one counted is the last one heard.
        let everyAdvertCounts = !gated.contains(region.id) && (region.enter == .first || region.track == .beacons)
        if everyAdvertCounts && it.reason != .evicted
            && accepted.contains(where: {
                $0.identity == it.beacon.identity && $0.time > it.lastSeen && $0.time < it.time
            })
        {
            return "it was seen later"
        }
        return nil
    }

    private mutating func regionIs(_ it: RegionState) -> String? {
        if states[it.region] == it && it.value != .unknown { return "said twice" }
        states[it.region] = it
        if (it.value == .unknown) != (it.cause != nil) { return "unknown needs a cause, nothing else has one" }
        if (it.value == .inside) != (it.beacons > 0) { return "inside has beacons, nothing else has" }
        if it.value != .unknown && (it.value == .inside) != isOpen(it.region) {
            return "inside has a visit, outside has none"
        }
        return nil
    }

    private func ranged(_ it: Ranged) -> String? {
        if it.items.isEmpty || it.items.count < 2 { return nil }
        for (a, b) in zip(it.items, it.items.dropFirst()) {
            let (near, far) = (a.reading.distance.accuracy, b.reading.distance.accuracy)
            if near == far ? b.reading.identity < a.reading.identity : far >= 0 && (near < 0 || near > far) {
                return "not nearest first"
            }
        }
        return nil
    }

    private mutating func windowEnded(_ it: Window) -> String? {
        if let windowEnd, it.start != windowEnd { return "does not begin where the last one ended" }
        windowEnd = it.start + it.length
        if it.blind < .zero { return "is not as blind as that" }
        for (a, b) in zip(it.items, it.items.dropFirst()) where b.identity <= a.identity { return "is not sorted" }
        for item in it.items {
            if item.adverts < 1 || item.first < .zero || item.last < item.first || item.last > it.length {
                return "has an item out of bounds"
            }
            if item.addresses < 1 || item.addresses > item.adverts { return "has too many addresses" }
            // A window that was ended early shares its last moment with the next, one with evictions has gaps.
            if item.first == .zero || item.last == it.length || it.evictedBeacons > 0 { continue }
            let heard = it.start + item.first...it.start + item.last
            let adverts = accepted.count { $0.identity == item.identity && heard.contains($0.time) }
            if item.adverts != adverts { return "counts \(item.adverts) of \(adverts)" }
        }
        windowAdverts += it.items.reduce(it.evictedAdverts) { $0 + $1.adverts }
        return nil
    }
}

extension Outcome {
    /// When it was found out; nil where it does not say.
    fileprivate var time: Instant? {
        switch self {
        case .entered(let it): it.time
        case .exited(let it): it.time
        case .ranged(let it): it.time
        case .windowEnded(let it): it.start + it.length
        // A new number of beacons leaves the time of the state as it is.
        case .regionIs, .regionRemoved: nil
        }
    }
}
