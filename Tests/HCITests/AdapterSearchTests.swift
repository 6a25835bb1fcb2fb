import System
import Testing

@testable import HCI

@Suite struct AdapterSearchTests {
    /// A machine with some adapters, that writes down what is opened.
    final class Machine: BluetoothHost {
        var all: [Adapter] = []
        var manager: String?
        /// What opening ends with, by adapter and access.
        var refusals: [UInt16: [AdapterAccess: AdapterProblem]] = [:]
        var opened: [String] = []

        final class Way: ControllerTransport {
            let descriptor: Int32 = -1
            let interest = Readiness.readable
            let isConnected = true
            let losses = TransportLosses()
            func send(_ packet: [UInt8]) throws(TransportFailure) -> Bool { true }
            func writable() throws(TransportFailure) {}
            func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure) {}
        }

        func adapters() throws(AdapterProblem) -> [Adapter] { all }
        func open(_ adapter: Adapter, _ access: AdapterAccess) throws(AdapterProblem) -> any ControllerTransport {
            opened.append("\(adapter.name) \(access.rawValue)")
            if let problem = refusals[adapter.number]?[access] { throw problem }
            return Way()
        }
        func connect(to stream: StreamAddress) throws(AdapterProblem) -> any ControllerTransport { Way() }
        func powerCycle(_ adapter: Adapter, for access: AdapterAccess) throws(AdapterProblem) {}
        func isReprobable(_ adapter: Adapter) -> Bool { false }
        func reprobe(_ adapter: Adapter) throws(AdapterProblem) {}
    }

    private static func address(_ number: UInt16) -> DeviceAddress {
        DeviceAddress(0xDCA6_3200_0000 + UInt64(number), .public)
    }

    private static func machine(_ numbers: UInt16..., isUp: Bool = false) -> Machine {
        let machine = Machine()
        machine.all = numbers.map { Adapter(number: $0, address: address($0), isUp: isUp) }
        return machine
    }

    private static func reach(
        _ machine: Machine, _ setting: LinkSetting, passedOver: [DeviceAddress] = [], sharesStarting: Bool = false
    ) throws(AdapterProblem) -> ReachedController {
        try AdapterSearch(host: machine, setting: setting, sharesStarting: sharesStarting)
            .reach(passedOver: passedOver)
    }

    @Test("auto takes the first adapter, exclusively, and says nothing") func auto() throws {
        let machine = Self.machine(0, 1)
        let reached = try Self.reach(machine, LinkSetting(.any))
        #expect(reached.adapter?.number == 0 && reached.access == .exclusive && reached.note == nil)
        #expect(machine.opened == ["hci0 exclusive"])
    }

    @Test("an address is found whatever its number is, and nothing else is taken for it") func byAddress() throws {
        let machine = Self.machine(3, 5)
        let found = try Self.reach(machine, LinkSetting(.address(Self.address(5))))
        #expect(found.adapter?.number == 5)
        machine.all[1].number = 0
        #expect(try Self.reach(machine, LinkSetting(.address(Self.address(5)))).adapter?.number == 0)
        let other = AdapterChoice.address(Self.address(9))
        #expect(throws: AdapterProblem.missing(other)) { try Self.reach(machine, LinkSetting(other)) }
    }

    @Test("the adapter that is somebody else's is left to it, and one that failed comes last") func order() throws {
        let machine = Self.machine(0, 1, 2)
        let setting = LinkSetting(.any, avoids: .number(0))
        #expect(try Self.reach(machine, setting).adapter?.number == 1)
        #expect(try Self.reach(machine, setting, passedOver: [Self.address(1)]).adapter?.number == 2)
        let both = [Self.address(2), Self.address(1)]
        #expect(try Self.reach(machine, setting, passedOver: both).adapter?.number == 2)
        #expect(AdapterSearch(host: machine, setting: setting, sharesStarting: false).count == 2)
        machine.all.removeLast(2)
        #expect(throws: AdapterProblem.noOther(than: .number(0))) { try Self.reach(machine, setting) }
    }

    @Test("one that cannot be opened is told of only when no other can") func next() throws {
        let machine = Self.machine(0, 1)
        let problem = AdapterProblem.powerFailed(name: "hci0", SystemError(code: 110, action: "power up"))
        machine.refusals[0] = [.exclusive: problem]
        #expect(try Self.reach(machine, LinkSetting(.any)).adapter?.number == 1)
        machine.refusals[1] = [.exclusive: .busy(name: "hci1", holder: nil)]
        machine.refusals[1]?[.shared] = .busy(name: "hci1", holder: nil)
        #expect(throws: problem) { try Self.reach(machine, LinkSetting(.any)) }
    }

    @Test("an adapter that bluetoothd has up is shared, with the reason, and not taken from it when asked to")
    func managed() throws {
        let machine = Self.machine(0, isUp: true)
        machine.manager = "bluetoothd"
        let reached = try Self.reach(machine, LinkSetting(.any))
        #expect(reached.access == .shared)
        #expect(reached.note == "hci0 is shared with the kernel and other programs: bluetoothd runs and has it")
        #expect(throws: AdapterProblem.busy(name: "hci0", holder: "bluetoothd")) {
            try Self.reach(machine, LinkSetting(.any, access: .exclusive))
        }
        #expect(machine.opened == ["hci0 shared"])
        // One that it has left down is free.
        machine.all[0].isUp = false
        #expect(try Self.reach(machine, LinkSetting(.any, access: .exclusive)).access == .exclusive)
    }

    @Test("what may not be had alone is shared, and if that may not be either the first reason is told")
    func fallback() throws {
        let machine = Self.machine(0)
        let problem = AdapterProblem.unauthorized(missing: ["CAP_NET_ADMIN"])
        machine.refusals[0] = [.exclusive: problem]
        let reached = try Self.reach(machine, LinkSetting(.any))
        #expect(reached.access == .shared && reached.note?.contains("lacks CAP_NET_ADMIN") == true)
        machine.refusals[0]?[.shared] = .unauthorized(missing: ["CAP_NET_RAW"])
        #expect(throws: problem) { try Self.reach(machine, LinkSetting(.any)) }
        #expect(throws: problem) { try Self.reach(machine, LinkSetting(.any, access: .exclusive)) }
    }

    @Test("one that the kernel is setting up is waited for, and shared once that takes too long") func starting()
        throws
    {
        let machine = Self.machine(0)
        machine.refusals[0] = [.exclusive: .starting(name: "hci0")]
        #expect(throws: AdapterProblem.starting(name: "hci0")) { try Self.reach(machine, LinkSetting(.any)) }
        #expect(try Self.reach(machine, LinkSetting(.any), sharesStarting: true).access == .shared)
    }

    @Test("a blocked adapter is not opened") func blocked() {
        let machine = Self.machine(0)
        machine.all[0].block = .hard
        #expect(throws: AdapterProblem.blocked(name: "hci0", .hard)) { try Self.reach(machine, LinkSetting(.any)) }
        #expect(machine.opened.isEmpty)
    }
}

