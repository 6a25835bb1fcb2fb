import HCI
import System

/// The sockets around a link: accepts hosts, brings them what they hear, and keeps time.
final class Server {
    /// How long due adverts are gathered before the next wake-up, in nanoseconds. At 2,600 adverts/s wake-ups are
    /// the cost; 5 ms is half of the random delay that every advert has anyway.
    static let tick: Int64 = 5_000_000

    private struct Connection {
        let way: any HostWay
        let number: Int
        var interest: Readiness = .readable
        var ledger = Ledger()
        var losses: UInt64 = 0
        /// Why it is to be closed, once it is.
        var end: String?
    }

    private enum Token {
        static let listener: UInt64 = 0
        static let alarm: UInt64 = 1
        static let signals: UInt64 = 2
        static let power: UInt64 = 3
        static let firstHost: UInt64 = 16
    }

    private let source: HostSource
    private let listener: Listener?
    private let signals: Signals
    private let alarm: Alarm
    /// There while hosts are adapters.
    private var power: PowerWatch?
    private var poller: Poller
    private let scenario: Scenario
    private var link: Link
    private var connections: [Connection?] = Array(repeating: nil, count: Link.hostLimit)
    private var accepted = 0
    /// Hosts whose controllers were put back and not yet dealt with.
    private var plugged: [Int] = []
    private var truth: TruthLog
    private var air: AirLog
    private let end: Int64?
    private var isEnding = false

    init(
        _ scenario: Scenario, from source: HostSource, listener: Listener?, truth: consuming TruthLog,
        air: consuming AirLog, end: Int64?
    ) throws(SystemError) {
        self.scenario = scenario
        self.source = source
        link = Link(scenario)
        self.truth = truth
        self.air = air
        self.end = end
        self.listener = listener
        signals = try Signals()
        alarm = try Alarm()
        poller = try Poller()
        if let listener { try poller.add(listener.descriptor, token: Token.listener, .readable) }
        try poller.add(alarm.number, token: Token.alarm, .readable)
        try poller.add(signals.number, token: Token.signals, .readable)
    }

    /// Makes the adapters, or the terminal, where hosts do not come by themselves.
    func open() throws(SystemError) {
        truth.began(scenario)
        let count =
            switch source {
            case .socket: 0
            case .terminal: 1
            case .devices(let count): count
            }
        for host in 0..<count { try plugIn(host, MonotonicClock.nanoseconds) }
        if case .devices = source {
            let watch = try PowerWatch.begin()
            try poller.add(watch.descriptor, token: Token.power, .readable)
            power = watch
        }
    }

    /// Serves until the end; returns the first failure to write a log.
    func run() throws(SystemError) -> SystemError? {
        while !isEnding {
            let now = MonotonicClock.nanoseconds
            if let end, now >= end { break }
            try setAlarm(now)
            var ready: [(UInt64, Readiness)] = []
            try poller.wait(milliseconds: nil) { ready.append(($0, $1)) }
            try serve(ready)
            if let failure = truth.failure ?? air.failure { return failure }
        }
        let now = MonotonicClock.nanoseconds
        for host in connections.indices where connections[host] != nil { close(host, "the simulator ends", now) }
        truth.ended(longestSlip: link.longestSlip, skipped: link.skipped, at: now)
        return truth.failure ?? air.failure
    }

    private func setAlarm(_ now: Int64) throws(SystemError) {
        let due = link.nextDue.map { max($0, now + Server.tick) }
        try alarm.set(at: [due, end].compactMap { $0 }.min())
    }

    private func serve(_ ready: [(UInt64, Readiness)]) throws(SystemError) {
        var hosts: [(Int, Readiness)] = []
        var hasNewHosts = false
        var off: [UInt16] = []
        for (token, seen) in ready {
            switch token {
            case Token.listener: hasNewHosts = true
            case Token.alarm: alarm.acknowledge()
            case Token.signals: while signals.next() != nil { isEnding = true }
            case Token.power: off = power?.switchedOff() ?? []
            default: hosts.append((Int(token - Token.firstHost), seen))
            }
        }
        let now = MonotonicClock.nanoseconds
        // Before what the kernel says to those that it has switched on again.
        for number in off { switchOff(number, now) }
        for (host, seen) in hosts { talk(host, seen, now) }
        link.advance(to: now) { perform($0) }
        for host in connections.indices where connections[host] != nil { try flush(host, now) }
        for host in plugged { try plugIn(host, now) }
        plugged.removeAll()
        // Last, so that a host that went and came back finds its controller free.
        if hasNewHosts { try accept(now) }
    }

    private func accept(_ now: Int64) throws(SystemError) {
        while let way = try listener?.accept() {
            accepted += 1
            guard let (host, address) = link.connect(now: now) else {
                say("connection \(accepted) refused: there is no controller for it")
                continue
            }
            try connected(host, by: way, address, now)
            say("host \(host + 1) connected, its controller is \(address)")
        }
    }

