internal import Beacon
internal import Presence

/// What a configuration means for each of those who act on it.
extension Configuration {
    func presence(watchesEverything: Bool) -> PresenceConfiguration {
        PresenceConfiguration(
            regions: regions.compactMap { settings in
                // Because the settings are valid, there is a prefix.
                settings.identityPrefix.map { prefix in
                    Region(
                        id: settings.id, constraint: IdentityConstraint(prefix: prefix), track: settings.track,
                        ranging: settings.ranging, enter: settings.enter, exit: settings.exit,
                        exitAfter: Span(settings.exitAfter), gate: settings.gate,
                        measuredPower: settings.measuredPower, notifyOnEntry: settings.notifyOnEntry,
                        notifyOnExit: settings.notifyOnExit)
                }
            },
            windowLength: Span(windows.length), phase: phase,
            distance: DistanceModel(
                defaultMeasuredPower: distance.measuredPower, law: distance.model,
                exponent: distance.exponent),
            filter: distance.filter.kind,
            calibrations: Dictionary(
                calibrations.compactMap { entry in entry.beacon.identityPrefix.map { ($0, entry.measuredPower) } },
                uniquingKeysWith: { first, _ in first }),
            beaconLimit: limits.beacons, watchesEverything: watchesEverything)
    }

    /// Where in a window this node's windows end: another place for each name, so that a store that gets its power back
    /// does not publish in one millisecond.
    private var phase: Span {
        // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/: spreads names that differ in one digit.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in node.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // In whole milliseconds, for windows are told in those.
        return .milliseconds(Int64(hash % UInt64(max(Span(windows.length).milliseconds, 1))))
    }

    var topics: Topics { Topics(prefix: mqtt.prefix, site: site, node: node) }

    var brokerAccess: BrokerAccess {
        BrokerAccess(
            host: mqtt.host, port: mqtt.port, username: mqtt.username, passwordFile: mqtt.passwordFile,
            keepalive: mqtt.keepalive, clientID: node, statusTopic: topics.status,
            subscriptions: control.enabled ? [topics.nodeConfiguration] : [])
    }
}
