internal import CBluetooth

/// Which command a packet carries: ten bits of command in a group of six (Core Spec Vol 4 Part E 5.4.1).
public struct Opcode: RawRepresentable, Hashable, Sendable {
    /// The sixteen bits as they are on the wire, in host order.
    public let rawValue: UInt16
    /// Takes the sixteen bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    private init(_ group: Int32, _ command: Int32) {
        rawValue = UInt16(truncatingIfNeeded: group << 10 | command)
    }

    /// "No operation": what a Command Complete names that only grants new commands.
    public static let none = Opcode(rawValue: 0)
    /// HCI_Reset. OCF_RESET
    public static let reset = Opcode(OGF_HOST_CTL, OCF_RESET)
    /// HCI_Set_Event_Mask. OCF_SET_EVENT_MASK
    public static let setEventMask = Opcode(OGF_HOST_CTL, OCF_SET_EVENT_MASK)
    /// HCI_Read_Local_Version_Information. OCF_READ_LOCAL_VERSION
    public static let readLocalVersion = Opcode(OGF_INFO_PARAM, OCF_READ_LOCAL_VERSION)
    /// HCI_Read_Local_Supported_Commands. OCF_READ_LOCAL_COMMANDS
    public static let readLocalCommands = Opcode(OGF_INFO_PARAM, OCF_READ_LOCAL_COMMANDS)
    /// HCI_Read_Local_Supported_Features. OCF_READ_LOCAL_FEATURES
    public static let readLocalFeatures = Opcode(OGF_INFO_PARAM, OCF_READ_LOCAL_FEATURES)
    /// HCI_Read_BD_ADDR. OCF_READ_BD_ADDR
    public static let readAddress = Opcode(OGF_INFO_PARAM, OCF_READ_BD_ADDR)
    /// HCI_LE_Set_Event_Mask. OCF_LE_SET_EVENT_MASK
    public static let setLowEnergyEventMask = Opcode(OGF_LE_CTL, OCF_LE_SET_EVENT_MASK)
    /// HCI_LE_Read_Buffer_Size. OCF_LE_READ_BUFFER_SIZE
    public static let readLowEnergyBufferSize = Opcode(OGF_LE_CTL, OCF_LE_READ_BUFFER_SIZE)
    /// HCI_LE_Read_Local_Supported_Features. OCF_LE_READ_LOCAL_SUPPORTED_FEATURES
    public static let readLowEnergyFeatures = Opcode(OGF_LE_CTL, OCF_LE_READ_LOCAL_SUPPORTED_FEATURES)
    /// HCI_LE_Set_Random_Address. OCF_LE_SET_RANDOM_ADDRESS
    public static let setRandomAddress = Opcode(OGF_LE_CTL, OCF_LE_SET_RANDOM_ADDRESS)
    /// HCI_LE_Set_Advertising_Parameters. OCF_LE_SET_ADVERTISING_PARAMETERS
    public static let setAdvertisingParameters = Opcode(OGF_LE_CTL, OCF_LE_SET_ADVERTISING_PARAMETERS)
    /// HCI_LE_Set_Advertising_Data. OCF_LE_SET_ADVERTISING_DATA
    public static let setAdvertisingData = Opcode(OGF_LE_CTL, OCF_LE_SET_ADVERTISING_DATA)
    /// HCI_LE_Set_Scan_Response_Data. OCF_LE_SET_SCAN_RESPONSE_DATA
    public static let setScanResponseData = Opcode(OGF_LE_CTL, OCF_LE_SET_SCAN_RESPONSE_DATA)
    /// HCI_LE_Set_Advertising_Enable. OCF_LE_SET_ADVERTISE_ENABLE
    public static let setAdvertisingEnable = Opcode(OGF_LE_CTL, OCF_LE_SET_ADVERTISE_ENABLE)
    /// HCI_LE_Set_Scan_Parameters. OCF_LE_SET_SCAN_PARAMETERS
    public static let setScanParameters = Opcode(OGF_LE_CTL, OCF_LE_SET_SCAN_PARAMETERS)
    /// HCI_LE_Set_Scan_Enable. OCF_LE_SET_SCAN_ENABLE
    public static let setScanEnable = Opcode(OGF_LE_CTL, OCF_LE_SET_SCAN_ENABLE)
    /// HCI_LE_Read_Advertising_Physical_Channel_Tx_Power. OCF_LE_READ_ADVERTISING_CHANNEL_TX_POWER
    public static let readAdvertisingPower = Opcode(OGF_LE_CTL, OCF_LE_READ_ADVERTISING_CHANNEL_TX_POWER)
    /// HCI_LE_Read_Supported_States. OCF_LE_READ_SUPPORTED_STATES
    public static let readLowEnergyStates = Opcode(OGF_LE_CTL, OCF_LE_READ_SUPPORTED_STATES)
}

