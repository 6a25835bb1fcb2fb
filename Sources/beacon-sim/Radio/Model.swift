import HCI

/// Which controller a host has.
struct Model: Equatable {
    /// Which commands for advertising and scanning it knows.
    enum Commands: String, CaseIterable {
        /// Those of Bluetooth 4.
        case legacy
        /// Those, and the extended ones of Bluetooth 5.
        case extended
        /// It says that it knows the extended ones, and does not.
        case broken
    }

    var generation = Generation.before5
    var commands = Commands.legacy
    /// Whether it can send and hear on the coded PHY.
    var hasCoded = false
    /// dBm; the strongest, and what it sends with unless it is told otherwise.
    var txPower: Int8 = 4

    /// What a command returns that only asks what this is; nil for another one.
    func answer(to opcode: Opcode) -> [UInt8]? {
        switch opcode {
        // Revision 0, LMP as HCI, company 0xFFFF (for tests), subversion 1.
        case .readLocalVersion: [generation.version, 0, 0, generation.version, 0xFF, 0xFF, 1, 0]
        case .readLocalCommands: supportedCommands
        // BR/EDR Not Supported (37) and LE Supported (38).
        case .readLocalFeatures: [0, 0, 0, 0, 0x60, 0, 0, 0]
        case .readLocalName: Array("beacon-sim".utf8) + [UInt8](repeating: 0, count: 238)
        // Eight buffers of 251 bytes, for connections that nobody makes.
        case .readLowEnergyBufferSize: [251, 0, 8]
        // LE Coded PHY (11) and LE Extended Advertising (12).
        case .readLowEnergyFeatures:
            [0, (hasCoded ? 0x08 : 0) | (commands == .legacy ? 0 : 0x10), 0, 0, 0, 0, 0, 0]
        // Linux gives up on one that does not say. What it can do at a time (7.8.27): advertise in any way (bits 0-3),
        // scan (4, 5), and each with each (8-15); nothing with connections.
        case .readLowEnergyStates: [0x3F, 0xFF, 0, 0, 0, 0, 0, 0]
        case .readAcceptListSize: [8]
        default: nil
        }
    }

    /// Which commands it says it knows, as bits (Core Spec Vol 4 Part E 6.27).
    private var supportedCommands: [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        octets[5] = 0xC0  // Set Event Mask, Reset
        octets[14] = 0x28  // Read Local Version, Read Local Supported Features
        octets[15] = 0x02  // Read BD_ADDR
        octets[25] = 0xF7  // LE Set Event Mask … LE Set Advertising Data
        octets[26] = 0xCF  // LE Set Scan Response Data … LE Set Scan Enable, and two of the accept list's
        octets[27] = 0x03  // the other two
        octets[28] = 0x08  // LE Read Supported States
        if commands != .legacy {
            octets[36] = 0xFE  // LE Set Advertising Set Random Address … LE Read Number of Supported Sets
            octets[37] = 0x63  // LE Remove Advertising Set, LE Clear Advertising Sets, the extended scan's two
        }
        return octets
    }
}

/// Which Bluetooth a controller speaks, as far as it matters to advertising.
enum Generation: Equatable {
    /// 4.2, as on a Raspberry Pi 3: nothing non-connectable below 100 ms.
    case before5
    /// 5.0: non-connectable down to 20 ms.
    case from5

    /// HCI_Version (Assigned Numbers).
    var version: UInt8 { self == .before5 ? 8 : 9 }
    /// The shortest interval of scannable and non-connectable advertising in 0.625 ms.
    var shortestInterval: UInt16 { self == .before5 ? 0xA0 : 0x20 }
}

// What a kernel asks besides; beacond does not.
extension Opcode {
    /// HCI_Read_Local_Name. hciconfig asks.
    static let readLocalName = Opcode(rawValue: 0x0C14)
    /// HCI_LE_Read_Filter_Accept_List_Size.
    static let readAcceptListSize = Opcode(rawValue: 0x200F)
    /// HCI_LE_Clear_Filter_Accept_List.
    static let clearAcceptList = Opcode(rawValue: 0x2010)
    /// HCI_LE_Add_Device_To_Filter_Accept_List.
    static let addToAcceptList = Opcode(rawValue: 0x2011)
    /// HCI_LE_Remove_Device_From_Filter_Accept_List.
    static let removeFromAcceptList = Opcode(rawValue: 0x2012)
}
