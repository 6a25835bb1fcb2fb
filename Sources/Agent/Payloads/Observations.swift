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

    /// How many beacons one window message lists; a window with more takes several messages. Some 60 KB of text.
    static let windowItemsPerMessage = 250

    /// One message, or as many as the window's beacons need.
    mutating func window(_ window: Window, at moment: Moment) -> [[UInt8]] {
        let parts = max(1, (window.items.count + Self.windowItemsPerMessage - 1) / Self.windowItemsPerMessage)
        return (0..<parts).map { part in
            let from = part * Self.windowItemsPerMessage
            let items = window.items[from..<min(from + Self.windowItemsPerMessage, window.items.count)]
            return object { json in
                json.member("start", Timestamp.text(moment.wallTime(of: window.start)))
                json.member("length_ms", window.length.milliseconds)
                json.member("clock", moment.clock)
                json.member("blind_ms", window.blind.milliseconds)
                if parts > 1 {
                    json.member("part", part + 1)
                    json.member("parts", parts)
                }
                json.key("beacons")
                json.array { json in
                    for item in items { json.windowItem(item) }
                }
                if window.evictedBeacons > 0 && part == parts - 1 {
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
        }
    }
}
