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
                    "track", \.track, .choice { $0.rawValue },
                    """
                    What enters and leaves: the region, as long as any of its beacons is there, or each of its beacons by \
                    itself.
                    """)),
            .setting(
                Setting(
                    "ranging", \.ranging, .choice { $0.rawValue },
                    "When its beacons are ranged, once a second: while the node is inside, always, or not at all.")),
            .setting(
                Setting(
                    "enter", \.enter, .choice { $0.rawValue },
                    """
                    What makes an enter: steady is five adverts in ten seconds, or two at least three seconds apart within \
                    a minute, which a beacon that passes at the edge does not manage; first is the first advert.
                    """)),
            .setting(
                Setting(
                    "exit", \.exit, .choice { $0.rawValue },
                    """
                    What makes an exit: learned is silence that would be long for this beacon, as its own gaps have shown, \
                    at most five minutes; fixed is silence as long as exit_after. Until two minutes of gaps are known, \
                    a learned exit takes a minute or more.
                    """)),
            .setting(
                Setting(
                    "exit_after", \.exitAfter, .duration(.seconds(1) ... .seconds(24 * 3600)),
                    """
                    How long nothing must be heard of a beacon before it is taken for gone; with a learned exit the least \
                    that it is. Time in which the node could not listen does not count.
                    """)),
            .setting(
                Setting(
                    "enter_rssi", optional: \.enterRSSI, .integer(-127...20, unit: "dBm"), example: .integer(-75),
                    "How strong an advert must be to count for an enter. Without it any.")),
            .setting(
                Setting(
                    "exit_rssi", optional: \.exitRSSI, .integer(-127...20, unit: "dBm"), example: .integer(-81),
                    """
                    How strong an advert must be to keep its beacon inside. Needs enter_rssi; without it 6 dB less than \
                    that.
                    """)),
            .setting(
                Setting(
                    "measured_power", optional: \.measuredPower, .integer(-100 ... -20, unit: "dBm"),
                    example: .integer(-59),
                    """
                    The signal strength at one metre that was measured for its beacons, and counts instead of what they \
                    send. Of several regions that hold a beacon the narrowest one's counts.
                    """)),
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

    private static let allIdentityKeys = ["uuid", "major", "minor", "namespace", "instance", "url"]

    private static let rules: [Rule<RegionSettings>] =
        identityRules + [
            Rule("exit_rssi", with: ["enter_rssi"]) { root, isSet in
                guard let exit = root.exitRSSI else { return nil }
                guard let enter = root.enterRSSI else { return "needs enter_rssi beside it" }
                return exit <= enter ? nil : "\(exit) is above enter_rssi, \(enter)"
            }
        ]

    /// What is wrong with which beacons a region, or something else, is about.
    static let identityRules: [Rule<RegionSettings>] =
        [
            Rule("", with: ["format", "uuid", "namespace", "url"]) { root, isSet in
                let key = identityKeys(root.format)[0]
                if isSet(key) { return nil }
                return "has nothing to match: with the format \(root.format.name) it needs \(key)"
            },
            Rule("minor", with: ["format", "major"]) { root, isSet in
                guard identityKeys(root.format).contains("minor"), isSet("minor"), !isSet("major") else {
                    return nil
                }
                return "needs major beside it; a minor number counts within a major one"
            },
        ]
        + allIdentityKeys.map { key in
            Rule(key, with: ["format"]) { root, isSet in
                let keys = identityKeys(root.format)
                if !isSet(key) || keys.contains(key) { return nil }
                return
                    "does not belong to the format \(root.format.name), which is matched by \(keys.joined(separator: ", "))"
            }
        }

    /// Reads all regions.
    static func read(
        _ entries: [ConfigurationNode.Entry], _ problems: inout [ConfigurationProblem]
    ) -> [RegionSettings] {
        let regions = readEntries(entries, below: "regions", schema, &problems) { id in
            var settings = RegionSettings()
            settings.id = id
            return settings
        }
        // One problem for all of them: each region of a heap is in it.
        var counts: [BeaconIdentity: Int] = [:]
        let prefixes = regions.map(\.identityPrefix)
        for case let prefix? in prefixes { counts[prefix, default: 0] += 1 }
        for (prefix, entry) in zip(prefixes, entries) {
            guard let prefix else { continue }
            // Of the same bytes and shorter: UUID, and with major; namespace. A URL is whole or nothing.
            let shorter = prefix.format == .eddystoneURL ? [] : [10, 16, 18].filter { $0 < prefix.length }
            let count = (shorter.map { prefix.prefix($0) } + [prefix]).reduce(0) { $0 + (counts[$1] ?? 0) }
            if count <= mostOverlapping { continue }
            problems.append(
                ConfigurationProblem(
                    path: "regions.\(shownKey(entry.key))",
                    message: "\(count) regions hold its beacons; at most \(mostOverlapping) may overlap",
                    origin: entry.origin))
            break
        }
        return regions
    }

    /// How many regions may hold one beacon. Of each that it is in something is remembered, so this and `limits.beacons`
    /// bound the memory.
    static let mostOverlapping = 64

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
                let isNew = isIdentity || (number == 0 && !allIdentityKeys.contains(setting.path))
                if isNew { lines += setting.comment(indent: 2) }
                if isNew || setting.path == "format" {
                    lines.append("  #\(setting.path): \(setting.shownValue(of: defaults))")
                }
            }
        }
        return lines
    }
}
