import Agent
import HCI
import System
import Testing

@testable import beacon_sim
@testable import beacond

/// A machine whose controllers answer nothing; a test says what their ways do.
private final class MuteMachine: BluetoothHost {
    final class Way: ControllerTransport {
        let descriptor: Int32 = -1
        let interest = Readiness.readable
        var isConnected = true
        var losses = TransportLosses()
        private(set) var sent: [[UInt8]] = []

        func send(_ packet: [UInt8]) throws(TransportFailure) -> Bool {
            sent.append(packet)
            return true
        }

        func writable() throws(TransportFailure) { isConnected = true }

        func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure) {}
    }

    /// How many adapters there are, and whether the kernel is still setting them up.
    var count: UInt16 = 2
    var isStarting = false
    /// Whether adapters can be taken from their driver, and how often that was done.
    var areReprobable = true
    private(set) var reprobes = 0
    /// Whether a stream connects at once.
    var connectsAtOnce = true
    let manager: String? = nil
    private(set) var ways: [Way] = []
    private(set) var accesses: [AdapterAccess] = []

    func adapters() throws(AdapterProblem) -> [Adapter] {
        (0..<count).map {
            Adapter(
                number: $0, address: DeviceAddress(0xDCA6_3201_0200 + UInt64($0), .public), isUp: false, bus: .usb)
        }
    }

    func open(_ adapter: Adapter, _ access: AdapterAccess) throws(AdapterProblem) -> any ControllerTransport {
        accesses.append(access)
        if isStarting, access == .exclusive { throw .starting(name: adapter.name) }
        return way()
    }

    func connect(to stream: StreamAddress) throws(AdapterProblem) -> any ControllerTransport {
        let way = way()
        way.isConnected = connectsAtOnce
        return way
    }

    func powerCycle(_ adapter: Adapter, for access: AdapterAccess) throws(AdapterProblem) {}

    func isReprobable(_ adapter: Adapter) -> Bool { areReprobable }

    func reprobe(_ adapter: Adapter) throws(AdapterProblem) { reprobes += 1 }

    private func way() -> Way {
        ways.append(Way())
        return ways[ways.count - 1]
    }
}

@Suite("A link to a controller, in virtual time")
struct LinkTests {
    private static let second = VirtualNode.second
    private static let plan = RadioPlan(scan: ScanPlan(interval: .milliseconds(100), window: .milliseconds(90)))

    private static func link(_ choice: AdapterChoice, _ host: some BluetoothHost) -> ControllerLink {
        ControllerLink(LinkSetting(choice), plan: plan, host: host, entropy: 1)
    }

    /// Lives until a time in seconds; not more than so many turns, for a deadline that nothing clears is no deadline.
    private static func run(_ link: ControllerLink, _ machine: VirtualMachine, until end: Int64) {
        var turns = 0
        while let due = [link.nextDeadline, machine.nextDue].compactMap({ $0 }).min(), due < end * second {
            turns += 1
            guard turns < 200_000 else {
                Issue.record("it does not come to rest")
                return
            }
            machine.advance(to: max(due, machine.now))
            repeat {
                if machine.isReadable { link.ready(.readable, now: machine.now) { _, _ in } }
                link.tick(now: machine.now)
            } while machine.isReadable
        }
        machine.advance(to: end * second)
    }

    private static func store(adapters: Int = 1, fault: String) throws -> VirtualMachine {
        let uuid = FaultTableTests.uuid
        let scenario = """
            seed: 11
            beacons:
              a: {uuid: \(uuid), major: 1, minor: 1, rssi: -60, interval: 100ms}
              b: {uuid: \(uuid), major: 1, minor: 2, rssi: -65, interval: 200ms}
              c: {uuid: \(uuid), major: 2, minor: 1, rssi: -70, interval: 500ms}
              d: {uuid: \(uuid), major: 2, minor: 2, rssi: -75, interval: 300ms}
            faults: [{at: 60s, \(fault)}]

            """
        return VirtualMachine(try ScenarioReader.read(Array(scenario.utf8)), adapters: adapters)
    }

    @Test("a controller that hung while it was stopped is left alone afterwards") func stoppedForGood() throws {
        let machine = try Self.store(fault: "fault: hang")
        let link = Self.link(.any, machine)
        Self.run(link, machine, until: 61)
        let resets = machine.resets.count
        link.stop(now: machine.now)
        Self.run(link, machine, until: 300)
        #expect(link.isStopped)
        #expect(link.nextDeadline == nil)
        #expect(machine.resets.count == resets)
        #expect(machine.powerCycles == 0)
    }

    @Test("a connection that comes about after a stop is not set up") func stoppedWhileConnecting() throws {
        let host = MuteMachine()
        host.connectsAtOnce = false
        let link = Self.link(.stream(.tcp(address: "127.0.0.1", port: 1)), host)
        link.tick(now: 0)
        link.stop(now: 1)
        #expect(link.isStopped)
        link.ready(.writable, now: 2) { _, _ in }
        let way = try #require(host.ways.first)
        #expect(way.isConnected)
        #expect(way.sent.isEmpty)
    }

    @Test("a controller whose way took long to open has all its time to answer") func slowlyOpened() throws {
        let host = MuteMachine()
        let link = Self.link(.number(0), host)
        // Powering an adapter takes the kernel seconds, in the middle of this.
        link.tick(now: 0)
        link.tick(now: 5 * Self.second)
        link.tick(now: 6 * Self.second)
        #expect(try #require(host.ways.first).sent.count == 1)
    }

