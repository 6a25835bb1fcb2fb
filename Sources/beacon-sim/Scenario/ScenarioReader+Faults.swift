import HCI
import YAML

// The fault timeline.
extension ScenarioReader {
    /// What one entry says; what is nil was not given or was wrong.
    private struct Draft {
        var name: String?
        var at: Int64??
        var host: Int?
        var length: Int64?
        var cure: Fault.Cure?
        var times: Int?
        var opcode: Opcode?
        var status: StatusCode?
        var delay: Int64?
        var code: UInt8?
        var rate: Int64?
        var count: Int?
        var keys: [String] = []
    }

    private static let common = ["at", "host", "fault"]

    /// What each kind has besides, and which of them it needs.
    private static let kinds: [(name: String, keys: [String], needed: String?)] = [
        ("hang", ["for", "until"], nil),
        ("refuse", ["opcode", "status", "times", "for", "until"], nil),
        ("delay", ["by", "opcode", "times", "for", "until"], "by"),
        ("drop", ["opcode", "times", "for", "until"], nil),
        ("hardware_error", ["code"], nil),
        ("silence", ["for", "until"], nil),
        ("malformed", ["for", "until"], nil),
        ("unplug", ["for"], nil),
        ("filter", ["for", "until"], nil),
        ("flood", ["rate", "for", "until"], "rate"),
        ("burst", ["count"], "count"),
        ("no_reset", ["status", "times", "for", "until"], nil),
    ]

    private static let known =
        common + ["for", "until", "times", "opcode", "status", "by", "code", "rate", "count"]

    /// A list of `{at: 5s, fault: hang, for: 10s}`.
    mutating func faults(_ entry: YAMLEntry) -> [Fault] {
        guard case .sequence(let nodes) = entry.value.value else {
            complain(entry, "faults", "this is no list of {at: 5s, fault: hang, for: 10s}")
            return []
        }
        if nodes.count > Fault.limit { complain(entry, "faults", "there are more than \(Fault.limit)") }
        return nodes.compactMap { fault($0) }
    }

    private mutating func fault(_ node: YAMLNode) -> Fault? {
        let before = problems.count
        let draft = draft(node)
        guard problems.count == before, case .mapping = node.value else { return nil }
        guard let name = draft.name, let at = draft.at else {
            complain(node.mark, "faults: a fault needs 'at' and 'fault'")
            return nil
        }
        guard let kind = ScenarioReader.kinds.first(where: { $0.name == name }) else { return nil }
        for key in draft.keys where !ScenarioReader.common.contains(key) && !kind.keys.contains(key) {
            complain(node.mark, "faults: \(name) has no '\(key)'")
        }
        if let needed = kind.needed, !draft.keys.contains(needed) {
            complain(node.mark, "faults: \(name) needs '\(needed)'")
        }
        guard problems.count == before, let kind = ScenarioReader.kind(name, draft) else { return nil }
        return Fault(
            kind: kind, host: draft.host, at: at, length: draft.length, times: draft.times, cure: draft.cure)
    }

    private mutating func draft(_ node: YAMLNode) -> Draft {
        var draft = Draft()
        // A year, so that nanoseconds do not overflow when a start is added.
        let times: ClosedRange<Int64> = 0...31_536_000_000_000_000
        each(node, "faults") { reader, entry in
            let here = "faults.\(entry.key)"
            draft.keys.append(entry.key)
            switch entry.key {
            case "at":
                if case .scalar(let scalar) = entry.value.value, scalar.text == "boot" {
                    draft.at = .some(nil)
                } else {
                    draft.at = reader.duration(entry, here, times).map { .some($0) }
                }
            case "host": draft.host = reader.integer(entry, here, 1...Link.hostLimit).map { $0 - 1 }
            case "fault": draft.name = reader.word(entry, here, ScenarioReader.kinds.map(\.name))
            case "for": draft.length = reader.duration(entry, here, 1_000_000...times.upperBound)
            case "until":
                draft.cure = reader.word(entry, here, Fault.Cure.allCases.map(\.rawValue))
                    .flatMap { Fault.Cure(rawValue: $0) }
            case "times": draft.times = reader.integer(entry, here, 1...1_000_000)
            case "opcode":
                draft.opcode = reader.code(entry, here, digits: 4).map { Opcode(rawValue: UInt16($0)) }
            case "status":
                draft.status = reader.code(entry, here, digits: 2).map { StatusCode(rawValue: UInt8($0)) }
            case "by": draft.delay = reader.duration(entry, here, 1_000_000...3_600_000_000_000)
            case "code": draft.code = reader.code(entry, here, digits: 2).map { UInt8($0) }
            case "rate": draft.rate = reader.integer(entry, here, 1...100_000).map { Int64($0) }
            case "count": draft.count = reader.integer(entry, here, 1...10_000_000)
            default: reader.unknown(entry, "faults", ScenarioReader.known)
            }
        }
        return draft
    }

    private static func kind(_ name: String, _ draft: Draft) -> Fault.Kind? {
        switch name {
        case "hang": .hang
        case "refuse": .refuse(draft.opcode, draft.status ?? .commandDisallowed)
        case "delay": draft.delay.map { .delay(draft.opcode, by: $0) }
        case "drop": .drop(draft.opcode)
        // What a controller of Broadcom says: Core Spec leaves the codes to the vendor.
        case "hardware_error": .hardwareError(draft.code ?? 0x42)
        case "silence": .silence
        case "malformed": .malformed
        case "unplug": .unplug
        case "filter": .filter
        case "flood": draft.rate.map { .flood(rate: $0) }
        case "burst": draft.count.map { .burst(count: $0) }
        // Hardware Failure (Core Spec Vol 1 Part F 2.3).
        case "no_reset": .noReset(draft.status ?? StatusCode(rawValue: 0x03))
        default: nil
        }
    }

    /// One of several words.
    mutating func word(_ entry: YAMLEntry, _ path: String, _ words: [String]) -> String? {
        guard let text = text(entry, path) else { return nil }
        guard words.contains(text) else {
            let all =
                words.count == 2
                ? "neither \(words[0]) nor \(words[1])" : "none of \(words.joined(separator: ", "))"
            complain(entry, path, "\(quoted(text)) is \(all)")
            return nil
        }
        return text
    }

    /// `0x200c`, with at most so many digits.
    private mutating func code(_ entry: YAMLEntry, _ path: String, digits: Int) -> Int? {
        guard let text = text(entry, path) else { return nil }
        let figures = text.dropFirst(2)
        guard text.hasPrefix("0x"), (1...digits).contains(figures.utf8.count), !figures.hasPrefix("+"),
            let number = Int(figures, radix: 16), number >= 0
        else {
            complain(entry, path, "\(quoted(text)) is no code such as \(digits == 4 ? "0x200c" : "0x0c")")
            return nil
        }
        return number
    }
}
