/// Which commands scan and advertise. A controller takes one set from one Reset to the next, and refuses the other with
/// Command Disallowed (Core Spec Vol 4 Part E 3.1.1).
public enum CommandSet: String, Sendable, CaseIterable {
    /// Those of Bluetooth 4.0.
    case legacy
    /// Those of Bluetooth 5.0, which know the coded PHY.
    case extended

    /// The other one.
    var other: CommandSet { self == .legacy ? .extended : .legacy }

    /// Whether a command belongs to one of the sets, and to which.
    init?(_ opcode: Opcode) {
        switch opcode {
        case .setAdvertisingParameters, .readAdvertisingPower, .setAdvertisingData, .setScanResponseData,
            .setAdvertisingEnable, .setScanParameters, .setScanEnable:
            self = .legacy
        case .setAdvertisingSetAddress, .setExtendedAdvertisingParameters, .setExtendedAdvertisingData,
            .setExtendedScanResponseData, .setExtendedAdvertisingEnable, .readAdvertisingDataLimit,
            .readAdvertisingSetCount, .removeAdvertisingSet, .clearAdvertisingSets, .setExtendedScanParameters,
            .setExtendedScanEnable:
            self = .extended
        default: return nil
        }
    }
}
