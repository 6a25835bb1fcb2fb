import Beacon
import YAML

/// What is wrong with a scenario, and where.
struct ScenarioProblem: Equatable {
    let mark: YAMLMark
    let message: String

    /// "store.yaml:3:7: beacons.visitor.minor: 70000 is outside 0…65535"
    func line(file: String) -> String { "\(file):\(mark.line):\(mark.column): \(message)" }
}

/// All that is wrong with a scenario, in the order of the file.
struct ScenarioProblems: Error, Equatable {
    let all: [ScenarioProblem]
}

/// Reads a scenario and collects what is wrong with it. Keys and values that are not known are problems.
struct ScenarioReader {
    private(set) var problems: [ScenarioProblem] = []
    /// What beacons have that say nothing else.
    private(set) var commonLoss = PacketLoss()
    private(set) var commonFading = Fading.none

    static func read(_ bytes: [UInt8]) throws(ScenarioProblems) -> Scenario {
        let root: YAMLNode
        do {
            root = try YAMLNode(reading: bytes)
        } catch {
            throw ScenarioProblems(all: [ScenarioProblem(mark: error.mark, message: error.message)])
        }
        var reader = ScenarioReader()
        let scenario = reader.scenario(root)
        guard reader.problems.isEmpty else {
            throw ScenarioProblems(all: reader.problems.sorted { $0.mark < $1.mark })
        }
        return scenario
    }

    private mutating func scenario(_ root: YAMLNode) -> Scenario {
        var scenario = Scenario()
        var beacons: [YAMLEntry] = []
        each(root, "") { reader, entry in
            switch entry.key {
            case "seed": scenario.seed = UInt64(reader.integer(entry, "seed", 0...Int.max) ?? 0)
            case "hosts": scenario.hosts = reader.hosts(entry.value)
            case "path_loss": scenario.pathLoss = reader.pathLoss(entry.value)
            case "fading": reader.commonFading = reader.fading(entry, "fading") ?? .none
            case "loss": reader.commonLoss.independent = reader.share(entry, "loss") ?? 0
            case "bursts": reader.commonLoss.bursts = reader.bursts(entry, "bursts")
            case "faults": scenario.faults = reader.faults(entry)
            // After the seed and what goes for all, wherever that stands.
            case "beacons": beacons = reader.entries(entry.value, "beacons")
            default:
                reader.unknown(
                    entry, "", ["seed", "hosts", "path_loss", "fading", "loss", "bursts", "faults", "beacons"])
            }
        }
        for entry in beacons {
            let copies = copies(entry, seed: scenario.seed, first: scenario.beacons.count)
            scenario.beacons += copies
            if scenario.beacons.count > Scenario.beaconLimit {
                complain(entry.mark, "beacons: there are more than \(Scenario.beaconLimit)")
                break
            }
        }
        return scenario
    }
}

// What every part of the reader needs.
extension ScenarioReader {
    mutating func complain(_ mark: YAMLMark, _ message: String) {
        problems.append(ScenarioProblem(mark: mark, message: message))
    }

    mutating func complain(_ entry: YAMLEntry, _ path: String, _ message: String) {
        complain(entry.value.mark, "\(path): \(message)")
    }

    mutating func unknown(_ entry: YAMLEntry, _ path: String, _ known: [String]) {
        let place = path.isEmpty ? "" : "\(path): "
        complain(
            entry.mark, "\(place)\(quoted(entry.key)) is not known here; known are \(known.joined(separator: ", "))"
        )
    }

    mutating func entries(_ node: YAMLNode, _ path: String) -> [YAMLEntry] {
        if case .mapping(let entries) = node.value { return entries }
        complain(node.mark, path.isEmpty ? "the scenario is not a map" : "\(path): this is not a map")
        return []
    }

    mutating func each(_ node: YAMLNode, _ path: String, _ body: (inout ScenarioReader, YAMLEntry) -> Void) {
        for entry in entries(node, path) { body(&self, entry) }
    }

    mutating func text(_ entry: YAMLEntry, _ path: String) -> String? {
        if case .scalar(let scalar) = entry.value.value { return scalar.text }
        complain(entry, path, "this is not a single value")
        return nil
    }

    mutating func integer(_ entry: YAMLEntry, _ path: String, _ bounds: ClosedRange<Int>) -> Int? {
        guard let text = text(entry, path) else { return nil }
        guard let number = Int(text), !text.hasPrefix("+") else {
            complain(entry, path, "\(quoted(text)) is no whole number")
            return nil
        }
        guard bounds.contains(number) else {
            complain(entry, path, "\(number) is outside \(bounds.lowerBound)…\(bounds.upperBound)")
            return nil
        }
        return number
    }
}
