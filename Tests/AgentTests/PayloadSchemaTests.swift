import Foundation
import Testing

@testable import Agent

@Suite("Payload schemas")
struct PayloadSchemaTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let hasValidator = system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") == 0

    /// What the validator says of lines, and its exit code.
    private func validate(_ lines: [String], _ options: String = "") throws -> (output: String, code: Int32) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("lines")
        try (lines.joined(separator: "\n") + "\n").write(to: input, atomically: true, encoding: .utf8)
        let script = Self.root.appendingPathComponent("Tests/validate_payloads.py").path
        let status = system(
            "/usr/bin/python3 -W ignore '\(script)' \(options) < '\(input.path)' > '\(folder.path)/output' 2>&1")
        let output = try String(contentsOf: folder.appendingPathComponent("output"), encoding: .utf8)
        return (output, status >> 8)
    }

    @Test(
        "every golden payload satisfies its schema",
        .enabled(if: hasValidator, "python3-jsonschema is not installed"))
    func golden() throws {
        let result = try validate(Golden.lines)
        #expect(
            result.output == """
                alert 4, enter 2, exit 2, health 1, ranging 2, region 5, reply 2, state 3, status 3, window 2; \
                0 other lines; 0 violations

                """)
        #expect(result.code == 0)
    }

    @Test(
        "a payload that is wrong is told by line and path",
        .enabled(if: hasValidator, "python3-jsonschema is not installed"))
    func violations() throws {
        let topic = "beacons/data/store-12/s12-shelf-3"
        let result = try validate([
            "\(topic)/region/entrance \(Golden.inside.replacing("inside", with: "outside"))",
            "\(topic)/enter/entrance \(Golden.enter.replacing(#""major":100"#, with: #""major":65536"#))",
            "\(topic)/status \(Golden.will.replacing(#""v":1"#, with: #""v":1,"v":1"#))",
            "\(topic)/news {}", "\(topic)/state (null)", "beacons/control/node/s12-shelf-3/config no",
        ])
        // Newer versions of jsonschema name the object in which the member stands, and not the member.
        let output = result.output.replacing("$.beacons: False", with: "$: False")
        #expect(
            output == """
                1: \(topic)/region/entrance: $: False schema does not allow 3
                2: \(topic)/enter/entrance: $.beacon.major: 65536 is greater than the maximum of 65535
                3: \(topic)/status: it is not JSON: a name is given twice: v v state session reason boot
                4: \(topic)/news: there is no schema for this topic
                5: \(topic)/state: the payload is empty
                ? 1, enter 1, region 1, state 1, status 1; 1 other lines; 5 violations

                """)
        #expect(result.code == 1)
    }

    @Test(
        "the schema of documents takes what the node takes",
        .enabled(if: hasValidator, "python3-jsonschema is not installed"))
    func documents() throws {
        let documents: [(text: String, isValid: Bool)] = [
            (#"{"config":{}}"#, true), (#"{"config":{"advertise":{"major":7,"minor":null}}}"#, true),
            (#"{"config":{"regions":{"entrance":null,"x":{"uuid":"39ED98FF2900441A802F9C398FC199D2"}}}}"#, true),
            (#"{"config":{"advertise":null,"radio":{"window":"62.5ms"},"log":{"level":"debug"}}}"#, true),
            (#"{}"#, false), (#"{"config":5}"#, false), (#"{"config":{},"revision":1}"#, false),
            (#"{"config":{"advertise":{"major":65536}}}"#, false), (#"{"config":{"node":"x"}}"#, false),
            (#"{"config":{"radio":null}}"#, true), (#"{"config":{"radio":{"phys":["1m","coded"]}}}"#, true),
            (#"{"config":{"radio":{"phys":["coded"]}}}"#, false), (#"{"config":{"radio":{"phys":[]}}}"#, false),
            (#"{"config":{"radio":{"adapter":"auto"}}}"#, false),
            (#"{"config":{"advertise":{"tx_power":21}}}"#, false),
            (#"{"config":{"advertise":{"rotate":"15m"}}}"#, true), (#"{"config":{"mqtt":{"host":"x"}}}"#, false),
            (#"{"config":{"regions":{"X":{}}}}"#, false), (#"{"config":{"windows":{"length":10}}}"#, false),
        ]
        for document in documents {
            let result = try validate(["\(Trial.controlTopic) \(document.text)"], "--control")
            #expect((result.code == 0) == document.isValid, "\(result.output)")
            var trial = try Trial()
            let lines = trial.push(document.text, at: 1)
            #expect(lines.contains { $0.contains(#""result":"applied""#) } == document.isValid, "\(lines)")
        }
    }

    @Test("the schema of documents has the keys that documents may have, and no other") func keys() throws {
        let file = Self.root.appendingPathComponent("deploy/schemas/control-config.schema.json")
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let config = try #require((whole["properties"] as? [String: [String: Any]])?["config"])
        var keys: Set<String> = []
        for (name, section) in config["properties"] as? [String: [String: Any]] ?? [:] where name != "regions" {
            for key in (section["properties"] as? [String: Any] ?? [:]).keys { keys.insert("\(name).\(key)") }
        }
        let schema = Configuration.schema
        #expect(keys == Set(schema.settings.filter { $0.reach == .everywhere }.map(\.path)))
        let regions = (config["properties"] as? [String: [String: Any]])?["regions"]
        let region = regions?["additionalProperties"] as? [String: Any]
        #expect(
            Set((region?["properties"] as? [String: Any] ?? [:]).keys)
                == Set(RegionSettings.schema.settings.map(\.path)))
    }
}
