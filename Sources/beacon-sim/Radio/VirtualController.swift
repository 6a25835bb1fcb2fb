import HCI

/// A controller as its host sees it: commands in, replies out, and whether it scans and advertises.
///
/// Refusals are those of Core Spec Vol 4 Part E 7.8; only legacy commands are known, so that extended ones are
/// answered as by the controllers of Bluetooth 4.
struct VirtualController {
    /// What it sends while it advertises.
    struct Advertisement: Equatable {
        let kind: AdvertisingParameters.Kind
        let data: [UInt8]
        let response: [UInt8]
        let address: DeviceAddress
        /// In 0.625 ms.
        let interval: UInt16
    }

    /// How many devices the duplicate filter remembers; then it starts again.
    static let filterSize = 256

    let address: DeviceAddress
    let generation: Generation

    private var eventMask = VirtualController.defaultEventMask
    private var lowEnergyEventMask = VirtualController.defaultLowEnergyEventMask
    private var randomAddress: DeviceAddress?
    private var advertising: AdvertisingParameters
    private var data: [UInt8] = []
    private var response: [UInt8] = []
    private var isAdvertising = false
    private var scan: ScanParameters
    private(set) var isScanning = false
    private var filtersDuplicates = false
    private var reported: Set<DeviceAddress> = []

    // What masks and parameters are until the host sets them (7.3.1, 7.8.1, 7.8.5, 7.8.10).
    private static let defaultEventMask: UInt64 = 0x1FFF_FFFF_FFFF
    private static let defaultLowEnergyEventMask: UInt64 = 0x1F

    /// One that was just switched on.
    init(address: DeviceAddress, generation: Generation) {
        self.address = address
        self.generation = generation
        advertising = AdvertisingParameters(kind: .connectable, interval: 0x800, ownAddressType: 0)
        scan = ScanParameters(active: false, interval: 16, window: 16)
    }

    /// What is on air, nil for nothing.
    var advertisement: Advertisement? {
        guard isAdvertising, let address = ownAddress(advertising.ownAddressType) else { return nil }
        return Advertisement(
            kind: advertising.kind, data: data, response: response, address: address,
            interval: advertising.longestInterval)
    }

    /// Whether its host is told of adverts at all.
    var listens: Bool { isScanning && eventMask >> 61 & 1 == 1 && lowEnergyEventMask >> 1 & 1 == 1 }

    /// Whether it keeps further adverts from there to itself.
    func hasReported(_ sender: DeviceAddress) -> Bool { filtersDuplicates && reported.contains(sender) }

    /// Whether its host is told of an advert from there now.
    mutating func reports(_ sender: DeviceAddress) -> Bool {
        guard listens else { return false }
        if !filtersDuplicates { return true }
        if reported.count >= VirtualController.filterSize { reported.removeAll(keepingCapacity: true) }
        return reported.insert(sender).inserted
    }

    /// Which channel it listens on, 0 for 37 to 2 for 39, that many nanoseconds after its scan began, and whether
    /// that is in the scan window. It takes the next channel with each interval (Core Spec Vol 6 Part B 4.4.3).
    func channel(after elapsed: Int64) -> (number: Int, isInWindow: Bool) {
        // Units of 0.625 ms.
        let (interval, window) = (Int64(scan.interval) * 625_000, Int64(scan.window) * 625_000)
        return (Int(elapsed / interval % 3), elapsed % interval < window)
    }

    /// Whether it asks those it hears for their scan response.
    var scansActively: Bool { isScanning && scan.active }

    /// Performs a command and answers it; with the H4 type byte.
    mutating func perform(_ command: Command) -> [UInt8] {
        guard let (status, returned) = result(of: command) else {
            return ControllerEvent.commandStatusBytes(command.opcode, status: .unknownCommand)
        }
        return ControllerEvent.commandCompleteBytes(command.opcode, status: status, returned: returned)
    }

    private typealias Outcome = (status: StatusCode, returned: [UInt8])

    /// nil for a command that it does not know.
    private mutating func result(of command: Command) -> Outcome? {
        let parameters = command.parameters
        switch command.opcode {
        case .reset:
            self = VirtualController(address: address, generation: generation)
            return (.success, [])
        case .readLocalVersion:
            // Revision 0, LMP as HCI, company 0xFFFF (for tests), subversion 1.
            return (.success, [generation.version, 0, 0, generation.version, 0xFF, 0xFF, 1, 0])
        case .readLocalCommands: return (.success, VirtualController.supportedCommands)
        // BR/EDR Not Supported (37) and LE Supported (38).
        case .readLocalFeatures: return (.success, [0, 0, 0, 0, 0x60, 0, 0, 0])
        case .readAddress: return (.success, address.littleEndian)
        case .setEventMask: return (Self.set(&eventMask, parameters), [])
        case .setLowEnergyEventMask: return (Self.set(&lowEnergyEventMask, parameters), [])
        // Eight buffers of 251 bytes, for connections that nobody makes.
        case .readLowEnergyBufferSize: return (.success, [251, 0, 8])
        case .readLowEnergyFeatures: return (.success, [UInt8](repeating: 0, count: 8))
        case .readSupportedStates: return (.success, VirtualController.supportedStates)
        case .readAcceptListSize: return (.success, [8])
        // The list is for those who use it to filter, and nobody does.
        case .clearAcceptList: return (parameters.isEmpty ? .success : .invalidParameters, [])
        case .addToAcceptList, .removeFromAcceptList:
            return (parameters.count == 7 ? .success : .invalidParameters, [])
        case .setRandomAddress: return (setRandomAddress(parameters), [])
        case .setAdvertisingParameters: return (setAdvertising(AdvertisingParameters(parameters)), [])
        case .setAdvertisingData: return (Self.set(&data, parameters), [])
        case .setScanResponseData: return (Self.set(&response, parameters), [])
        case .setAdvertisingEnable: return (enableAdvertising(parameters), [])
        case .setScanParameters: return (setScan(ScanParameters(parameters)), [])
        case .setScanEnable: return (enableScan(parameters), [])
        default: return nil
        }
    }

