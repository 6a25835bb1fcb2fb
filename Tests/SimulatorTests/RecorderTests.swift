import Foundation
import HCI
import JSON
import System
import TestSupport
import Testing

@testable import beacon_sim

@Suite struct RecorderTests {
    static let store = """
        seed: 8
        hosts: {at: [[0, 0], [6, 8]], duty: honoured, sensitivity: -95}
        path_loss: {exponent: 2.2, shadowing: 3, channels: 2}
        fading: 3
        loss: 0.2
        beacons:
          shelf: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, minor: 1, count: 5, at: [3, 4]}
          walker:
            uuid: 39ed98ff-2900-441a-802f-9c398fc199d2
            minor: 99
            rotate: 20s
            bursts: {loss: 0.3, length: 2s}
            present: [{from: 10s, to: 40s}]
            walk: [{at: [20, 0], time: 0s}, {at: [1, 0], time: 15s}, {at: [20, 0], time: 30s}]
        """

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the program; the capture and the truth.
    func record(_ name: String, _ more: [String] = []) throws -> (capture: [UInt8], truth: String) {
        let scenario = try folder.write("store.yaml", Self.store)
        let sim = try Child(
            builtProgram("beacon-sim"),
            [
                "--capture", folder.path(name), "--truth", folder.path("\(name).jsonl"), "--scenario", scenario,
                "--seconds", "60",
            ] + more)
        #expect(try sim.waitForExit(within: 60) == 0)
        #expect(sim.lines.isEmpty)
        return (try readFile(folder.path(name), limit: 1 << 24), try folder.read("\(name).jsonl"))
    }

    @Test("the same scenario and options give the same bytes, another scan or seed others") func determinism()
        throws
    {
        let first = try record("first")
        let second = try record("second")
        #expect(first.capture == second.capture && first.truth == second.truth)
        #expect(try record("third", ["--scan", "100/30"]).capture != first.capture)
        let later = try record("later", ["--start", "1700000000"])
        #expect(later.capture.count == first.capture.count && later.capture != first.capture)
    }

    @Test("a capture holds the commands, their replies and each advert that the truth says was sent")
    func content() throws {
        let (capture, text) = try record("c", ["--start", "1700000000"])
        let truth = try ProgramTests.lines(text)
        var reader = CaptureReader(capture)
        var items: [CapturedItem<[UInt8]>] = []
        while let item = try reader.next() { items.append(item) }
        let start: Int64 = 1_700_000_000_000_000_000
        #expect(items.first?.time == start && items.last?.time == start + 60_000_000_000)
        #expect(zip(items, items.dropFirst()).allSatisfy { $0.time <= $1.time })
        let commands = items.compactMap { item -> UInt16? in
            guard case .hciCommand(let bytes) = item.content else { return nil }
            #expect(item.direction == .sent)
            return UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        }
        // Reset, Set Event Mask, LE Set Scan Parameters, LE Set Scan Enable, and off at the end.
        #expect(commands == [0x0C03, 0x0C01, 0x200B, 0x200C, 0x200C])
        var heard: [String: Int64] = [:]
        for item in items {
            guard case .hciEvent(let bytes) = item.content, bytes[0] == 0x3E else { continue }
            let minor = bytes[bytes.count - 3]
            heard[minor == 99 ? "walker" : "shelf-\(minor)", default: 0] += 1
        }
        var sent: [String: Int64] = [:]
        for line in truth where line["event"]?.text == "sent" {
            sent[line["beacon"]?.text ?? ""] = line["adverts"]?.integer
            #expect((line["lost"]?.integer ?? 0) > 0 && (line["outside"]?.integer ?? 0) > 0)
        }
        #expect(heard == sent && heard.count == 6)
        #expect(truth.last?["event"]?.text == "end")
    }

    @Test("the truth has places with the distance to each host, and new addresses") func truth() throws {
        let lines = try record("t").truth.split(separator: "\n").map(String.init)
        let walker = lines.filter { $0.contains(#""beacon":"walker""#) }
        let second = "2026-01-01T00:00"
        func place(_ time: Int, _ rest: String) -> String {
            "{\"event\":\"place\",\"ms\":\(time)000,\"time\":\"\(second):\(time).000Z\",\"beacon\":\"walker\",\(rest)}"
        }
        #expect(walker.contains(place(10, #""at":[20,0],"metres":[20,16.12]"#)))
        #expect(walker.contains(place(25, #""at":[1,0],"metres":[1,9.43]"#)))
        #expect(walker.contains(place(40, #""at":[20,0],"metres":[20,16.12]"#)))
        // When he comes, each second on his way, and when he leaves.
        #expect(walker.filter { $0.contains(#""event":"place""#) }.count == 31)
        #expect((1...2).contains(walker.filter { $0.contains(#""event":"address""#) }.count))
        let shelves = lines.filter { $0.contains(#""event":"place""#) && $0.contains("shelf") }
        #expect(shelves.count == 5 && shelves.allSatisfy { $0.hasSuffix(#""at":[3,4],"metres":[5,5]}"#) })
    }

    @Test("each host has a capture of its own of the same store") func hosts() throws {
        let first = try record("one")
        let second = try record("two", ["--host", "2"])
        #expect(first.capture != second.capture)
        func store(_ truth: String) -> [Substring] {
            truth.split(separator: "\n").filter {
                $0.contains(#""event":"enter""#) || $0.contains(#""event":"place""#)
            }
        }
        #expect(store(first.truth) == store(second.truth))
        #expect(second.truth.contains(#""host":2,"connection":1,"address":"02:be:ac:00:00:02""#))
    }

    @Test("a capture or a truth that cannot be written is told, with the file's name") func failures() throws {
        let scenario = try folder.write("store.yaml", Self.store)
        let arguments = ["--scenario", scenario, "--seconds", "60", "--capture"]
        let nowhere = try Child(builtProgram("beacon-sim"), arguments + ["/nonexistent/c"])
        #expect(try nowhere.waitForExit() == 74)
        #expect(nowhere.errors == ["beacon-sim: cannot open /nonexistent/c: No such file or directory"])
        let full = try Child(builtProgram("beacon-sim"), arguments + ["/dev/full"])
        #expect(try full.waitForExit() == 74)
        #expect(full.errors == ["beacon-sim: cannot write /dev/full: No space left on device"])
        let untrue = try Child(builtProgram("beacon-sim"), arguments + ["/dev/null", "--truth", "/dev/full"])
        #expect(try untrue.waitForExit() == 74)
        #expect(untrue.errors == ["beacon-sim: cannot write /dev/full: No space left on device"])
    }
}
