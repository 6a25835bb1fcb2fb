internal import Agent
internal import HCI

/// What one controller is to do.
struct Role: Equatable {
    var setting: LinkSetting
    var plan: RadioPlan
}

/// Which controllers there are and what each of them does: one for everything, or one to listen and one to advertise.
struct Roles: Equatable {
    var scanner: Role
    var sender: Role?

    init(_ tuning: RadioTuning) {
        let access: AdapterAccess? =
            switch tuning.access {
            case .auto: nil
            case .exclusive: .exclusive
            case .shared: .shared
            }
        let scan = ScanPlan(
            interval: tuning.scanInterval, window: tuning.scanWindow, active: tuning.activeScan,
            coded: tuning.coded)
        let advertise = tuning.advertising.flatMap(AdvertisePlan.init)
        let listening = Roles.choice(tuning.adapter)
        if let advertise, let other = tuning.advertising?.adapter, other != tuning.adapter {
            let sending = Roles.choice(other)
            scanner = Role(
                setting: LinkSetting(listening, access: access, avoids: sending), plan: RadioPlan(scan: scan))
            sender = Role(
                setting: LinkSetting(sending, access: access, avoids: listening),
                plan: RadioPlan(scan: nil, advertise: advertise))
        } else {
            scanner = Role(
                setting: LinkSetting(listening, access: access), plan: RadioPlan(scan: scan, advertise: advertise))
        }
    }

    /// Because the configuration is valid, it can be read.
    private static func choice(_ text: String) -> AdapterChoice { AdapterChoice(text) ?? .any }
}

extension AdvertisePlan {
    fileprivate init?(_ wanted: RadioTuning.Advertising) {
        self.init(
            data: wanted.data,
            powerByte: wanted.powerByte.map {
                PowerByte(offset: $0.offset, fallback: $0.fallback, atZeroMetres: $0.atZeroMetres)
            },
            interval: wanted.interval, address: wanted.randomAddress ? .random : .public, txPower: wanted.txPower,
            rotation: wanted.rotation)
    }
}
