internal import Beacon

extension PresenceEngine {
    /// Ends the window; the next one begins.
    mutating func closeWindow(at end: Instant) {
        let blindness = clock.blindness(at: end)
        let evicted = (records.evictedBeacons, records.evictedAdverts)
        let slots = records.slotsInWindow()
        var items: [Window.Item] = []
        items.reserveCapacity(slots.count)
        for slot in slots {
            items.append(item(slot))
            records.startWindow(slot)
        }
        records.startWindow(reusing: slots)
        outcomes.append(
            .windowEnded(
                Window(
                    start: windowStart, length: end - windowStart, blind: blindness - blindnessAtWindowStart,
                    items: items, evictedBeacons: evicted.0, evictedAdverts: evicted.1)))
        telemetry.removeAll(keepingCapacity: true)
        windowStart = end
        windowNumber &+= 1
        blindnessAtWindowStart = blindness
        for slot in dismissed where records[slot].isDismissed { removeRecord(slot) }
        dismissed.removeAll()
    }

    /// Takes what a beacon says of itself: it belongs to the beacon that was heard last from the same address. Of a
    /// stranger nothing is kept.
    public mutating func heard(_ telemetry: Telemetry, from source: UInt64, at time: Instant) {
        advanceWindows(to: time)
        guard let track = telemetrySources[source] else { return }
        self.telemetry[tracks[track].beacon] = telemetry
    }

    private func item(_ slot: Int32) -> Window.Item {
        let signals = records[slot].signals
        let signal = signals.median.map { median in
            Window.Signal(
                minimum: Int(signals.minimum), maximum: Int(signals.maximum), mean: signals.mean, median: median,
                deviation: signals.deviation)
        }
        let reading = configuration.reading(
            records[slot].identity, rssi: nil,
            signal: signal.map { FilteredSignal(rssi: Double($0.median), samples: Int(signals.count)) },
            sent: Int(records[slot].measuredPower), calibrated: records[slot].calibratedPower)
        return Window.Item(
            identity: records[slot].identity, adverts: Int(records[slot].adverts),
            first: records[slot].first - windowStart, last: records[slot].lastTime - windowStart, signal: signal,
            interval: records[slot].gaps.interval, loss: records[slot].gaps.loss,
            addresses: Int(records[slot].addresses.count), telemetry: telemetry.isEmpty ? nil : telemetry[slot],
            distance: reading.distance, powerIsSuspect: reading.powerIsSuspect)
    }
}