    @Test("a controller that does not come back is said not to, and not now this and now that")
    func lastingTrouble() throws {
        let host = MuteMachine()
        let link = Self.link(.number(0), host)
        var now: Int64 = 0
        while now < 1800 * Self.second {
            link.tick(now: now)
            now = max(now + 1, link.nextDeadline ?? .max)
        }
        let troubles = link.reports.compactMap { if case .blind(let trouble) = $0 { trouble.cause } else { nil } }
        let first = try #require(troubles.firstIndex(of: "unrecovered"))
        #expect(Set(troubles[first...]) == ["unrecovered"])
    }

    @Test("another adapter is waited for as long as the first one was, while the kernel sets it up")
    func startingAgain() {
        let host = MuteMachine()
        host.isStarting = true
        let link = Self.link(.number(0), host)
        var now: Int64 = 0
        while host.accesses.count < 4 {
            now = max(now, link.nextDeadline ?? now)
            link.tick(now: now)
        }
        link.apply(LinkSetting(.number(1)), Self.plan, now: now)
        while !host.accesses.contains(.shared), now < 60 * Self.second {
            now = max(now, link.nextDeadline ?? now)
            link.tick(now: now)
        }
        #expect(host.accesses.count { $0 == .exclusive } == 4 + 5)
    }

    @Test("an adapter is taken from its driver only where that is possible", arguments: [false, true])
    func reprobing(isPossible: Bool) {
        let host = MuteMachine()
        host.areReprobable = isPossible
        let link = Self.link(.number(0), host)
        var now: Int64 = 0
        while now < 60 * Self.second {
            link.tick(now: now)
            now = max(now + 1, link.nextDeadline ?? .max)
        }
        let isTold = link.reports.contains { if case .recovering(.reprobe, _, _) = $0 { true } else { false } }
        #expect(isTold == isPossible)
        #expect((host.reprobes > 0) == isPossible)
    }

    @Test("an adapter that is chosen in place of a deaf one is not deaf for that")
    func chosenInPlaceOfDeaf() throws {
        let machine = try Self.store(adapters: 2, fault: "host: 1, fault: silence")
        let link = Self.link(.number(0), machine)
        Self.run(link, machine, until: 120)
        #expect(link.reports.contains(.blind(.deaf(name: "hci0"))))
        link.reports = []
        link.apply(LinkSetting(.number(1)), Self.plan, now: machine.now)
        // One to open, one to start.
        for _ in 0..<2 { link.tick(now: machine.now) }
        // Before it has heard anything: at night there may be nothing to hear.
        while !link.isSettled { link.ready(.readable, now: machine.now) { _, _ in } }
        #expect(link.reports.contains { if case .listening = $0 { true } else { false } }, "\(link.reports)")
    }
}

@Suite("A radio of two adapters")
struct RadioLinkTests {
    private static func tuning(sender: String?) -> RadioTuning {
        RadioTuning(
            adapter: "hci0", scanInterval: .milliseconds(100), scanWindow: .milliseconds(90),
            advertising: sender.map {
                RadioTuning.Advertising(adapter: $0, data: [2, 1, 6], interval: .seconds(1))
            })
    }

    @Test("what is waited for in vain does not hurry what is heard") func settledWithoutSender() throws {
        let scenario = "beacons: {a: {uuid: \(FaultTableTests.uuid), major: 1, minor: 1}}\n"
        let machine = VirtualMachine(try ScenarioReader.read(Array(scenario.utf8)))
        let radio = RadioLink(Self.tuning(sender: "hci5"), entropy: 1, host: machine)
        // One to open, one to start.
        for _ in 0..<2 { radio.tick(now: 0) }
        #expect(!radio.isSettled)
        while machine.isReadable { radio.ready(.readable, now: 0, token: 1) { (_: Heard) in } }
        #expect(radio.isSettled)
    }

    @Test("an adapter that has become deaf still advertises, and that stays known") func deafOnAir() throws {
        let uuid = FaultTableTests.uuid
        let scenario = """
            seed: 11
            beacons:
              a: {uuid: \(uuid), major: 1, minor: 1, rssi: -60, interval: 100ms}
              b: {uuid: \(uuid), major: 1, minor: 2, rssi: -65, interval: 200ms}
              c: {uuid: \(uuid), major: 2, minor: 1, rssi: -70, interval: 500ms}
            faults: [{at: 60s, fault: silence}]

            """
        let machine = VirtualMachine(try ScenarioReader.read(Array(scenario.utf8)))
        var tuning = Self.tuning(sender: nil)
        tuning.advertising = RadioTuning.Advertising(data: [2, 1, 6], interval: .seconds(1))
        let radio = RadioLink(tuning, entropy: 1, host: machine)
        while let due = [radio.nextDeadline, machine.nextDue].compactMap({ $0 }).min(),
            due < 120 * VirtualNode.second
        {
            machine.advance(to: max(due, machine.now))
            repeat {
                if machine.isReadable { radio.ready(.readable, now: machine.now, token: 1) { (_: Heard) in } }
                radio.tick(now: machine.now)
            } while machine.isReadable
        }
        #expect(radio.reports.contains { if case .blind(_, "deaf", _) = $0 { true } else { false } })
        let states = radio.reports.compactMap { if case .advertising(let state) = $0 { state } else { nil } }
        #expect(states.last == .onAir(data: [2, 1, 6], txPower: 4), "\(states)")
    }

    @Test("what was lost on the way stays counted when the adapter that advertises is given up")
    func lossesStay() throws {
        let host = MuteMachine()
        let radio = RadioLink(Self.tuning(sender: "hci1"), entropy: 1, host: host)
        radio.tick(now: 0)
        try #require(host.ways.count == 2)
        host.ways[1].losses.packets = 7
        radio.ready(.readable, now: 1, token: 1 << 32 | 1) { (_: Heard) in }
        #expect(radio.lost == 7)
        radio.apply(Self.tuning(sender: nil), now: 2)
        #expect(radio.lost == 7)
    }
}
