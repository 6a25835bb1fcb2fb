/// One command of a session, as what it is for.
enum SessionStep: Equatable, Sendable {
    case reset
    case readVersion
    case readCommands
    case readFeatures
    case readAddress
    case setEventMask
    case setLowEnergyEventMask
    case readLowEnergyBuffers
    case readLowEnergyFeatures
    case setRandomAddress(DeviceAddress)
    case advertisingParameters(AdvertisingParameters)
    case advertisingData([UInt8])
    case advertise(Bool)
    case scanParameters(ScanParameters)
    case scan(Bool)
    /// Asks for a sign of life, and for nothing else.
    case ping

    /// What a controller needs after Reset before it scans.
    ///
    /// The random address is set here, always: later it would be refused while scanning or advertising, and
    /// BCM43455 has been seen to refuse it at 100 % scan duty whatever else is off.
    static func initial(randomAddress: DeviceAddress) -> [SessionStep] {
        [
            .reset, .readVersion, .readCommands, .readFeatures, .readAddress, .setEventMask, .setLowEnergyEventMask,
            .readLowEnergyBuffers, .readLowEnergyFeatures, .setRandomAddress(randomAddress),
        ]
    }

    /// Whether a refusal ends the session. The rest only tells us something, or is asked for again by its user.
    var isEssential: Bool {
        switch self {
        case .reset, .setEventMask, .setLowEnergyEventMask, .scanParameters, .scan, .advertise(false): true
        case .readVersion, .readCommands, .readFeatures, .readAddress, .readLowEnergyBuffers,
            .readLowEnergyFeatures, .setRandomAddress, .advertisingParameters, .advertisingData, .advertise(true),
            .ping:
            false
        }
    }

    /// Whether a status is as good as success. Some controllers answer "disallowed" to switching off what is off;
    /// on any other command it means what it says.
    func accepts(_ status: StatusCode) -> Bool {
        if status == .success { return true }
        switch self {
        case .scan(false), .advertise(false): return status == .commandDisallowed
        default: return false
        }
    }

    /// Events that are on by default, and LE Meta (bit 61); Core Spec Vol 4 Part E 7.3.1.
    static let eventMask: UInt64 = 0x2000_1FFF_FFFF_FFFF
    /// LE Advertising Report, bit 1; Core Spec Vol 4 Part E 7.8.1.
    static let lowEnergyEventMask: UInt64 = 0x02

    var command: Command {
        switch self {
        case .reset: .reset
        case .readVersion: Command(.readLocalVersion)
        case .readCommands: Command(.readLocalCommands)
        case .readFeatures: Command(.readLocalFeatures)
        // Every controller knows it, and it changes nothing (Core Spec Vol 4 Part E 7.4.6).
        case .readAddress, .ping: Command(.readAddress)
        case .setEventMask: .setEventMask(SessionStep.eventMask)
        case .setLowEnergyEventMask: .setLowEnergyEventMask(SessionStep.lowEnergyEventMask)
        case .readLowEnergyBuffers: Command(.readLowEnergyBufferSize)
        case .readLowEnergyFeatures: Command(.readLowEnergyFeatures)
        case .setRandomAddress(let address): .setRandomAddress(address)
        case .advertisingParameters(let parameters): parameters.command
        case .advertisingData(let data): .setAdvertisingData(data)
        case .advertise(let enabled): .setAdvertisingEnable(enabled)
        case .scanParameters(let parameters): parameters.command
        // Ranging needs every packet, and the filter of some controllers lets one in four through.
        case .scan(let enabled): .setScanEnable(enabled, filteringDuplicates: false)
        }
    }
}
