import Foundation
import JSON
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Life")
    struct LifeTests {
        @Test("SIGTERM ends with the air silent and a last word that the broker keeps")
        func terminated() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            let online = try stage.subscriber.first("a status") { $0.kind == "status" }.json
            try stage.simulator.wait(
                onAir: Stage.payload(uuid: "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6", major: 100, minor: 1))
            try stage.subscriber.first("an enter") { $0.kind == "enter/shelf" }
            try stage.end()
            try stage.simulator.wait(onAir: nil)
            let last = try stage.subscriber.first("the last word") { $0.json?["state"]?.text == "offline" }
            #expect(last.json?["reason"]?.text == "stopped" && last.json?["session"] == online?["session"])
            let late = try Subscriber(port: stage.broker.port)
            let kept = try late.first("the kept status") { $0.kind == "status" }
            #expect(kept.retain && kept.payload == last.payload)
            #expect(stage.subscriber.messages.last?.kind == "status")
        }

        @Test("kill -9 leaves the will, with the session that it ends")
        func killed() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            let online = try stage.subscriber.first("a status") { $0.kind == "status" }.json
            try stage.agent.kill()
            let will = try stage.subscriber.first("the will") { $0.json?["state"]?.text == "offline" }.json
            #expect(will?["reason"]?.text == "connection_lost" && will?["session"] == online?["session"])
        }

        @Test("SIGHUP takes a good file live, and of a bad one only says what is wrong")
        func reread() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            try stage.subscriber.first("an enter") { $0.kind == "enter/shelf" }
            func configure(_ more: String, site: String = "store-12") throws {
                try stage.agent.configure(
                    adapter: stage.simulator.address, port: stage.broker.port, site: site, more)
                stage.agent.reload()
            }
            try configure("regions:\n  other: {uuid: \(Stage.uuid), major: 100}\n")
            try stage.subscriber.first("an enter elsewhere") { $0.kind == "enter/other" }
            let exit = try stage.subscriber.first("an exit") { $0.kind == "exit/shelf" }.json
            #expect(exit?["reason"]?.text == "region_removed")
            try stage.subscriber.first("a cleared topic") { $0.kind == "region/shelf" && $0.payload.isEmpty }

            let state = try stage.state("silence") { $0.at("conditions", "advertising", "state")?.text == "off" }
            try configure("regions:\n  other: {uuid: \(Stage.uuid), major: 70000}\n")
            let line = try stage.agent.wait(forLine: "config.yaml:10:62: ")
            #expect(line.contains("regions.other.major: ") && line.contains("70000"))
            try configure("", site: "store-13")
            try stage.agent.wait(forLine: "site is fixed while the agent runs; restart it")
            try stage.end()
            #expect(stage.subscriber.messages.last { $0.kind == "state" }?.json?["config"] == state["config"])
        }

        @Test("SIGHUP with a pipe in the file's place says so, and the node can still be ended")
        func pipe() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            try stage.subscriber.first("an enter") { $0.kind == "enter/shelf" }
            try FileManager.default.removeItem(atPath: stage.agent.file)
            #expect(mkfifo(stage.agent.file, 0o600) == 0)
            stage.agent.reload()
            try stage.agent.wait(forLine: "the configuration '\(stage.agent.file)' is no regular file")
            try stage.end()
        }

        @Test("output that cannot be written is no success, and a reader that goes away is no failure")
        func fullDisk() throws {
            for command in ["check --reference", "decode 00", "--help"] {
                let program = builtProgram("beacond")
                let child = try Child("/bin/sh", ["-c", "exec \(program) \(command) > /dev/full"])
                #expect(try child.waitForExit() == 74)
                #expect(child.errors == ["beacond: cannot write the output: No space left on device"])
                let closed = try Child("/bin/bash", ["-c", "\(program) \(command) | true; exit ${PIPESTATUS[0]}"])
                #expect(try closed.waitForExit() == 0)
            }
        }

        private func said(_ arguments: [String], environment: [String: String] = [:]) throws -> (Int32, [String]) {
            let child = try Child(builtProgram("beacond"), arguments, environment: environment)
            let status = try child.waitForExit()
            return (status, child.errors)
        }

        @Test("a start that cannot be says why, with its own exit code")
        func refusals() throws {
            let folder = try TemporaryFolder()
            let config = folder.path("config.yaml")
            #expect(
                try said(["run", "--config", config]) == (
                    66, ["beacond run: cannot read the configuration '\(config)': No such file or directory"]
                ))
            try folder.write("config.yaml", "site: s\nradio: {adapter: none}\n")
            let (status, lines) = try said(["run", "--config", config])
            #expect(status == 78 && lines.first?.hasPrefix("\(config):1:1: node: ") == true)
            #expect(lines.last == "2 problems")
            let whole = "site: s\nnode: n\nradio: {adapter: \"unix:/x\"}\nstate_folder: \(folder.path("state"))\n"
            try folder.write("config.yaml", whole + "mqtt: {username: u, password_file: /nonexistent}\n")
            #expect(
                try said(["run", "-c", config]) == (
                    78,
                    [
                        "beacond run: mqtt.password_file: cannot read '/nonexistent': No such file or directory"
                    ]
                ))
            try folder.write("config.yaml", whole)
            try FileManager.default.createDirectory(
                atPath: folder.path("state/.epoch.new/in the way"), withIntermediateDirectories: true)
            let (unwritable, sentences) = try said(["run", "-c", config])
            #expect(unwritable == 69)
            #expect(sentences == ["beacond run: cannot remove \(folder.path("state"))/.epoch.new: Is a directory"])
            try FileManager.default.removeItem(atPath: folder.path("state"))
            try FileManager.default.createDirectory(
                atPath: folder.path("state"), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o777])
            chmod(folder.path("state"), 0o777)
            try folder.write("config.yaml", whole)
            #expect(
                try said(["run", "-c", config]) == (
                    69,
                    [
                        "beacond run: others may write in the state folder \(folder.path("state")) (mode 777); "
                            + "run: chmod 700 \(folder.path("state"))"
                    ]
                ))
            #expect(
                try said(["run", "--confg", config]) == (
                    64, ["beacond run: there is no option '--confg'; see beacond run --help"]
                ))
            #expect(
                try said(["walk"]) == (
                    64, ["beacond: 'walk' is not a command; there are run, check, replay, calibrate, decode"]
                ))
        }

        @Test("a second agent on one state folder is refused")
        func second() throws {
            let stage = try Stage(scenario: Stage.oneBeacon, configuration: Stage.advertising)
            try stage.subscriber.first("a status") { $0.kind == "status" }
            let (status, lines) = try said(["run", "--config", stage.agent.file])
            #expect(status == 69)
            #expect(
                lines.first?.hasPrefix(
                    "beacond run: the state folder \(stage.agent.state) is in use by another beacond") == true)
            try stage.end()
        }
    }
}
