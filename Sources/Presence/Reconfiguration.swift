extension PresenceEngine {
    /// Puts other regions in the place of those watched. One that keeps its id and identity keeps its state and visit;
    /// of the others' visits each is closed.
    mutating func replaceRegions(with regions: [Region], at now: Instant) {
        let reading = clock.reading(at: now)
        let numberByID = Dictionary(
            monitors.enumerated().map { ($1.region.id, $0) }, uniquingKeysWith: { first, _ in first })
        var kept = Set<String>()
        let next = regions.map { region -> Monitor in
            guard let number = numberByID[region.id], monitors[number].region.constraint == region.constraint else {
                return Monitor(region: region, at: now, reading: reading)
            }
            kept.insert(region.id)
            var monitor = monitors[number]
            monitor.region = region
            return monitor
        }
        let nextIDs = Set(regions.map(\.id))
        for number in monitors.indices where !kept.contains(monitors[number].region.id) {
            leave(number, at: now, reason: .regionRemoved)
            let id = monitors[number].region.id
            if !nextIDs.contains(id) { outcomes.append(.regionRemoved(id: id)) }
        }
        for monitor in next where !kept.contains(monitor.region.id) { outcomes.append(.regionIs(monitor.state)) }
        monitors = next
    }
}
