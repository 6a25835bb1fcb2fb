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

    /// What a window message has besides its beacons takes less than this, in bytes.
    static let windowFrame = 512

    /// One message, or as many as the window's beacons need.
    mutating func window(_ window: Window, at moment: Moment) -> [[UInt8]] {
        // All beacons are written once; then each message gets as many as fit, whole.
        items.reset()
        var cuts: [Int] = [0]
        var end = 0
        for item in window.items {
            items.windowItem(item)
            if items.bytes.count - (cuts.last ?? 0) > payloadLimit - Self.windowFrame && end > (cuts.last ?? 0) {
                cuts.append(end)
            }
            end = items.bytes.count
        }
        let all = items.bytes
        let parts = cuts.count
        cuts.append(all.count)
        return (1...parts).map { part in
            // Between two beacons stands a comma, which is neither's.
            let piece = all[cuts[part - 1]..<cuts[part]].drop { $0 == UInt8(ascii: ",") }
            return object { json in
                json.member("start", Timestamp.text(moment.wallTime(of: window.start)))
                json.member("length_ms", window.length.milliseconds)
                json.member("clock", moment.clock)
                json.member("blind_ms", window.blind.milliseconds)
                if parts > 1 {
                    json.member("part", part)
                    json.member("parts", parts)
                }
                json.key("beacons")
                json.array { json in
                    if !piece.isEmpty { json.raw(piece) }
                }
                if window.evictedBeacons > 0 && part == parts {
                    json.key("evicted")
                    json.object { json in
                        json.member("beacons", window.evictedBeacons)
                        json.member("adverts", window.evictedAdverts)
                    }
                }
            }
        }
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
