internal import Beacon
internal import JSON

/// The keys of the radio and of advertising, and what they may be together.
extension Configuration {
    /// One unit of the controller's clock (Core Specification, Vol 4, Part E, 7.8.5 and 7.8.10).
    private static let slot: Duration = .microseconds(625)
    /// 4 to 16384 units: the same.
    private static let scanTimes: ClosedRange<Duration> = .microseconds(2500) ... .milliseconds(10240)
    /// 32 to 16384 units: the same, 7.8.5.
    private static let advertisingTimes: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(10240)
    /// Advertising_TX_Power (the same, 7.8.53).
    private static let sentPower: ClosedRange<Int8> = -127...20
    /// A shorter one would keep receivers from learning what a beacon's gaps are like; after a day nobody cares any more.
    private static let rotations: ClosedRange<Duration> = .seconds(60) ... .seconds(24 * 3600)

    static let radio: [Schema<Configuration>.Item] = [
        .section(path: "radio", text: "How the node listens."),
        .setting(
            Setting(
                "radio.adapter", \.radio.adapter, .adapter, reach: .file,
                """
                The Bluetooth controller. auto is the first that works; an address is found again whatever number it has \
                at the moment; hciN is the kernel's number. The others are byte streams that speak HCI H4, a serial line \
                at 115200 baud if nothing else is said.
                """)),
        .setting(
            Setting(
                "radio.access", \.radio.access, .choice { $0.rawValue }, reach: .file,
                """
                How a controller of the kernel's is taken. exclusive keeps the kernel and other programs out, which is the \
                safest; shared listens beside them, with what they leave; auto is exclusive where that is possible.
                """)),
        .setting(
            Setting(
                "radio.phys", \.radio.phys, .phys,
                """
                What is listened on. coded reaches farther, where controller and beacons can; it shares the receiver with \
                1m, so that each gets half of the window and of 1m half as much is heard.
                """)),
        .setting(
            Setting(
                "radio.interval", \.radio.interval, .duration(scanTimes, step: slot),
                "The time from the start of one scan window to the next.")),
        .setting(
            Setting(
                "radio.window", \.radio.window, .duration(scanTimes, step: slot),
                """
                How long the receiver listens in each interval; not longer than that, and at most nine tenths of it where \
                the same controller advertises, for many have no time to send while they listen.
                """)),
        .setting(
            Setting(
                "radio.active", \.radio.active, .bool,
                "Whether beacons are asked for a scan response. No beacon format needs it, and it takes air time.")),
    ]

    static let advertising: [Schema<Configuration>.Item] = [
        .section(path: "advertise", text: "What the node itself sends: one beacon."),
        .setting(Setting("advertise.enabled", \.advertise.enabled, .bool, "Whether it sends anything.")),
        .setting(
            Setting(
                "advertise.adapter", optional: \.advertise.adapter, .otherAdapter, example: .string("hci1"),
                reach: .file, "The controller that sends. Without it the one that listens.")),
        .setting(
            Setting(
                "advertise.format", \.advertise.format, .choice { $0.name },
                "What kind of beacon it is. The next six keys are each of some formats only.")),
        .setting(
            Setting(
                "advertise.uuid", optional: \.advertise.uuid, .uuid, example: .string(exampleUUID),
                "The UUID that is sent. Needed with ibeacon and altbeacon.")),
        .setting(
            Setting(
                "advertise.major", \.advertise.major, .integer(0...65535),
                "The major number that is sent, with ibeacon and altbeacon.")),
        .setting(
            Setting("advertise.minor", \.advertise.minor, .integer(0...65535), "The minor number, likewise.")),
        .setting(
            Setting(
                "advertise.namespace", optional: \.advertise.namespace, .bytes(RegionSettings.namespaceLength),
                example: .string("edd1ebeac04e5defa017"), "The namespace that is sent. Needed with eddystone-uid.")),
        .setting(
            Setting(
                "advertise.instance", optional: \.advertise.instance, .bytes(RegionSettings.instanceLength),
                example: .string("0bdb87539b67"), "The instance that is sent. Needed likewise.")),
        .setting(
            Setting(
                "advertise.url", optional: \.advertise.url, .url, example: .string("https://example.com/"),
                "The URL that is sent. Needed with eddystone-url.")),
        .setting(
            Setting(
                "advertise.measured_power", optional: \.advertise.measuredPower,
                .integer(plausiblePower, unit: "dBm"), example: .integer(Int(Advertise.assumedPower)),
                """
                The signal strength that a receiver measures at one metre, which is sent along so that it can tell the \
                distance. Measure it where the node hangs. Without it what the controller says of its own power counts, \
                and -59 where it says nothing.
                """)),
        .setting(
            Setting(
                "advertise.tx_power", optional: \.advertise.txPower, .integer(sentPower, unit: "dBm"),
                example: .integer(4),
                """
                The power to send with. Only controllers with the extended commands of Bluetooth 5.0 can be told, and \
                they take the nearest they have.
                """)),
        .setting(
            Setting(
                "advertise.interval", \.advertise.interval, .duration(advertisingTimes, step: slot),
                "The time between two adverts. Controllers before Bluetooth 5.0 refuse less than 100ms.")),
        .setting(
            Setting(
                "advertise.address", \.advertise.address, .choice { $0.rawValue },
                "The address that the adverts come from: a random one, new at each start, or the controller's own.")
        ),
        .setting(
            Setting(
                "advertise.rotate", optional: \.advertise.rotate, .duration(rotations, step: .seconds(1)),
                example: .string("15m"),
                "How often the random address becomes another one. Without it never while the node runs.")),
    ]