@Suite struct ControllerMemoryTests {
    private static func identity(_ address: UInt64, _ firmware: UInt16) -> ControllerIdentity {
        var identity = ControllerIdentity()
        identity.address = DeviceAddress(address, .public)
        identity.firmware = firmware
        return identity
    }

    @Test("what a controller takes is remembered by address and firmware, and survives as text") func text() {
        var memory = ControllerMemory()
        let isNews = memory.learn(.legacy, of: Self.identity(0xDCA6_3201_0203, 0x6109))
        let isNewsAgain = memory.learn(.legacy, of: Self.identity(0xDCA6_3201_0203, 0x6109))
        #expect(isNews && !isNewsAgain)
        #expect(memory.text == "dc:a6:32:01:02:03 6109 legacy\n")
        let again = ControllerMemory(text: memory.text)
        #expect(again == memory)
        #expect(again.commands(of: Self.identity(0xDCA6_3201_0203, 0x6109)) == .legacy)
        #expect(again.commands(of: Self.identity(0xDCA6_3201_0203, 0x610A)) == nil)
        #expect(again.commands(of: ControllerIdentity()) == nil)
    }

    @Test("lines that make no sense are as good as not there, and no more than sixteen are kept") func bounds() {
        let garbage = "x\n\u{0}\u{1B}[2J\ndc:a6:32:01:02:03 6109\ndc:a6:32:01:02:03 zzzz legacy\na b c d\n"
        #expect(ControllerMemory(text: garbage) == ControllerMemory())
        var memory = ControllerMemory()
        for number in 0..<40 { _ = memory.learn(.extended, of: Self.identity(UInt64(number), 1)) }
        #expect(memory.text.split(separator: "\n").count == ControllerMemory.limit)
        #expect(memory.commands(of: Self.identity(39, 1)) == .extended)
        #expect(memory.commands(of: Self.identity(0, 1)) == nil)
    }

    @Test("a controller that does not say who it is is not remembered") func nobody() {
        var memory = ControllerMemory()
        let isNews = memory.learn(.legacy, of: ControllerIdentity())
        #expect(!isNews)
        #expect(memory.text.isEmpty)
    }
}
