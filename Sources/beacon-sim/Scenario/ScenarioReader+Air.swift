import YAML

// Places, and what the air does to adverts.
extension ScenarioReader {
    /// `[2.5, 4]`, metres.
    mutating func position(_ node: YAMLNode, _ path: String) -> Position? {
        guard case .sequence(let nodes) = node.value, nodes.count == 2, let x = coordinate(nodes[0]),
            let y = coordinate(nodes[1])
        else {
            complain(node.mark, "\(path): this is no place such as [2.5, 4]")
            return nil
        }
        let bounds = -10_000.0...10_000.0
        guard bounds.contains(x), bounds.contains(y) else {
            complain(node.mark, "\(path): a place is within -10000…10000 m")
            return nil
        }
        return Position(x: x, y: y)
    }

    private func coordinate(_ node: YAMLNode) -> Double? {
        guard case .scalar(let scalar) = node.value,
            scalar.text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." || $0 == "-" })
        else { return nil }
        return Double(scalar.text)
    }

    /// `[[0, 0], [2.5, 4]]`
    mutating func positions(_ entry: YAMLEntry, _ path: String, atMost limit: Int) -> [Position] {
        guard case .sequence(let nodes) = entry.value.value else {
            complain(entry, path, "this is no list of places such as [[0, 0], [2.5, 4]]")
            return []
        }
        if nodes.count > limit { complain(entry, path, "there are more than \(limit) places") }
        return nodes.compactMap { position($0, path) }
    }

    /// A list of `{at: [2.5, 4], time: 3s}` in the order of their times.
    mutating func walk(_ entry: YAMLEntry, _ path: String) -> Whereabouts {
        guard case .sequence(let nodes) = entry.value.value else {
            complain(entry, path, "this is no list of {at: [2.5, 4], time: 3s}")
            return .unplaced
        }
        if nodes.count < 2 {
            complain(entry, path, "a walk has two waypoints at least; for one place there is 'at'")
        }
        var waypoints: [Waypoint] = []
        for node in nodes {
            guard let waypoint = waypoint(node, path) else { continue }
            if let last = waypoints.last, waypoint.time <= last.time {
                complain(node.mark, "\(path): this is not later than the one above it")
            }
            waypoints.append(waypoint)
        }
        return waypoints.count < 2 ? .unplaced : .walking(waypoints)
    }

    private mutating func waypoint(_ node: YAMLNode, _ path: String) -> Waypoint? {
        let before = problems.count
        var at: Position?
        var time: Int64?
        each(node, path) { reader, entry in
            switch entry.key {
            case "at": at = reader.position(entry.value, "\(path).at")
            // A day.
            case "time": time = reader.duration(entry, "\(path).time", 0...86_400_000_000_000)
            default: reader.unknown(entry, path, ["at", "time"])
            }
        }
        if let at, let time { return Waypoint(position: at, time: time) }
        if problems.count == before { complain(node.mark, "\(path): a waypoint needs 'at' and 'time'") }
        return nil
    }

    mutating func pathLoss(_ node: YAMLNode) -> PathLoss {
        var loss = PathLoss()
        each(node, "path_loss") { reader, entry in
            let here = "path_loss.\(entry.key)"
            switch entry.key {
            case "exponent": loss.exponent = reader.decimal(entry, here, 0.5...8) ?? 2
            case "shadowing": loss.shadowing = reader.decimal(entry, here, 0...30) ?? 0
            case "channels": loss.channels = reader.decimal(entry, here, 0...30) ?? 0
            default: reader.unknown(entry, "path_loss", ["exponent", "shadowing", "channels"])
            }
        }
        return loss
    }

    /// A deviation in dB.
    mutating func fading(_ entry: YAMLEntry, _ path: String) -> Fading? {
        decimal(entry, path, 0...Fading.strongest).map { Fading(deviation: $0) }
    }

    /// 0 for nothing, 0.99 for nearly everything.
    mutating func share(_ entry: YAMLEntry, _ path: String) -> Double? { decimal(entry, path, 0...0.99) }

    /// `{loss: 0.6, length: 3s}`, or `none`.
    mutating func bursts(_ entry: YAMLEntry, _ path: String) -> PacketLoss.Bursts? {
        switch entry.value.value {
        case .scalar(let scalar) where scalar.text == "none": return nil
        case .scalar, .sequence:
            complain(entry, path, "this is neither 'none' nor {loss: 0.6, length: 3s}")
            return nil
        case .mapping: break
        }
        let before = problems.count
        var loss: Double?
        var length: Int64?
        each(entry.value, path) { reader, entry in
            switch entry.key {
            case "loss": loss = reader.decimal(entry, "\(path).loss", 0.01...0.99)
            case "length":
                length = reader.duration(entry, "\(path).length", 10_000_000...3_600_000_000_000)
            default: reader.unknown(entry, path, ["loss", "length"])
            }
        }
        if let loss, let length { return PacketLoss.Bursts(loss: loss, length: length) }
        if problems.count == before { complain(entry, path, "bursts need 'loss' and 'length'") }
        return nil
    }
}
