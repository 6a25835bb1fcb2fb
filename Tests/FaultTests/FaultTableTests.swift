import HCI
import JSON
import Testing

@testable import beacon_sim

@Suite("Faults of the radio, in virtual time")
struct FaultTableTests {
    static let uuid = "39ed98ff-2900-441a-802f-9c398fc199d2"

    private static func node(_ row: FaultRow) throws -> VirtualNode {
        let scenario = """
            seed: 11
            hosts: {\(row.hosts)}
            beacons:
              a: {uuid: \(uuid), major: 1, minor: 1, rssi: -60, interval: 100ms}
              b: {uuid: \(uuid), major: 1, minor: 2, rssi: -65, interval: 200ms}
              c: {uuid: \(uuid), major: 2, minor: 1, rssi: -70, interval: 500ms}
              d: {uuid: \(uuid), major: 2, minor: 2, rssi: -75, interval: 1s}
              e: {uuid: \(uuid), major: 3, minor: 1, rssi: -80, interval: 300ms}
            faults: [\(row.faults.joined(separator: ", "))]

            """
        let machine = VirtualMachine(try ScenarioReader.read(Array(scenario.utf8)), adapters: row.adapters)
        machine.problems = row.problems.map {
            ($0.from * VirtualNode.second, $0.until == .max ? .max : $0.until * VirtualNode.second, $0.2)
        }
        return try VirtualNode(
            machine,
            configuration: """
                site: store
                node: shelf
                radio: {adapter: auto}
                regions:
                  each: {uuid: \(uuid), track: beacons}
                  all: {uuid: \(uuid)}

                """)
    }

    @Test(
        "each fault is recovered from or told in time, and nobody leaves because of it", arguments: FaultTable.rows)
    func row(_ row: FaultRow) throws {
        let node = try Self.node(row)
        node.run(until: row.end)
        #expect(node.messages("enter").count == 6)
        let exits = node.messages("exit").map { exit in
            "\(exit.at / 1_000_000) \(exit.json["evidence"].map { "\($0)" } ?? "")"
        }
        #expect(exits.isEmpty, "\(node.log.map { "\($0.at / 1_000_000) \($0.text)" })")
        // Whoever is said to hear again hears somebody: the slowest beacon is heard each second.
        for alert in node.messages("alert") where alert.json["state"] == .string("listening") {
            #expect(node.heardAt.contains { abs($0 - alert.at) <= 3 * VirtualNode.second }, "\(alert.json)")
        }
        let began = node.machine.faultBegan ?? 0
        switch row.outcome {
        case .recovered(let seconds):
            let from = max(node.machine.faultEnded ?? began, began)
            let back = try #require(node.heardAt.first { $0 > from }, "nothing is heard any more")
            #expect(back - from <= seconds * VirtualNode.second, "after \((back - from) / 1_000_000) ms")
            // Nor was there a longer silence between one fault and the next.
            let silences = zip(node.heardAt, node.heardAt.dropFirst()).filter { $0.0 >= began }.map { $0.1 - $0.0 }
            let longest = (silences.max() ?? 0) - row.duration * VirtualNode.second
            #expect(longest <= seconds * VirtualNode.second, "\(longest / 1_000_000) ms")
            let state = try #require(node.messages("state").last?.json)
            #expect(state["conditions"]?["radio"]?["state"] == .string("powered_on"), "\(state)")
            #expect(node.messages("region").last?.json["state"] == .string("inside"))
            // And it stays so: the slowest beacon is heard each second.
            let last = try #require(node.heardAt.last)
            #expect(node.machine.now - last < 2 * VirtualNode.second)
        case .reported(let seconds, let cause):
            let told = node.messages("alert").first { $0.json["cause"] == .string(cause) }
            let at = try #require(told?.at, "\(node.messages("alert").map(\.json))")
            #expect(at - began <= seconds * VirtualNode.second, "after \((at - began) / 1_000_000) ms")
            let state = try #require(node.messages("state").last?.json)
            #expect(state["conditions"]?["radio"]?["cause"] == .string(cause))
            #expect(node.messages("region").last?.json["state"] == .string("unknown"))
        case .unharmed:
            let alerts = node.messages("alert").filter { $0.at > 60 * VirtualNode.second }
            #expect(alerts.isEmpty, "\(alerts.map(\.json))")
        case .noted(let words):
            #expect(node.log.count { $0.text.contains(words) } == 1, "\(node.log.map(\.text))")
        }
    }

    @Test("there are 25 faults or more, and no two of one name") func enough() {
        #expect(FaultTable.rows.count >= 25)
        #expect(Set(FaultTable.rows.map(\.name)).count == FaultTable.rows.count)
    }

    @Test("a controller that fails every Reset for an hour gets 30 of them at most") func budget() throws {
        let row = FaultRow(
            name: "", faults: ["{at: boot, fault: no_reset}"], outcome: .unharmed)
        let node = try Self.node(row)
        node.run(until: 3600)
        #expect((11...30).contains(node.machine.resets.count), "\(node.machine.resets.count)")
        // Few words in an hour of trouble: a line for each step, and one for what is the matter.
        #expect(node.messages("alert").count <= 64, "\(node.messages("alert").count)")
    }

    @Test("a store that closes is left alone: no Reset, no alert, and everybody leaves in time") func quiet() throws
    {
        let scenario = """
            beacons:
              a: {uuid: \(Self.uuid), major: 1, minor: 1, interval: 100ms, present: [{from: 0s, to: 300s}]}
              b: {uuid: \(Self.uuid), major: 1, minor: 2, interval: 200ms, present: [{from: 0s, to: 330s}]}
              c: {uuid: \(Self.uuid), major: 2, minor: 1, interval: 500ms, present: [{from: 0s, to: 360s}]}

            """
        let machine = VirtualMachine(try ScenarioReader.read(Array(scenario.utf8)))
        let node = try VirtualNode(
            machine,
            configuration: """
                site: store
                node: shelf
                regions:
                  each: {uuid: \(Self.uuid), track: beacons}

                """)
        node.run(until: 8 * 3600)
        #expect(node.machine.resets.count == 1)
        #expect(node.messages("alert").isEmpty)
        let exits = node.messages("exit").map { $0.at / VirtualNode.second }
        #expect(exits.count == 3)
        for (exit, left) in zip(exits, [300, 330, 360]) {
            #expect((left...(left + 14)).contains(Int(exit)), "\(exits)")
        }
    }
}
