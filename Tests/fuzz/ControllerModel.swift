import HCI

/// A controller that does what the specification wants, and no more: strict about what is on, and about legacy and
/// extended commands, which it does not take from the same host between two Resets (Core Spec Vol 4 Part E 3.1.1).
struct ControllerModel {
    private var isScanning = false
    private var isAdvertising = false
    private var hasSet = false
    private var hasScan = false
    private var isExtended: Bool?
    /// Whether it claims the extended commands, and whether it has them.
    let claimsExtended: Bool
    let hasExtended: Bool

    init(claimsExtended: Bool, hasExtended: Bool) {
        self.claimsExtended = claimsExtended
        self.hasExtended = hasExtended
    }

    /// Performs a command, and answers it with the H4 type byte.
    mutating func perform(_ command: [UInt8]) -> [UInt8] {
        let opcode = Opcode(rawValue: UInt16(command[1]) | UInt16(command[2]) << 8)
        let isOn = command.count > 4 && command[4] == 1
        switch opcode {
        case .reset: self = ControllerModel(claimsExtended: claimsExtended, hasExtended: hasExtended)
        case .setScanParameters, .setScanEnable, .setAdvertisingParameters, .setAdvertisingData,
            .setAdvertisingEnable,
            .readAdvertisingPower:
            if isExtended == true { return answer(opcode, .commandDisallowed) }
            isExtended = false
        case .setExtendedScanParameters, .setExtendedScanEnable, .setExtendedAdvertisingParameters,
            .setExtendedAdvertisingData, .setExtendedAdvertisingEnable, .setAdvertisingSetAddress,
            .clearAdvertisingSets:
            if !hasExtended { return answer(opcode, .unknownCommand) }
            if isExtended == false { return answer(opcode, .commandDisallowed) }
            isExtended = true
        default: break
        }
        let status = state(after: opcode, isOn)
        return answer(opcode, status, status == .success ? returned(opcode) : [])
    }

    private mutating func state(after opcode: Opcode, _ isOn: Bool) -> StatusCode {
        switch opcode {
        case .setRandomAddress:
            return isScanning || (isAdvertising && isExtended != true) ? .commandDisallowed : .success
        case .setScanParameters, .setExtendedScanParameters:
            if isScanning { return .commandDisallowed }
            hasScan = true
        case .setScanEnable, .setExtendedScanEnable:
            // Some refuse to switch off what is off.
            if !isOn && !isScanning { return .commandDisallowed }
            if isOn && !hasScan { return .commandDisallowed }
            isScanning = isOn
        case .setAdvertisingParameters, .setExtendedAdvertisingParameters:
            if isAdvertising { return .commandDisallowed }
            hasSet = true
        case .setAdvertisingData, .setExtendedAdvertisingData, .setAdvertisingSetAddress:
            return hasSet || isExtended != true ? .success : .unknownAdvertisingSet
        case .setAdvertisingEnable, .setExtendedAdvertisingEnable:
            if !hasSet && isExtended == true { return .unknownAdvertisingSet }
            isAdvertising = isOn
        case .clearAdvertisingSets:
            if isAdvertising { return .commandDisallowed }
            hasSet = false
        default: break
        }
        return .success
    }

    private func returned(_ opcode: Opcode) -> [UInt8] {
        switch opcode {
        case .readLocalVersion: [9, 0, 0, 9, 0xFF, 0xFF, 1, 0]
        case .readLocalCommands: claimsExtended ? Self.allCommands : Self.legacyCommands
        case .readLocalFeatures: [0, 0, 0, 0, 0x60, 0, 0, 0]
        case .readAddress: [1, 2, 3, 4, 5, 6]
        case .readLowEnergyBufferSize: [251, 0, 8]
        case .readLowEnergyFeatures: [0, 0x08, 0, 0, 0, 0, 0, 0]
        case .readLowEnergyStates: Self.allStates
        case .readAdvertisingPower, .setExtendedAdvertisingParameters: [4]
        default: []
        }
    }

    private func answer(_ opcode: Opcode, _ status: StatusCode, _ returned: [UInt8] = []) -> [UInt8] {
        ControllerEvent.commandCompleteBytes(opcode, status: status, returned: returned)
    }

    // Made once: they are asked for at each execution.
    private static let allCommands = [UInt8](repeating: 0xFF, count: 64)
    private static let legacyCommands = [UInt8](repeating: 0xFF, count: 36) + [UInt8](repeating: 0, count: 28)
    private static let allStates = [UInt8](repeating: 0xFF, count: 8)
}
