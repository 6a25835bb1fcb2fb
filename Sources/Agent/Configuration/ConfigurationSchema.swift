internal import JSON

extension Configuration {
    /// Below and above are values of beacons whose maker put something else there; no distance is made of them.
    static let plausiblePower: ClosedRange<Int8> = -100 ... -20

    /// The keys.
    static let schema = Schema<Configuration>(
        identity + radio + advertising + regions + presence + broker, rules: rules)

    private static let identity: [Schema<Configuration>.Item] = [
        .setting(
            Setting(
                "site", \.site, .id, required: .string("store-12"), reach: .file, liveness: .restart,
                "Where the node is. It is part of every topic.")),
        .setting(
            Setting(
                "node", \.node, .id, required: .string("s12-shelf-3"), reach: .file, liveness: .restart,
                """
                Which node this is. Unique in the whole fleet, for the broker takes it for the client's identity: two \
                nodes of one name throw each other out.
                """)),
        .setting(
            Setting(
                "state_folder", \.stateFolder, .path, reach: .file, liveness: .restart,
                "The folder for what must survive a restart, such as the document last received.")),
    ]

    private static let regions: [Schema<Configuration>.Item] = [
        .entries(
            Entries(
                path: "regions",
                text: """
                    The regions that the node watches, by id. The id is part of the topics. Up to 64 of them may overlap; a beacon \
                    that belongs to none leaves nothing behind but a count. In a document a region that is null is removed.
                    """,
                reach: .everywhere, liveness: .live,
                read: { entries, root, problems in
                    root.regions = RegionSettings.read(entries, &problems)
                },
                write: { RegionSettings.write($0.regions) },
                reference: { RegionSettings.reference })),
        .entries(
            Entries(
                path: "calibrations",
                text: """
                    Beacons whose signal strength at one metre was measured where they hang, by any id. It counts instead \
                    of what the beacon sends, and instead of a region's.
                    """,
                reach: .everywhere, liveness: .live,
                read: { entries, root, problems in
                    root.calibrations = CalibrationSettings.read(entries, &problems)
                },
                write: { CalibrationSettings.write($0.calibrations) },
                reference: { CalibrationSettings.reference })),
    ]

    private static let presence: [Schema<Configuration>.Item] = [
        .section(path: "windows", text: "Window messages: what was heard of each beacon, once per window."),
        .setting(
            Setting(
                "windows.length", \.windows.length, .duration(.seconds(1) ... .seconds(3600)),
                "How long a window is.")),
        .section(path: "distance", text: "How signal strength becomes distance."),
        .setting(
            Setting(
                "distance.measured_power", \.distance.measuredPower,
                .integer(Int(plausiblePower.lowerBound)...Int(plausiblePower.upperBound), unit: "dBm"),
                """
                The signal strength at one metre of beacons that send an implausible one; others are taken at their \
                word.
                """)),
        .setting(
            Setting(
                "distance.model", \.distance.model, .choice { $0.rawValue },
                """
                The formula. prior is log-distance path loss weighed against the two metres at which most beacons in \
                stores are heard; it errs least on recorded signals. The others are those of other programs, for \
                comparison.
                """)),
        .setting(
            Setting(
                "distance.exponent", \.distance.exponent, .decimal(1...6),
                """
                The path loss exponent of prior and log_distance; 2 is free space. One that was fitted in one room is \
                wrong in the next.
                """)),
        .setting(
            Setting(
                "distance.filter", \.distance.filter, .choice { $0.name },
                """
                How the signal strengths of the last seconds become one, before the formula. trimmed_mean is the mean of \
                ten seconds without the weakest and strongest tenth.
                """)),
        .section(path: "limits", text: "How much is kept at most. Each has a counter that says when it bites."),
        .setting(
            Setting(
                "limits.beacons", \.limits.beacons, .integer(1...1_000_000),
                "Beacons that are remembered; beyond that the one not heard for longest is forgotten.")),
        .setting(
            Setting(
                "limits.queued_events", \.limits.queuedEvents, .integer(1...1_000_000),
                "Events, such as enter and exit, that wait for the broker; beyond that the oldest is dropped.")),
        .setting(
            Setting(
                "limits.queued_windows", \.limits.queuedWindows, .integer(1...1_000_000),
                "Window messages that wait for the broker; beyond that the oldest is dropped.")),
        .section(path: "log", text: "What is written to the standard error."),
        .setting(
            Setting(
                "log.level", \.log.level, .choice { $0.name },
                """
                error: a person must act. warning: something is worse than it should be. info: the life of the agent. \
                debug: a line for each message. Each with those before it.
                """)),
    ]

    // A document that moved a node to another broker could never be taken back: nobody would hear that it had failed.
    private static let broker: [Schema<Configuration>.Item] = [
        .section(path: "mqtt", text: "The broker."),
        .setting(
            Setting("mqtt.host", \.mqtt.host, .host, reach: .file, liveness: .reconnect, "Where it is.")),
        .setting(
            Setting(
                "mqtt.port", \.mqtt.port, .integer(1...65535), reach: .file, liveness: .reconnect,
                "Its port.")),
        .setting(
            Setting(
                "mqtt.prefix", \.mqtt.prefix, .topicPrefix, reach: .file, liveness: .restart,
                "What all topics start with, those of documents too: one that changed it would saw off its own branch."
            )),
        .setting(
            Setting(
                "mqtt.username", optional: \.mqtt.username, .username, example: .string("s12-shelf-3"),
                reach: .file, liveness: .reconnect, "What the broker knows the node by, if it asks.")),
        .setting(
            Setting(
                "mqtt.password_file", optional: \.mqtt.passwordFile, .path,
                example: .string("/etc/beacond/mqtt-password"), reach: .file, liveness: .reconnect,
                "The file that holds the password, on its first line. Passwords stand nowhere else.")),
        .setting(
            Setting(
                "mqtt.max_payload", \.mqtt.maxPayload, .integer(32_768...262_144, unit: "bytes"), reach: .file,
                liveness: .restart,
                "How long a message may be. A window with more beacons than fit comes in parts.")),
        .setting(
            Setting(
                "mqtt.keepalive", \.mqtt.keepalive, .duration(.seconds(5) ... .seconds(3600), step: .seconds(1)),
                reach: .file, liveness: .reconnect,
                "How long the connection may be silent; after half as long again the broker takes the node for dead."
            )),
        .section(path: "control", text: "Documents from the broker, which are laid over this file."),
        .setting(
            Setting(
                "control.enabled", \.control.enabled, .bool, reach: .file, liveness: .reconnect,
                "Whether they are taken. Where they are not, one received earlier does not count either.")),
    ]

    private static let rules: [Rule<Configuration>] =
        radioRules + advertisingRules + [
            Rule("mqtt.password_file", with: ["mqtt.username"]) { root, _ in
                root.mqtt.passwordFile != nil && root.mqtt.username == nil ? "needs mqtt.username beside it" : nil
            }
        ]

    /// A UUID for examples, of no real beacon's.
    static let exampleUUID = "39ed98ff-2900-441a-802f-9c398fc199d2"
}
