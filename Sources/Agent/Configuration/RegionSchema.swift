internal import Beacon
internal import JSON

extension RegionSettings {
    /// The keys of a region.
    static let schema = Schema<RegionSettings>(
        [
            .setting(Setting("format", \.format, .choice { $0.name }, "The format of the region's beacons.")),
            .setting(
                Setting(
                    "uuid", optional: \.uuid, .uuid, example: .string(Configuration.exampleUUID),
                    "The UUID of its beacons. Needed with ibeacon and altbeacon.")),
            .setting(
                Setting(
                    "major", optional: \.major, .integer(0...65535), example: .integer(100),
                    "Their major number. Without it any, and not 0.")),
            .setting(
                Setting(
                    "minor", optional: \.minor, .integer(0...65535), example: .integer(1),
                    "Their minor number. Without it any. Needs major.")),
            .setting(
                Setting(
                    "namespace", optional: \.namespace, .bytes(namespaceLength),
                    example: .string("edd1ebeac04e5defa017"), "The namespace. Needed with eddystone-uid.")),
            .setting(
                Setting(
                    "instance", optional: \.instance, .bytes(instanceLength), example: .string("0bdb87539b67"),
                    "The instance. Without it any.")),
            .setting(
                Setting(
                    "url", optional: \.url, .url, example: .string("https://example.com/"),
                    "The whole URL. Needed with eddystone-url.")),
            .setting(
                Setting(
                    "ranging", \.ranging, .choice { $0.rawValue },
                    "When its beacons are ranged, once a second: while the node is inside, always, or not at all.")),
            .setting(
                Setting(
                    "exit_after", \.exitAfter, .duration(.seconds(1) ... .seconds(24 * 3600)),
                    "How long nothing must be heard of it before it is left.")),
            .setting(
                Setting(
                    "notify_on_entry", \.notifyOnEntry, .bool,
                    "Whether an enter is published. The region's state always is.")),
            .setting(Setting("notify_on_exit", \.notifyOnExit, .bool, "Whether an exit is published.")),
        ],
        rules: rules)

    /// Which keys say which beacons, by format; the first one is needed.
    private static func identityKeys(_ format: BeaconFormat) -> [String] {
        switch format {
        case .ibeacon, .altbeacon: ["uuid", "major", "minor"]
        case .eddystoneUID: ["namespace", "instance"]
        case .eddystoneURL: ["url"]
        }
    }

    private static let rules: [Rule<RegionSettings>] =
        [
            Rule("", with: ["format", "uuid", "namespace", "url"]) { root, isSet in
                let key = identityKeys(root.format)[0]
                if isSet(key) { return nil }
                return "has nothing to match: an \(root.format.name) region needs \(key)"
            },
            Rule("minor", with: ["format", "major"]) { root, isSet in
                guard identityKeys(root.format).contains("minor"), isSet("minor"), !isSet("major") else {
                    return nil
                }
                return "needs major beside it; a minor number counts within a major one"
            },
        ]
        + ["uuid", "major", "minor", "namespace", "instance", "url"].map { key in
            Rule(key, with: ["format"]) { root, isSet in
                let keys = identityKeys(root.format)
                if !isSet(key) || keys.contains(key) { return nil }
                return
                    "does not belong to an \(root.format.name) region, which is matched by \(keys.joined(separator: ", "))"
            }
        }

    /// Reads all regions.
    static func read(
        _ entries: [ConfigurationNode.Entry], _ problems: inout [ConfigurationProblem]
    ) -> [RegionSettings] {
        var regions: [RegionSettings] = []
        regions.reserveCapacity(entries.count)
        for entry in entries {
            let path = "regions.\(shownKey(entry.key))"
            if case .failure(let complaint) = Kind.id.read(.text(entry.key)) {
                problems.append(ConfigurationProblem(path: path, message: complaint.message, origin: entry.origin))
            }
            var settings = RegionSettings()
            settings.id = entry.key
            var reader = SchemaReader(schema, into: settings, prefix: path)
            reader.read(entry.node, at: entry.origin)
            problems += reader.problems
            regions.append(reader.root)
        }
        return regions
    }

    /// Writes all regions.
    static func write(_ regions: [RegionSettings]) -> JSONObject {
        JSONObject(regions.map { JSONObject.Member(name: $0.id, value: .object(schema.write($0))) })
    }

    /// The reference's regions: the first with every key of its format, each other with what it adds.
    static var reference: [String] {
        let examples: [(id: String, format: BeaconFormat)] = [
            ("entrance", .ibeacon), ("pillar", .eddystoneUID), ("poster", .eddystoneURL),
        ]
        var lines: [String] = []
        for (number, example) in examples.enumerated() {
            var defaults = RegionSettings()
            defaults.format = example.format
            lines.append("#\(example.id):")
            for setting in schema.settings {
                let isIdentity = identityKeys(example.format).contains(setting.path)
                let isNew = isIdentity || (number == 0 && setting.example == nil)
                if isNew { lines += setting.comment(indent: 2) }
                if isNew || setting.path == "format" {
                    lines.append("  #\(setting.path): \(setting.shownValue(of: defaults))")
                }
            }
        }
        return lines
    }
}
