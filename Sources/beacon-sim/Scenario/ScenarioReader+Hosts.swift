import HCI
import YAML

// The hosts' controllers.
extension ScenarioReader {
    private static let modelKeys = ["version", "commands", "phys", "tx_power"]

    mutating func hosts(_ node: YAMLNode) -> Scenario.Hosts {
        var hosts = Scenario.Hosts()
        var each: YAMLEntry?
        let entries = entries(node, "hosts")
        hosts.model = model(entries, "hosts", node.mark, from: Model())
        for entry in entries where !ScenarioReader.modelKeys.contains(entry.key) {
            switch entry.key {
            case "rssi": hosts.rssi = Int8(integer(entry, "hosts.rssi", -127...20) ?? 0)
            case "address": hosts.address = address(entry, "hosts.address", .`public`) ?? hosts.address
            case "at": hosts.positions = positions(entry, "hosts.at", atMost: Link.hostLimit)
            case "sensitivity":
                hosts.sensitivity = Int8(integer(entry, "hosts.sensitivity", -127...20) ?? 0)
            case "duty": hosts.honoursWindow = word(entry, "hosts.duty", ["honoured", "ignored"]) == "honoured"
            case "each": each = entry
            default:
                unknown(
                    entry, "hosts",
                    ["rssi", "address", "at", "sensitivity", "duty"] + ScenarioReader.modelKeys + ["each"])
            }
        }
        // After what goes for all, wherever that stands.
        if let each { hosts.each = self.each(each, common: hosts.model) }
        return hosts
    }

    /// A list of `{version: 5.0, address: 02:be:ac:00:00:07}`, in the order of the hosts.
    private mutating func each(_ entry: YAMLEntry, common: Model) -> [Scenario.Hosts.Each] {
        guard case .sequence(let nodes) = entry.value.value else {
            complain(entry, "hosts.each", "this is no list such as [{version: 4.2}, {version: 5.0}]")
            return []
        }
        if nodes.count > Link.hostLimit { complain(entry, "hosts.each", "there are more than \(Link.hostLimit)") }
        return nodes.map { node in
            var each = Scenario.Hosts.Each()
            let entries = entries(node, "hosts.each")
            each.model = model(entries, "hosts.each", node.mark, from: common)
            for entry in entries where !ScenarioReader.modelKeys.contains(entry.key) {
                if entry.key == "address" {
                    each.address = address(entry, "hosts.each.address", .`public`)
                } else {
                    unknown(entry, "hosts.each", ["address"] + ScenarioReader.modelKeys)
                }
            }
            return each
        }
    }

    /// Which controller some keys describe; the rest is as in `common`.
    private mutating func model(
        _ entries: [YAMLEntry], _ path: String, _ mark: YAMLMark, from common: Model
    ) -> Model {
        guard entries.contains(where: { ScenarioReader.modelKeys.contains($0.key) }) else { return common }
        var model = common
        var commands: Model.Commands?
        for entry in entries {
            let here = "\(path).\(entry.key)"
            switch entry.key {
            case "version":
                switch text(entry, here) {
                case "4.2": model.generation = .before5
                case "5.0": model.generation = .from5
                case let other?: complain(entry, here, "\(quoted(other)) is neither 4.2 nor 5.0")
                case nil: break
                }
                // What controllers of that version have.
                model.commands = model.generation == .before5 ? .legacy : .extended
                if model.generation == .before5 { model.hasCoded = false }
            case "commands":
                commands = word(entry, here, Model.Commands.allCases.map(\.rawValue))
                    .flatMap { Model.Commands(rawValue: $0) }
            case "phys": model.hasCoded = phys(entry, here)
            case "tx_power": model.txPower = Int8(integer(entry, here, -127...20) ?? 0)
            default: break
            }
        }
        if let commands { model.commands = commands }
        if model.generation == .before5, model.commands != .legacy {
            complain(mark, "\(path): controllers of version 4.2 have no extended commands")
        } else if model.commands == .legacy, model.hasCoded {
            complain(mark, "\(path): the coded PHY needs extended commands, of version 5.0")
        }
        return model
    }

    /// `[1m]` or `[1m, coded]`; whether coded is there.
    private mutating func phys(_ entry: YAMLEntry, _ path: String) -> Bool {
        if case .sequence(let nodes) = entry.value.value {
            let names = nodes.map { node -> String in
                if case .scalar(let scalar) = node.value { scalar.text } else { "" }
            }
            if names == ["1m"] || names == ["1m", "coded"] { return names.count == 2 }
        }
        complain(entry, path, "this is neither [1m] nor [1m, coded]")
        return false
    }
}
