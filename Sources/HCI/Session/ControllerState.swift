/// What a controller has confirmed about itself, and the next command towards a plan.
struct ControllerState: Equatable, Sendable {
    enum Switch: Equatable, Sendable { case unknown, off, on }

    /// A command of the plan for advertising that was refused; not sent again until that plan changes.
    struct Refusal: Equatable, Sendable {
        let opcode: Opcode
        let status: StatusCode
    }

    var scan = Switch.unknown
    var scanParameters: ScanParameters?
    var advertising = Switch.unknown
    var advertisingParameters: AdvertisingParameters?
    var advertisingData: [UInt8]?
    /// What became of the present plan for advertising, if that was a refusal.
    var refusal: Refusal?
    /// Why there is no random address, when there is none.
    var addressRefusal: Refusal?

    /// The next command towards the plan, nil when everything is as planned; a nil plan is silence.
    ///
    /// Parameters change only while the switch they belong to is off. The data of a running advertisement is
    /// replaced by one command, which the controller does between two advertising events: so nothing but the old
    /// and the new data is ever on air. A plan that was refused leaves on air what is there.
    func nextStep(towards plan: RadioPlan?) -> SessionStep? {
        let advertise = refusal(of: plan) == nil ? plan?.advertise : nil
        let leaves = plan?.advertise != nil && advertise == nil
        switch advertising {
        case .unknown: return .advertise(false)
        case .on where !leaves && advertise?.parameters != advertisingParameters: return .advertise(false)
        case .on, .off: break
        }
        let scanning = plan.map { parameters(of: $0.scan) }
        switch scan {
        // After Reset too: there are controllers on which a scan survives its owner, and then refuses parameters.
        case .unknown: return .scan(false)
        case .on where scanning != scanParameters: return .scan(false)
        case .on, .off: break
        }
        // Advertising comes up before the scan does: several controllers refuse it afterwards.
        if let advertise {
            if advertise.parameters != advertisingParameters { return .advertisingParameters(advertise.parameters) }
            if advertise.data != advertisingData { return .advertisingData(advertise.data) }
            if advertising == .off { return .advertise(true) }
        }
        if let scanning, scan == .off {
            return scanning != scanParameters ? .scanParameters(scanning) : .scan(true)
        }
        return nil
    }

    private func parameters(of plan: ScanPlan) -> ScanParameters {
        var parameters = plan.parameters
        if addressRefusal != nil { parameters.ownAddressType = OwnAddress.`public`.rawValue }
        return parameters
    }

    private func refusal(of plan: RadioPlan?) -> Refusal? {
        guard let advertise = plan?.advertise else { return nil }
        return refusal ?? (advertise.address == .random ? addressRefusal : nil)
    }

    /// Takes note that a command was done.
    mutating func confirm(_ step: SessionStep) {
        switch step {
        case .reset:
            self = ControllerState()
            advertising = .off
        case .advertisingParameters(let parameters): advertisingParameters = parameters
        case .advertisingData(let data): advertisingData = data
        case .advertise(let enabled): advertising = enabled ? .on : .off
        case .scanParameters(let parameters): scanParameters = parameters
        case .scan(let enabled): scan = enabled ? .on : .off
        default: break
        }
    }

    /// Takes note that a command without which scanning goes on was refused.
    mutating func refuse(_ step: SessionStep, _ status: StatusCode) {
        let refused = Refusal(opcode: step.command.opcode, status: status)
        switch step {
        case .setRandomAddress: addressRefusal = refused
        case .advertisingParameters, .advertisingData, .advertise: refusal = refused
        default: break
        }
    }

    /// What is on air, nil while that is not known.
    func advertisingState(under plan: RadioPlan?) -> AdvertisingState? {
        guard advertising != .unknown else { return nil }
        let onAir = advertising == .on ? advertisingData : nil
        if let refusal = refusal(of: plan) {
            let isMissing = refusal.status == .unknownCommand || refusal.status == .unsupportedFeature
            return isMissing && onAir == nil ? .unsupported : .refused(refusal.opcode, refusal.status, onAir: onAir)
        }
        return onAir.map { .onAir($0) } ?? .off
    }
}
