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

    /// `offset` is in nanoseconds from the monotonic clock to the wall clock, where the alert is about that.
    mutating func alert(
        _ sequence: UInt64, kind: String, state: String, cause: String?, offset: Int64? = nil, text: String,
        at moment: Moment
    ) -> [UInt8] {
        let (id, boot) = (id(sequence), boot)
        return object { json in
            json.member("id", id)
            json.time(moment.instant, at: moment)
            json.member("boot", boot)
            json.member("mono_ms", moment.instant.nanoseconds / 1_000_000)
            json.member("kind", kind)
            json.member("state", state)
            if let cause { json.member("cause", cause) }
            if let offset { json.member("offset_ms", offset / 1_000_000) }
            json.member("text", text)
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
        switch conditions.radio {
        case .starting: member("state", "unknown")
        case .listening: member("state", "powered_on")
        case .blind(let cause, _):
            member("state", "resetting")
            member("cause", cause)
        }
        member("since", Timestamp.text(conditions.radioSince))
    }

    /// What is on air, decoded from the very bytes that the controller took.
    fileprivate mutating func advertising(_ state: AirState) {
        switch state {
        case .off: member("state", "off")
        case .unsupported: member("state", "unsupported")
        case .refused(let code):
            member("state", "refused")
            member("code", code)
        case .onAir(let data):
            member("state", "on_air")
            data.withUnsafeBytes { bytes in
                _ = AdvertisingData.decode(bytes) { frame in
                    if let identity = frame.identity { self.identity(identity) }
                }
            }
        }
    }
}
