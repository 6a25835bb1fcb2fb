internal import JSON
internal import Presence

/// Payloads of region, ranging and window.
extension PayloadWriter {
    /// `since` is in nanoseconds on the wall clock.
    mutating func region(_ state: RegionState, since: Int64) -> [UInt8] {
        object { json in
            json.member("region", state.region)
            json.member("state", state.value.rawValue)
            if let cause = state.cause { json.member("cause", cause.rawValue) }
            json.member("since", Timestamp.text(since))
            if state.value == .inside { json.member("beacons", state.beacons) }
            if state.isUncertain {
                json.key("uncertain")
                json.bool(true)
            }
        }
    }

    mutating func ranged(_ fact: Ranged, at moment: Moment) -> [UInt8] {
        object { json in
            json.member("region", fact.region)
            json.time(fact.time, at: moment)
            json.key("beacons")
            json.array { json in
                for item in fact.items {
                    json.object { json in
                        json.identity(item.reading.identity)
                        json.member("proximity", item.reading.proximity.rawValue)
                        json.distance(item.reading.distance, as: "accuracy")
                        json.signal(item.reading.rssi)
                        json.member("adverts", item.adverts)
                        json.powerSuspicion(item.reading.powerIsSuspect)
                    }
                }
            }
            if fact.more > 0 { json.member("more", fact.more) }
        }
    }

    /// What a window message has after its beacons takes less than this, in bytes.
    static let windowEnding = 128

    /// One message, or as many as the window's beacons need.
    mutating func window(_ window: Window, at moment: Moment) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        beginWindow(window, at: moment)
        var (end, isEmpty) = (json.bytes.count, true)
        for item in window.items {
            json.windowItem(item)
            if json.bytes.count > payloadLimit - Self.windowEnding && !isEmpty {
                // This one is for the next message.
                parts.append(part(end))
                beginWindow(window, at: moment)
                json.windowItem(item)
            }
            (end, isEmpty) = (json.bytes.count, false)
        }
        parts.append(part(end))
        // How many there are is known only now.
        for number in parts.indices {
            json.reset()
            json.endArray()
            if parts.count > 1 {
                json.member("part", number + 1)
                json.member("parts", parts.count)
            }
            if window.evictedBeacons > 0 && number == parts.count - 1 {
                json.key("evicted")
                json.object { json in
                    json.member("beacons", window.evictedBeacons)
                    json.member("adverts", window.evictedAdverts)
                }
            }
            json.endObject()
            parts[number] += json.bytes
        }
        return parts
    }

    /// What has been written up to there, with room for the ending: to grow would double it.
    private func part(_ end: Int) -> [UInt8] {
        var part: [UInt8] = []
        part.reserveCapacity(end + Self.windowEnding)
        part += json.bytes[..<end]
        return part
    }

    private mutating func beginWindow(_ window: Window, at moment: Moment) {
        json.reset()
        json.beginObject()
        json.key("v")
        json.integer(Self.version)
        json.member("start", Timestamp.text(moment.wallTime(of: window.start)))
        json.member("length_ms", window.length.milliseconds)
        json.member("clock", moment.clock)
        json.member("blind_ms", window.blind.milliseconds)
        json.key("beacons")
        json.beginArray()
    }
}

extension JSONWriter {
    fileprivate mutating func windowItem(_ item: Window.Item) {
        object { json in
            json.identity(item.identity)
            json.member("adverts", item.adverts)
            json.member("first_ms", item.first.milliseconds)
            json.member("last_ms", item.last.milliseconds)
            if let signal = item.signal {
                json.key("rssi")
                json.object { json in
                    json.member("min", signal.minimum)
                    json.member("max", signal.maximum)
                    json.member("mean", signal.mean, decimals: 1)
                    json.member("median", signal.median)
                    json.member("deviation", signal.deviation, decimals: 1)
                }
            }
            json.distance(item.distance, as: "distance")
            json.powerSuspicion(item.powerIsSuspect)
            if let interval = item.interval { json.member("interval_ms", interval.milliseconds) }
            if let loss = item.loss { json.member("loss", loss, decimals: 2) }
            json.member("addresses", item.addresses)
            if let telemetry = item.telemetry { json.telemetry(telemetry) }
        }
    }

    fileprivate mutating func telemetry(_ telemetry: Telemetry) {
        key("telemetry")
        object { json in
            if let battery = telemetry.battery { json.member("battery_mv", battery) }
            if let steps = telemetry.temperatureSteps {
                // 256 steps to a degree.
                json.member("temperature", Double(steps) / 256, decimals: 2)
            }
            json.member("uptime_s", telemetry.uptimeDeciseconds / 10)
            json.member("adverts_sent", telemetry.adverts)
        }
    }
}
