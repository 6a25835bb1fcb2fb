import Foundation
import System
import Testing

@testable import HCI

@Suite("LinuxBluetooth")
struct LinuxBluetoothTests {
    let kernel = PlayedKernel()
    let machine: PlayedMachine
    let host: LinuxBluetooth
    let adapter = Adapter(number: 0, address: DeviceAddress(0xDCA6_3201_0203, .public), isUp: false)

    init() throws {
        machine = try PlayedMachine()
        host = machine.host(kernel)
    }

    @Test(
        "adapters are listed with address, bus, driver and block; one that went meanwhile, or is none, is left out")
    func list() throws {
        try machine.rfkill(1, "hci0", "bluetooth", soft: "1")
        #expect(
            try host.adapters() == [
                Adapter(
                    number: 0, address: DeviceAddress(0xDCA6_3201_0203, .public), isUp: false, bus: .uart,
                    driver: "hci_uart_bcm", block: .soft)
            ])
        #expect(kernel.calls == ["socket", "numbers", "state 0", "state 7"])
        kernel.adapter?.isPrimary = false
        #expect(try host.adapters().isEmpty)
        #expect(kernel.openSockets == 0)
    }

    @Test("an adapter that is down is bound at once")
    func exclusive() throws {
        let transport = try host.open(adapter, .exclusive)
        #expect(kernel.calls == ["socket", "enlarge", "state 0", "bind exclusive"])
        #expect(transport.isConnected && transport.interest == .readable)
        #expect(kernel.openSockets == 1)
    }

    @Test("an adapter that is up is taken down first")
    func exclusiveUp() throws {
        kernel.adapter?.isUp = true
        _ = try host.open(adapter, .exclusive)
        #expect(kernel.calls == ["socket", "enlarge", "state 0", "down", "bind exclusive"])
    }

    @Test("one that the kernel sets up is waited for, and is not taken down")
    func starting() throws {
        kernel.pausesToGo = 2
        _ = try host.open(adapter, .exclusive)
        let calls: [String] = [
            "socket", "enlarge", "state 0", "bind exclusive", "pause", "state 0", "bind exclusive", "pause",
            "state 0",
            "bind exclusive",
        ]
        #expect(kernel.calls == calls)
    }

    @Test("one that the kernel does not finish is said to be starting, after a second")
    func neverSetUp() throws {
        kernel.pausesToGo = .max
        #expect(throws: AdapterProblem.starting(name: "hci0")) { _ = try host.open(adapter, .exclusive) }
        #expect(kernel.calls.filter { $0 == "pause" }.count == LinuxBluetooth.attempts - 1)
        #expect(!kernel.calls.contains("down"))
        #expect(kernel.openSockets == 0)
    }

    @Test("one that a manager brings up again and again is in use by it")
    func managed() throws {
        kernel.adapter?.isUp = true
        kernel.comesUp = true
        try machine.write("proc/812/comm", "bluetoothd\n")
        #expect(throws: AdapterProblem.busy(name: "hci0", holder: "bluetoothd")) {
            _ = try host.open(adapter, .exclusive)
        }
        #expect(kernel.openSockets == 0)
    }

    @Test("one that another program has for itself can neither be taken nor shared, whatever manager runs")
    func held() throws {
        kernel.adapter?.isUp = true
        kernel.isHeld = true
        try machine.write("proc/812/comm", "bluetoothd\n")
        for access in AdapterAccess.allCases {
            #expect(throws: AdapterProblem.busy(name: "hci0", holder: nil)) { _ = try host.open(adapter, access) }
            #expect(throws: AdapterProblem.busy(name: "hci0", holder: nil)) {
                try host.powerCycle(adapter, for: access)
            }
        }
        #expect(kernel.openSockets == 0)
    }

    @Test("a shared adapter is brought up where it is down, and left as it is where it is up")
    func shared() throws {
        _ = try host.open(adapter, .shared)
        #expect(kernel.calls == ["socket", "enlarge", "state 0", "up", "bind shared", "check", "filter"])
        let again = PlayedKernel()
        again.adapter?.isUp = true
        _ = try machine.host(again).open(adapter, .shared)
        #expect(again.calls == ["socket", "enlarge", "state 0", "bind shared", "check", "filter"])
    }

    @Test("sharing without CAP_NET_RAW is refused, because the kernel would pass on only a part, and say nothing")
    func sharedWithoutRaw() throws {
        try machine.write("proc/self/status", "CapEff:\t0000000000001000\n")
        #expect(throws: AdapterProblem.unauthorized(missing: ["CAP_NET_RAW"])) {
            _ = try host.open(adapter, .shared)
        }
        _ = try host.open(adapter, .exclusive)
    }

    @Test("a number that is another adapter's by now is a missing adapter")
    func renumbered() throws {
        kernel.adapter?.address = DeviceAddress(0x1122_3344_5566, .public)
        for access in AdapterAccess.allCases {
            #expect(throws: AdapterProblem.missing(.address(adapter.address))) {
                _ = try host.open(adapter, access)
            }
        }
        // One that was or is not asked for its address yet is taken as it is.
        _ = try host.open(Adapter(number: 0, address: DeviceAddress(0, .public), isUp: false), .exclusive)
        kernel.adapter?.address = DeviceAddress(0, .public)
        _ = try host.open(adapter, .exclusive)
    }

    @Test("a power cycle ends up only where the adapter is to be shared")
    func powerCycle() throws {
        kernel.adapter?.isUp = true
        try host.powerCycle(adapter, for: .exclusive)
        #expect(kernel.calls == ["socket", "state 0", "down"])
        #expect(kernel.adapter?.isUp == false)
        try host.powerCycle(adapter, for: .shared)
        #expect(kernel.calls.suffix(4) == ["socket", "state 0", "down", "up"])
        #expect(kernel.adapter?.isUp == true)
        #expect(kernel.openSockets == 0)
    }

    @Test("an adapter on a UART is taken from its driver and given back")
    func reprobeUART() throws {
        #expect(host.isReprobable(adapter))
        try host.reprobe(adapter)
        let driver = "\(machine.sys)/bus/serial/drivers/hci_uart_bcm"
        #expect(
            kernel.calls == ["write serial0-0 to \(driver)/unbind", "write serial0-0 to \(driver)/bind"])
    }

    @Test("a USB adapter is refused and accepted again, with all its interfaces")
    func reprobeUSB() throws {
        try machine.remove("sys/class/bluetooth/hci0/device")
        try machine.write("sys/devices/usb1/1-1/authorized", "1\n")
        try machine.write("sys/devices/usb1/1-1/1-1:1.0/uevent", "")
        try machine.write("sys/bus/usb/drivers/btusb/bind", "")
        try machine.link("sys/devices/usb1/1-1/1-1:1.0/driver", to: "sys/bus/usb/drivers/btusb")
        try machine.link("sys/class/bluetooth/hci0/device", to: "sys/devices/usb1/1-1/1-1:1.0")
        #expect(try host.adapters().first?.driver == "btusb")
        kernel.failure = (call: 6, code: EIO)
        let file = "\(machine.sys)/devices/usb1/1-1/authorized"
        #expect(throws: AdapterProblem.system(SystemError(code: EIO, action: "write 1 to \(file)"))) {
            try host.reprobe(adapter)
        }
        #expect(kernel.calls.suffix(2) == ["write 0 to \(file)", "write 1 to \(file)"])
    }

    @Test("an adapter of no device, or whose files may not be written, cannot be taken away")
    func notReprobable() throws {
        try machine.remove("sys/class/bluetooth/hci0/device")
        #expect(!host.isReprobable(adapter))
        #expect(throws: AdapterProblem.notReprobable(name: "hci0")) { try host.reprobe(adapter) }
        #expect(kernel.calls.isEmpty)
        #expect(try host.adapters().first?.driver == nil)
    }

    @Test("a manager is a process of that name")
    func manager() throws {
        #expect(host.manager == nil)
        try machine.write("proc/self/comm", "bluetoothd\n")
        try machine.write("proc/812/comm", "bluetoothd-helper\n")
        #expect(host.manager == nil)
        try machine.write("proc/813/comm", "bluetoothd\n")
        #expect(host.manager == "bluetoothd")
    }
}
