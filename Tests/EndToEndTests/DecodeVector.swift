import Foundation
import TestSupport

/// A row of advertisements.jsonl, which lies with the tests of the module Beacon together with what differs from it.
struct DecodeVector {
    let id: String
    let kind: String
    let hex: String
    let tags: [String]
    /// "none", "malformed", a beacon, or several.
    let expected: Any

    static func all() throws -> [DecodeVector] {
        try String(decoding: content("advertisements.jsonl"), as: UTF8.self).split(separator: "\n").map {
            let row = try object(String($0))
            guard let id = row["id"] as? String, let kind = row["kind"] as? String, let hex = row["hex"] as? String,
                let tags = row["tags"] as? [String], let expected = row["expect"]
            else { throw TestFailure(description: "a row of the vectors is not as it should be: \($0)") }
            return DecodeVector(id: id, kind: kind, hex: hex, tags: tags, expected: expected)
        }
    }

    /// Reason by row id.
    static func differences() throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: content("differences.json"))
    }

    private static func content(_ name: String) throws -> Data {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appendingPathComponent("BeaconTests/Fixtures/\(name)"))
    }

    private static func object(_ text: String) throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            throw TestFailure(description: "not a JSON object: \(text)")
        }
        return object
    }

    /// Whether a line of output says what the row does.
    func isAsExpected(_ line: String) throws -> Bool {
        let found = try Self.object(line)
        guard Set(found.keys) == ["beacons", "malformed"], let beacons = found["beacons"] as? [[String: Any]],
            let malformed = found["malformed"] as? [String]
        else { return false }
        switch expected {
        case let word as String:
            return beacons.isEmpty && malformed.isEmpty == (word == "none")
        case let beacon as [String: Any]:
            return same([beacon], beacons)
        case let several as [[String: Any]]:
            return same(several, beacons)
        default:
            return false
        }
    }

    private func same(_ expected: [[String: Any]], _ found: [[String: Any]]) -> Bool {
        expected.count == found.count
            && zip(expected, found).allSatisfy { expected, found in
                var expected = expected
                var found = found
                // The vectors call the address `mac`, and leave it and the strength out where their source does.
                expected["address"] = expected.removeValue(forKey: "mac")
                for name in ["address", "rssi"] where expected[name] == nil { found[name] = nil }
                return NSDictionary(dictionary: expected) == NSDictionary(dictionary: found)
            }
    }
}