    /// Makes the adapter or the terminal of a host, where hosts do not come by themselves.
    private func plugIn(_ host: Int, _ now: Int64) throws(SystemError) {
        let way: any HostWay
        let name: String
        switch source {
        case .socket: return
        case .terminal(let link):
            way = try TerminalWay.make(link: link)
            name = "at \(link)"
        case .devices:
            let device = try VirtualDevice.make()
            way = device
            name = "hci\(device.number)"
        }
        guard let address = link.connect(host, now: now) else { return }
        accepted += 1
        try connected(host, by: way, address, now)
        // What the kernel said while it was made.
        talk(host, .readable, now)
        say("host \(host + 1) is \(name), its controller is \(address)")
    }

    /// The kernel has switched an adapter off: it loses its power, and has it again for what comes next.
    private func switchOff(_ number: UInt16, _ now: Int64) {
        for host in connections.indices {
            guard let device = connections[host]?.way as? VirtualDevice, device.number == number else { continue }
            link.disconnect(host, now: now) { perform($0) }
            // nil where it is being unplugged, and then there is nothing to do.
            _ = link.connect(host, now: now)
        }
    }

    private func connected(_ host: Int, by way: any HostWay, _ address: DeviceAddress, _ now: Int64)
        throws(SystemError)
    {
        connections[host] = Connection(way: way, number: accepted)
        try poller.add(way.descriptor, token: Token.firstHost + UInt64(host), .readable)
        truth.connected(host, connection: accepted, address: address, at: now)
    }

    /// Reads the commands of a host.
    private func talk(_ host: Int, _ seen: Readiness, _ now: Int64) {
        guard let way = connections[host]?.way else { return }
        do throws(TransportFailure) {
            if seen.contains(.writable) { try way.writable() }
            guard !seen.isDisjoint(with: [.readable, .closed]) else { return }
            try way.readable { kind, bytes in
                // Data packets are for connections, and there are none.
                guard kind == .command, let command = Command(bytes) else { return }
                link.receive(command, from: host, now: now) { perform($0) }
            }
        } catch {
            connections[host]?.end = error.description
        }
        if way.framingLosses != connections[host]?.losses {
            connections[host]?.losses = way.framingLosses
            // What a controller says that lost its place, before it waits for Reset (Core Spec Vol 4 Part A 4).
            reply(host, ControllerEvent.hardwareErrorBytes(code: 0))
        }
    }

    /// What the link says, while it has not finished saying it: it is not to be touched here.
    private func perform(_ event: LinkEvent) {
        switch event {
        case .reply(let host, let bytes): reply(host, bytes)
        case .advert(let host, let sender, let bytes): advertise(host, sender, bytes)
        case .air(let host, let set, let advertisement, let cause, let time):
            air.changed(host, set, to: advertisement, cause: cause, at: time)
        case .scanning, .entered, .left, .placed, .readdressed, .fault: truth.note(event, scenario)
        case .unplugged(let host, _): connections[host]?.end = "it is unplugged"
        case .plugged(let host, _): plugged.append(host)
        case .missed(let host, let sender, let miss): connections[host]?.ledger.missed(sender, miss)
        }
    }

    private func reply(_ host: Int, _ bytes: [UInt8]) {
        guard let way = connections[host]?.way else { return }
        if !way.answer(bytes) { connections[host]?.end = "it sends commands and does not read the replies" }
    }

    private func advertise(_ host: Int, _ sender: Sender, _ bytes: [UInt8]) {
        guard let way = connections[host]?.way else { return }
        if way.report(bytes) {
            let end = way.bytesWritten + UInt64(way.bytesQueued)
            connections[host]?.ledger.queued(sender, end: end)
        } else {
            connections[host]?.ledger.dropped(sender)
        }
    }

    /// Sends what waits for a host, and lets go of it if it is gone.
    private func flush(_ host: Int, _ now: Int64) throws(SystemError) {
        guard let way = connections[host]?.way else { return }
        do throws(TransportFailure) {
            if connections[host]?.end == nil { try way.flush() }
        } catch {
            connections[host]?.end = error.description
        }
        connections[host]?.ledger.written(way.bytesWritten, now: now)
        if let end = connections[host]?.end { return close(host, end, now) }
        if way.interest != connections[host]?.interest {
            connections[host]?.interest = way.interest
            try poller.change(way.descriptor, token: Token.firstHost + UInt64(host), way.interest)
        }
    }

    private func close(_ host: Int, _ reason: String, _ now: Int64) {
        guard var connection = connections[host] else { return }
        connection.ledger.close()
        // Before the books are closed, so that "scanning off" stands before "disconnected".
        link.disconnect(host, now: now) { perform($0) }
        connections[host] = nil
        truth.disconnected(
            host, connection: connection.number, ledger: connection.ledger, beacons: scenario.beacons, at: now)
        say("host \(host + 1) is gone: \(reason)")
    }
}
