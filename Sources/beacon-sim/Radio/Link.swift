import HCI

/// What happens on the link; times are nanoseconds on the clock that the link was given.
enum LinkEvent {
    /// Bytes for a host, in answer to a command.
    case reply(host: Int, [UInt8])
    /// Bytes for a host: it hears an advert.
    case advert(host: Int, Sender, [UInt8])
    /// A host's controller has something else on air, nil for nothing.
    case air(host: Int, VirtualController.Advertisement?, cause: AirCause, at: Int64)
    /// A host's controller scans, or no longer does.
    case scanning(host: Int, Bool, at: Int64)
    /// A beacon comes into the store.
    case entered(Int, at: Int64)
    /// A beacon leaves the store.
    case left(Int, at: Int64)
    /// A beacon that has a place is there.
    case placed(Int, Position, at: Int64)
    /// A beacon sends from another address from now on.
    case readdressed(Int, DeviceAddress, at: Int64)
    /// A host that scans does not hear an advert.
    case missed(host: Int, Sender, Miss)
}

/// Why something else is on air.
enum AirCause: String {
    case command, reset, disconnected
}

/// A store full of beacons, and the controllers of the hosts in it; all hear all beacons and each other.
///
/// Pure: commands and time in, events out, and the same of them for the same seed. A real controller hears nothing
/// outside its scan window; this one does unless the scenario says otherwise. An advert is a moment here, and heard on
/// the one channel to which the receiver listens at that moment.
struct Link {
    /// How many hosts there may be at a time.
    static let hostLimit = 16
    /// Adverts that are due longer than this are not made up for: the machine stood still, the air did not.
    static let longestLag: Int64 = 1_000_000_000

    private enum Event {
        case advert(slot: Int, generation: UInt64)
        case enter(beacon: Int, presence: Int)
        case leave(beacon: Int, presence: Int)
        case step(beacon: Int, generation: UInt64)
    }

    let scenario: Scenario
    /// How often it is told where those who walk are.
    static let stride: Int64 = 1_000_000_000
    private var controllers: [VirtualController?]
    /// When each host's scan began.
    private var scanStarts = [Int64](repeating: 0, count: Link.hostLimit)
    /// How each beacon reaches each host, by host; empty until the host comes, and where all hear all.
    private var receptions = [[Reception]](repeating: [], count: Link.hostLimit)
    /// Beacons first, in their order, then hosts.
    private var transmissions: [Transmission?]
    private var schedule = Schedule<Event>()
    private var generation: UInt64 = 0
    /// When the first host started to scan; presence counts from there.
    private(set) var opened: Int64?
    /// How late an advert was at worst, in nanoseconds.
    private(set) var longestSlip: Int64 = 0
    /// How many adverts were not sent because the machine stood still.
    private(set) var skipped: UInt64 = 0

    init(_ scenario: Scenario) {
        self.scenario = scenario
        controllers = Array(repeating: nil, count: Link.hostLimit)
        transmissions = Array(repeating: nil, count: scenario.beacons.count + Link.hostLimit)
    }

    /// When `advance` is to be called, nil while nothing is on air.
    var nextDue: Int64? { schedule.nextDue }

    /// Switches the controller of a new host on, the free one with the lowest number; nil when there are too many.
    ///
    /// So a host that comes back finds its own controller, with its address, as after a power cycle.
    mutating func connect() -> (host: Int, address: DeviceAddress)? {
        guard let host = controllers.firstIndex(where: { $0 == nil }) else { return nil }
        let first = scenario.hosts.address
        let address = DeviceAddress(first.value &+ UInt64(host), first.kind)
        controllers[host] = VirtualController(address: address, generation: scenario.hosts.generation)
        if receptions[host].isEmpty, scenario.beacons.contains(where: \.isReceivedApart) {
            receptions[host] = scenario.beacons.indices.map {
                Reception(scenario.pathLoss, seed: scenario.seed, beacon: $0, host: host)
            }
        }
        return (host, address)
    }

    /// Switches the controller of a host off.
    mutating func disconnect(_ host: Int, now: Int64, _ body: (LinkEvent) -> Void) {
        let (before, wasScanning) = (controllers[host]?.advertisement, controllers[host]?.isScanning ?? false)
        controllers[host] = nil
        if wasScanning { body(.scanning(host: host, false, at: now)) }
        change(host, from: before, .disconnected, now, body)
    }

