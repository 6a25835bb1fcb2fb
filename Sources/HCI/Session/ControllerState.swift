/// What a session may do with its controller, beside the plan.
struct Conduct: Equatable, Sendable {
    var commands: CommandSet
    var access: AdapterAccess
    /// Whether the coded PHY is there.
    var hasCodedPHY: Bool
    /// Whether the power of legacy advertising may be asked for.
    var mayReadPower: Bool
    /// The random address of this moment.
    var address: DeviceAddress
}

/// What a controller has confirmed about itself, and the next command towards a plan.
struct ControllerState: Equatable, Sendable {
    enum Switch: Equatable, Sendable { case unknown, off, on }

    /// A command of the plan for advertising that was refused; not sent again until that plan changes.
    struct Refusal: Equatable, Sendable {
        let opcode: Opcode
        let status: StatusCode
    }

    var scan = Switch.unknown
    var scanSettings: ScanSettings?
    var advertising = Switch.unknown
    var advertisingSettings: AdvertisingSettings?
    var advertisingData: [UInt8]?
    /// The controller's random address, and that of our advertising set.
    var randomAddress: DeviceAddress?
    var setAddress: DeviceAddress?
    /// dBm, as the controller told.
    var txPower: Int8?
    var hasAskedPower = false
    /// Whether it was us who switched something on: beside others, only that is switched off.
    var ownsScan = false
    var ownsAdvertising = false
    /// What became of the present plan for advertising, if that was a refusal.
    var refusal: Refusal?
    /// Why there is no random address, when there is none.
    var addressRefusal: Refusal?
    /// Whether a new random address was refused, so that the old one stays.
    var keepsAddress = false
    /// Whether the address of our set can only change while it is off air.
    var readdressesOffAir = false
    /// Whether the coded PHY was refused.
    var refusesCoded = false

    /// The next command towards the plan, nil when everything is as planned; a nil plan is silence.
    ///
    /// Parameters change only while the switch they belong to is off. The data of a running advertisement is
    /// replaced by one command, which the controller does between two advertising events: so nothing but the old
    /// and the new data is ever on air. A plan that was refused leaves on air what is there.
    func nextStep(towards plan: RadioPlan?, _ conduct: Conduct) -> SessionStep? {
        let set = conduct.commands
        let advertise = refusal(of: plan, set) == nil ? plan?.advertise : nil
        let leaves = plan?.advertise != nil && advertise == nil
        let settings = advertise.map { AdvertisingSettings($0, set) }
        let address = advertise.flatMap { newAddress($0, conduct) }
        switch advertising {
        case .unknown where advertise != nil || owns(ownsAdvertising, conduct): return .advertise(false, set)
        case .on where !leaves && settings != advertisingSettings: return .advertise(false, set)
        case .on where address != nil && (set == .legacy || readdressesOffAir): return .advertise(false, set)
        case .unknown, .on, .off: break
        }
        let scanning = plan?.scan.map { scanSettings(of: $0, conduct) }
        switch scan {
        // After Reset too: there are controllers on which a scan survives its owner, and then refuses parameters.
        case .unknown where scanning != nil || owns(ownsScan, conduct): return .scan(false, set)
        case .on where scanning != scanSettings || (address != nil && set == .legacy): return .scan(false, set)
        case .unknown, .on, .off: break
        }
        // Advertising comes up before the scan does: several controllers refuse it afterwards.
        if let advertise, let settings,
            let step = advertisingStep(towards: advertise, settings, address, conduct)
        {
            return step
        }
        if let scanning, scan == .off {
            return scanning != scanSettings ? .scanParameters(scanning) : .scan(true, set)
        }
        return nil
    }

    private func advertisingStep(
        towards advertise: AdvertisePlan, _ settings: AdvertisingSettings, _ address: DeviceAddress?,
        _ conduct: Conduct
    ) -> SessionStep? {
        if conduct.commands == .legacy {
            if let address { return .setRandomAddress(address) }
            if conduct.mayReadPower && !hasAskedPower { return .readAdvertisingPower }
        }
        if settings != advertisingSettings { return .advertisingParameters(settings) }
        // There is no address before there is a set, which its parameters make.
        if conduct.commands == .extended, let address { return .setSetAddress(address) }
        let data = advertise.data(at: txPower)
        if data != advertisingData { return .advertisingData(data, conduct.commands) }
        return advertising == .off ? .advertise(true, conduct.commands) : nil
    }

    /// Whether something is ours to switch off: beside others only what we switched on.
    private func owns(_ isOurs: Bool, _ conduct: Conduct) -> Bool { conduct.access == .exclusive || isOurs }

    /// The random address that is to be set before advertising goes on, nil when it is as it should be.
    private func newAddress(_ plan: AdvertisePlan, _ conduct: Conduct) -> DeviceAddress? {
        guard plan.address == .random else { return nil }
        let present = conduct.commands == .legacy ? randomAddress : setAddress
        return present == conduct.address || (present != nil && keepsAddress) ? nil : conduct.address
    }

    private func scanSettings(of plan: ScanPlan, _ conduct: Conduct) -> ScanSettings {
        ScanSettings(
            plan, conduct.commands, coded: plan.coded && conduct.hasCodedPHY && !refusesCoded,
            hasRandomAddress: randomAddress != nil)
    }

