/// What the owner of a session is to do, or to know.
public enum SessionAction: Equatable, Sendable {
    /// Send these bytes to the controller; one command, H4 type byte first.
    case send([UInt8])
    /// The controller is set up, for these commands; scanning and advertising come next.
    case ready(ControllerIdentity, CommandSet)
    /// How it scans; nil for not at all. Said when it changes.
    case scanning(ScanState?)
    /// What is on air. Said when it changes; after `failed` it is not known until it is said again.
    case advertising(AdvertisingState)
    /// The controller is of no use at the moment. The session does nothing until `start`: see `Recovery`.
    case failed(SessionFailure)
    /// Something that somebody should know, and nothing is to be done about.
    case noted(SessionNote)
    /// Nothing is on air and nothing scans any more, as far as the controller answered in time.
    case stopped
}

/// How a controller scans, as far as it has confirmed.
public struct ScanState: Equatable, Sendable {
    /// With which commands.
    public var commands: CommandSet
    /// The PHYs that it really listens on.
    public var phys: [RadioPHY]

    /// Makes one.
    public init(_ commands: CommandSet, phys: [RadioPHY] = [.le1M]) {
        self.commands = commands
        self.phys = phys
    }
}

/// What a controller advertises, as far as it has confirmed.
public enum AdvertisingState: Equatable, Sendable {
    /// Nothing, as planned.
    case off
    /// This data, with the power in dBm that the controller told, nil for none told.
    case onAir([UInt8], txPower: Int8?)
    /// It refused a command of the plan; `onAir` is what it goes on with, nil for nothing.
    case refused(Opcode, StatusCode, onAir: [UInt8]?)
    /// It has no advertising, by its own words.
    case unsupported
}

/// Something about a controller that somebody should know.
public enum SessionNote: Hashable, Sendable, CustomStringConvertible {
    /// It refused a command of the set that was chosen, and the other set is used from now on.
    case changedCommands(to: CommandSet, Opcode, StatusCode)
    /// It cannot listen on the coded PHY as planned.
    case codedMissing(CommandSet)
    /// It says that it cannot scan and advertise at the same time.
    case combinationMissing
    /// The power planned cannot be set with legacy commands.
    case powerFixed
    /// It refused a new random address, and goes on with the old one.
    case addressKept(StatusCode)
    /// Another program at this controller changed what it does; it is set again, with pauses.
    case disturbed(Opcode)

    /// A sentence without a full stop.
    public var description: String {
        switch self {
        case .changedCommands(let set, let opcode, let status):
            "the controller refuses \(opcode): \(status); \(set.rawValue) commands are used instead"
        case .codedMissing(.legacy): "the controller has no extended commands, so the coded PHY is not listened to"
        case .codedMissing(.extended): "the controller has no coded PHY, so it is not listened to"
        case .combinationMissing: "the controller says that it cannot scan and advertise at the same time"
        case .powerFixed: "legacy commands cannot set the transmit power, so the controller's own is used"
        case .addressKept(let status): "the controller refuses a new random address: \(status); the old one stays"
        case .disturbed(let opcode):
            "another program gave the controller the command \(opcode); the scan is set again, at most each 10 s"
        }
    }
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
