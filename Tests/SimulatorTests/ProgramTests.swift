import Foundation
import HCI
import JSON
import System
import TestSupport
import Testing

@testable import beacon_sim

/// A host as simple as can be: a session on a transport, and everything it hears counted by the minor number.
final class Host {
    private let transport: StreamTransport
    private var session: ControllerSession
    private var poller: Poller
    private(set) var said: [SessionAction] = []
    private(set) var heard: [UInt8: Int] = [:]

    init(_ path: String, _ plan: RadioPlan) throws {
        transport = try StreamTransport(connectingTo: .unix(path: path))
        session = ControllerSession(plan: plan, entropy: 1)
        poller = try Poller()
        try poller.add(transport.descriptor, token: 1, .readable)
        try perform(session.start(now: MonotonicClock.nanoseconds))
    }

    private func perform(_ actions: [SessionAction]) throws {
        for action in actions {
            if case .send(let bytes) = action {
                #expect(try transport.send(bytes))
            } else {
                said.append(action)
            }
        }
    }

    func apply(_ plan: RadioPlan) throws { try perform(session.apply(plan, now: MonotonicClock.nanoseconds)) }

    func stop() throws {
        try perform(session.stop(now: MonotonicClock.nanoseconds))
        try listen(until: { $0.said.last == .stopped })
    }

    /// Takes what comes until something is so; a time without a packet is a failure.
    func listen(until isDone: (Host) -> Bool) throws {
        while !isDone(self) {
            let ready = try poller.wait(milliseconds: 10_000) { _, _ in }
            guard ready > 0 else { throw TestFailure(description: "nothing came for 10 s; said: \(said)") }
            var actions: [SessionAction] = []
            try transport.readable { kind, bytes in
                guard kind == .event else { return }
                actions += session.handle(event: bytes, now: MonotonicClock.nanoseconds)
                // The last byte but two of an iBeacon's report is the lower byte of its minor number.
                if bytes[0] == 0x3E { heard[bytes[bytes.count - 3], default: 0] += 1 }
            }
            try perform(actions)
        }
    }
}

@Suite struct ProgramTests {
    static let uuid = "39ed98ff-2900-441a-802f-9c398fc199d2"
    static let scan = ScanPlan(interval: .milliseconds(100), window: .milliseconds(90))

    static func lines(_ text: String) throws -> [JSONValue] {
        try text.split(separator: "\n").map { try JSONValue(reading: Array($0.utf8)) }
    }

