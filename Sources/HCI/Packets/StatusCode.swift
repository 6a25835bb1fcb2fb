internal import CBluetooth

/// How a controller says that a command went (Core Spec Vol 1 Part F 2).
public struct StatusCode: RawRepresentable, Hashable, Sendable {
    /// The byte on the wire.
    public let rawValue: UInt8
    /// Takes the byte on the wire.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    private init(_ code: Int32) { rawValue = UInt8(truncatingIfNeeded: code) }

    /// The command was done.
    public static let success = StatusCode(rawValue: 0)
    /// The controller does not know the command. HCI_UNKNOWN_COMMAND
    public static let unknownCommand = StatusCode(HCI_UNKNOWN_COMMAND)
    /// Not in this state, for example parameters while scanning. HCI_COMMAND_DISALLOWED
    public static let commandDisallowed = StatusCode(HCI_COMMAND_DISALLOWED)
    /// The controller cannot do what the parameters ask for. HCI_UNSUPPORTED_FEATURE
    public static let unsupportedFeature = StatusCode(HCI_UNSUPPORTED_FEATURE)
    /// A parameter is out of its range. HCI_INVALID_PARAMETERS
    public static let invalidParameters = StatusCode(HCI_INVALID_PARAMETERS)
    /// There is no advertising set of that handle; 0x42, which libbluetooth has no name for.
    public static let unknownAdvertisingSet = StatusCode(rawValue: 0x42)
}

extension StatusCode: CustomStringConvertible {
    /// "Command Disallowed (0x0c)".
    public var description: String {
        let number = "0x" + hexadecimal(rawValue, digits: 2)
        return name.map { "\($0) (\(number))" } ?? "status \(number)"
    }

    private var name: String? {
        switch self {
        case .success: "Success"
        case .unknownCommand: "Unknown HCI Command"
        case .commandDisallowed: "Command Disallowed"
        case .unsupportedFeature: "Unsupported Feature"
        case .invalidParameters: "Invalid HCI Command Parameters"
        case .unknownAdvertisingSet: "Unknown Advertising Identifier"
        default: nil
        }
    }
}
