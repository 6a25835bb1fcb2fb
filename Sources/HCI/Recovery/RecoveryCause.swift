/// What is wrong with a controller, as far as it matters for what to do about it.
public enum RecoveryCause: String, Sendable, CaseIterable {
    /// It does not answer.
    case commandTimeout = "command_timeout"
    /// It refuses a command that there is no scanning without.
    case refused
    /// Its answers make no sense.
    case malformedReply = "malformed_reply"
    /// It takes no commands.
    case noCredits = "no_credits"
    /// It says itself that it is broken.
    case hardwareError = "hardware_error"
    /// The byte stream made no sense.
    case framingLost = "framing_lost"
    /// It has no Bluetooth LE.
    case notLowEnergy = "no_low_energy"
    /// It hears nothing any more, although there was much to hear.
    case silence
    /// The way to it ended: it was unplugged, or the other end closed.
    case lost
    /// There is no way to it: it is not there, it is blocked, or this process may not.
    case absent

    /// The cause for a failure of a session.
    public init(_ failure: SessionFailure) {
        switch failure {
        case .commandTimeout: self = .commandTimeout
        case .refused: self = .refused
        case .malformedReply: self = .malformedReply
        case .noCredits: self = .noCredits
        case .hardwareError: self = .hardwareError
        case .framingLost: self = .framingLost
        case .notLowEnergy: self = .notLowEnergy
        }
    }
}
