import Foundation
import System
import TestSupport

@testable import HCI

/// A kernel with one adapter, hci0, played for `LinuxBluetooth`: it keeps what was asked of it, and fails one call.
final class PlayedKernel: AdapterCalls {
    /// What was called, in order.
    private(set) var calls: [String] = []
    /// Which call fails, counted from 1, and with what.
    var failure: (call: Int, code: Int32)?
    /// The adapter as the kernel shows it; nil where it is gone.
    var adapter: AdapterState? = AdapterState(
        address: DeviceAddress(0xDCA6_3201_0203, .public), isUp: false, bus: .uart)
    /// Whether somebody has it for himself.
    var isHeld = false
    /// How many pauses until it is set up.
    var pausesToGo = 0
    /// Whether somebody else brings it up again whenever it is down.
    var comesUp = false
    /// The other ends of the sockets that were given out.
    private var farEnds: [Int32] = []

    deinit { for end in farEnds { close(end) } }

    /// How many of the sockets that were given out are still open. Not counted in /proc/self/fd, because other tests open
    /// and close descriptors of this process at the same time.
    var openSockets: Int {
        farEnds.filter { end in
            var byte: UInt8 = 0
            // 0 is the end; an open one has nothing to read (EAGAIN).
            return recv(end, &byte, 1, Int32(MSG_DONTWAIT)) != 0
        }.count
    }

    private func call(_ name: String) throws(SystemError) {
        calls.append(name)
        if let failure, failure.call == calls.count { throw SystemError(code: failure.code, action: name) }
    }

    func socket() throws(SystemError) -> Descriptor {
        try call("socket")
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else {
            throw SystemError(code: errno, action: "make a socket pair")
        }
        farEnds.append(ends[1])
        return Descriptor(owning: ends[0])
    }

    func numbers(_ socket: borrowing Descriptor) throws(SystemError) -> [UInt16] {
        try call("numbers")
        return [0, 7]
    }

    func state(of number: UInt16, _ socket: borrowing Descriptor) throws(SystemError) -> AdapterState {
        try call("state \(number)")
        guard number == 0, let adapter else { throw SystemError(code: ENODEV, action: "state \(number)") }
        return adapter
    }

    func up(_ number: UInt16, _ socket: borrowing Descriptor) throws(SystemError) {
        try call("up")
        if adapter?.isUp == true { throw SystemError(code: EALREADY, action: "up") }
        adapter?.isUp = true
    }

    func down(_ number: UInt16, _ socket: borrowing Descriptor) throws(SystemError) {
        try call("down")
        if isHeld { throw SystemError(code: EBUSY, action: "down") }
        adapter?.isUp = comesUp
    }

    func bind(_ number: UInt16, _ access: AdapterAccess, _ socket: borrowing Descriptor) throws(SystemError) {
        try call("bind \(access)")
        if access == .exclusive, pausesToGo > 0 || adapter?.isUp == true || isHeld {
            throw SystemError(code: EBUSY, action: "bind \(access)")
        }
    }

    func checkShared(_ socket: borrowing Descriptor) throws(SystemError) {
        try call("check")
        if isHeld { throw SystemError(code: EBUSY, action: "check") }
    }

    func filter(_ socket: borrowing Descriptor) throws(SystemError) { try call("filter") }

    func enlarge(to bytes: Int32, _ socket: borrowing Descriptor) throws(SystemError) { try call("enlarge") }

    func write(_ text: String, to path: String) throws(SystemError) {
        try call("write \(text) to \(path)")
    }

    func pause() {
        calls.append("pause")
        pausesToGo -= 1
    }
}

/// A machine of which a test writes /sys and /proc.
struct PlayedMachine {
    let folder: TemporaryFolder
    var sys: String { folder.path("sys") }
    var proc: String { folder.path("proc") }

    /// One with all capabilities, hci0 on a UART, and nothing blocked.
    init() throws {
        folder = try TemporaryFolder()
        try write("proc/self/status", "Name:\tbeacond\nCapEff:\t000001ffffffffff\nSeccomp:\t0\n")
        try write("proc/1/comm", "systemd\n")
        try write("sys/devices/serial0/serial0-0/uevent", "")
        try write("sys/bus/serial/drivers/hci_uart_bcm/bind", "")
        try write("sys/bus/serial/drivers/hci_uart_bcm/unbind", "")
        try link("sys/devices/serial0/serial0-0/driver", to: "sys/bus/serial/drivers/hci_uart_bcm")
        try link("sys/class/bluetooth/hci0/device", to: "sys/devices/serial0/serial0-0")
        try rfkill(0, "phy0", "wlan", soft: "1")
        try rfkill(1, "hci0", "bluetooth")
    }

    func write(_ path: String, _ text: String) throws {
        try make(path)
        try folder.write(path, text)
    }

    func link(_ path: String, to target: String) throws {
        try make(path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(path), withDestinationPath: folder.path(target))
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: folder.path(path)) }

    private func make(_ path: String) throws {
        let parent = URL(fileURLWithPath: folder.path(path)).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    }

    func rfkill(_ number: Int, _ name: String, _ kind: String, soft: String = "0", hard: String = "0") throws {
        let entry = "sys/class/rfkill/rfkill\(number)"
        for (file, text) in [("name", name), ("type", kind), ("soft", soft), ("hard", hard)] {
            try write("\(entry)/\(file)", text + "\n")
        }
    }

    /// `LinuxBluetooth` on this machine.
    func host(_ kernel: PlayedKernel) -> LinuxBluetooth { LinuxBluetooth(kernel, sys: sys, proc: proc) }
}
