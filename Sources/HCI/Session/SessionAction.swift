/// What the owner of a session is to do, or to know.
public enum SessionAction: Equatable, Sendable {
    /// Send these bytes to the controller; one command, H4 type byte first.
    case send([UInt8])
    /// The controller is set up; scanning and advertising come next.
    case ready(ControllerIdentity)
    /// Scanning is on, or off. Said when it changes.
    case scanning(Bool)
    /// What is on air. Said when it changes; after `failed` it is not known until it is said again.
    case advertising(AdvertisingState)
    /// The controller is of no use at the moment; the session tries again by itself, from Reset, at `nextDeadline`.
    case failed(SessionFailure)
    /// Nothing is on air and nothing scans any more, as far as the controller answered in time.
    case stopped
}

/// What a controller advertises, as far as it has confirmed.
public enum AdvertisingState: Equatable, Sendable {
    /// Nothing, as planned.
    case off
    /// This data.
    case onAir([UInt8])
    /// It refused a command of the plan; `onAir` is what it goes on with, nil for nothing.
    case refused(Opcode, StatusCode, onAir: [UInt8]?)
    /// It has no advertising, by its own words.
    case unsupported
}

/// Why a controller is of no use at the moment.
public enum SessionFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// It did not answer a command, nor the same command sent again.
    case commandTimeout(Opcode)
    /// It refused a command without which there is no scanning, or to switch something off.
    case refused(Opcode, StatusCode)
    /// Its answer to a command had no status.
    case malformedReply(Opcode)
    /// It takes no commands.
    case noCredits
    /// It says itself that it is broken.
    case hardwareError(code: UInt8)
    /// The byte stream made no sense.
    case framingLost
    /// It has no Bluetooth LE.
    case notLowEnergy

    /// A sentence without a full stop.
    public var description: String {
        switch self {
        case .commandTimeout(let opcode): "the controller does not answer \(opcode)"
        case .refused(let opcode, let status): "the controller refuses \(opcode): \(status)"
        case .malformedReply(let opcode): "the controller answers \(opcode) without a status"
        case .noCredits: "the controller takes no commands"
        case .hardwareError(let code): "the controller reports hardware error 0x\(hexadecimal(code, digits: 2))"
        case .framingLost: "the byte stream from the controller makes no sense"
        case .notLowEnergy: "the controller has no Bluetooth LE"
        }
    }
}
