internal import Beacon
internal import JSON
internal import Presence

/// Payloads of status, state, alert, health and reply.
extension PayloadWriter {
    mutating func online(session: String, version: String, library: String, at moment: Moment) -> [UInt8] {
        let boot = boot
        return object { json in
            json.member("state", "online")
            json.member("session", session)
            json.member("boot", boot)
            json.time(moment.instant, at: moment)
            json.member("version", version)
            json.member("libmosquitto", library)
        }
    }

    mutating func stopped(session: String, at moment: Moment) -> [UInt8] {
        let boot = boot
        return object { json in
            json.member("state", "offline")
            json.member("session", session)
            json.member("reason", "stopped")
            json.member("boot", boot)
            json.time(moment.instant, at: moment)
        }
    }

    /// The will. It has no time: the broker publishes it at a time that nobody here knows.
    mutating func lost(session: String) -> [UInt8] {
        let boot = boot
        return object { json in
            json.member("state", "offline")
            json.member("session", session)
            json.member("reason", "connection_lost")
            json.member("boot", boot)
        }
    }

    mutating func alert(_ sequence: UInt64, _ alert: Alert, at moment: Moment) -> [UInt8] {
        let (id, boot) = (id(sequence), boot)
        return object { json in
            json.member("id", id)
            json.time(moment.instant, at: moment)
            json.member("boot", boot)
            json.member("mono_ms", moment.instant.nanoseconds / 1_000_000)
            json.member("kind", alert.kind)
            json.member("state", alert.state)
            if let radio = alert.radio { json.member("radio", radio.rawValue) }
            if let cause = alert.cause { json.member("cause", cause) }
            if let step = alert.step { json.member("step", step) }
            if let blind = alert.blind { json.member("blind_ms", blind.milliseconds) }
            if let offset = alert.offset { json.member("offset_ms", offset / 1_000_000) }
            json.member("text", alert.text)
        }
    }

    mutating func health(
        _ counters: Counters, matched: UInt64, beacons: Int, evicted: UInt64, uptime: Span, blind: Span,
        at moment: Moment
    ) -> [UInt8] {
        object { json in
            json.time(moment.instant, at: moment)
            json.member("uptime_ms", uptime.milliseconds)
            json.member("adverts", counters.adverts)
            json.member("scan_responses", counters.scanResponses)
            json.member("matched", matched)
            json.member("malformed", counters.malformed)
            json.member("lost", counters.lost)
            json.member("blind_ms", blind.milliseconds)
            json.member("beacons", beacons)
            json.member("evicted", evicted)
            json.member("published", counters.published)
            json.member("queued", counters.queued)
            json.member("dropped", counters.dropped)
            json.member("rss_kib", counters.residentKiB)
        }
    }

    mutating func reply(_ reply: Reply, at moment: Moment) -> [UInt8] {
        object { json in
            json.member("scope", "node")
            json.member("document", reply.document)
            json.member("result", reply.result.rawValue)
            json.time(moment.instant, at: moment)
            if !reply.problems.isEmpty {
                json.key("errors")
                json.array { json in
                    for problem in reply.problems {
                        json.object { json in
                            json.member("path", problem.path)
                            json.member("message", problem.message)
                        }
                    }
                }
            }
            if reply.more > 0 { json.member("more", reply.more) }
            json.member("config", reply.configuration)
        }
    }

    mutating func state(_ conditions: Conditions, at moment: Moment) -> [UInt8] {
        object { json in
            json.member("config", conditions.configuration)
            json.key("scopes")
            json.object { json in
                guard let layer = conditions.layer else { return }
                json.key("node")
                json.object { json in
                    json.member("document", layer.document)
                    json.member("result", layer.result.rawValue)
                }
            }
            json.key("conditions")
            json.object { json in
                json.key("radio")
                json.object { $0.radio(conditions) }
                json.key("advertising")
                json.object { $0.advertising(conditions.advertising) }
                json.key("clock")
                json.object { $0.member("state", moment.clock) }
                json.key("outbox")
                json.object { json in
                    json.member("state", conditions.dropped > 0 ? "dropped" : "ok")
                    json.member("events", conditions.queuedEvents)
                    if conditions.dropped > 0 { json.member("dropped", conditions.dropped) }
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func radio(_ conditions: Conditions) {
        member("state", conditions.radio.state.rawValue)
        if case .blind(let reason) = conditions.radio { member("cause", reason.cause) }
        member("since", Timestamp.text(conditions.radioSince))
        guard case .listening(let listening) = conditions.radio else { return }
        member("adapter", listening.adapter)
        if let address = listening.address { member("address", address) }
        if let access = listening.access { member("access", access) }
        if let commands = listening.commands { member("commands", commands) }
        if listening.phys.isEmpty { return }
        key("phys")
        array { json in
            for phy in listening.phys { json.string(phy) }
        }
    }

    /// What is on air, decoded from the very bytes that the controller took.
    fileprivate mutating func advertising(_ state: AirState) {
        switch state {
        case .off: member("state", "off")
        case .unknown: member("state", "unknown")
        case .unsupported: member("state", "unsupported")
        case .refused(let code):
            member("state", "refused")
            member("code", code)
        case .onAir(let data, let power):
            member("state", "on_air")
            if let power { member("tx_power", power) }
            data.withUnsafeBytes { bytes in
                _ = AdvertisingData.decode(bytes) { frame in
                    if let identity = frame.identity { self.identity(identity) }
                }
            }
        }
    }
}
