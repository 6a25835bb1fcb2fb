import Beacon
import HCI
import YAML

// Values with a unit or a form of their own.
extension ScenarioReader {
    /// `100ms`, `3s`, `5m` or `2h`, in nanoseconds.
    mutating func duration(_ entry: YAMLEntry, _ path: String, _ bounds: ClosedRange<Int64>) -> Int64? {
        guard let text = text(entry, path) else { return nil }
        let units: [(String, Int64)] = [
            ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ]
        let number = text.prefix { ("0"..."9").contains($0) }
        guard let unit = units.first(where: { $0.0 == text.dropFirst(number.count) }), let count = Int64(number)
        else {
            complain(entry, path, "\(quoted(text)) is no time such as 100ms, 3s or 5m")
            return nil
        }
        let (nanoseconds, overflow) = count.multipliedReportingOverflow(by: unit.1)
        guard !overflow, bounds.contains(nanoseconds) else {
            let (low, high) = (bounds.lowerBound / 1_000_000, bounds.upperBound / 1_000_000)
            complain(entry, path, "\(quoted(text)) is outside \(low)…\(high) ms")
            return nil
        }
        return nanoseconds
    }

    /// A number with or without decimals, and a unit behind it if there is one.
    mutating func decimal(
        _ entry: YAMLEntry, _ path: String, _ bounds: ClosedRange<Double>, unit: String = ""
    ) -> Double? {
        guard let text = text(entry, path) else { return nil }
        let digits = text.dropLast(unit.count)
        guard text.hasSuffix(unit), let number = Double(digits),
            digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." })
        else {
            complain(entry, path, "\(quoted(text)) is no number such as 1.5\(unit)")
            return nil
        }
        guard bounds.contains(number) else {
            let range = "\(bounds.lowerBound)…\(bounds.upperBound)"
            complain(entry, path, "\(quoted(text)) is outside \(range)\(unit.isEmpty ? "" : " \(unit)")")
            return nil
        }
        return number
    }

    mutating func uuid(_ entry: YAMLEntry, _ path: String) -> UUID128? {
        guard let text = text(entry, path) else { return nil }
        guard let uuid = UUID128(text) else {
            complain(entry, path, "\(quoted(text)) is no UUID: 32 hexadecimal digits, as 8-4-4-4-12 or together")
            return nil
        }
        return uuid
    }

    mutating func bytes(_ entry: YAMLEntry, _ path: String, count: Int) -> [UInt8]? {
        guard let text = text(entry, path) else { return nil }
        guard let bytes = Hexadecimal.bytes(text), bytes.count == count else {
            complain(entry, path, "\(quoted(text)) is not \(2 * count) hexadecimal digits")
            return nil
        }
        return bytes
    }

    mutating func address(_ entry: YAMLEntry, _ path: String, _ kind: DeviceAddress.Kind) -> DeviceAddress? {
        guard let text = text(entry, path) else { return nil }
        guard let address = DeviceAddress(text, kind) else {
            complain(entry, path, "\(quoted(text)) is no address such as c5:dc:fd:06:78:48")
            return nil
        }
        return address
    }

    /// `always`, or a list of `{from: 3s, to: 6s}` in their order; without `to` it stays.
    mutating func presence(_ entry: YAMLEntry, _ path: String) -> [StoreBeacon.Presence]? {
        switch entry.value.value {
        case .scalar(let scalar) where scalar.text == "always":
            return [StoreBeacon.Presence(from: 0, to: nil)]
        case .sequence(let nodes):
            let times = nodes.map { presence($0, path) }
            for (earlier, later) in zip(times, nodes.dropFirst().enumerated()) {
                guard let end = earlier.to, end < times[later.offset + 1].from else {
                    complain(later.element.mark, "\(path): this begins before the one above it has ended")
                    return nil
                }
            }
            return times
        case .scalar, .mapping:
            complain(entry, path, "this is neither 'always' nor a list of {from: 3s, to: 6s}")
            return nil
        }
    }

    private mutating func presence(_ node: YAMLNode, _ path: String) -> StoreBeacon.Presence {
        // A year, so that nanoseconds do not overflow when a start is added.
        let bounds: ClosedRange<Int64> = 0...31_536_000_000_000_000
        var from: Int64 = 0
        var to: Int64?
        each(node, path) { reader, entry in
            switch entry.key {
            case "from": from = reader.duration(entry, "\(path).from", bounds) ?? 0
            case "to": to = reader.duration(entry, "\(path).to", bounds)
            default: reader.unknown(entry, path, ["from", "to"])
            }
        }
        if let to, to <= from { complain(node.mark, "\(path): it ends before it begins") }
        return StoreBeacon.Presence(from: from, to: to)
    }
}
