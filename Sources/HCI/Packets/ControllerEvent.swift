internal import CBluetooth

/// An event from controller to host (Core Spec Vol 4 Part E 7.7). Its bytes are valid during the call only.
public enum ControllerEvent {
    /// A command has run; its return parameters start with a status. EVT_CMD_COMPLETE
    case commandComplete(Opcode, credits: UInt8, returned: UnsafeRawBufferPointer)
    /// A command was refused, or is under way. EVT_CMD_STATUS
    case commandStatus(Opcode, credits: UInt8, status: StatusCode)
    /// The controller is broken until it is reset. EVT_HARDWARE_ERROR
    case hardwareError(code: UInt8)
    /// A low-energy event: its subevent code and what follows that. EVT_LE_META_EVENT
    case lowEnergy(subevent: UInt8, parameters: UnsafeRawBufferPointer)
    /// Any other event, which is normal.
    case other(code: UInt8)

    /// Reads an event from its code on, without the H4 type byte; nil for one that is cut short.
    ///
    /// Bytes after the event's own length are not looked at.
    public init?(_ event: UnsafeRawBufferPointer) {
        let header = Int(HCI_EVENT_HDR_SIZE)
        guard event.count >= header, event.count >= header + Int(event[1]) else { return nil }
        let parameters = UnsafeRawBufferPointer(rebasing: event[header..<header + Int(event[1])])
        switch Int32(event[0]) {
        case EVT_CMD_COMPLETE:
            guard parameters.count >= Int(EVT_CMD_COMPLETE_SIZE) else { return nil }
            let returned = UnsafeRawBufferPointer(rebasing: parameters[Int(EVT_CMD_COMPLETE_SIZE)...])
            self = .commandComplete(opcode(parameters, at: 1), credits: parameters[0], returned: returned)
        case EVT_CMD_STATUS:
            guard parameters.count >= Int(EVT_CMD_STATUS_SIZE) else { return nil }
            self = .commandStatus(
                opcode(parameters, at: 2), credits: parameters[1], status: StatusCode(rawValue: parameters[0]))
        case EVT_HARDWARE_ERROR:
            guard let code = parameters.first else { return nil }
            self = .hardwareError(code: code)
        case EVT_LE_META_EVENT:
            guard let subevent = parameters.first else { return nil }
            self = .lowEnergy(subevent: subevent, parameters: UnsafeRawBufferPointer(rebasing: parameters[1...]))
        default:
            self = .other(code: event[0])
        }
    }
}

// What a controller sends, for programs that play one.
extension ControllerEvent {
    /// A Command Complete event, H4 type byte first.
    public static func commandCompleteBytes(
        _ opcode: Opcode, credits: UInt8 = 1, status: StatusCode, returned: [UInt8] = []
    ) -> [UInt8] {
        let parameters = [credits] + littleEndian(UInt64(opcode.rawValue), bytes: 2) + [status.rawValue] + returned
        return bytes(EVT_CMD_COMPLETE, parameters)
    }

    /// A Command Status event, H4 type byte first.
    public static func commandStatusBytes(_ opcode: Opcode, credits: UInt8 = 1, status: StatusCode) -> [UInt8] {
        bytes(EVT_CMD_STATUS, [status.rawValue, credits] + littleEndian(UInt64(opcode.rawValue), bytes: 2))
    }

    /// A Hardware Error event, H4 type byte first.
    public static func hardwareErrorBytes(code: UInt8) -> [UInt8] { bytes(EVT_HARDWARE_ERROR, [code]) }

    private static func bytes(_ code: Int32, _ parameters: [UInt8]) -> [UInt8] {
        precondition(parameters.count <= 255, "an event's parameter length is one byte")
        return [H4Kind.event.rawValue, UInt8(truncatingIfNeeded: code), UInt8(parameters.count)] + parameters
    }
}

private func opcode(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Opcode {
    Opcode(rawValue: UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8)
}
