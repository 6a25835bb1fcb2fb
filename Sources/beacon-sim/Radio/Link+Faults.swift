import HCI
import System

/// What goes wrong at one host, and what has been so far.
struct HostTroubles {
    var now = Troubles()
    /// Whether its controller was ever switched on, and whether it ever scanned.
    var hasBooted = false
    var hasScanned = false
    var isUnplugged = false
    /// Tells answers to this host from those to what was there before.
    var session: UInt64 = 0
    var floods: [Int: Flood] = [:]
    var nonsense: SeededRandom?
}

/// Adverts that a fault makes up: iBeacons with a UUID of their own, numbered through major and minor, each from another
/// address. They are made in place, because there may be thousands a second.
struct Flood {
    /// How many have been made.
    private(set) var count: Int64 = 0
    /// When it began.
    let start: Int64
    /// The one that was made last.
    private(set) var transmission: Transmission
    private var random: SeededRandom

    /// ASCII "FLOOD-BEACON-SIM".
    static let uuid = Array("FLOOD-BEACON-SIM".utf8)
    /// How strong they are heard, dBm.
    static let strength: Int8 = -70

    init(seed: UInt64, fault: Int, host: Int, start: Int64) {
        self.start = start
        random = SeededRandom(seed: seed ^ 0x466C_6F6F_6473, stream: UInt64(fault) << 8 | UInt64(host))
        let data = [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + Flood.uuid + [0, 0, 0, 0, 0xC5]
        transmission = Transmission(
            VirtualController.Advertisement(
                type: .advNonconnInd, data: data, response: [], address: DeviceAddress(0, .random), interval: 0),
            fault: fault)
        transmission.set(Flood.strength)
    }

    /// Makes the next one.
    mutating func next() {
        transmission.number(UInt32(truncatingIfNeeded: count), before: 1)
        // Random static (Core Spec Vol 6 Part B 1.3.2.1).
        let address = DeviceAddress(0xC000_0000_0000 | random.next() & 0x3FFF_FFFF_FFFF, .random)
        transmission.change(to: address, number: count)
        count += 1
    }
}

// What goes wrong.
extension Link {
    /// A burst comes in pieces of so many, so that the loop of a server gets its turn; so far apart, in nanoseconds.
    private static let burstPiece = 500
    private static let burstPause: Int64 = 1_000_000

    /// The controller of a host was switched on.
    mutating func booted(_ host: Int, _ now: Int64) {
        troubles[host].session += 1
        guard !troubles[host].hasBooted else { return }
        troubles[host].hasBooted = true
        for fault in faults(of: host) where scenario.faults[fault].at == nil {
            schedule.insert(.begin(host: host, fault: fault), due: now)
        }
    }

    /// A host scans; its faults count from the first time.
    mutating func scanned(_ host: Int, _ now: Int64) {
        guard !troubles[host].hasScanned else { return }
        troubles[host].hasScanned = true
        for fault in faults(of: host) {
            guard let at = scenario.faults[fault].at else { continue }
            schedule.insert(.begin(host: host, fault: fault), due: now + at)
        }
    }

    private func faults(of host: Int) -> [Int] {
        scenario.faults.indices.filter { (scenario.faults[$0].host ?? host) == host }
    }

    /// Performs a command unless something is wrong; nil where no answer comes, or comes later.
    mutating func answer(
        to command: Command, of host: Int, _ now: Int64, _ body: (LinkEvent) -> Void
    ) -> [UInt8]? {
        if command.opcode == .reset { cure(host, by: .reset, now, body) }
        let startsScan = command.opcode == .setScanEnable || command.opcode == .setExtendedScanEnable
        if startsScan, command.parameters.first == 1 { cure(host, by: .restartScan, now, body) }
        let (verdict, spent) = troubles[host].now.verdict(on: command.opcode)
        for fault in spent { body(.fault(host: host, fault, begins: false, at: now)) }
        switch verdict {
        case .perform: return controllers[host]?.perform(command)
        case .refuse(let status): return ControllerEvent.commandCompleteBytes(command.opcode, status: status)
        case .nothing: return nil
        case .mute:
            _ = controllers[host]?.perform(command)
            return nil
        case .late(let time):
            guard let reply = controllers[host]?.perform(command) else { return nil }
            let session = troubles[host].session
            schedule.insert(.answer(host: host, session: session, reply), due: now + time)
            return nil
        }
    }

    /// Ends the faults that something cures.
    mutating func cure(_ host: Int, by cure: Fault.Cure, _ now: Int64, _ body: (LinkEvent) -> Void) {
        for fault in troubles[host].now.cured(by: cure) { body(.fault(host: host, fault, begins: false, at: now)) }
    }