    private static func set(_ mask: inout UInt64, _ parameters: [UInt8]) -> StatusCode {
        guard parameters.count == 8 else { return .invalidParameters }
        mask = parameters.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return .success
    }

    /// Length first, then always 31 bytes.
    private static func set(_ data: inout [UInt8], _ parameters: [UInt8]) -> StatusCode {
        guard parameters.count == 32, parameters[0] <= 31 else { return .invalidParameters }
        data = Array(parameters[1...].prefix(Int(parameters[0])))
        return .success
    }

    private mutating func setRandomAddress(_ parameters: [UInt8]) -> StatusCode {
        if isAdvertising || isScanning { return .commandDisallowed }
        guard parameters.count == 6 else { return .invalidParameters }
        randomAddress = DeviceAddress(parameters.reversed().reduce(0) { $0 << 8 | UInt64($1) }, .random)
        return .success
    }

    private mutating func setAdvertising(_ parameters: AdvertisingParameters?) -> StatusCode {
        if isAdvertising { return .commandDisallowed }
        guard let parameters else { return .invalidParameters }
        let isSlow = parameters.kind == .scannable || parameters.kind == .nonConnectable
        let shortest = isSlow ? generation.shortestInterval : 0x20
        // High duty has a rhythm of its own, and its intervals mean nothing.
        let hasInterval = parameters.kind != .directedHighDuty
        guard
            !hasInterval
                || (parameters.shortestInterval >= shortest && parameters.longestInterval <= 0x4000
                    && parameters.shortestInterval <= parameters.longestInterval),
            parameters.ownAddressType <= 3, (1...7).contains(parameters.channels), parameters.filterPolicy <= 3
        else { return .invalidParameters }
        advertising = parameters
        return .success
    }

    private mutating func enableAdvertising(_ parameters: [UInt8]) -> StatusCode {
        guard parameters.count == 1, parameters[0] <= 1 else { return .invalidParameters }
        if parameters[0] == 1, ownAddress(advertising.ownAddressType) == nil { return .invalidParameters }
        isAdvertising = parameters[0] == 1
        return .success
    }

    private mutating func setScan(_ parameters: ScanParameters?) -> StatusCode {
        if isScanning { return .commandDisallowed }
        guard let parameters, (4...0x4000).contains(parameters.interval), (4...0x4000).contains(parameters.window),
            parameters.window <= parameters.interval, parameters.ownAddressType <= 3, parameters.filterPolicy <= 3
        else { return .invalidParameters }
        scan = parameters
        return .success
    }

    private mutating func enableScan(_ parameters: [UInt8]) -> StatusCode {
        guard parameters.count == 2, parameters[0] <= 1, parameters[1] <= 1 else { return .invalidParameters }
        if parameters[0] == 1, ownAddress(scan.ownAddressType) == nil { return .invalidParameters }
        isScanning = parameters[0] == 1
        filtersDuplicates = parameters[1] == 1
        // Enabling once more is allowed and starts the filter again (7.8.11).
        reported.removeAll(keepingCapacity: true)
        return .success
    }

    /// nil where the host asks for a random address and has set none. Nothing is resolvable here, so 2 and 3 are
    /// what they fall back to.
    private func ownAddress(_ type: UInt8) -> DeviceAddress? { type & 1 == 0 ? address : randomAddress }

    /// What it can do at a time (Core Spec Vol 4 Part E 7.8.27): advertise in any way (bits 0-3), scan (4, 5), and
    /// each with each (8-15); nothing with connections.
    private static let supportedStates: [UInt8] = [0x3F, 0xFF, 0, 0, 0, 0, 0, 0]

    /// The commands above as bits (Core Spec Vol 4 Part E 6.27).
    private static let supportedCommands: [UInt8] = {
        var octets = [UInt8](repeating: 0, count: 64)
        octets[5] = 0xC0  // Set Event Mask, Reset
        octets[14] = 0x28  // Read Local Version, Read Local Supported Features
        octets[15] = 0x02  // Read BD_ADDR
        octets[25] = 0xB7  // LE Set Event Mask … LE Set Advertising Data, without the channel's power
        octets[26] = 0xCF  // LE Set Scan Response Data … LE Set Scan Enable, and two of the accept list's
        octets[27] = 0x03  // the other two
        octets[28] = 0x08  // LE Read Supported States
        return octets
    }()
}

// What a kernel asks besides; beacond does not.
extension Opcode {
    /// HCI_LE_Read_Supported_States. Linux gives up on a controller of low energy that does not know it.
    static let readSupportedStates = Opcode(rawValue: 0x201C)
    /// HCI_LE_Read_Filter_Accept_List_Size.
    static let readAcceptListSize = Opcode(rawValue: 0x200F)
    /// HCI_LE_Clear_Filter_Accept_List.
    static let clearAcceptList = Opcode(rawValue: 0x2010)
    /// HCI_LE_Add_Device_To_Filter_Accept_List.
    static let addToAcceptList = Opcode(rawValue: 0x2011)
    /// HCI_LE_Remove_Device_From_Filter_Accept_List.
    static let removeFromAcceptList = Opcode(rawValue: 0x2012)
}

extension DeviceAddress {
    /// The six bytes as they are on the wire.
    var littleEndian: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) } }
}
