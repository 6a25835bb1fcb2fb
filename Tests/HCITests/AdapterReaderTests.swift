import Foundation
import System
import Testing

@testable import HCI

@Suite("What a machine says of adapters")
struct AdapterReaderTests {
    @Test(
        "an adapter is chosen by address, number, stream or not at all",
        arguments: [
            ("auto", .any),
            ("hci0", .number(0)),
            ("hci65535", .number(65535)),
            ("dc:a6:32:01:02:03", .address(DeviceAddress(0xDCA6_3201_0203, .public))),
            ("serial:/dev/ttyACM0", .stream(.serial(path: "/dev/ttyACM0", baud: 115_200))),
            ("unix:/run/x", .stream(.unix(path: "/run/x"))),
            ("hci", nil), ("hci00", nil), ("hci65536", nil), ("hci-1", nil), ("hci0 ", nil), ("HCI0", nil),
            ("Auto", nil), ("dc:a6:32:01:02", nil), ("", nil),
        ] as [(String, AdapterChoice?)])
    func choices(text: String, choice: AdapterChoice?) {
        #expect(AdapterChoice(text) == choice)
        if let choice { #expect(choice.description == text) }
    }

    @Test(
        "capabilities are read from the effective set",
        arguments: [
            ("CapEff:\t000001ffffffffff", []),
            ("CapEff:\t0000000000003000", []),
            ("CapEff:\t0000000000001000", ["CAP_NET_RAW"]),
            ("CapEff:\t0000000000002000", ["CAP_NET_ADMIN"]),
            (
                "CapPrm:\t0000000000003000\nCapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff",
                ["CAP_NET_ADMIN", "CAP_NET_RAW"]
            ),
            ("CapEff:\tnonsense", []),
            ("Name:\tCapEff:", []),
            ("", []),
        ] as [(String, [String])])
    func capabilities(text: String, missing: [String]) throws {
        let machine = try PlayedMachine()
        try machine.write("proc/self/status", text + "\n")
        #expect(Capabilities.missing(proc: machine.proc) == missing)
    }

    @Test("a machine that tells nothing lacks nothing, blocks nothing and has no manager")
    func silent() throws {
        let machine = try PlayedMachine()
        try machine.remove("proc")
        try machine.remove("sys")
        #expect(Capabilities.missing(proc: machine.proc).isEmpty)
        #expect(Rfkill.all(sys: machine.sys).isEmpty)
        #expect(Rfkill.block(ofAdapter: 0, sys: machine.sys) == nil)
        #expect(machine.host(PlayedKernel()).manager == nil)
        #expect(AdapterDevice(of: 0, sys: machine.sys).driver == nil)
        #expect(AdapterDevice(of: 0, sys: machine.sys).reprobe.isEmpty)
    }

    @Test("an adapter is blocked by its own switch; a hard block wins")
    func rfkill() throws {
        let machine = try PlayedMachine()
        #expect(Rfkill.block(ofAdapter: 0, sys: machine.sys) == nil)
        try machine.rfkill(2, "hci1", "bluetooth", soft: "1", hard: "1")
        try machine.rfkill(3, "tpacpi_bluetooth_sw", "bluetooth", soft: "1")
        #expect(Rfkill.block(ofAdapter: 0, sys: machine.sys) == nil)
        #expect(Rfkill.block(ofAdapter: 1, sys: machine.sys) == .hard)
        try machine.rfkill(1, "hci0", "bluetooth", soft: "1")
        #expect(Rfkill.block(ofAdapter: 0, sys: machine.sys) == .soft)
        #expect(
            Rfkill.all(sys: machine.sys) == [
                Rfkill(name: "phy0", kind: "wlan", block: .soft),
                Rfkill(name: "hci0", kind: "bluetooth", block: .soft),
                Rfkill(name: "hci1", kind: "bluetooth", block: .hard),
                Rfkill(name: "tpacpi_bluetooth_sw", kind: "bluetooth", block: .soft),
            ])
    }
}