    /// A command of a host.
    mutating func receive(_ command: Command, from host: Int, now: Int64, _ body: (LinkEvent) -> Void) {
        let (before, wasScanning) = (controllers[host]?.advertisement, controllers[host]?.isScanning ?? false)
        // What was due before the command is heard before its answer.
        advance(to: now, body)
        guard let reply = controllers[host]?.perform(command) else { return }
        body(.reply(host: host, reply))
        let isScanning = controllers[host]?.isScanning ?? false
        if isScanning && !wasScanning { scanStarts[host] = now }
        if isScanning != wasScanning { body(.scanning(host: host, isScanning, at: now)) }
        if isScanning && opened == nil { open(now) }
        change(host, from: before, command.opcode == .reset ? .reset : .command, now, body)
    }

    /// Lets everything happen that is due.
    mutating func advance(to now: Int64, _ body: (LinkEvent) -> Void) {
        while let (due, event) = schedule.take(until: now) {
            switch event {
            case .advert(let slot, let generation): advertise(slot, generation, due: due, now: now, body)
            case .enter(let beacon, let presence): enter(beacon, presence, due, body)
            case .leave(let beacon, let presence): leave(beacon, presence, due, body)
            case .step(let beacon, let generation): step(beacon, generation, due, body)
            }
        }
    }

    private mutating func open(_ now: Int64) {
        opened = now
        for beacon in scenario.beacons.indices { expect(beacon, 0) }
    }

    /// Puts the next presence of a beacon on the schedule.
    private mutating func expect(_ beacon: Int, _ presence: Int) {
        let times = scenario.beacons[beacon].presence
        guard let opened, times.indices.contains(presence) else { return }
        schedule.insert(.enter(beacon: beacon, presence: presence), due: opened + times[presence].from)
    }

    private mutating func enter(_ beacon: Int, _ presence: Int, _ due: Int64, _ body: (LinkEvent) -> Void) {
        body(.entered(beacon, at: due))
        generation += 1
        var transmission = Transmission(
            scenario.beacons[beacon], number: beacon, seed: scenario.seed &+ UInt64(presence),
            generation: generation, since: due)
        schedule.insert(.advert(slot: beacon, generation: generation), due: due + transmission.phase())
        transmissions[beacon] = transmission
        if let opened, let to = scenario.beacons[beacon].presence[presence].to {
            schedule.insert(.leave(beacon: beacon, presence: presence), due: opened + to)
        }
        place(beacon, due, body)
        if scenario.beacons[beacon].whereabouts.arrival != nil {
            schedule.insert(.step(beacon: beacon, generation: generation), due: due + Link.stride)
        }
    }

    private mutating func leave(_ beacon: Int, _ presence: Int, _ due: Int64, _ body: (LinkEvent) -> Void) {
        if scenario.beacons[beacon].whereabouts.arrival != nil { place(beacon, due, body) }
        transmissions[beacon] = nil
        body(.left(beacon, at: due))
        expect(beacon, presence + 1)
    }

    /// Says where a beacon is, if it has a place.
    private func place(_ beacon: Int, _ due: Int64, _ body: (LinkEvent) -> Void) {
        guard let since = transmissions[beacon]?.since,
            let position = scenario.beacons[beacon].whereabouts.position(after: due - since)
        else { return }
        body(.placed(beacon, position, at: due))
    }

    /// Says where somebody is who walks, until he has arrived; not while he waits.
    private mutating func step(_ beacon: Int, _ generation: UInt64, _ due: Int64, _ body: (LinkEvent) -> Void) {
        let whereabouts = scenario.beacons[beacon].whereabouts
        guard let transmission = transmissions[beacon], transmission.generation == generation,
            let arrival = whereabouts.arrival
        else { return }
        let elapsed = due - transmission.since
        if whereabouts.position(after: elapsed) != whereabouts.position(after: elapsed - Link.stride) {
            place(beacon, due, body)
        }
        if elapsed < arrival {
            schedule.insert(.step(beacon: beacon, generation: generation), due: due + Link.stride)
        }
    }

