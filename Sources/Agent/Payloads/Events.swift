internal import JSON
internal import Presence

/// Payloads of enter and exit.
extension PayloadWriter {
    mutating func entered(_ fact: Entered, at moment: Moment) -> [UInt8] {
        let (id, visit, site, node, boot) = (id(fact.sequence), visitID(fact.visit), site, node, boot)
        return object { json in
            json.event(id, site, node, fact.region, visit, fact.time, boot, fact.beacon, at: moment)
        }
    }

    mutating func exited(_ fact: Exited, at moment: Moment) -> [UInt8] {
        let (id, visit, site, node, boot) = (id(fact.sequence), visitID(fact.visit), site, node, boot)
        return object { json in
            json.event(id, site, node, fact.region, visit, fact.time, boot, fact.beacon, at: moment)
            json.member("last_seen", Timestamp.text(moment.wallTime(of: fact.lastSeen)))
            json.member("dwell_ms", fact.dwell.milliseconds)
            json.member("reason", fact.reason.rawValue)
            if let leftBefore = fact.leftBefore {
                json.member("left_before", Timestamp.text(moment.wallTime(of: leftBefore)))
            }
            json.key("evidence")
            json.object { json in
                json.member("adverts", fact.adverts)
                if let interval = fact.interval { json.member("interval_ms", interval.milliseconds) }
                json.member("silence_ms", fact.silence.milliseconds)
                json.member("blind_ms", fact.blind.milliseconds)
            }
        }
    }
}

extension JSONWriter {
    /// What enter and exit have in common.
    fileprivate mutating func event(
        _ id: String, _ site: String, _ node: String, _ region: String, _ visit: String, _ time: Instant,
        _ boot: String, _ beacon: BeaconReading, at moment: Moment
    ) {
        member("id", id)
        member("site", site)
        member("node", node)
        member("region", region)
        member("visit", visit)
        self.time(time, at: moment)
        member("boot", boot)
        member("mono_ms", time.nanoseconds / 1_000_000)
        key("beacon")
        object { $0.identity(beacon.identity) }
        signal(beacon.rssi)
        distance(beacon.distance, as: "accuracy")
        member("proximity", beacon.proximity.rawValue)
        powerSuspicion(beacon.powerIsSuspect)
    }
}
