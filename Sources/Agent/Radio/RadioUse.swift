public import Beacon

/// What a configuration means for the radio.
extension Configuration {
    /// What the radio is to do.
    public var tuning: RadioTuning {
        RadioTuning(
            adapter: radio.adapter, access: radio.access, coded: radio.phys.contains(.coded),
            scanInterval: radio.interval, scanWindow: radio.window, activeScan: radio.active,
            advertising: advertising)
    }

    /// Which adapter advertises beside the one that listens; nil where that one does.
    var advertisingAdapter: String? {
        // Addresses may be in any case.
        advertise.adapter?.lowercased() == radio.adapter.lowercased() ? nil : advertise.adapter
    }

    private var advertising: RadioTuning.Advertising? {
        guard advertise.enabled, let frame = advertise.frame else { return nil }
        return RadioTuning.Advertising(
            adapter: advertisingAdapter, data: frame.advertisingData(),
            powerByte: advertise.measuredPower == nil
                ? RadioTuning.PowerByte(of: advertise.format, fallback: Advertise.assumedPower) : nil,
            interval: advertise.interval, randomAddress: advertise.address == .random, txPower: advertise.txPower,
            rotation: advertise.rotate)
    }
}

extension Configuration.Advertise {
    /// The power at one metre that is assumed of an adapter that does not tell its own, in dBm: what most makers of
    /// beacons measure at 0 dBm, and write into the examples of their formats.
    static let assumedPower: Int8 = -59

    /// What is sent; nil only before the settings are valid.
    var frame: Frame? {
        let atOneMetre = measuredPower ?? Self.assumedPower
        // -100…-20 at one metre, so that it fits.
        let atNoDistance = atOneMetre + Int8(Eddystone.lossOverOneMetre)
        switch format {
        case .ibeacon:
            return uuid.map { .ibeacon(IBeacon(uuid: $0, major: major, minor: minor, power: atOneMetre)) }
        case .altbeacon:
            return uuid.map {
                .altbeacon(
                    AltBeacon(
                        company: Self.altBeaconCompany, uuid: $0, major: major, minor: minor, power: atOneMetre))
            }
        case .eddystoneUID:
            guard let namespace, let instance else { return nil }
            return EddystoneUID(namespace: namespace, instance: instance, power: atNoDistance).map(
                Frame.eddystoneUID)
        case .eddystoneURL:
            return url.flatMap { try? EddystoneURL($0, power: atNoDistance) }.map(Frame.eddystoneURL)
        }
    }

    /// The company of the examples of AltBeacon's specification; receivers look at the code behind it alone.
    private static let altBeaconCompany: UInt16 = 0x0118
}

extension RadioTuning.PowerByte {
    /// Where an advert of one frame, as `Frame.advertisingData` makes it, says how strong it is; `fallback` is in dBm at
    /// one metre.
    public init(of format: BeaconFormat, fallback: Int8) {
        switch format {
        case .ibeacon, .altbeacon:
            // Flags 3, length and type 2, company 2, code 2, identity 20.
            self.init(offset: 29, fallback: fallback, atZeroMetres: false)
        case .eddystoneUID, .eddystoneURL:
            // Flags 3, list of services 4, length and type 2, service 2, kind of frame 1.
            self.init(offset: 12, fallback: fallback, atZeroMetres: true)
        }
    }
}
