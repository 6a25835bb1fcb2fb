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
                        id: settings.id, constraint: IdentityConstraint(prefix: prefix),
                        ranging: settings.ranging, exitAfter: Span(settings.exitAfter),
                        notifyOnEntry: settings.notifyOnEntry, notifyOnExit: settings.notifyOnExit)
                }
            },
            windowLength: Span(windows.length),
            distance: DistanceModel(defaultMeasuredPower: distance.measuredPower), beaconLimit: limits.beacons,
            watchesEverything: watchesEverything)
    }

    var tuning: RadioTuning {
        RadioTuning(
            adapter: radio.adapter, scanInterval: radio.interval, scanWindow: radio.window,
            activeScan: radio.active, advertising: advertising)
    }

    private var advertising: RadioTuning.Advertising? {
        guard advertise.enabled, let uuid = advertise.uuid else { return nil }
        let beacon = IBeacon(
            uuid: uuid, major: advertise.major, minor: advertise.minor, power: advertise.measuredPower)
        return RadioTuning.Advertising(
            data: Frame.ibeacon(beacon).advertisingData(), interval: advertise.interval,
            randomAddress: advertise.address == .random)
    }

    var topics: Topics { Topics(prefix: mqtt.prefix, site: site, node: node) }

    var brokerAccess: BrokerAccess {
        BrokerAccess(
            host: mqtt.host, port: mqtt.port, username: mqtt.username, passwordFile: mqtt.passwordFile,
            keepalive: mqtt.keepalive, clientID: node, statusTopic: topics.status,
            subscriptions: control.enabled ? [topics.nodeConfiguration] : [])
    }
}
