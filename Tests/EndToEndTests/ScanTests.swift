import Foundation
import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("beacond scan")
    struct ScanTests {
        private static let store = """
            seed: 4
            beacons:
              shelf: {uuid: \(Stage.uuid), major: 100, minor: 1, rssi: -60}
              door: {uuid: \(Stage.uuid), major: 200, minor: 7, rssi: -80, interval: 200ms}
              poster: {format: eddystone-url, url: "https://example.com/sale", rssi: -70}
            """

        private func scan(_ simulator: Simulator, _ arguments: String...) throws -> Child {
            try Child(builtProgram("beacond"), ["scan", "--adapter", simulator.address] + arguments)
        }

        @Test("elsewhere than on a terminal it prints each beacon when it is first heard, and a table in the end")
        func lines() throws {
            let simulator = try Simulator(scenario: Self.store)
            let child = try scan(simulator, "--seconds", "3")
            #expect(try child.waitForExit() == 0, "\(child.errors)")
            let output = child.output
            #expect(output.prefix(3).allSatisfy { $0.hasPrefix("heard ") } && output.count == 7)
            #expect(
                output.contains { $0.hasPrefix("heard ibeacon \(Stage.uuid) 200 7  ") && $0.hasSuffix("  -80 dBm") }
            )
            #expect(output[3].hasPrefix("FORMAT         BEACON  "))
            // The strongest first.
            for (line, part) in zip(
                output.suffix(3),
                [
                    "ibeacon        \(Stage.uuid) 100 1", "eddystone-url  https://example.com/sale",
                    "ibeacon        \(Stage.uuid) 200 7",
                ])
            {
                #expect(line.hasPrefix(part), "\(line)")
            }
            #expect(child.errors.first == "beacond scan: listening for 3 s at \(simulator.address); Ctrl-C ends it")
            #expect(child.errors.last?.hasPrefix("beacond scan: 3 beacons, ") == true)
            #expect(!output.joined().contains("\u{1B}"))
        }

        @Test("as JSON it prints a line for each beacon and second, until Ctrl-C") func json() throws {
            let simulator = try Simulator(scenario: Self.store)
            let child = try scan(simulator, "--json", "--format", "ibeacon")
            try child.wait(for: "three lines of a beacon") { lines in
                lines.filter { $0.text.contains(#""minor":7"#) }.count >= 3 ? true : nil
            }
            child.send(SIGINT)
            #expect(try child.waitForExit() == 0)
            let values = try child.output.map { try JSONValue(reading: Array($0.utf8)) }
            #expect(values.allSatisfy { $0["format"]?.text == "ibeacon" && $0["uuid"]?.text == Stage.uuid })
            #expect(Set(values.compactMap { $0["minor"]?.integer }) == [1, 7])
            let last = try #require(values.last { $0["minor"]?.integer == 1 })
            #expect(last["rssi"]?.integer == -60 && last["measured_power"]?.integer == -59)
            #expect(last["address"]?.text?.count == 17 && last["time"]?.text?.hasSuffix("Z") == true)
        }

        @Test("a filter and an order apply to what is printed") func filtered() throws {
            let simulator = try Simulator(scenario: Self.store)
            let child = try scan(simulator, "--seconds", "2", "--filter", "100 1", "--sort", "name")
            #expect(try child.waitForExit() == 0)
            #expect(child.output.count == 3 && child.output.dropFirst(2).allSatisfy { $0.contains(" 100 1 ") })
        }

        @Test("a reader that has seen enough ends it") func reader() throws {
            let simulator = try Simulator(scenario: Self.store)
            let child = try Child(
                "/bin/sh",
                ["-c", #""$0" scan --adapter "$1" | head -n 1"#, builtProgram("beacond"), simulator.address])
            #expect(try child.waitForExit() == 0)
            #expect(child.output.count == 1)
        }

        @Test("a reader that does not read keeps it from nothing but writing: SIGTERM ends it") func stalledReader()
            throws
        {
            let folder = try TemporaryFolder()
            let pipe = folder.path("pipe")
            #expect(mkfifo(pipe, 0o600) == 0)
            // Opened for both, so that nobody waits for the other end. It holds one page, less than is written each second.
            let descriptor = open(pipe, O_RDWR)
            defer { close(descriptor) }
            let setPipeSize: Int32 = 1031
            #expect(fcntl(descriptor, setPipeSize, 4096) == 4096)
            let simulator = try Simulator(
                scenario: "beacons:\n  many: {uuid: \(Stage.uuid), major: 1, minor: 0, count: 300}\n")
            let child = try Child(
                "/bin/sh",
                [
                    "-c",
                    "exec '\(builtProgram("beacond"))' scan --json --adapter '\(simulator.address)' >'\(pipe)'",
                ])
            // From the first byte on it writes more than there is room for.
            var byte: UInt8 = 0
            #expect(read(descriptor, &byte, 1) == 1)
            child.send(SIGTERM)
            _ = try child.waitForExit(within: 10)
        }

        @Test("on a terminal it draws a table, listens to keys, and leaves the terminal as it was") func screen()
            throws
        {
            let simulator = try Simulator(scenario: Self.store)
            let terminal = try Console(rows: 20, columns: 150)
            let before = terminal.settings
            let child = try terminal.start(builtProgram("beacond"), ["scan", "--adapter", simulator.address])
            try terminal.wait(for: "\u{1B}[?1049h")
            try terminal.wait(for: "  3 beacons  ")
            try terminal.wait(for: "\(Stage.uuid) 200 7")
            try terminal.wait(for: "r rssi↓")
            #expect(terminal.settings != before)
            terminal.type("d")
            try terminal.wait(for: "d distance↓")
            terminal.type("/200")
            try terminal.wait(for: "/200_")
            terminal.type("\r")
            try terminal.wait(for: "filter: 200  ")
            terminal.type("q")
            try terminal.wait(for: "\u{1B}[?1049l")
            #expect(try child.waitForExit() == 0)
            #expect(terminal.settings == before)
            #expect(child.errors.last?.hasPrefix("beacond scan: 3 beacons, ") == true)
        }

        @Test("a signal leaves the terminal as it was too", arguments: [SIGTERM, SIGINT, SIGHUP])
        func signal(number: Int32) throws {
            let simulator = try Simulator(scenario: Self.store)
            let terminal = try Console(rows: 20, columns: 100)
            let before = terminal.settings
            let child = try terminal.start(builtProgram("beacond"), ["scan", "--adapter", simulator.address])
            try terminal.wait(for: "q quit")
            child.send(number)
            try terminal.wait(for: "\u{1B}[?25h\u{1B}[?1049l")
            #expect(try child.waitForExit() == 0)
            #expect(terminal.settings == before)
        }

        @Test("a radio that is lost while it draws is told on the screen, and looked for again") func lost() throws
        {
            let simulator = try Simulator(scenario: Self.store)
            let terminal = try Console(rows: 20, columns: 150)
            let child = try terminal.start(builtProgram("beacond"), ["scan", "--adapter", simulator.address])
            try terminal.wait(for: "  3 beacons  ")
            simulator.kill()
            try terminal.wait(for: "; trying again")
            terminal.type("q")
            #expect(try child.waitForExit() == 0)
        }

        @Test("a radio that is not there is told, and no screen is taken") func unreachable() throws {
            let terminal = try Console(rows: 20, columns: 100)
            let child = try terminal.start(builtProgram("beacond"), ["scan", "--adapter", "unix:/nowhere"])
            #expect(try child.waitForExit() == 69)
            #expect(child.errors == ["beacond scan: cannot connect to unix:/nowhere: No such file or directory"])
        }

        @Test(
            "an adapter or a way to take it that is none is said",
            arguments: [
                (
                    ["--adapter", "hci"],
                    "--adapter is auto, an address, hciN, serial:PATH[:BAUD], tcp:ADDRESS:PORT or unix:PATH, not 'hci'"
                ),
                (["--access", "alone"], "--access is auto, exclusive or shared, not 'alone'"),
            ])
        func adapter(arguments: [String], sentence: String) throws {
            let child = try Child(builtProgram("beacond"), ["scan"] + arguments)
            #expect(try child.waitForExit() == 64)
            #expect(child.errors == ["beacond scan: \(sentence); see beacond scan --help"])
        }

        @Test("an agent that runs keeps its radio, and another adapter may be used beside it") func held() throws {
            let simulator = try Simulator(scenario: Self.store)
            let agent = try Agent()
            try agent.configure(adapter: simulator.address, port: 1)
            try agent.start()
            try agent.wait(forLine: "node s12-shelf-3")
            let child = try Child(builtProgram("beacond"), ["scan", "--config", agent.file])
            #expect(try child.waitForExit() == 69)
            let pattern =
                /beacond scan: an agent with this configuration is running \(process \d+\) and has the radio; stop it and try again/
            #expect(child.errors.count == 1 && child.errors[0].wholeMatch(of: pattern) != nil, "\(child.errors)")
            let other = try Child(
                builtProgram("beacond"), ["scan", "--config", agent.file, "--adapter", "unix:/nowhere"])
            #expect(try other.waitForExit() == 69)
            #expect(other.errors == ["beacond scan: cannot connect to unix:/nowhere: No such file or directory"])
            #expect(try agent.stop() == 0)
        }
    }

    @Suite("beacond record")
    struct RecordTests {
        @Test("what was recorded is replayed as the same beacons") func replayed() throws {
            let simulator = try Simulator(
                scenario: """
                    beacons:
                      shelf: {uuid: \(Stage.uuid), major: 100, minor: 1, count: 3}
                    """)
            let folder = try TemporaryFolder()
            let file = folder.path("air.btsnoop")
            let child = try Child(
                builtProgram("beacond"), ["record", file, "--adapter", simulator.address, "--seconds", "3"])
            #expect(try child.waitForExit() == 0, "\(child.errors)")
            #expect(child.output.isEmpty && child.errors.count == 2)
            #expect(
                child.errors[0]
                    == "beacond record: recording for 3 s at \(simulator.address), 10 MB at most; Ctrl-C ends it")
            let replayed = try Replayed(file: file, "regions: {shelf: {uuid: \(Stage.uuid), track: beacons}}\n")
            #expect(
                Set(replayed.of("enter/shelf").compactMap { $0.payload.at("beacon", "minor")?.integer }) == [
                    1, 2, 3,
                ])
            // A file that is there is not lost by mistake.
            let again = try Child(builtProgram("beacond"), ["record", file, "--adapter", simulator.address])
            #expect(try again.waitForExit() == 74)
            #expect(again.errors == ["beacond record: '\(file)' is there already; --force replaces it"])
        }

        @Test("it ends before the file is longer than it may be") func bounded() throws {
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let folder = try TemporaryFolder()
            let file = try folder.write("air.btsnoop", "old")
            let child = try Child(
                builtProgram("beacond"),
                ["record", file, "--force", "--adapter", simulator.address, "--size", "3k"])
            #expect(try child.waitForExit() == 0, "\(child.errors)")
            let size = try Data(contentsOf: URL(fileURLWithPath: file)).count
            #expect((2800...3000).contains(size))
            #expect(child.errors.last?.hasSuffix("; ended at 3 kB") == true)
        }

        @Test("a capture goes to standard output where it is asked for, and a reader that went away ends it")
        func output()
            throws
        {
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let child = try Child(
                "/bin/sh",
                ["-c", #""$0" record - --adapter "$1" | head -c 8"#, builtProgram("beacond"), simulator.address])
            #expect(try child.waitForExit() == 0)
            #expect(child.output == ["btsnoop\0"])
        }

        @Test("a file that cannot be written is said, and a radio that is not there leaves none behind")
        func unwritable()
            throws
        {
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let child = try Child(
                builtProgram("beacond"), ["record", "/nowhere/air", "--adapter", simulator.address])
            #expect(try child.waitForExit() == 74)
            #expect(child.errors.last == "beacond record: '/nowhere/air': No such file or directory")
            let folder = try TemporaryFolder()
            let none = try Child(
                builtProgram("beacond"), ["record", folder.path("air"), "--adapter", "unix:/nowhere"])
            #expect(try none.waitForExit() == 69)
            #expect(!FileManager.default.fileExists(atPath: folder.path("air")))
        }
    }
}