    @Test(
        "what the truth says was sent is what a host heard, to the advert",
        arguments: ["", "loss: 0.3\nhosts: {duty: honoured}"])
    func truth(air: String) throws {
        let folder = try TemporaryFolder()
        let scenario = try folder.write(
            "store.yaml",
            """
            \(air)
            beacons:
              shelf: {uuid: \(Self.uuid), minor: 1, count: 40, interval: 20ms}
              visitor: {uuid: \(Self.uuid), minor: 99, interval: 20ms, present: [{from: 200ms, to: 700ms}]}
            """)
        let sim = try Child(
            builtProgram("beacon-sim"),
            [
                "--listen", "unix:\(folder.path("hci"))", "--scenario", scenario, "--truth", folder.path("truth"),
            ])
        try sim.wait(forLine: "listening on")
        let host = try Host(folder.path("hci"), RadioPlan(scan: Self.scan))
        try host.listen { ($0.heard[1] ?? 0) > 40 }
        try host.stop()
        #expect(try sim.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path("hci")))

        let truth = try Self.lines(folder.read("truth"))
        var sent: [String: Int] = [:]
        var (lost, outside): (Int64, Int64) = (0, 0)
        for line in truth where line["event"]?.text == "sent" {
            sent[line["beacon"]?.text ?? ""] = Int(line["adverts"]?.integer ?? -1)
            #expect(line["dropped"]?.integer == 0)
            lost += (line["lost"]?.integer ?? 0)
            outside += (line["outside"]?.integer ?? 0)
        }
        #expect((lost > 0, outside > 0) == (!air.isEmpty, !air.isEmpty))
        var heard: [String: Int] = [:]
        for (minor, count) in host.heard { heard[minor == 99 ? "visitor" : "shelf-\(minor)"] = count }
        #expect(sent == heard)
        if air.isEmpty { #expect((15...25).contains(sent["visitor"] ?? 0)) }
        func time(_ event: String, _ beacon: String) -> Int64? {
            truth.first { $0["event"]?.text == event && $0["beacon"]?.text == beacon }?["ms"]?.integer
        }
        let enter = try #require(time("enter", "visitor"))
        let leave = try #require(time("leave", "visitor"))
        #expect((499...501).contains(leave - enter))
        #expect(truth.last?["event"]?.text == "end")
    }

    @Test("the log of the air shows each payload in its turn, and the end of its host") func air() throws {
        let folder = try TemporaryFolder()
        let scenario = try folder.write("store.yaml", "hosts: {version: 4.2}")
        let sim = try Child(
            builtProgram("beacon-sim"),
            ["--listen", "unix:\(folder.path("hci"))", "--scenario", scenario, "--air", folder.path("air")])
        try sim.wait(forLine: "listening on")
        do {
            var plan = RadioPlan(scan: Self.scan)
            plan.advertise = AdvertisePlan(data: [1, 2], interval: .milliseconds(100))
            let host = try Host(folder.path("hci"), plan)
            try host.listen { $0.said.contains(.scanning(ScanState(.legacy))) }
            plan.advertise = AdvertisePlan(data: [3, 4], interval: .milliseconds(100))
            try host.apply(plan)
            try host.listen { $0.said.contains(.advertising(.onAir([3, 4], txPower: 4))) }
        }
        try sim.wait(forLine: "host 1 is gone")
        #expect(try sim.stop() == 0)
        let lines = try folder.read("air").split(separator: "\n").map { line in
            // Without the time, which is the machine's.
            "{" + line.drop { $0 != "," }.dropFirst()
        }
        let random = "\"interval_ms\":100,\"address\":\"c0:00:00:00:00:01\",\"cause\":\"command\"}"
        #expect(
            lines == [
                "{\"controller\":1,\"on\":true,\"data\":\"0102\",\(random)",
                "{\"controller\":1,\"on\":true,\"data\":\"0304\",\(random)",
                "{\"controller\":1,\"on\":false,\"cause\":\"disconnected\"}",
            ])
    }

    @Test("each kind of failure has its exit code and its sentence") func failures() throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write("bad.yaml", "seed: x\nbeacons: {a: {}}\n")
        let good = try folder.write("good.yaml", "seed: 1\n")
        let listen = "unix:\(folder.path("hci"))"
        let cases: [([String], Int32, [String])] = [
            (
                ["--listen", "hci0"], 64,
                [
                    "beacon-sim: --listen 'hci0' is none of unix:PATH, tcp:127.0.0.1:PORT and pty:LINK; see beacon-sim --help"
                ]
            ),
            (
                ["--listen", listen, "--scenario", bad], 65,
                [
                    "\(bad):1:7: seed: 'x' is no whole number",
                    "\(bad):2:11: beacons.a: a beacon of format ibeacon needs 'uuid'",
                ]
            ),
            (
                ["--listen", listen, "--scenario", folder.path("none")], 66,
                [
                    "beacon-sim: cannot open \(folder.path("none")): No such file or directory"
                ]
            ),
            (
                ["--listen", "unix:/nonexistent/hci", "--scenario", good], 69,
                [
                    "beacon-sim: cannot listen on unix:/nonexistent/hci: No such file or directory"
                ]
            ),
            (
                ["--listen", listen, "--scenario", good, "--air", "/nonexistent/air"], 74,
                [
                    "beacon-sim: cannot open /nonexistent/air: No such file or directory"
                ]
            ),
        ]
        for (arguments, code, lines) in cases {
            let sim = try Child(builtProgram("beacon-sim"), arguments)
            #expect(try sim.waitForExit() == code)
            #expect(sim.errors == lines)
        }
        let help = try Child(builtProgram("beacon-sim"), ["--help"])
        #expect(try help.waitForExit() == 0)
        #expect(
            help.output.first == "beacon-sim: a virtual Bluetooth controller with a store full of beacons around it"
        )
        let short = try Child(
            builtProgram("beacon-sim"), ["--listen", listen, "--scenario", good, "--seconds", "1"])
        #expect(try short.waitForExit() == 0)
    }
}
