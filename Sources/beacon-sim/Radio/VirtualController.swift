import HCI

/// A controller as its host sees it: commands in, answers out, and whether it scans and advertises.
///
/// Refusals are those of Core Spec Vol 4 Part E 7.8. A host uses the legacy commands or the extended ones, where there
/// are some; the first one of either refuses the others until Reset (Part E 3.1.1).
struct VirtualController {
    /// What it sends while it advertises.
    struct Advertisement: Equatable {
        /// Which of its advertising sets that is, 0 up to `setLimit`; always 0 with legacy commands.
        var slot = 0
        let type: AdvertisingEventType
        let data: [UInt8]
        let response: [UInt8]
        let address: DeviceAddress
        /// In 0.625 ms.
        let interval: UInt32
        var primaryPHY = RadioPHY.le1M
        /// nil for legacy PDUs, as `sid`.
        var secondaryPHY: RadioPHY?
        var sid: UInt8?
        /// dBm, where the advert says it.
        var txPower: Int8?

        /// Whether a controller of Bluetooth 4 understands it.
        var isLegacy: Bool { type.contains(.legacy) }
    }

    /// Which commands for advertising and scanning the host has used since Reset.
    enum CommandSet { case legacy, extended }

    /// How many devices the duplicate filter remembers; then it starts again.
    static let filterSize = 256
    /// How many advertising sets there are.
    static let setLimit = 4

    let address: DeviceAddress
    let model: Model

    var commandSet: CommandSet?
    var eventMask = VirtualController.defaultEventMask
    var lowEnergyEventMask = VirtualController.defaultLowEnergyEventMask
    var randomAddress: DeviceAddress?
    /// Legacy advertising.
    var advertising = AdvertisingParameters(kind: .connectable, interval: 0x800, ownAddressType: 0)
    var data: [UInt8] = []
    var response: [UInt8] = []
    var isAdvertising = false
    /// Extended advertising: at most `setLimit`, each at its place while it exists.
    var sets: [AdvertisingSet?] = Array(repeating: nil, count: VirtualController.setLimit)
    /// How it scans on each PHY that it scans on.
    var scans: [ScanPHY] = [ScanPHY(phy: .le1M, isActive: false, interval: 16, window: 16)]
    var scanAddressType: UInt8 = 0
    var isScanning = false
    private var filtersDuplicates = false
    private var reported: Set<DeviceAddress> = []

    // What masks and parameters are until the host sets them (7.3.1, 7.8.1, 7.8.5, 7.8.10).
    private static let defaultEventMask: UInt64 = 0x1FFF_FFFF_FFFF
    private static let defaultLowEnergyEventMask: UInt64 = 0x1F

    /// One that was just switched on.
    init(address: DeviceAddress, model: Model) {
        self.address = address
        self.model = model
    }

    /// What is on air.
    var advertisements: [Advertisement] {
        var all: [Advertisement] = []
        if isAdvertising, let address = ownAddress(advertising.ownAddressType) {
            all.append(
                Advertisement(
                    type: advertising.kind.eventType, data: data, response: response, address: address,
                    interval: UInt32(advertising.longestInterval)))
        }
        for (slot, set) in sets.enumerated() {
            if let set, set.isEnabled, let address = ownAddress(of: set) {
                all.append(set.advertisement(slot, address, power: model.txPower))
            }
        }
        return all
    }

    /// Whether reports to the host are extended ones.
    var reportsExtended: Bool { commandSet == .extended }

    /// How it scans for such adverts; nil where its host is told nothing of them.
    func scan(for advertisement: Transmission) -> ScanPHY? {
        // Its subevents are 2 and 13; the LE Meta event is bit 61.
        let subevent: UInt64 = reportsExtended ? 12 : 1
        guard isScanning, eventMask >> 61 & 1 == 1, lowEnergyEventMask >> subevent & 1 == 1,
            advertisement.isLegacy || reportsExtended
        else { return nil }
        return scans.first { $0.phy == advertisement.primaryPHY }
    }

    /// Whether it keeps further adverts from there to itself.
    func hasReported(_ sender: DeviceAddress) -> Bool { filtersDuplicates && reported.contains(sender) }

    /// Whether its host is told of an advert from there now; remembers that it was.
    mutating func reports(_ sender: DeviceAddress) -> Bool {
        if !filtersDuplicates { return true }
        if reported.count >= VirtualController.filterSize { reported.removeAll(keepingCapacity: true) }
        return reported.insert(sender).inserted
    }

    /// Performs a command and answers it; with the H4 type byte.
    mutating func perform(_ command: Command) -> [UInt8] {
        guard let (status, returned) = result(of: command) else {
            return ControllerEvent.commandStatusBytes(command.opcode, status: .unknownCommand)
        }
        return ControllerEvent.commandCompleteBytes(command.opcode, status: status, returned: returned)
    }

