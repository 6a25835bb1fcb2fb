/// One command of a session, as what it is for.
enum SessionStep: Equatable, Sendable {
    case reset
    case readVersion
    case readCommands
    case readFeatures
    case readAddress
    case setEventMask
    case setLowEnergyEventMask(CommandSet)
    case readLowEnergyBuffers
    case readLowEnergyFeatures
    case readLowEnergyStates
    /// The address of the controller: of active scans, and of legacy advertising.
    case setRandomAddress(DeviceAddress)
    /// The address of our advertising set.
    case setSetAddress(DeviceAddress)
    case readAdvertisingPower
    case advertisingParameters(AdvertisingSettings)
    case advertisingData([UInt8], CommandSet)
    case advertise(Bool, CommandSet)
    case scanParameters(ScanSettings)
    case scan(Bool, CommandSet)
    /// Asks for a sign of life, and for nothing else.
    case ping

    /// What comes before it is known which commands the controller has, and which ones it was used with before. Beside
    /// the kernel nothing is reset.
    static func first(_ access: AdapterAccess) -> [SessionStep] {
        let questions: [SessionStep] = [.readVersion, .readCommands, .readFeatures, .readAddress]
        return access == .exclusive ? [.reset] + questions : questions
    }

    /// What a controller needs then before it scans. Beside the kernel it is set up, and only asked who it is.
    ///
    /// The random address is set here, always: later it would be refused while scanning or advertising, and
    /// BCM43455 has been seen to refuse it at 100 % scan duty whatever else is off.
    static func second(
        _ access: AdapterAccess, _ set: CommandSet, hasStates: Bool, randomAddress: DeviceAddress
    ) -> [SessionStep] {
        let states: [SessionStep] = hasStates ? [.readLowEnergyStates] : []
        switch access {
        case .exclusive:
            return [
                .setEventMask, .setLowEnergyEventMask(set), .readLowEnergyBuffers, .readLowEnergyFeatures,
            ] + states + [.setRandomAddress(randomAddress)]
        case .shared: return [.readLowEnergyFeatures] + states
        }
    }

    /// Whether a refusal ends the session. The rest only tells us something, or is asked for again by its user.
    var isEssential: Bool {
        switch self {
        case .reset, .setEventMask, .setLowEnergyEventMask, .scanParameters, .scan, .advertise(false, _): true
        case .readVersion, .readCommands, .readFeatures, .readAddress, .readLowEnergyBuffers,
            .readLowEnergyFeatures, .readLowEnergyStates, .setRandomAddress, .setSetAddress, .readAdvertisingPower,
            .advertisingParameters, .advertisingData, .advertise(true, _), .ping:
            false
        }
    }

    /// Whether a status is as good as success. Some controllers answer "disallowed" to switching off what is off;
    /// on any other command it means what it says. An advertising set that is not there does not advertise.
    func accepts(_ status: StatusCode) -> Bool {
        if status == .success { return true }
        switch self {
        case .scan(false, _): return status == .commandDisallowed
        case .advertise(false, let set):
            return status == .commandDisallowed || (set == .extended && status == .unknownAdvertisingSet)
        default: return false
        }
    }

    /// Events that are on by default, and LE Meta (bit 61); Core Spec Vol 4 Part E 7.3.1.
    static let eventMask: UInt64 = 0x2000_1FFF_FFFF_FFFF
    /// LE Advertising Report, bit 1, and LE Extended Advertising Report, bit 12; Core Spec Vol 4 Part E 7.8.1. The second
    /// only where there is one: a controller may refuse a bit that it does not know.
    static func lowEnergyEventMask(_ set: CommandSet) -> UInt64 { set == .extended ? 0x1002 : 0x02 }

    var command: Command {
        switch self {
        case .reset: .reset
        case .readVersion: Command(.readLocalVersion)
        case .readCommands: Command(.readLocalCommands)
        case .readFeatures: Command(.readLocalFeatures)
        // Every controller knows it, and it changes nothing (Core Spec Vol 4 Part E 7.4.6).
        case .readAddress, .ping: Command(.readAddress)
        case .setEventMask: .setEventMask(SessionStep.eventMask)
        case .setLowEnergyEventMask(let set): .setLowEnergyEventMask(SessionStep.lowEnergyEventMask(set))
        case .readLowEnergyBuffers: Command(.readLowEnergyBufferSize)
        case .readLowEnergyFeatures: Command(.readLowEnergyFeatures)
        case .readLowEnergyStates: Command(.readLowEnergyStates)
        case .setRandomAddress(let address): .setRandomAddress(address)
        case .setSetAddress(let address):
            AdvertisingSetAddress(handle: AdvertisingSettings.handle, address: address).command
        case .readAdvertisingPower: Command(.readAdvertisingPower)
        case .advertisingParameters(let settings): settings.command
        case .advertisingData(let data, .legacy): .setAdvertisingData(data)
        case .advertisingData(let data, .extended):
            ExtendedAdvertisingData(handle: AdvertisingSettings.handle, data).command
        case .advertise(let enabled, .legacy): .setAdvertisingEnable(enabled)
        case .advertise(let enabled, .extended):
            ExtendedAdvertisingEnable(enabled, [.init(AdvertisingSettings.handle)]).command
        case .scanParameters(let settings): settings.command
        // Ranging needs every packet, and the filter of some controllers lets one in four through.
        case .scan(let enabled, .legacy): .setScanEnable(enabled, filteringDuplicates: false)
        case .scan(let enabled, .extended): ExtendedScanEnable(enabled).command
        }
    }
}