    private mutating func advertise(
        _ slot: Int, _ generation: UInt64, due: Int64, now: Int64, _ body: (LinkEvent) -> Void
    ) {
        guard var transmission = transmissions[slot], transmission.generation == generation else { return }
        // Moved out and back, so that its arrays are changed in place.
        transmissions[slot] = nil
        if now - due <= Link.longestLag {
            longestSlip = max(longestSlip, now - due)
            readdress(&transmission, due, body)
            deliver(&transmission, due, body)
        } else {
            skipped += 1
        }
        schedule.insert(.advert(slot: slot, generation: generation), due: due + transmission.gap())
        transmissions[slot] = transmission
    }

    private func readdress(_ transmission: inout Transmission, _ due: Int64, _ body: (LinkEvent) -> Void) {
        guard case .beacon(let beacon) = transmission.sender, let rotation = scenario.beacons[beacon].rotation,
            let opened
        else { return }
        let number = rotation.number(after: due - opened)
        guard number != transmission.addressNumber else { return }
        let address = DeviceAddress(rotation.address(number), .random)
        transmission.change(to: address, number: number)
        body(.readdressed(beacon, address, at: due))
    }

    private mutating func deliver(_ transmission: inout Transmission, _ due: Int64, _ body: (LinkEvent) -> Void) {
        let position = position(of: transmission, due)
        for host in controllers.indices where transmission.sender != .host(host) {
            guard controllers[host]?.listens == true,
                let (channel, isInWindow) = controllers[host]?.channel(after: due - scanStarts[host])
            else { continue }
            guard isInWindow || !scenario.hosts.honoursWindow else {
                body(.missed(host: host, transmission.sender, .outside))
                continue
            }
            guard let mean = strength(of: transmission, position, host, channel, due) else {
                body(.missed(host: host, transmission.sender, .lost))
                continue
            }
            if controllers[host]?.hasReported(transmission.address) == true { continue }
            let rssi = transmission.sample(mean: mean)
            guard rssi >= scenario.hosts.sensitivity else {
                body(.missed(host: host, transmission.sender, .weak))
                continue
            }
            guard controllers[host]?.reports(transmission.address) == true else { continue }
            transmission.set(rssi)
            body(.advert(host: host, transmission.sender, transmission.report))
            if let response = transmission.responseReport, controllers[host]?.scansActively == true {
                body(.advert(host: host, transmission.sender, response))
            }
        }
    }

    private func position(of transmission: Transmission, _ due: Int64) -> Position? {
        guard case .beacon(let beacon) = transmission.sender else { return nil }
        return scenario.beacons[beacon].whereabouts.position(after: due - transmission.since)
    }

    /// How strong a host hears an advert on average, dBm, before noise; nil if the air loses it.
    private mutating func strength(
        of transmission: Transmission, _ position: Position?, _ host: Int, _ channel: Int, _ due: Int64
    ) -> Double? {
        guard case .beacon(let beacon) = transmission.sender, !receptions[host].isEmpty else {
            return transmission.strength.mean
        }
        if receptions[host][beacon].loses(scenario.beacons[beacon].loss, at: due) { return nil }
        let fading = scenario.beacons[beacon].fading
        guard let position else {
            return transmission.strength.mean + receptions[host][beacon].gain(channel: nil, fading)
        }
        let metres = position.distance(to: scenario.hosts.position(host))
        return scenario.pathLoss.strength(transmission.strength.mean, metres: metres)
            + receptions[host][beacon].gain(channel: channel, fading)
    }

    /// Brings the air in line with what a host's controller advertises now.
    private mutating func change(
        _ host: Int, from before: VirtualController.Advertisement?, _ cause: AirCause, _ now: Int64,
        _ body: (LinkEvent) -> Void
    ) {
        let after = controllers[host]?.advertisement
        guard after != before else { return }
        body(.air(host: host, after, cause: cause, at: now))
        let slot = scenario.beacons.count + host
        guard let after else {
            transmissions[slot] = nil
            return
        }
        generation += 1
        let strength = Strength(mean: Double(scenario.hosts.rssi), deviation: 0)
        let next = Transmission(
            after, host: host, strength: strength, seed: scenario.seed, generation: generation, since: now)
        // Other data goes out with the next advertising event, at the rhythm that is running.
        if transmissions[slot] != nil, before?.interval == after.interval, before?.address == after.address {
            transmissions[slot]?.replace(with: next)
        } else {
            transmissions[slot] = next
            schedule.insert(.advert(slot: slot, generation: generation), due: now)
        }
    }
}
