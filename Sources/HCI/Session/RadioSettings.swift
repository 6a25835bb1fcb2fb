/// The parameters of a scan, in the commands of one set.
enum ScanSettings: Equatable, Sendable {
    case legacy(ScanParameters)
    case extended(ExtendedScanParameters)

    /// The parameters of a plan. A passive scan sends nothing; an active one should not give the controller's own address
    /// away, where there is another.
    init(_ plan: ScanPlan, _ set: CommandSet, coded: Bool, hasRandomAddress: Bool) {
        let (interval, window) = plan.slots
        let own = plan.active && hasRandomAddress ? OwnAddress.random : .`public`
        switch set {
        case .legacy:
            self = .legacy(
                ScanParameters(
                    active: plan.active, interval: interval, window: window, ownAddressType: own.rawValue))
        case .extended:
            let listening = ExtendedScanParameters.Listening(
                active: plan.active, interval: interval, window: coded ? max(window / 2, 4) : window)
            self = .extended(
                ExtendedScanParameters(
                    le1M: listening, leCoded: coded ? listening : nil, ownAddressType: own.rawValue))
        }
    }

    var command: Command {
        switch self {
        case .legacy(let parameters): parameters.command
        case .extended(let parameters): parameters.command
        }
    }

    var isCoded: Bool {
        if case .extended(let parameters) = self { parameters.leCoded != nil } else { false }
    }

    /// The PHYs listened on.
    var phys: [RadioPHY] { isCoded ? [.le1M, .leCoded] : [.le1M] }
}

/// The parameters of an advertisement, in the commands of one set.
enum AdvertisingSettings: Equatable, Sendable {
    case legacy(AdvertisingParameters)
    case extended(ExtendedAdvertisingParameters)

    /// The one set that we use; a beacon needs no second.
    static let handle: UInt8 = 0

    init(_ plan: AdvertisePlan, _ set: CommandSet) {
        switch set {
        case .legacy:
            self = .legacy(
                AdvertisingParameters(
                    kind: .nonConnectable, interval: plan.slots, ownAddressType: plan.address.rawValue))
        case .extended:
            self = .extended(
                ExtendedAdvertisingParameters(
                    handle: Self.handle, interval: UInt32(plan.slots), ownAddressType: plan.address.rawValue,
                    // -127…20 dBm; 127 would be "no preference".
                    txPower: plan.txPower.map { min(max($0, -127), 20) }))
        }
    }

    var command: Command {
        switch self {
        case .legacy(let parameters): parameters.command
        case .extended(let parameters): parameters.command
        }
    }
}
