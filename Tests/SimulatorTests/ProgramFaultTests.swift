import Foundation
import HCI
import JSON
import System
import TestSupport
import Testing

@testable import beacon_sim

/// A host without a session: sends commands, waits for their answers, and counts what it hears.
private final class PlainHost {
    private let transport: StreamTransport
    private var poller: Poller
    /// Answers and other events that are no reports, whole.
    private(set) var events: [[UInt8]] = []
    /// Reports of a flood, and of beacons.
    private(set) var floods = 0
    private(set) var beacons = 0
    private(set) var hasEnded = false

    init(socket path: String) throws {
        ignoreBrokenPipes()
        transport = try StreamTransport(connectingTo: .unix(path: path))
        poller = try Poller()
        try poller.add(transport.descriptor, token: 1, .readable)
    }

    init(terminal path: String) throws {
        let line = try Descriptor.open(path, .readWrite)
        #expect(fcntl(line.number, F_SETFL, O_NONBLOCK) == 0)
        transport = StreamTransport(connected: line, peer: .controller)
        poller = try Poller()
        try poller.add(transport.descriptor, token: 1, .readable)
    }

    /// Sends a command and waits for its answer.
    func ask(_ command: Command) throws {
        let before = events.count
        try send(command)
        try listen { $0.events.count > before }
    }

    func send(_ command: Command) throws { #expect(try transport.send(command.bytes)) }

    func scan() throws {
        for command in [.reset, .setEventMask(0x2000_1FFF_FFFF_FFFF), .setScanEnable(true)] as [Command] {
            try ask(command)
        }
    }

    /// Takes what comes until something is so; a time without a packet is a failure.
    func listen(until isDone: (PlainHost) -> Bool) throws {
        while !isDone(self), !hasEnded {
            let ready = try poller.wait(milliseconds: 10_000) { _, _ in }
            guard ready > 0 else { throw TestFailure(description: "nothing came for 10 s") }
            do {
                try transport.readable { kind, bytes in
                    guard kind == .event else { return }
                    if bytes[0] != 0x3E {
                        events.append(Array(bytes))
                    } else if bytes.count > 30, Array(bytes[22..<28]) == Array(Flood.uuid[..<6]) {
                        floods += 1
                    } else {
                        beacons += 1
                    }
                }
            } catch {
                hasEnded = true
            }
        }
    }
}

@Suite struct ProgramFaultTests {
    /// A simulator with those faults.
    static func simulator(_ folder: TemporaryFolder, listen: String, _ faults: String) throws -> Child {
        let scenario = try folder.write(
            "store.yaml", "{faults: [\(faults)], beacons: {a: {uuid: \(ProgramTests.uuid), interval: 20ms}}}")
        let sim = try Child(
            builtProgram("beacon-sim"),
            ["--listen", listen, "--scenario", scenario, "--truth", folder.path("truth")])
        try sim.wait(forLine: "listening on")
        return sim
    }

    /// What the truth says was sent of the fault's adverts, and dropped.
    static func books(_ folder: TemporaryFolder) throws -> (sent: Int64?, dropped: Int64?, faults: [String]) {
        let truth = try ProgramTests.lines(folder.read("truth"))
        let line = truth.first { $0["event"]?.text == "sent" && $0["fault"]?.integer == 1 }
        let faults = truth.filter { $0["event"]?.text == "fault" }.map {
            "\($0["host"]?.integer ?? 0) \($0["number"]?.integer ?? 0) \($0["fault"]?.text ?? "") \($0["on"]?.bool ?? false)"
        }
        return (line?["adverts"]?.integer, line?["dropped"]?.integer, faults)
    }

    @Test("what arrives of a burst and what the socket had no room for is all of it") func burst() throws {
        let folder = try TemporaryFolder()
        let sim = try Self.simulator(
            folder, listen: "unix:\(folder.path("hci"))", "{at: 0s, fault: burst, count: 20000}")
        do {
            let host = try PlainHost(socket: folder.path("hci"))
            try host.scan()
            // Beacons go on after the burst, so something comes in any case.
            try host.listen { $0.floods > 0 }
            let enough = host.beacons + 100
            try host.listen { $0.floods == 20_000 || $0.beacons > enough }
            try host.ask(.setScanEnable(false))
            #expect(try sim.stop() == 0)
            let books = try Self.books(folder)
            #expect(books.sent == Int64(host.floods))
            #expect((books.sent ?? 0) + (books.dropped ?? 0) == 20_000)
            #expect(books.faults == ["1 1 burst true", "1 1 burst false"])
        }
    }

    @Test("an unplugged controller ends its connection and takes no other one until it is back") func unplug()
        throws
    {
        let folder = try TemporaryFolder()
        let sim = try Self.simulator(
            folder, listen: "unix:\(folder.path("hci"))", "{at: 100ms, fault: unplug, for: 500ms}")
        do {
            let host = try PlainHost(socket: folder.path("hci"))
            try host.scan()
            try host.listen { _ in false }
            #expect(host.hasEnded)
        }
        try sim.wait(forLine: "host 1 is gone: it is unplugged")
        while true {
            let host = try PlainHost(socket: folder.path("hci"))
            // Refused, the connection may end before the command or after it.
            _ = try? host.ask(Command(.readAddress))
            if !host.events.isEmpty { break }
        }
        #expect(try sim.stop() == 0)
        #expect(sim.errors.contains("beacon-sim: connection 2 refused: there is no controller for it"))
        #expect(try Self.books(folder).faults == ["1 1 unplug true", "1 1 unplug false"])
    }

    @Test("a pseudo terminal is a serial line: whoever opens it next finds the same controller, after Reset")
    func terminal() throws {
        let folder = try TemporaryFolder()
        let link = folder.path("ttyBT")
        let sim = try Self.simulator(folder, listen: "pty:\(link)", "{at: 1h, fault: hang}")
        do {
            let host = try PlainHost(terminal: link)
            try host.scan()
            try host.listen { $0.beacons > 20 }
        }
        do {
            let host = try PlainHost(terminal: link)
            try host.send(.reset)
            try host.listen { $0.events.contains([0x0E, 4, 1, 3, 0x0C, 0]) }
            let before = host.beacons
            try host.ask(Command(.readAddress))
            #expect(host.events.last?.count == 12 && host.beacons == before)
        }
        #expect(try sim.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: link))
        let truth = try folder.read("truth")
        #expect(truth.split(separator: "\n").filter { $0.contains("\"connected\"") }.count == 1)
    }

    @Test("nothing but a link makes way for the link of a terminal") func occupied() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("file", "mine")
        let scenario = try folder.write("store.yaml", "seed: 1\n")
        let sim = try Child(builtProgram("beacon-sim"), ["--listen", "pty:\(file)", "--scenario", scenario])
        #expect(try sim.waitForExit() == 69)
        #expect(sim.errors == ["beacon-sim: cannot make the link \(file): File exists"])
        #expect(try folder.read("file") == "mine")
    }

    @Test("where there is no driver for them there are no adapters")
    func noDriver() throws {
        // Where there is one, this program must not make adapters in the machine of whoever runs the tests.
        guard !FileManager.default.fileExists(atPath: "/dev/vhci") else { return }
        let folder = try TemporaryFolder()
        let scenario = try folder.write("store.yaml", "seed: 1\n")
        let sim = try Child(builtProgram("beacon-sim"), ["--vhci", "1", "--scenario", scenario])
        #expect(try sim.waitForExit() == 69)
        #expect(
            sim.errors == ["beacon-sim: cannot make an adapter with /dev/vhci: No such file or directory"])
    }
}
