internal import CBluetooth

/// A command from host to controller (Core Spec Vol 4 Part E 5.4.1).
public struct Command: Equatable, Sendable {
    /// What is to be done.
    public let opcode: Opcode
    /// Its parameters; at most 255 bytes, the length is one byte on the wire.
    public let parameters: [UInt8]

    /// Makes a command; more than 255 bytes of parameters are a mistake of the caller.
    public init(_ opcode: Opcode, _ parameters: [UInt8] = []) {
        precondition(parameters.count <= 255, "a command's parameter length is one byte")
        self.opcode = opcode
        self.parameters = parameters
    }

    /// Reads a command packet without its H4 type byte; nil unless the length byte tells the truth.
    public init?(_ packet: UnsafeRawBufferPointer) {
        guard packet.count >= Int(HCI_COMMAND_HDR_SIZE), Int(packet[2]) == packet.count - Int(HCI_COMMAND_HDR_SIZE)
        else { return nil }
        opcode = Opcode(rawValue: UInt16(packet[0]) | UInt16(packet[1]) << 8)
        parameters = Array(packet[Int(HCI_COMMAND_HDR_SIZE)...])
    }

    /// The packet as it goes over a byte stream, H4 type byte first.
    public var bytes: [UInt8] {
        [
            H4Kind.command.rawValue, UInt8(truncatingIfNeeded: opcode.rawValue), UInt8(opcode.rawValue >> 8),
            UInt8(parameters.count),
        ] + parameters
    }
}

// Commands whose parameters are plain. Those with several have their own value types.
extension Command {
    /// Everything back to power-on, nothing on air.
    public static let reset = Command(.reset)

    /// Which events the controller may send (Core Spec Vol 4 Part E 7.3.1).
    public static func setEventMask(_ mask: UInt64) -> Command {
        Command(.setEventMask, littleEndian(mask, bytes: 8))
    }

    /// Which low-energy events the controller may send (7.8.1).
    public static func setLowEnergyEventMask(_ mask: UInt64) -> Command {
        Command(.setLowEnergyEventMask, littleEndian(mask, bytes: 8))
    }

    /// The address used where own address type is random (7.8.4). Refused while scanning or advertising.
    public static func setRandomAddress(_ address: DeviceAddress) -> Command {
        Command(.setRandomAddress, littleEndian(address.value, bytes: 6))
    }

    /// What is advertised, at most 31 bytes, from the next advertising event on (7.8.7).
    public static func setAdvertisingData(_ data: [UInt8]) -> Command {
        Command(.setAdvertisingData, padded(data))
    }

    /// What a scan request is answered with, at most 31 bytes (7.8.8).
    public static func setScanResponseData(_ data: [UInt8]) -> Command {
        Command(.setScanResponseData, padded(data))
    }

    /// Advertising on or off (7.8.9).
    public static func setAdvertisingEnable(_ enabled: Bool) -> Command {
        Command(.setAdvertisingEnable, [enabled ? 1 : 0])
    }

    /// Scanning on or off; with the filter each device is reported once only (7.8.11).
    public static func setScanEnable(_ enabled: Bool, filteringDuplicates: Bool = false) -> Command {
        Command(.setScanEnable, [enabled ? 1 : 0, filteringDuplicates ? 1 : 0])
    }

    /// Takes an advertising set away; not while it is enabled (7.8.59).
    public static func removeAdvertisingSet(_ handle: UInt8) -> Command { Command(.removeAdvertisingSet, [handle]) }

    /// How many bytes of data a legacy advertising packet carries.
    public static let advertisingDataLimit = 31

    // Significant length first, then always 31 bytes.
    private static func padded(_ data: [UInt8]) -> [UInt8] {
        precondition(data.count <= advertisingDataLimit, "legacy advertising data is at most 31 bytes")
        return [UInt8(data.count)] + data + [UInt8](repeating: 0, count: advertisingDataLimit - data.count)
    }
}

/// The low bytes of a number, lowest first: HCI's order.
func littleEndian(_ value: UInt64, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}

/// Up to eight bytes, lowest first, as a number; nil when there are not that many.
func littleEndian(_ bytes: UnsafeRawBufferPointer, at offset: Int, count: Int) -> UInt64? {
    guard offset >= 0, count <= 8, offset + count <= bytes.count else { return nil }
    var value: UInt64 = 0
    for i in (0..<count).reversed() { value = value << 8 | UInt64(bytes[offset + i]) }
    return value
}