    static let radioRules: [Rule<Configuration>] = [
        Rule("radio.window", with: ["radio.interval"]) { root, _ in
            if root.radio.window <= root.radio.interval { return nil }
            return "\(root.radio.window.configurationText) is longer than the interval of "
                + root.radio.interval.configurationText
        },
        Rule("radio.window", with: ["radio.interval", "radio.adapter", "advertise.enabled", "advertise.adapter"]) {
            root, _ in
            let (window, interval) = (root.radio.window, root.radio.interval)
            guard root.advertise.enabled, root.advertisingAdapter == nil, window <= interval,
                window * 10 > interval * 9
            else { return nil }
            let longest = slot * Int(interval.nanoseconds * 9 / (slot.nanoseconds * 10))
            let remedy =
                longest >= scanTimes.lowerBound
                ? "make it \(longest.configurationText) or less" : "make the interval longer"
            return "\(window.configurationText) is more than nine tenths of the interval of "
                + "\(interval.configurationText), and the same controller advertises; \(remedy), name another "
                + "advertise.adapter, or set advertise.enabled to false"
        },
    ]

    /// Which keys say which beacon is sent, by format; those that have no default are needed.
    private static func identityKeys(_ format: BeaconFormat) -> [String] {
        switch format {
        case .ibeacon, .altbeacon: ["uuid", "major", "minor"]
        case .eddystoneUID: ["namespace", "instance"]
        case .eddystoneURL: ["url"]
        }
    }

    // Only where something is sent: a node that may not send yet can have been told what of several formats.
    static let advertisingRules: [Rule<Configuration>] =
        ["uuid", "major", "minor", "namespace", "instance", "url"].map { key in
            Rule("advertise.\(key)", with: ["advertise.enabled", "advertise.format"]) { root, isSet in
                guard root.advertise.enabled else { return nil }
                let format = root.advertise.format
                let keys = identityKeys(format)
                if keys.contains(key) {
                    if isSet("advertise.\(key)") || key == "major" || key == "minor" { return nil }
                    return "is missing, and advertise.enabled is true; the format \(format.name) needs it"
                }
                // A number that has its default says nothing, and a configuration that is printed has it.
                let isDefault =
                    key == "major" ? root.advertise.major == 0 : key == "minor" && root.advertise.minor == 0
                if !isSet("advertise.\(key)") || isDefault { return nil }
                return
                    "does not belong to the format \(format.name), which sends \(keys.joined(separator: ", "))"
            }
        } + [
            Rule("advertise.rotate", with: ["advertise.address"]) { root, _ in
                guard root.advertise.rotate != nil, root.advertise.address == .public else { return nil }
                return "needs advertise.address to be random; the controller's own does not change"
            }
        ]
}
