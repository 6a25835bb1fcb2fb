internal import Beacon

extension PresenceEngine {
    /// Ends the window; the next one begins.
    mutating func closeWindow(at end: Instant) {
        let blindness = clock.blindness(at: end)
        let evicted = (records.evictedBeacons, records.evictedAdverts)
        let (configuration, telemetry, start) = (configuration, telemetry, windowStart)
        var items = records.endWindow { slot, record, median in
            Self.item(record, median, start, configuration, telemetry[slot])
        }
        items.sort { $0.identity < $1.identity }
        outcomes.append(
            .windowEnded(
                Window(
                    start: windowStart, length: end - windowStart, blind: blindness - blindnessAtWindowStart,
                    items: items, evictedBeacons: evicted.0, evictedAdverts: evicted.1)))
        self.telemetry.removeAll(keepingCapacity: true)
        windowStart = end
        windowNumber += 1
        blindnessAtWindowStart = blindness
        for slot in dismissed where records[slot].isDismissed { records.remove(slot) }
        dismissed.removeAll()
    }

    /// Takes what a beacon says of itself: it belongs to the beacon that was heard last from the same address. Of a
    /// stranger nothing is kept.
    public mutating func heard(_ telemetry: Telemetry, from source: UInt64, at time: Instant) {
        advanceWindows(to: time)
        guard let track = telemetrySources[source] else { return }
        self.telemetry[tracks[track].beacon] = telemetry
    }

    private static func item(
        _ record: Record, _ median: Int?, _ start: Instant, _ configuration: PresenceConfiguration,
        _ telemetry: Telemetry?
    ) -> Window.Item {
        let signal = median.map { median in
            Window.Signal(
                minimum: Int(record.signals.minimum), maximum: Int(record.signals.maximum),
                mean: record.signals.mean, median: median, deviation: record.signals.deviation)
        }
        let reading = configuration.reading(
            record.identity, rssi: nil,
            signal: median.map { FilteredSignal(rssi: Double($0), samples: record.signals.count) },
            sent: record.measuredPower, calibrated: record.calibratedPower)
        return Window.Item(
            identity: record.identity, adverts: record.adverts, first: record.first - start,
            last: record.lastTime - start, signal: signal, interval: record.gaps.interval, loss: record.gaps.loss,
            addresses: record.addresses.count, telemetry: telemetry, distance: reading.distance,
            powerIsSuspect: reading.powerIsSuspect)
    }
}
