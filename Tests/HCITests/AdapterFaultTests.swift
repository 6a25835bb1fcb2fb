import Foundation
import System
import Testing

@testable import HCI

/// Each call that the kernel is asked fails once with each reason, the first, the second and so on, until none is left.
@Suite("Faults of the kernel")
struct AdapterFaultTests {
    static let codes: [Int32] = [
        EPERM, EACCES, EBUSY, EUSERS, ERFKILL, ENODEV, ETIMEDOUT, EALREADY, EAFNOSUPPORT, EIO, ENOMEM, EMFILE,
    ]
    private let adapter = Adapter(number: 0, address: DeviceAddress(0xDCA6_3201_0203, .public), isUp: false)

    /// What has to become of a call that fails; nil where that does no harm.
    private func expected(_ code: Int32, _ call: String) -> AdapterProblem? {
        switch (code, call) {
        case (EALREADY, "up"), (EBUSY, "bind exclusive"): nil
        case (EPERM, _), (EACCES, _): .unauthorized(missing: ["CAP_NET_ADMIN"])
        case (EBUSY, _), (EUSERS, _): .busy(name: "hci0", holder: nil)
        case (ERFKILL, _): .blocked(name: "hci0", .hard)
        case (ENODEV, _): .missing(.address(DeviceAddress(0xDCA6_3201_0203, .public)))
        case (EAFNOSUPPORT, _): .noBluetooth
        case (ENOMEM, _), (EMFILE, _): .system(SystemError(code: code, action: call))
        default: .powerFailed(name: "hci0", SystemError(code: code, action: call))
        }
    }

    /// Makes the nth call fail for n from 1 on, until the work gets through without; returns how often it failed.
    private func exhaust(
        _ code: Int32, isUp: Bool, _ work: (LinuxBluetooth) throws -> (any ControllerTransport)?
    ) throws {
        let machine = try PlayedMachine()
        try machine.write("proc/self/status", "CapEff:\t0000000000002000\n")
        try machine.rfkill(1, "hci0", "bluetooth", soft: "1", hard: "1")
        var n = 1
        while true {
            let kernel = PlayedKernel()
            kernel.adapter?.isUp = isUp
            kernel.failure = (n, code)
            var problem: AdapterProblem?
            var transport: (any ControllerTransport)?
            do { transport = try work(machine.host(kernel)) } catch {
                problem = try #require(error as? AdapterProblem)
            }
            if kernel.calls.count < n { break }
            let call = kernel.calls[n - 1]
            // Pauses cannot fail.
            if call != "pause" { #expect(problem == expected(code, call), "\(call)") }
            #expect(kernel.openSockets == (transport == nil ? 0 : 1), "\(call)")
            transport = nil
            #expect(kernel.openSockets == 0, "\(call)")
            n += 1
        }
        #expect(n > 3)
    }

    @Test("opening leaves nothing open, and says what is wrong", arguments: codes, AdapterAccess.allCases)
    func opening(code: Int32, access: AdapterAccess) throws {
        for isUp in [false, true] { try exhaust(code, isUp: isUp) { try $0.open(adapter, access) } }
    }

    @Test("a power cycle leaves nothing open, and says what is wrong", arguments: codes, AdapterAccess.allCases)
    func powerCycle(code: Int32, access: AdapterAccess) throws {
        try exhaust(code, isUp: true) {
            try $0.powerCycle(adapter, for: access)
            return nil
        }
    }

    @Test("listing leaves nothing open, and says what is wrong", arguments: codes)
    func listing(code: Int32) throws {
        let machine = try PlayedMachine()
        try machine.write("proc/self/status", "CapEff:\t0000000000000000\n")
        for n in 1...4 {
            let kernel = PlayedKernel()
            kernel.failure = (n, code)
            var problem: AdapterProblem?
            do throws(AdapterProblem) { _ = try machine.host(kernel).adapters() } catch { problem = error }
            let call = kernel.calls[n - 1]
            let wanted: AdapterProblem? =
                switch code {
                case ENODEV where call.hasPrefix("state"): nil
                case EPERM, EACCES: .unauthorized(missing: ["CAP_NET_ADMIN", "CAP_NET_RAW"])
                case EAFNOSUPPORT: .noBluetooth
                default: .system(SystemError(code: code, action: call))
                }
            #expect(problem == wanted, "\(call)")
            #expect(kernel.openSockets == 0)
        }
    }

    @Test(
        "each problem says what is wrong and what to do",
        arguments: [
            (
                .noBluetooth, "no_bluetooth",
                "this kernel has no Bluetooth, or keeps it from this process; load the module (sudo modprobe "
                    + "bluetooth), allow the unit AF_BLUETOOTH, or set radio.adapter to serial:… or tcp:…"
            ),
            (
                .missing(.any), "no_adapter",
                "there is no Bluetooth adapter; plug one in, or on a Raspberry Pi remove dtoverlay=disable-bt"
            ),
            (
                .missing(.number(3)), "no_adapter",
                "there is no Bluetooth adapter hci3; plug it in, or choose another (beacond doctor lists them)"
            ),
            (
                .unauthorized(missing: ["CAP_NET_ADMIN", "CAP_NET_RAW"]), "not_permitted",
                "this process may not use Bluetooth adapters, because it lacks CAP_NET_ADMIN and CAP_NET_RAW; start it "
                    + "by its systemd unit or as root, or: sudo setcap cap_net_admin,cap_net_raw+ep "
                    + "/usr/local/bin/beacond"
            ),
            (
                .unauthorized(missing: []), "not_permitted",
                "this process may not use Bluetooth adapters, whatever its capabilities, because it runs in a "
                    + "container; run it outside"
            ),
            (
                .blocked(name: "hci0", .soft), "rfkill",
                "hci0 is blocked by software; unblock it: sudo rfkill unblock bluetooth"
            ),
            (
                .blocked(name: "hci0", .hard), "rfkill",
                "hci0 is blocked by a switch or the firmware of this machine; switch Bluetooth on there"
            ),
            (
                .starting(name: "hci0"), "starting",
                "hci0 has not been set up by the kernel yet; if that lasts longer than 10 s, unplug it and plug it in"
            ),
            (
                .busy(name: "hci0", holder: "bluetoothd"), "busy",
                "hci0 is in use by bluetoothd; stop it (sudo systemctl disable --now bluetooth), or set radio.access "
                    + "to shared"
            ),
            (
                .busy(name: "hci0", holder: nil), "busy",
                "hci0 is in use by another program, which keeps it to itself; end that one, or choose another adapter"
            ),
            (
                .powerFailed(name: "hci0", SystemError(code: ETIMEDOUT, action: "x")), "power_failed",
                "hci0 does not power up or down: Connection timed out; unplug it and plug it in, or restart this "
                    + "machine"
            ),
            (
                .notReprobable(name: "hci0"), "not_reprobable",
                "hci0 cannot be taken from its driver and given back by this process; unplug it and plug it in, or "
                    + "restart this machine"
            ),
            (
                .system(SystemError(code: ENOENT, action: "open /dev/ttyACM0")), "unreachable",
                "cannot open /dev/ttyACM0: No such file or directory"
            ),
        ] as [(AdapterProblem, String, String)])
    func sentences(problem: AdapterProblem, cause: String, text: String) {
        #expect(problem.cause == cause)
        #expect(problem.description == text)
    }
}
