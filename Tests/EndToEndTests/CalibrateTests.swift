import Foundation
import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("beacond calibrate")
    struct CalibrateTests {
        /// Measures with the radio of a node that does not run.
        private func calibrate(
            _ scenario: String, _ arguments: String...
        ) throws -> (output: [String], errors: [String], code: Int32) {
            let simulator = try Simulator(scenario: scenario)
            let agent = try Agent()
            try agent.configure(adapter: simulator.address, port: 1)
            let child = try Child(
                builtProgram("beacond"), ["calibrate", "--config", agent.file, "--seconds", "5"] + arguments)
            let code = try child.waitForExit(within: 60)
            // It neither makes a state folder nor sends anything.
            #expect(!FileManager.default.fileExists(atPath: agent.state))
            #expect(simulator.air.allSatisfy { $0.data == nil })
            return (child.output, child.errors, code)
        }

        /// A beacon at one metre that sends −59 dBm and is heard as strong.
        private func beacon(_ more: String) -> String {
            "beacons:\n  shelf: {uuid: \(Stage.uuid), major: 100, minor: 1, \(more)}\n"
        }

        @Test("a beacon at one metre has the power that it is heard with, to a decibel", arguments: [-66, -52])
        func power(rssi: Int) throws {
            let (output, errors, code) = try calibrate(
                "seed: 1\n" + beacon("rssi: \(rssi), noise: 3"), "--distance", "1m")
            #expect(code == 0 && errors.count == 1, "\(errors)")
            let power = try #require(
                output.compactMap { $0.wholeMatch(of: /measured power  (-\d+) dBm at one metre/)?.1 }.first
                    .flatMap { Int($0) })
            #expect(abs(power - rssi) <= 1, "\(output)")
            #expect(errors.first?.hasPrefix("beacond calibrate: listening for 5 s at unix:") == true)
            #expect(output.first == "beacon          ibeacon \(Stage.uuid) 100 1")
            #expect(
                output.suffix(3) == [
                    "", "calibrations:",
                    "  beacon-100-1: {format: ibeacon, uuid: \(Stage.uuid), major: 100, minor: 1, measured_power: \(power)}",
                ])
        }

        @Test("what it prints is taken by a configuration") func pasted() throws {
            let (output, _, code) = try calibrate(
                #"beacons: {poster: {format: eddystone-url, url: "https://a.com/'#%", rssi: -60, power: -19}}"#)
            #expect(code == 0)
            let agent = try Agent()
            try agent.configure(
                adapter: "unix:/nowhere", port: 1,
                try #require(output.split(separator: "").last).joined(separator: "\n"))
            let check = try Child(builtProgram("beacond"), ["check", agent.file])
            #expect(try check.waitForExit() == 0)
            #expect(
                check.output.contains(
                    #"  beacon-url: {format: eddystone-url, url: "https://a.com/'#%", measured_power: -60}"#))
        }

        @Test("JSON is one object") func json() throws {
            let (output, _, code) = try calibrate(beacon("rssi: -66"), "--json", "--distance", "2m", "--minor", "1")
            #expect(code == 0 && output.count == 1)
            let value = try JSONValue(reading: Array(try #require(output.first).utf8))
            #expect(value["measured_power"]?.integer == -60 && value["verdict"]?.text == "good")
            #expect(value["beacon"]?["minor"]?.integer == 1 && value["sent_power"]?.integer == -59)
        }

        @Test("without a beacon it says so and fails") func none() throws {
            let (output, errors, code) = try calibrate("beacons: {}")
            #expect(code == 65 && output.isEmpty)
            #expect(
                errors.last
                    == "beacond calibrate: no beacon was heard in 5 s; does it send, and one of ibeacon, altbeacon, "
                    + "eddystone-uid, eddystone-url?")
        }

        @Test("of two that are near each other it asks which, and measures the one that is named") func two() throws
        {
            let both = beacon("count: 2, rssi: -60")
            let (output, errors, code) = try calibrate(both)
            #expect(code == 65 && output.isEmpty && errors.count == 4)
            #expect(
                errors[1]
                    == "beacond calibrate: 2 beacons are within 10 dB of the strongest; take the others away, or name one:"
            )
            for (line, minor) in zip(errors.suffix(2), 1...2) {
                #expect(line.hasSuffix("  --format ibeacon --uuid \(Stage.uuid) --major 100 --minor \(minor)"))
            }
            let named = try calibrate(both, "--minor", "2")
            #expect(named.code == 0 && named.output.first == "beacon          ibeacon \(Stage.uuid) 100 2")
        }

        @Test("too few adverts print what is known and fail") func tooFew() throws {
            let (output, _, code) = try calibrate(beacon("rssi: -60, interval: 1s"))
            #expect(code == 65)
            #expect(
                output.last?.hasPrefix("verdict         too few adverts: 30 are needed; listen longer, ") == true)
        }

        @Test("Ctrl-C ends it early with what is known, and a radio that was lost on the way takes none of that")
        func interrupted() throws {
            let simulator = try Simulator(scenario: beacon("rssi: -60"))
            let agent = try Agent()
            try agent.configure(adapter: simulator.address, port: 1)
            let child = try Child(
                builtProgram("beacond"), ["calibrate", "--config", agent.file, "--seconds", "600"])
            // Ten seconds, in which a hundred adverts come.
            try child.wait(forLine: "beacond calibrate: 590 s left, ")
            simulator.kill()
            try child.wait(forLine: "; trying again")
            child.send(SIGINT)
            #expect(try child.waitForExit() == 0)
            #expect(child.output.contains("measured power  -60 dBm at one metre"))
        }

        @Test("a radio that is not there is told, without waiting") func unreachable() throws {
            let agent = try Agent()
            let adapter = "unix:\(agent.folder.path("hci"))"
            try agent.configure(adapter: adapter, port: 1)
            let child = try Child(builtProgram("beacond"), ["calibrate", "--config", agent.file])
            #expect(try child.waitForExit() == 69)
            #expect(
                child.errors == ["beacond calibrate: cannot connect to \(adapter): No such file or directory"])
        }

        @Test("an agent that runs keeps its radio") func held() throws {
            let simulator = try Simulator(scenario: Stage.oneBeacon)
            let agent = try Agent()
            try agent.configure(adapter: simulator.address, port: 1)
            try agent.start()
            try agent.wait(forLine: "node s12-shelf-3")
            let child = try Child(builtProgram("beacond"), ["calibrate", "--config", agent.file])
            #expect(try child.waitForExit() == 69)
            #expect(child.errors.count == 1)
            let line = try #require(child.errors.first)
            #expect(
                line.wholeMatch(
                    of:
                        /beacond calibrate: an agent with this configuration is running \(process \d+\) and has the radio; stop it and try again/
                ) != nil, "\(line)")
            #expect(try agent.stop() == 0)
        }

        @Test("a bad configuration, a missing one, and a bad command line have their exit codes") func codes()
            throws
        {
            let folder = try TemporaryFolder()
            let bad = try folder.write("bad.yaml", "site: 1\n")
            for (arguments, code) in [
                (["--config", bad], 78), (["--config", folder.path("none")], 66), (["--seconds", "1"], 64),
            ] as [([String], Int32)] {
                let child = try Child(builtProgram("beacond"), ["calibrate"] + arguments)
                #expect(try child.waitForExit() == code)
            }
        }
    }
}