    /// A command's status and what it returns behind that.
    typealias Outcome = (status: StatusCode, returned: [UInt8])

    /// nil for a command that it does not know.
    private mutating func result(of command: Command) -> Outcome? {
        if let outcome = informationResult(of: command) { return outcome }
        if let outcome = mixed(.legacy, command, { $0.legacyResult(of: command) }) { return outcome }
        switch model.commands {
        case .legacy: return nil
        case .extended: return mixed(.extended, command, { $0.extendedResult(of: command) })
        case .broken:
            return VirtualController.extendedCommands.contains(command.opcode) ? (.unknownCommand, []) : nil
        }
    }

    /// The result of a command of one set, which is refused once the host has used the other one.
    private mutating func mixed(
        _ set: CommandSet, _ command: Command, _ perform: (inout VirtualController) -> Outcome?
    ) -> Outcome? {
        let commands = set == .legacy ? VirtualController.legacyCommands : VirtualController.extendedCommands
        guard commands.contains(command.opcode) else { return nil }
        if let commandSet, commandSet != set { return (.commandDisallowed, []) }
        commandSet = set
        return perform(&self)
    }

    /// Commands that set something up or ask for something.
    private mutating func informationResult(of command: Command) -> Outcome? {
        let parameters = command.parameters
        switch command.opcode {
        case .reset:
            self = VirtualController(address: address, model: model)
            return (.success, [])
        case .setEventMask: return (Self.set(&eventMask, parameters), [])
        case .setLowEnergyEventMask: return (Self.set(&lowEnergyEventMask, parameters), [])
        case .setRandomAddress: return (setRandomAddress(parameters), [])
        // The list is for those who use it to filter, and nobody does.
        case .clearAcceptList: return (parameters.isEmpty ? .success : .invalidParameters, [])
        case .addToAcceptList, .removeFromAcceptList:
            return (parameters.count == 7 ? .success : .invalidParameters, [])
        case .readAddress: return (.success, address.littleEndian)
        default: return model.answer(to: command.opcode).map { (.success, $0) }
        }
    }

    private static func set(_ mask: inout UInt64, _ parameters: [UInt8]) -> StatusCode {
        guard parameters.count == 8 else { return .invalidParameters }
        mask = parameters.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return .success
    }

    private mutating func setRandomAddress(_ parameters: [UInt8]) -> StatusCode {
        if isAdvertising || isScanning { return .commandDisallowed }
        guard parameters.count == 6 else { return .invalidParameters }
        randomAddress = DeviceAddress(littleEndian: parameters)
        return .success
    }

    /// Switches scanning on or off.
    mutating func scan(_ enabled: Bool, filteringDuplicates: Bool) -> StatusCode {
        if enabled, ownAddress(scanAddressType) == nil { return .invalidParameters }
        isScanning = enabled
        filtersDuplicates = filteringDuplicates
        // Enabling once more is allowed and starts the filter again (7.8.11).
        reported.removeAll(keepingCapacity: true)
        return .success
    }

    /// nil where the host asks for a random address and has set none. Nothing is resolvable here, so 2 and 3 are
    /// what they fall back to.
    func ownAddress(_ type: UInt8) -> DeviceAddress? { type & 1 == 0 ? address : randomAddress }

    /// As above; a set has a random address of its own.
    func ownAddress(of set: AdvertisingSet) -> DeviceAddress? {
        set.ownAddressType & 1 == 0 ? address : set.randomAddress
    }
}

/// How a controller scans on one PHY.
struct ScanPHY: Equatable {
    let phy: RadioPHY
    /// Whether it asks those it hears for their scan response.
    let isActive: Bool
    /// In 0.625 ms.
    let interval: UInt16
    let window: UInt16
    /// When in its interval the window begins, in 0.625 ms: those of other PHYs go first.
    var offset: UInt16 = 0

    /// Which channel it listens on, 0 for 37 to 2 for 39, that many nanoseconds after its scan began, and whether
    /// that is in the scan window. It takes the next channel with each interval (Core Spec Vol 6 Part B 4.4.3).
    func channel(after elapsed: Int64) -> (number: Int, isInWindow: Bool) {
        let unit: Int64 = 625_000
        let (interval, window) = (Int64(interval) * unit, Int64(window) * unit)
        let within = (elapsed % interval - Int64(offset) * unit + interval) % interval
        return (Int(elapsed / interval % 3), within < window)
    }
}

extension DeviceAddress {
    /// The six bytes as they are on the wire.
    var littleEndian: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) } }

    /// A random address of six bytes as they are on the wire.
    init(littleEndian bytes: some Collection<UInt8>) {
        self.init(bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }, .random)
    }
}
