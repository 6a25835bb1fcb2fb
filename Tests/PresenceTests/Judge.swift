import Beacon

@testable import Presence

/// Reads outcomes in order and complains about the first that cannot be true.
struct Judge {
    var accepted: [Sighting]
    /// The visits that are open, by region.
    var open: [String: Entered] = [:]
    var windowAdverts = 0
    private var sequence: UInt64 = 0
    private var windowEnd = Scene.instant(0)
    private var states: [String: RegionState] = [:]

    init(accepted: [Sighting]) { self.accepted = accepted }

    /// Judges what one call found out.
    mutating func complaint(about outcomes: [Outcome]) -> String? {
        var last = Instant(nanoseconds: .min)
        for outcome in outcomes {
            if let time = outcome.time {
                if time < last { return "goes back in time: \(outcome.line)" }
                last = time
            }
            if let why = complaint(about: outcome) { return "\(why): \(outcome.line)" }
        }
        return nil
    }

    private mutating func complaint(about outcome: Outcome) -> String? {
        switch outcome {
        case .entered(let it): return entered(it)
        case .exited(let it): return exited(it)
        case .regionIs(let it): return regionIs(it)
        case .regionRemoved(let id): return open[id] == nil ? nil : "removed with an open visit"
        case .ranged(let it): return ranged(it)
        case .windowEnded(let it): return windowEnded(it)
        }
    }

    private mutating func entered(_ it: Entered) -> String? {
        if open[it.region] != nil { return "entered twice" }
        if it.sequence <= sequence { return "its number does not rise" }
        if !accepted.contains(where: { $0.time == it.time && $0.identity == it.beacon.identity }) {
            return "nobody was heard"
        }
        sequence = it.sequence
        open[it.region] = it
        return nil
    }

    private mutating func exited(_ it: Exited) -> String? {
        guard let enter = open.removeValue(forKey: it.region) else { return "left without being entered" }
        if it.sequence <= sequence { return "its number does not rise" }
        sequence = it.sequence
        if it.visit != enter.sequence { return "not the visit that was entered" }
        if it.dwell != it.lastSeen - enter.time { return "its dwell is not from the enter to the last advert" }
        if it.silence + it.blind < it.time - it.lastSeen { return "silence and blindness are too short" }
        if it.silence > it.time - it.lastSeen { return "silence is too long" }
        if !accepted.contains(where: { $0.time == it.lastSeen && $0.identity == it.beacon.identity }) {
            return "nobody was last seen"
        }
        return nil
    }

    private mutating func regionIs(_ it: RegionState) -> String? {
        if states[it.region] == it && it.value != .unknown { return "said twice" }
        states[it.region] = it
        if (it.value == .unknown) != (it.cause != nil) { return "unknown needs a cause, nothing else has one" }
        if (it.value == .inside) != (it.beacons > 0) { return "inside has beacons, nothing else has" }
        if it.value != .unknown && (it.value == .inside) != (open[it.region] != nil) {
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
        if it.start != windowEnd { return "does not begin where the last one ended" }
        windowEnd = it.start + it.length
        if it.blind < .zero || it.blind > it.length { return "is not as blind as that" }
        for (a, b) in zip(it.items, it.items.dropFirst()) where b.identity <= a.identity { return "is not sorted" }
        for item in it.items {
            if item.adverts < 1 || item.first < .zero || item.last < item.first || item.last > it.length {
                return "has an item out of bounds"
            }
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