    private func refusal(of plan: RadioPlan?, _ set: CommandSet) -> Refusal? {
        guard let advertise = plan?.advertise else { return nil }
        return refusal ?? (advertise.address == .random && set == .legacy ? addressRefusal : nil)
    }

    /// Takes note that a command was done.
    mutating func confirm(_ step: SessionStep, _ returned: UnsafeRawBufferPointer) {
        switch step {
        case .reset:
            self = ControllerState()
            advertising = .off
        case .setRandomAddress(let address):
            randomAddress = address
            addressRefusal = nil
        case .setSetAddress(let address): setAddress = address
        case .readAdvertisingPower:
            hasAskedPower = true
            txPower = ReturnParameters.power(returned)
        case .advertisingParameters(let settings):
            advertisingSettings = settings
            if case .extended = settings { txPower = ReturnParameters.power(returned) }
        case .advertisingData(let data, _): advertisingData = data
        case .advertise(let enabled, _):
            advertising = enabled ? .on : .off
            ownsAdvertising = enabled
        case .scanParameters(let settings): scanSettings = settings
        case .scan(let enabled, _):
            scan = enabled ? .on : .off
            ownsScan = enabled
        default: break
        }
    }

    /// Takes note that a command without which scanning goes on was refused.
    mutating func refuse(_ step: SessionStep, _ status: StatusCode) {
        let refused = Refusal(opcode: step.command.opcode, status: status)
        switch step {
        case .setRandomAddress:
            if randomAddress == nil { addressRefusal = refused } else { keepsAddress = true }
        case .setSetAddress:
            if advertising == .on && !readdressesOffAir {
                readdressesOffAir = true
            } else if setAddress == nil {
                refusal = refused
            } else {
                keepsAddress = true
            }
        case .readAdvertisingPower: hasAskedPower = true
        case .advertisingParameters, .advertisingData, .advertise: refusal = refused
        default: break
        }
    }

    /// What is on air, nil while that is not known. What others advertise is not looked at.
    func advertisingState(under plan: RadioPlan?, _ conduct: Conduct) -> AdvertisingState? {
        if advertising == .unknown {
            return plan?.advertise == nil && !owns(ownsAdvertising, conduct) ? .off : nil
        }
        let onAir = advertising == .on ? advertisingData : nil
        if let refusal = refusal(of: plan, conduct.commands) {
            let isMissing = refusal.status == .unknownCommand || refusal.status == .unsupportedFeature
            return isMissing && onAir == nil ? .unsupported : .refused(refusal.opcode, refusal.status, onAir: onAir)
        }
        return onAir.map { .onAir($0, txPower: txPower) } ?? .off
    }

    /// How it scans, nil for not at all; not to be asked while that is not known.
    func scanState(_ conduct: Conduct) -> ScanState? {
        guard scan == .on, let scanSettings else { return nil }
        return ScanState(conduct.commands, phys: scanSettings.phys)
    }
}

// What other programs at the same controller do to it.
extension ControllerState {
    /// Which of the two halves of a plan a command touches.
    struct Disturbance: OptionSet {
        let rawValue: UInt8
        static let scan = Disturbance(rawValue: 1)
        static let advertising = Disturbance(rawValue: 2)
    }

    /// Forgets what another program's command may have changed, of what is ours; returns which halves that were.
    mutating func disturb(by command: Command) -> Disturbance {
        switch command.opcode {
        case .reset:
            let owned: Disturbance = [ownsScan ? .scan : [], ownsAdvertising ? .advertising : []]
            let (scans, advertises) = (ownsScan, ownsAdvertising)
            self = ControllerState()
            (ownsScan, ownsAdvertising) = (scans, advertises)
            return owned
        case .setScanParameters, .setExtendedScanParameters:
            if scan == .on { scan = .unknown }
            scanSettings = nil
            return ownsScan ? .scan : []
        case .setScanEnable, .setExtendedScanEnable:
            // Switching off is plain; what is switched on may have other parameters and a filter.
            scan = command.parameters.first == 0 ? .off : .unknown
            scanSettings = nil
            return ownsScan ? .scan : []
        case .setRandomAddress:
            randomAddress = nil
            return ownsAdvertising ? .advertising : []
        case .setAdvertisingParameters, .setAdvertisingData, .setAdvertisingEnable, .clearAdvertisingSets:
            forgetAdvertising()
            return ownsAdvertising ? .advertising : []
        case .setExtendedAdvertisingEnable:
            let sets = ExtendedAdvertisingEnable(command.parameters)?.sets ?? []
            guard sets.isEmpty || sets.contains(where: { $0.handle == AdvertisingSettings.handle }) else {
                return []
            }
        case .setExtendedAdvertisingParameters, .setExtendedAdvertisingData, .setAdvertisingSetAddress,
            .removeAdvertisingSet:
            guard command.parameters.first == AdvertisingSettings.handle else { return [] }
        default: return []
        }
        forgetAdvertising()
        return ownsAdvertising ? .advertising : []
    }

    /// Forgets what may have been changed while a command of ours was under way.
    mutating func forget(_ disturbance: Disturbance) {
        if disturbance.contains(.advertising) { forgetAdvertising() }
        if disturbance.contains(.scan) { forgetScan() }
    }

    /// The scan is to be taken down and set up again.
    mutating func forgetScan() {
        scan = .unknown
        scanSettings = nil
    }

    private mutating func forgetAdvertising() {
        advertising = .unknown
        advertisingSettings = nil
        advertisingData = nil
        setAddress = nil
    }
}
