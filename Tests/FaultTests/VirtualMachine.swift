import HCI
import System
import Testing

@testable import beacon_sim

/// A machine with the adapters of a simulated store, in virtual time: no kernel, no socket, no waiting.
final class VirtualMachine: BluetoothHost {
    /// One adapter's way; packets wait in `inbox` until they are read.
    final class Way: ControllerTransport {
        let machine: VirtualMachine
        let index: Int
        var inbox: [[UInt8]] = []
        var isGone = false

        init(_ machine: VirtualMachine, _ index: Int) {
            self.machine = machine
            self.index = index
        }

        deinit { machine.left(index) }

        let descriptor: Int32 = -1
        let interest = Readiness.readable
        let isConnected = true
        var losses = TransportLosses()

        func send(_ packet: [UInt8]) throws(TransportFailure) -> Bool {
            if isGone { throw .ended }
            machine.send(packet, from: index)
            return true
        }

        func writable() throws(TransportFailure) {}

        func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure) {
            let packets = inbox
            inbox = []
            for packet in packets {
                packet.withUnsafeBytes { body(.event, UnsafeRawBufferPointer(rebasing: $0[1...])) }
            }
            if isGone { throw .ended }
        }
    }

    private var link: Link
    private(set) var now: Int64 = 0
    private var ways: [Int: Unowned] = [:]
    /// Where each adapter is plugged in at the moment, nil while it is not.
    private var numbers: [UInt16?]
    private let scenario: Scenario
    /// When each Reset command was sent.
    private(set) var resets: [Int64] = []
    /// How often adapters were taken down, or given back to their driver.
    private(set) var powerCycles = 0
    private(set) var reprobes = 0
    /// When the first fault began, and the last one ended.
    private(set) var faultBegan: Int64?
    private(set) var faultEnded: Int64?
    /// What stands in the way of adapters, and from when until when.
    var problems: [(from: Int64, until: Int64, problem: AdapterProblem)] = []
    let manager: String? = nil

    /// Does not keep a way alive.
    private struct Unowned {
        weak var way: Way?
    }

    init(_ scenario: Scenario, adapters: Int = 1) {
        self.scenario = scenario
        link = Link(scenario)
        numbers = (0..<adapters).map { UInt16($0) }
    }

    /// When something happens next.
    var nextDue: Int64? { link.nextDue }

    /// Whether there is something to read.
    var isReadable: Bool {
        ways.values.contains { $0.way.map { !$0.inbox.isEmpty || $0.isGone } ?? false }
    }

    func advance(to time: Int64) {
        now = max(now, time)
        link.advance(to: now) { take($0) }
    }

    // MARK: - BluetoothHost

    private var problem: AdapterProblem? { problems.first { $0.from <= now && now < $0.until }?.problem }

    func adapters() throws(AdapterProblem) -> [Adapter] {
        if case .noBluetooth? = problem { throw .noBluetooth }
        return numbers.indices.compactMap { index in
            numbers[index].map {
                Adapter(
                    number: $0, address: scenario.hosts.address(index), isUp: false, bus: .usb,
                    block: blocked)
            }
        }
    }

    private var blocked: Adapter.Block? {
        if case .blocked(_, let block)? = problem { block } else { nil }
    }

    func open(_ adapter: Adapter, _ access: AdapterAccess) throws(AdapterProblem) -> any ControllerTransport {
        if let problem { throw problem }
        guard let index = numbers.firstIndex(of: adapter.number), link.connect(index, now: now) != nil else {
            throw .missing(.number(adapter.number))
        }
        let way = Way(self, index)
        ways[index] = Unowned(way: way)
        return way
    }

    func connect(to stream: StreamAddress) throws(AdapterProblem) -> any ControllerTransport {
        throw .missing(.stream(stream))
    }

    func powerCycle(_ adapter: Adapter, for access: AdapterAccess) throws(AdapterProblem) {
        powerCycles += 1
        if let problem { throw problem }
    }

    func isReprobable(_ adapter: Adapter) -> Bool { true }

    func reprobe(_ adapter: Adapter) throws(AdapterProblem) { reprobes += 1 }

    // MARK: - The link

    private func send(_ packet: [UInt8], from index: Int) {
        guard let command = packet.withUnsafeBytes({ Command(UnsafeRawBufferPointer(rebasing: $0[1...])) }) else {
            return
        }
        if command.opcode == .reset { resets.append(now) }
        link.receive(command, from: index, now: now) { take($0) }
    }

    private func left(_ index: Int) {
        ways[index] = nil
        link.disconnect(index, now: now) { take($0) }
    }

    private func take(_ event: LinkEvent) {
        switch event {
        case .reply(let host, let bytes): ways[host]?.way?.inbox.append(bytes)
        case .advert(let host, _, let bytes): ways[host]?.way?.inbox.append(bytes)
        case .unplugged(let host, _):
            ways[host]?.way?.isGone = true
            numbers[host] = nil
        case .plugged(let host, _):
            // A replugged adapter gets another number while the old one is still held.
            numbers[host] = UInt16(10 + host)
        case .fault(_, _, let begins, let time):
            if begins { faultBegan = faultBegan ?? time } else { faultEnded = time }
        case .air, .scanning, .entered, .left, .placed, .readdressed, .missed: break
        }
    }
}
