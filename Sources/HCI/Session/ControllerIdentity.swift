/// What a controller says of itself after Reset; nil and empty where it did not answer.
public struct ControllerIdentity: Equatable, Sendable {
    /// HCI_Version: 6 is Bluetooth 4.0, 8 is 4.2, 9 is 5.0 (Assigned Numbers).
    public internal(set) var version: UInt8?
    /// The company that made it (Assigned Numbers).
    public internal(set) var manufacturer: UInt16?
    /// The maker's own firmware number, LMP_Subversion.
    public internal(set) var firmware: UInt16?
    /// The address it was made with.
    public internal(set) var address: DeviceAddress?
    /// The 64 octets of Read Local Supported Commands.
    public internal(set) var commands: [UInt8] = []
    /// LMP features, page 0.
    public internal(set) var features: UInt64?
    /// LE features.
    public internal(set) var lowEnergyFeatures: UInt64?
    /// What it can do at the same time.
    public internal(set) var lowEnergyStates: LowEnergyStates?

    /// Makes one that says nothing.
    public init() {}

    /// LE Supported (Controller), bit 38 (Core Spec Vol 2 Part C 3.3); true where it is not known.
    public var isLowEnergy: Bool { features.map { $0 >> 38 & 1 == 1 } ?? true }

    /// Whether it says that it knows a command, by octet and bit of Read Local Supported Commands (Core Spec Vol 4 Part E
    /// 6.27); nil where it did not answer.
    private func claims(_ octet: Int, _ bits: UInt8) -> Bool? {
        commands.isEmpty ? nil : commands.indices.contains(octet) && commands[octet] & bits == bits
    }

    /// Whether it says that it has all extended commands of a beacon: random address, parameters, data and enable of
    /// advertising (octet 36, bits 1, 2, 3 and 5), parameters and enable of scanning (octet 37, bits 5 and 6).
    public var claimsExtended: Bool { claims(36, 0x2E) == true && claims(37, 0x60) == true }

    /// Whether LE Read Advertising Physical Channel Tx Power may be asked: octet 25, bit 6.
    var mayReadPower: Bool { claims(25, 0x40) ?? true }
    /// Whether LE Read Supported States may be asked: octet 28, bit 3.
    var mayReadStates: Bool { claims(28, 0x08) ?? false }

    /// LE Coded PHY, bit 11 (Core Spec Vol 6 Part B 4.6).
    public var hasCodedPHY: Bool { lowEnergyFeatures.map { $0 >> 11 & 1 == 1 } ?? false }

    /// The commands whose answers this is made of; they change nothing in the controller.
    public static let questions: [Opcode] = [
        .readLocalVersion, .readLocalCommands, .readLocalFeatures, .readAddress, .readLowEnergyFeatures,
    ]

    /// Takes what one of the questions returned after its status, too little as good as nothing.
    public mutating func learn(_ question: Opcode, _ returned: UnsafeRawBufferPointer) {
        let steps: [SessionStep] = [
            .readVersion, .readCommands, .readFeatures, .readAddress, .readLowEnergyFeatures,
        ]
        if let step = steps.first(where: { $0.command.opcode == question }) { learn(step, returned) }
    }

    /// Takes what a command returned after its status; too little is as good as nothing.
    mutating func learn(_ step: SessionStep, _ returned: UnsafeRawBufferPointer) {
        switch step {
        case .readVersion:
            // HCI_Version, HCI_Revision, LMP_Version, Manufacturer, LMP_Subversion (Core Spec Vol 4 Part E 7.4.1)
            version = littleEndian(returned, at: 0, count: 1).map(UInt8.init)
            manufacturer = littleEndian(returned, at: 4, count: 2).map(UInt16.init)
            firmware = littleEndian(returned, at: 6, count: 2).map(UInt16.init)
        case .readCommands: commands = Array(returned.prefix(64))
        case .readFeatures: features = littleEndian(returned, at: 0, count: 8)
        case .readAddress:
            address = littleEndian(returned, at: 0, count: 6).map { DeviceAddress($0, .`public`) }
        case .readLowEnergyFeatures: lowEnergyFeatures = littleEndian(returned, at: 0, count: 8)
        case .readLowEnergyStates: lowEnergyStates = ReturnParameters.lowEnergyStates(returned)
        default: break
        }
    }
}