// Bluetooth 5.0's, Core Spec Vol 4 Part E 7.8.52 to 7.8.65. The header of libbluetooth ends before them.
extension Opcode {
    private init(lowEnergy command: UInt16) { self.init(rawValue: 8 << 10 | command) }

    /// HCI_LE_Set_Advertising_Set_Random_Address (7.8.52).
    public static let setAdvertisingSetAddress = Opcode(lowEnergy: 0x35)
    /// HCI_LE_Set_Extended_Advertising_Parameters (7.8.53).
    public static let setExtendedAdvertisingParameters = Opcode(lowEnergy: 0x36)
    /// HCI_LE_Set_Extended_Advertising_Data (7.8.54).
    public static let setExtendedAdvertisingData = Opcode(lowEnergy: 0x37)
    /// HCI_LE_Set_Extended_Scan_Response_Data (7.8.55).
    public static let setExtendedScanResponseData = Opcode(lowEnergy: 0x38)
    /// HCI_LE_Set_Extended_Advertising_Enable (7.8.56).
    public static let setExtendedAdvertisingEnable = Opcode(lowEnergy: 0x39)
    /// HCI_LE_Read_Maximum_Advertising_Data_Length (7.8.57).
    public static let readAdvertisingDataLimit = Opcode(lowEnergy: 0x3A)
    /// HCI_LE_Read_Number_of_Supported_Advertising_Sets (7.8.58).
    public static let readAdvertisingSetCount = Opcode(lowEnergy: 0x3B)
    /// HCI_LE_Remove_Advertising_Set (7.8.59).
    public static let removeAdvertisingSet = Opcode(lowEnergy: 0x3C)
    /// HCI_LE_Clear_Advertising_Sets (7.8.60).
    public static let clearAdvertisingSets = Opcode(lowEnergy: 0x3D)
    /// HCI_LE_Set_Extended_Scan_Parameters (7.8.64).
    public static let setExtendedScanParameters = Opcode(lowEnergy: 0x41)
    /// HCI_LE_Set_Extended_Scan_Enable (7.8.65).
    public static let setExtendedScanEnable = Opcode(lowEnergy: 0x42)
}

extension Opcode: CustomStringConvertible {
    /// "LE Set Scan Enable (0x200c)".
    public var description: String {
        let number = "0x" + hexadecimal(rawValue, digits: 4)
        return name.map { "\($0) (\(number))" } ?? "command \(number)"
    }

    private var name: String? {
        switch self {
        case .none: "no command"
        case .reset: "Reset"
        case .setEventMask: "Set Event Mask"
        case .readLocalVersion: "Read Local Version Information"
        case .readLocalCommands: "Read Local Supported Commands"
        case .readLocalFeatures: "Read Local Supported Features"
        case .readAddress: "Read BD_ADDR"
        case .setLowEnergyEventMask: "LE Set Event Mask"
        case .readLowEnergyBufferSize: "LE Read Buffer Size"
        case .readLowEnergyFeatures: "LE Read Local Supported Features"
        case .setRandomAddress: "LE Set Random Address"
        case .setAdvertisingParameters: "LE Set Advertising Parameters"
        case .setAdvertisingData: "LE Set Advertising Data"
        case .setScanResponseData: "LE Set Scan Response Data"
        case .setAdvertisingEnable: "LE Set Advertising Enable"
        case .setScanParameters: "LE Set Scan Parameters"
        case .setScanEnable: "LE Set Scan Enable"
        case .readAdvertisingPower: "LE Read Advertising Physical Channel Tx Power"
        case .readLowEnergyStates: "LE Read Supported States"
        case .setAdvertisingSetAddress: "LE Set Advertising Set Random Address"
        case .setExtendedAdvertisingParameters: "LE Set Extended Advertising Parameters"
        case .setExtendedAdvertisingData: "LE Set Extended Advertising Data"
        case .setExtendedScanResponseData: "LE Set Extended Scan Response Data"
        case .setExtendedAdvertisingEnable: "LE Set Extended Advertising Enable"
        case .readAdvertisingDataLimit: "LE Read Maximum Advertising Data Length"
        case .readAdvertisingSetCount: "LE Read Number of Supported Advertising Sets"
        case .removeAdvertisingSet: "LE Remove Advertising Set"
        case .clearAdvertisingSets: "LE Clear Advertising Sets"
        case .setExtendedScanParameters: "LE Set Extended Scan Parameters"
        case .setExtendedScanEnable: "LE Set Extended Scan Enable"
        default: nil
        }
    }
}

/// A number in lower-case hexadecimal with leading zeros.
func hexadecimal(_ value: some BinaryInteger, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
