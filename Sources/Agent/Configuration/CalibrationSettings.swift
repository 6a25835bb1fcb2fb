public import Beacon
internal import JSON

/// A beacon whose power at one metre was measured where it hangs.
public struct CalibrationSettings: Equatable, Sendable {
    /// A name for it.
    public var id = ""
    /// Which beacon; of a region's settings only what says that.
    public var beacon = RegionSettings()
    /// The signal strength at one metre, in dBm.
    public var measuredPower = -59

    init() {}

    /// The calibration of a beacon; nil where no configuration can name it.
    ///
    /// That is one whose URL is on air in more bytes than it needs: a configured one is looked for as it is shortest.
    public init?(id: String, of beacon: BeaconIdentity, measuredPower: Int) {
        self.id = id
        self.measuredPower = measuredPower
        self.beacon.format = beacon.format
        self.beacon.uuid = beacon.uuid
        self.beacon.major = beacon.major
        self.beacon.minor = beacon.minor
        if beacon.format == .eddystoneUID {
            self.beacon.namespace = Array(beacon.bytes.prefix(RegionSettings.namespaceLength))
            self.beacon.instance = Array(beacon.bytes.dropFirst(RegionSettings.namespaceLength))
        }
        self.beacon.url = beacon.url
        guard self.beacon.identityPrefix == beacon else { return nil }
    }

    /// The lines that say this in a configuration file.
    public var yaml: String {
        yamlBlock(JSONObject.Member(name: "calibrations", value: .object(Self.write([self]))))
    }
}

extension CalibrationSettings {
    /// The keys of a calibration.
    static let schema = Schema<CalibrationSettings>(
        [
            .setting(Setting("format", \.beacon.format, .choice { $0.name }, "The beacon's format.")),
            .setting(
                Setting(
                    "uuid", optional: \.beacon.uuid, .uuid, example: .string(Configuration.exampleUUID),
                    "Its UUID. Needed with ibeacon and altbeacon.")),
            .setting(
                Setting(
                    "major", optional: \.beacon.major, .integer(0...65535), example: .integer(100),
                    "Its major number. Needed likewise.")),
            .setting(
                Setting(
                    "minor", optional: \.beacon.minor, .integer(0...65535), example: .integer(1),
                    "Its minor number. Needed likewise.")),
            .setting(
                Setting(
                    "namespace", optional: \.beacon.namespace, .bytes(RegionSettings.namespaceLength),
                    example: .string("edd1ebeac04e5defa017"), "Its namespace. Needed with eddystone-uid.")),
            .setting(
                Setting(
                    "instance", optional: \.beacon.instance, .bytes(RegionSettings.instanceLength),
                    example: .string("0bdb87539b67"), "Its instance. Needed likewise.")),
            .setting(
                Setting(
                    "url", optional: \.beacon.url, .url, example: .string("https://example.com/"),
                    "Its URL. Needed with eddystone-url.")),
            .setting(
                Setting(
                    "measured_power", \.measuredPower, .integer(-100 ... -20, unit: "dBm"),
                    required: .integer(-59),
                    "The signal strength at one metre. `beacond calibrate` measures it.")),
        ],
        rules: RegionSettings.identityRules.map { rule in
            Rule(rule.path, with: rule.others) { root, isSet in rule.complaint(root.beacon, isSet) }
        }
            + [("minor", [BeaconFormat.ibeacon, .altbeacon]), ("instance", [.eddystoneUID])].map { key, formats in
                Rule("", with: ["format", key]) { root, isSet in
                    guard formats.contains(root.beacon.format), !isSet(key) else { return nil }
                    return "is of no single beacon: it needs \(key)"
                }
            })

    /// Reads all calibrations.
    static func read(
        _ entries: [ConfigurationNode.Entry], _ problems: inout [ConfigurationProblem]
    ) -> [CalibrationSettings] {
        readEntries(entries, below: "calibrations", schema, &problems) { id in
            var settings = CalibrationSettings()
            settings.id = id
            return settings
        }
    }

    /// Writes all calibrations.
    static func write(_ all: [CalibrationSettings]) -> JSONObject {
        JSONObject(all.map { JSONObject.Member(name: $0.id, value: .object(schema.write($0))) })
    }

    /// The reference's example.
    static var reference: [String] {
        var lines = ["#shelf-lamp:"]
        let wanted = ["format", "uuid", "major", "minor", "measured_power"]
        for setting in schema.settings where wanted.contains(setting.path) {
            lines += setting.comment(indent: 2)
            lines.append("  #\(setting.path): \(setting.shownValue(of: CalibrationSettings()))")
        }
        return lines
    }
}
