import HCI

/// What happens on the link; times are nanoseconds on the clock that the link was given.
enum LinkEvent {
    /// Bytes for a host, in answer to a command.
    case reply(host: Int, [UInt8])
    /// Bytes for a host: it hears an advert.
    case advert(host: Int, Sender, [UInt8])
    /// An advertising set of a host's controller has something else on air, nil for nothing. With legacy commands
    /// there is one, 0.
    case air(host: Int, set: Int, VirtualController.Advertisement?, cause: AirCause, at: Int64)
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
    /// A fault of that number begins at a host's controller, or ends.
    case fault(host: Int, Int, begins: Bool, at: Int64)
    /// A host's controller is taken out of the machine: it is gone, as if it had been disconnected.
    case unplugged(host: Int, at: Int64)
    /// It is put back: the host may connect again.
    case plugged(host: Int, at: Int64)
}

/// Why something else is on air.
enum AirCause: String {
    case command, reset, disconnected, fault
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

    enum Event {
        case advert(slot: Int, generation: UInt64)
        case enter(beacon: Int, presence: Int)
        case leave(beacon: Int, presence: Int)
        case step(beacon: Int, generation: UInt64)
        case begin(host: Int, fault: Int)
        case end(host: Int, fault: Int)
        /// An answer that comes late.
        case answer(host: Int, session: UInt64, [UInt8])
        /// The next of the adverts that a fault makes up.
        case flood(host: Int, fault: Int)
    }

    let scenario: Scenario
    /// How often it is told where those who walk are.
    static let stride: Int64 = 1_000_000_000
    var controllers: [VirtualController?]
    /// When each host's scan began.
    var scanStarts = [Int64](repeating: 0, count: Link.hostLimit)
    /// How each beacon reaches each host, by host; empty until the host comes, and where all hear all.
    var receptions = [[Reception]](repeating: [], count: Link.hostLimit)
    /// Beacons first, in their order, then the advertising sets of the hosts.
    var transmissions: [Transmission?]
    var schedule = Schedule<Event>()
    var generation: UInt64 = 0
    /// What is wrong with each host's controller.
    var troubles = [HostTroubles](repeating: HostTroubles(), count: Link.hostLimit)
    /// When the first host started to scan; presence counts from there.
    private(set) var opened: Int64?
    /// How late an advert was at worst, in nanoseconds.
    var longestSlip: Int64 = 0
    /// How many adverts were not sent because the machine stood still.
    var skipped: UInt64 = 0

    init(_ scenario: Scenario) {
        self.scenario = scenario
        controllers = Array(repeating: nil, count: Link.hostLimit)
        transmissions = Array(
            repeating: nil, count: scenario.beacons.count + Link.hostLimit * VirtualController.setLimit)
    }

    /// When `advance` is to be called, nil while nothing is on air.
    var nextDue: Int64? { schedule.nextDue }

    /// Switches the controller of a new host on, the free one with the lowest number; nil when there are too many, and
    /// when that one is unplugged.
    ///
    /// So a host that comes back finds its own controller, with its address, as after a power cycle.
    mutating func connect(now: Int64 = 0) -> (host: Int, address: DeviceAddress)? {
        guard let host = controllers.firstIndex(where: { $0 == nil }), let address = connect(host, now: now) else {
            return nil
        }
        return (host, address)
    }

    /// Switches the controller of that host on; nil if it is on already or unplugged.
    mutating func connect(_ host: Int, now: Int64) -> DeviceAddress? {
        guard controllers[host] == nil, !troubles[host].isUnplugged else { return nil }
        let address = scenario.hosts.address(host)
        controllers[host] = VirtualController(address: address, model: scenario.hosts.model(host))
        if receptions[host].isEmpty, scenario.beacons.contains(where: \.isReceivedApart) {
            receptions[host] = scenario.beacons.indices.map {
                Reception(scenario.pathLoss, seed: scenario.seed, beacon: $0, host: host)
            }
        }
        booted(host, now)
        return address
    }

    /// Switches the controller of a host off.
    mutating func disconnect(_ host: Int, now: Int64, _ body: (LinkEvent) -> Void) {
        guard let controller = controllers[host] else { return }
        controllers[host] = nil
        if controller.isScanning { body(.scanning(host: host, false, at: now)) }
        change(host, from: controller.advertisements, .disconnected, now, body)
        cure(host, by: .power, now, body)
    }

    /// A command of a host.
    mutating func receive(_ command: Command, from host: Int, now: Int64, _ body: (LinkEvent) -> Void) {
        // What was due before the command is heard before its answer.
        advance(to: now, body)
        guard let before = controllers[host] else { return }
        if let reply = answer(to: command, of: host, now, body) { body(.reply(host: host, reply)) }
        noteChange(host, from: before, command.opcode == .reset ? .reset : .command, now, body)
    }

    /// Tells what a host's controller does differently now.
    mutating func noteChange(
        _ host: Int, from before: VirtualController, _ cause: AirCause, _ now: Int64, _ body: (LinkEvent) -> Void
    ) {
        let isScanning = controllers[host]?.isScanning ?? false
        if isScanning && !before.isScanning { scanStarts[host] = now }
        if isScanning != before.isScanning { body(.scanning(host: host, isScanning, at: now)) }
        if isScanning && opened == nil { open(now) }
        if isScanning { scanned(host, now) }
        change(host, from: before.advertisements, cause, now, body)
    }

    /// Lets everything happen that is due.
    mutating func advance(to now: Int64, _ body: (LinkEvent) -> Void) {
        while let (due, event) = schedule.take(until: now) {
            switch event {
            case .advert(let slot, let generation): advertise(slot, generation, due: due, now: now, body)
            case .enter(let beacon, let presence): enter(beacon, presence, due, body)
            case .leave(let beacon, let presence): leave(beacon, presence, due, body)
            case .step(let beacon, let generation): step(beacon, generation, due, body)
            case .begin(let host, let fault): begin(fault, at: host, due, body)
            case .end(let host, let fault): end(fault, at: host, due, body)
            case .answer(let host, let session, let bytes):
                if troubles[host].session == session { body(.reply(host: host, bytes)) }
            case .flood(let host, let fault): flood(fault, at: host, due: due, now: now, body)
            }
        }
    }

    private mutating func open(_ now: Int64) {
        opened = now
        for beacon in scenario.beacons.indices { expect(beacon, 0) }
    }
}
