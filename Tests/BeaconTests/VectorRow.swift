import Beacon
import Foundation

/// A row of advertisements.jsonl.
struct VectorRow {
    /// Frames as fields by name, or one of the two words for no beacon.
    enum Expectation: Equatable {
        case frames([[String: FieldValue]])
        case none
        case malformed
    }

    let id: String
    let kind: String
    let bytes: [UInt8]
    let tags: Set<String>
    let expected: Expectation

    static func all() throws -> [VectorRow] {
        let text = try String(contentsOf: fixture("advertisements.jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map { try VectorRow(line: String($0)) }
    }

    /// Reason by row id.
    static func differences() throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(contentsOf: fixture("differences.json")))
    }

    private static func fixture(_ name: String) -> URL {
        Bundle.module.bundleURL.appendingPathComponent("Fixtures").appendingPathComponent(name)
    }

    private init(line: String) throws {
        let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let row, let id = row["id"] as? String, let kind = row["kind"] as? String,
            let bytes = (row["hex"] as? String).flatMap(Hexadecimal.bytes), let tags = row["tags"] as? [String],
            let expected = row["expect"].flatMap(Expectation.init)
        else { throw CocoaError(.fileReadCorruptFile) }
        self.id = id
        self.kind = kind
        self.bytes = bytes
        self.tags = Set(tags)
        self.expected = expected
    }
}

extension VectorRow.Expectation {
    init?(_ json: Any) {
        switch json {
        case let word as String where word == "none": self = .none
        case let word as String where word == "malformed": self = .malformed
        case let frame as [String: Any]: self = .frames([Self.fields(frame)])
        case let frames as [[String: Any]]: self = .frames(frames.map(Self.fields))
        default: return nil
        }
    }

    init(frames: [Frame], malformed: Malformed) {
        if frames.isEmpty {
            self = malformed.isEmpty ? .none : .malformed
        } else {
            self = .frames(
                frames.map { frame in
                    Dictionary(frame.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
                })
        }
    }

    /// What the packet around the advert says is left out.
    private static func fields(_ json: [String: Any]) -> [String: FieldValue] {
        var fields: [String: FieldValue] = [:]
        for (name, value) in json where name != "mac" && name != "rssi" {
            switch value {
            case is NSNull: fields[name] = .null
            case let text as String: fields[name] = .text(text)
            case let number as NSNumber where name == "temp_c": fields[name] = .decimal(number.doubleValue)
            case let number as NSNumber: fields[name] = .integer(number.intValue)
            default: break
            }
        }
        return fields
    }
}

extension VectorRow {
    /// The advertising data in the row, one of each report; nil if the row has no legacy or extended report, or an
    /// event that does not end where its reports do. Only as much of HCI as the rows need.
    var advertisingData: [[UInt8]]? {
        switch kind {
        case "ad": return [bytes]
        case "adv_report": return Self.legacyReports(bytes[...])
        default:
            var event = bytes[...]
            if !tags.contains("no_h4_byte") { event = event.dropFirst() }
            guard event.count >= 3, event.first == 0x3E, Int(event[event.startIndex + 1]) == event.count - 2 else {
                return nil
            }
            let reports = event.dropFirst(3)
            switch event[event.startIndex + 2] {
            case 0x02: return Self.legacyReports(reports)
            case 0x0D: return Self.extendedReports(reports)
            default: return nil
            }
        }
    }

    private static func legacyReports(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
        reports(bytes, headLength: 9, tailLength: 1)
    }

    private static func extendedReports(_ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
        reports(bytes, headLength: 24, tailLength: 0)
    }

    /// The length of the data is the last byte of the head.
    private static func reports(_ bytes: ArraySlice<UInt8>, headLength: Int, tailLength: Int) -> [[UInt8]]? {
        var rest = bytes.dropFirst()
        var data: [[UInt8]] = []
        for _ in 0..<(bytes.first ?? 0) {
            guard rest.count >= headLength else { return nil }
            let length = Int(rest[rest.startIndex + headLength - 1])
            rest = rest.dropFirst(headLength)
            guard rest.count >= length + tailLength else { return nil }
            data.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length + tailLength)
        }
        return rest.isEmpty ? data : nil
    }
}
