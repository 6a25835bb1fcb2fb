import Foundation
import TestSupport
import Testing

extension VM {
    /// What a person reads who may not, or cannot: the sentence and the exit code.
    @Suite("Refusals")
    struct RefusalTests {
        /// The commands that use the radio, each with what it needs.
        private static let commands = [
            ["scan", "--seconds", "1"], ["record", "/dev/null", "--force", "--seconds", "1"],
            [
                "advertise", "--uuid", "39ed98ff-2900-441a-802f-9c398fc199d2", "--major", "1", "--minor", "2",
                "--seconds", "1",
            ],
        ]

        /// Runs each of them and holds it to a sentence and exit code 69.
        private func expect(
            _ sentence: String, adapter: String = "auto", access: String = "auto", asNobody: Bool = false,
            _ location: SourceLocation = #_sourceLocation
        ) throws {
            for command in Self.commands {
                let arguments = command + ["--adapter", adapter, "--access", access]
                let program = builtProgram("beacond")
                let child =
                    try asNobody ? Guest.asNobody(program, arguments) : Child(program, arguments)
                let status = try child.waitForExit(within: Guest.limit)
                #expect(status == 69, "\(command[0]): \(child.lines.map(\.text))", sourceLocation: location)
                #expect(child.errors == ["beacond \(command[0]): \(sentence)"], sourceLocation: location)
            }
        }

        @Test("a user without capabilities is told which, and how to get them")
        func unauthorized() throws {
            let store = try Store("beacons: {}")
            try expect(
                "this process may not use Bluetooth adapters, because it lacks CAP_NET_ADMIN and CAP_NET_RAW; start "
                    + "it by its systemd unit or as root, or: sudo setcap cap_net_admin,cap_net_raw+ep "
                    + "/usr/local/bin/beacond",
                asNobody: true)
            _ = try store.truth()
        }

        @Test("where there is no adapter that is said")
        func absent() throws {
            try expect(
                "there is no Bluetooth adapter; plug one in, or on a Raspberry Pi remove dtoverlay=disable-bt")
        }

        @Test("where there is not the adapter that was asked for its name is said")
        func other() throws {
            let store = try Store("beacons: {}")
            try expect(
                "there is no Bluetooth adapter hci7; plug it in, or choose another (beacond doctor lists them)",
                adapter: "hci7")
            _ = try store.truth()
        }

        @Test("an adapter that rfkill blocks is said to be, with the way out")
        func blocked() throws {
            let store = try Store("beacons: {}")
            try Guest.rfkill(blocked: true)
            defer { try? Guest.rfkill(blocked: false) }
            try expect(
                "hci\(try store.adapter()) is blocked by software; unblock it: sudo rfkill unblock bluetooth")
        }

        @Test("an adapter that an agent has for itself is said to be in use")
        func taken() throws {
            let store = try Store("beacons: {}")
            let number = try store.adapter()
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(radio: "adapter: hci\(number), access: exclusive")
            try node.start()
            try node.wait(for: "state") { $0.at("conditions", "radio", "access")?.text == "exclusive" }
            try expect(
                "hci\(number) is in use by another program, which keeps it to itself; end that one, or choose another "
                    + "adapter")
            try node.stop()
            _ = try store.truth()
        }

        @Test("an adapter that bluetoothd has is not taken from it, and the way out is said")
        func heldByBluetoothd() throws {
            let store = try Store("beacons: {}")
            let number = try store.adapter()
            let daemon = try Bluetoothd()
            try daemon.wait(forPowered: number)
            try expect(
                "hci\(number) is in use by bluetoothd; stop it (sudo systemctl disable --now bluetooth), or set "
                    + "radio.access to shared",
                access: "exclusive")
            _ = try store.truth()
        }

        @Test("with bluetoothd there the adapter is shared, which is said, and that is no failure")
        func besideBluetoothd() throws {
            let store = try Store("beacons: {}")
            let number = try store.adapter()
            let daemon = try Bluetoothd()
            try daemon.wait(forPowered: number)
            let child = try Child(builtProgram("beacond"), ["scan", "--seconds", "1", "--adapter", "auto"])
            #expect(try child.waitForExit(within: Guest.limit) == 0, "\(child.lines)")
            #expect(
                child.errors.first
                    == "beacond scan: hci\(number) is shared with the kernel and other programs: bluetoothd runs and "
                    + "has it")
            _ = try store.truth()
        }
    }
}