    /// Begins a fault.
    mutating func begin(_ number: Int, at host: Int, _ due: Int64, _ body: (LinkEvent) -> Void) {
        let fault = scenario.faults[number]
        body(.fault(host: host, number, begins: true, at: due))
        if case .hardwareError(let code) = fault.kind { return crash(host, code, due, body) }
        troubles[host].now.begin(number, fault)
        if let length = fault.length { schedule.insert(.end(host: host, fault: number), due: due + length) }
        switch fault.kind {
        case .flood, .burst:
            troubles[host].floods[number] = Flood(seed: scenario.seed, fault: number, host: host, start: due)
            schedule.insert(.flood(host: host, fault: number), due: due)
        case .unplug where !troubles[host].isUnplugged:
            troubles[host].isUnplugged = true
            disconnect(host, now: due, body)
            body(.unplugged(host: host, at: due))
        default: break
        }
    }

    /// Ends a fault whose time is over.
    mutating func end(_ number: Int, at host: Int, _ due: Int64, _ body: (LinkEvent) -> Void) {
        guard troubles[host].now.end(number) else { return }
        body(.fault(host: host, number, begins: false, at: due))
        troubles[host].floods[number] = nil
        if scenario.faults[number].kind == .unplug, !troubles[host].now.isUnplugged {
            troubles[host].isUnplugged = false
            body(.plugged(host: host, at: due))
        }
    }

    /// A controller that says it is broken has forgotten everything.
    private mutating func crash(_ host: Int, _ code: UInt8, _ due: Int64, _ body: (LinkEvent) -> Void) {
        guard let before = controllers[host] else { return }
        body(.reply(host: host, ControllerEvent.hardwareErrorBytes(code: code)))
        controllers[host] = VirtualController(address: before.address, model: before.model)
        noteChange(host, from: before, .fault, due, body)
    }

    /// The next advert of a flood, or the next piece of a burst.
    mutating func flood(_ number: Int, at host: Int, due: Int64, now: Int64, _ body: (LinkEvent) -> Void) {
        guard troubles[host].now.has(number), var flood = troubles[host].floods.removeValue(forKey: number) else {
            return
        }
        switch scenario.faults[number].kind {
        case .flood(let rate):
            flood.next()
            if now - due <= Link.longestLag {
                hear(flood.transmission, at: host, due, body)
            } else {
                skipped += 1
            }
            // From the beginning, so that no remainders add up; what is left out counts as well.
            let next = flood.start + flood.count * 1_000_000_000 / rate
            schedule.insert(.flood(host: host, fault: number), due: next)
        case .burst(let count):
            for _ in 0..<min(Link.burstPiece, count - Int(flood.count)) {
                flood.next()
                hear(flood.transmission, at: host, due, body)
            }
            guard flood.count < count else { return end(number, at: host, due, body) }
            schedule.insert(.flood(host: host, fault: number), due: now + Link.burstPause)
        default: break
        }
        troubles[host].floods[number] = flood
    }

    /// A host hears an advert that is made up, if it scans for such.
    private mutating func hear(
        _ transmission: Transmission, at host: Int, _ due: Int64, _ body: (LinkEvent) -> Void
    ) {
        guard controllers[host]?.scan(for: transmission) != nil,
            controllers[host]?.reports(transmission.address) == true
        else { return }
        report(transmission, to: host, asked: false, due, body)
    }

    /// Reports an advert to a host, and the answer to its scan request where it asked, unless something is wrong.
    mutating func report(
        _ transmission: Transmission, to host: Int, asked: Bool, _ due: Int64, _ body: (LinkEvent) -> Void
    ) {
        let isExtended = controllers[host]?.reportsExtended ?? false
        let report = transmission.report(extended: isExtended)
        switch troubles[host].now.fate(of: transmission.address, at: due) {
        case .withheld: body(.missed(host: host, transmission.sender, .withheld))
        case .malformed(let fault):
            var random =
                troubles[host].nonsense
                ?? SeededRandom(seed: scenario.seed ^ 0x4E6F_6E73_656E, stream: UInt64(host))
            body(.missed(host: host, transmission.sender, .malformed))
            body(.advert(host: host, .fault(fault), Nonsense.report(from: report, &random)))
            troubles[host].nonsense = random
        case .delivered:
            body(.advert(host: host, transmission.sender, report))
            if asked, let response = transmission.responseReport(extended: isExtended) {
                body(.advert(host: host, transmission.sender, response))
            }
        }
    }
}
