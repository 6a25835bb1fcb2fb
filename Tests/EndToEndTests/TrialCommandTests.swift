import Foundation
import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("beacond advertise and silence")
    struct AdvertiseTests {
        @Test("what it puts on air is heard by another node, until Ctrl-C") func heard() throws {
            let simulator = try Simulator(scenario: "beacons: {}\n")
            let child = try Child(
                builtProgram("beacond"),
                [
                    "advertise", "--adapter", simulator.address, "--uuid", Stage.uuid, "--major", "5", "--minor",
                    "6", "--measured-power", "-55",
                ])
            try child.wait(forLine: "on air: ibeacon \(Stage.uuid) 5 6")
            try simulator.wait(onAir: Stage.payload(uuid: Stage.uuid, major: 5, minor: 6))
            let scan = try Child(
                builtProgram("beacond"), ["scan", "--adapter", simulator.address, "--json", "--filter", " 5 6"])
            try scan.wait(forLine: #""minor":6"#)
            child.send(SIGINT)
            #expect(try child.waitForExit() == 0)
            try simulator.wait(onAir: nil)
            #expect(child.errors.last == "beacond advertise: nothing is on air any more")
            #expect(try scan.stop() == 0)
        }

        @Test("what the controller refuses is said, and fails") func refused() throws {
            // Before Bluetooth 5.0 nothing below 100 ms.
            let simulator = try Simulator(scenario: "hosts: {version: 4.2}\nbeacons: {}\n")
            let child = try Child(
                builtProgram("beacond"),
                ["advertise", "--adapter", simulator.address, "--uuid", Stage.uuid, "--interval", "50ms"])
            #expect(try child.waitForExit() == 69)
            #expect(
                child.errors == ["beacond advertise: the controller refuses: Invalid HCI Command Parameters (0x12)"]
            )
        }

        @Test("silence ends well with a controller, and without an adapter; one that cannot be reached is said")
        func silence() throws {
            let simulator = try Simulator(scenario: "beacons: {}\n")
            func silence(_ arguments: String...) throws -> Child {
                let child = try Child(builtProgram("beacond"), ["silence"] + arguments)
                try child.waitForExit(within: 10)
                return child
            }
            let child = try silence("--adapter", simulator.address)
            #expect(try child.waitForExit() == 0 && child.lines.isEmpty, "\(child.lines)")
            // There is no adapter of this number on any machine.
            let none = try silence("--adapter", "hci65535")
            #expect(try none.waitForExit() == 0 && none.lines.isEmpty, "\(none.lines)")
            let unreachable = try silence("--adapter", "unix:/nowhere")
            #expect(try unreachable.waitForExit() == 69)
            #expect(
                unreachable.errors == [
                    "beacond silence: cannot connect to unix:/nowhere: No such file or directory"
                ])
        }
    }

    @Suite("beacond doctor")
    struct DoctorTests {
        @Test("it asks the controller, connects to the broker, and says what is wrong") func report() throws {
            let simulator = try Simulator(scenario: "hosts: {version: 5.0}\nbeacons: {}\n")
            let broker = try MosquittoBroker()
            let agent = try Agent()
            try agent.configure(adapter: simulator.address, port: broker.port)
            let child = try Child(builtProgram("beacond"), ["doctor", "--config", agent.file])
            #expect(try child.waitForExit() == 0, "\(child.lines)")
            func line(_ check: String) -> String? { child.output.first { $0.contains("  \(check)  ") } }
            #expect(
                line("configuration")?.hasPrefix("pass  configuration  '\(agent.file)' is valid, sha256:") == true)
            #expect(
                line("controller")?.hasPrefix("pass  controller     \(simulator.address), Bluetooth 5.0, ") == true)
            #expect(
                line("broker")?.hasPrefix("pass  broker         127.0.0.1:\(broker.port) takes connections") == true
            )
            #expect(line("state folder")?.hasPrefix("pass  state folder   \(agent.state) is not there yet") == true)

            try broker.stop()
            let down = try Child(builtProgram("beacond"), ["doctor", "--config", agent.file, "--json"])
            #expect(try down.waitForExit() == 69)
            let value = try JSONValue(reading: Array(try #require(down.output.first).utf8))
            #expect(value["verdict"]?.text == "fail" && down.output.count == 1)
        }
    }
}
