import CSystem
import Foundation
import TestSupport
import Testing

/// All tests of the real programs on a real Linux Bluetooth stack, one after the other. They run in the guest that
/// Tests/vm/boot.sh starts and nowhere else: they switch the machine's adapters on and off.
@Suite(
    "Linux Bluetooth", .serialized, .enabled(if: Guest.isHere, "this is not the guest of Tests/vm/boot.sh"),
    .timeLimit(.minutes(4)))
enum VM {}

/// The machine of the VM tests.
enum Guest {
    /// Where the packages are that this machine has and its host has not; nil outside of the guest.
    static let packages = ProcessInfo.processInfo.environment["BEACOND_GUEST"]

    /// Whether this is the guest.
    static var isHere: Bool { packages != nil }

    /// How long things may take: an emulated machine is some twenty times slower than its host.
    static let limit: TimeInterval = 45

    /// A power command of the kernel's for adapters. HCIDEVUP and HCIDEVDOWN of BlueZ's lib/hci.h: _IOW('H', n, int)
    enum Power: UInt {
        case up = 0x4004_48C9
        case down = 0x4004_48CA
    }

    /// Powers an adapter up or down as `hciconfig hciN up` does, behind everybody's back.
    static func power(_ power: Power, adapter: Int) throws {
        // AF_BLUETOOTH and BTPROTO_HCI.
        let descriptor = csystem_socket_raw(31, 1)
        defer { close(descriptor) }
        guard csystem_ioctl_number(descriptor, power.rawValue, UInt(adapter)) == 0 || errno == EALREADY else {
            throw TestFailure(
                description: "hci\(adapter) does not go \(power): \(String(cString: strerror(errno)))")
        }
    }

    /// Blocks or unblocks every Bluetooth adapter there is, as `rfkill block bluetooth` does. struct rfkill_event of
    /// include/uapi/linux/rfkill.h: a 32-bit index, RFKILL_TYPE_BLUETOOTH, RFKILL_OP_CHANGE_ALL, soft, hard.
    static func rfkill(blocked: Bool) throws {
        guard let device = FileHandle(forWritingAtPath: "/dev/rfkill") else {
            throw TestFailure(description: "there is no /dev/rfkill")
        }
        try device.write(contentsOf: Data([0, 0, 0, 0, 2, 3, blocked ? 1 : 0, 0]))
        try device.close()
    }

    /// Starts one of the programs as a user without capabilities.
    static func asNobody(_ program: String, _ arguments: [String]) throws -> Child {
        try Child(
            "/usr/bin/setpriv",
            ["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", program] + arguments)
    }

    /// Processor time that a process has used so far, in seconds.
    static func processorTime(of process: Int32) throws -> Double {
        let line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // utime and stime are the 14th and 15th field; the second, in brackets, may hold spaces.
        let fields = line.drop { $0 != ")" }.split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
