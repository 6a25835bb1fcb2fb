/// The conversation with one controller: sets it up, then keeps it at a plan.
///
/// It does no I/O and knows no clock: `now` is monotonic nanoseconds, never less than before. The owner performs the
/// actions, gives it every event packet, and calls `tick` at `nextDeadline`. One command is under way at a time, and
/// the status of every one is looked at. Which set of commands scans and advertises is chosen once per `start`, and
/// changed by a new Reset only. After `failed` it is idle: whether and when to `start` again is for `Recovery` to say.
public struct ControllerSession: Sendable {
    /// How long a command may take; the kernel's own limit (HCI_CMD_TIMEOUT in net/bluetooth/hci.h).
    public static let commandTimeout: Int64 = 2_000_000_000
    /// How often a command is sent before the controller counts as dead.
    public static let commandAttempts = 2
    /// How long `stop` may take. Shorter than `commandTimeout`: whoever stops is waited for.
    public static let stopTimeout: Int64 = 1_000_000_000
    /// After so much silence a controller at work is asked for a sign of life, so that a dead one is noticed although
    /// nobody waits for anything.
    public static let longestSilence: Int64 = 10_000_000_000
    /// What other programs changed is set again at most so often: two that want different things must not fight.
    public static let reassertionInterval: Int64 = 10_000_000_000
    /// And not before their other commands had time to come.
    public static let reassertionDelay: Int64 = 200_000_000
    /// A command whose answer may be lost is not sent again sooner than this after it was sent last.
    public static let repetitionDelay: Int64 = 250_000_000
    /// And answers that are lost again and again excuse silence for so long.
    public static let longestLoss: Int64 = 10_000_000_000

    enum Phase: Equatable { case idle, settingUp, running }

    struct Pending {
        let step: SessionStep
        let planned: AdvertisePlan?
        let since: Int64
        var sentAt: Int64
        var deadline: Int64
        /// When it is sent again because its answer may be lost.
        var repetition: Int64?
        /// How often it was sent and not answered in time.
        var attempts = 1
        /// How often it was sent.
        var sent = 1
        /// What others may have changed meanwhile.
        var disturbance: ControllerState.Disturbance = []
    }

    var plan: RadioPlan
    let access: AdapterAccess
    let ownsAir: Bool
    let entropy: UInt64
    var phase = Phase.idle
    var state = ControllerState()
    var pending: Pending?
    /// What is left of the set-up, last first.
    var setUp: [SessionStep] = []
    /// The set that is to be tried first, and those that were tried since `start`.
    var preferred: CommandSet?
    let memory: ControllerMemory
    var tried: Set<CommandSet> = []
    /// Whether something was switched on with the chosen set: then a refusal is no longer because of the set.
    var isProven = false
    /// Num_HCI_Command_Packets as last heard: how many commands the controller takes.
    var credits: UInt8 = 1
    var creditDeadline: Int64?
    var stopDeadline: Int64?
    /// A command that was sent twice and answered once: its next answer may be the second one. Commands are answered
    /// in their order, so it is so only until another command is answered.
    var answeredTwice: Opcode?
    /// When the last event came.
    var heardAt: Int64 = 0
    /// Commands of others that are not answered yet.
    var foreign = ForeignCommands()
    var reassertion: Int64?
    var reassertedAt: Int64?
    /// How many random addresses came before this one, and when the next one comes.
    var addressNumber: UInt64 = 0
    var rotation: Int64?
    var saidScanning: ScanState??
    var saidAdvertising: AdvertisingState?
    var saidNotes: Set<SessionNote> = []
    var hasSaidDisturbed = false
    var actions: [SessionAction] = []

    /// What the controller has said of itself since the last start.
    public internal(set) var identity = ControllerIdentity()
    /// The commands that it is spoken to with; nil until that is chosen.
    public internal(set) var commandSet: CommandSet?
    /// Whether the controller has confirmed, since `stop`, that nothing is on air and nothing scans.
    public internal(set) var isSilent = false
    /// Events that no command was waiting for: late or doubled. Normal, but worth a counter.
    public internal(set) var strayReplies: UInt64 = 0

    /// A session that has not begun. Of `entropy` 46 bits become the static random address, which stays the same for
    /// the life of the session unless the plan rotates it. `memory` is what controllers were used with before.
    ///
    /// With `ownsAir` whatever a shared controller advertises is ours, an earlier run's that was killed for example, and
    /// is switched off; without it that may be another program's.
    public init(
        plan: RadioPlan, access: AdapterAccess = .exclusive, ownsAir: Bool = false, entropy: UInt64,
        memory: ControllerMemory = ControllerMemory()
    ) {
        self.plan = plan
        self.access = access
        self.ownsAir = ownsAir
        self.entropy = entropy
        self.memory = memory
    }

    /// When `tick` is to be called, nil while nothing is waited for.
    public var nextDeadline: Int64? {
        [
            pending?.deadline, pending?.repetition, creditDeadline, stopDeadline, pingDeadline, reassertionDeadline,
            rotation,
        ].compactMap { $0 }.min()
    }

    /// Up to when the controller has shown that it is there and scans; nil while it does not. A store may be silent, and
    /// so may a controller that hangs: absence counts only up to here.
    public var provenUntil: Int64? { isScanning ? heardAt : nil }

    /// Whether the controller does what was planned, so that nothing is waited for but adverts.
    public var isSettled: Bool {
        phase == .running && pending == nil && creditDeadline == nil && stopDeadline == nil && reassertion == nil
    }

    /// Asks a controller that scans for a sign of life, unless it is being asked for something already.
    public mutating func prove(now: Int64) -> [SessionAction] {
        if isScanning && isSettled { send(.ping, now) }
        return takeActions()
    }

    /// Begins: at first, after `failed`, after a reconnection, and after `stop`; exclusively with Reset.
    public mutating func start(now: Int64) -> [SessionAction] {
        stopDeadline = nil
        isSilent = false
        tried = []
        begin(now)
        return takeActions()
    }

    /// Changes the plan; takes effect at once if the controller is set up, else as soon as it is.
    public mutating func apply(_ plan: RadioPlan, now: Int64) -> [SessionAction] {
        if plan.advertise != self.plan.advertise {
            state.refusal = nil
            state.keepsAddress = false
        }
        if plan.advertise?.rotation != self.plan.advertise?.rotation { rotation = nil }
        self.plan = plan
        reassertion = nil
        advance(now)
        return takeActions()
    }

    /// Takes the scan down and up again, for a controller that may have become deaf; no Reset.
    public mutating func restartScan(now: Int64) -> [SessionAction] {
        if phase == .running && plan.scan != nil {
            state.forgetScan()
            advance(now)
        }
        return takeActions()
    }

    /// Switches advertising, then scanning off. `stopped` comes when that is done or has taken too long.
    public mutating func stop(now: Int64) -> [SessionAction] {
        if phase == .idle {
            finish()
        } else {
            if stopDeadline == nil { stopDeadline = now + ControllerSession.stopTimeout }
            rotation = nil
            reassertion = nil
            advance(now)
        }
        return takeActions()
    }

    /// Takes an event packet from its event code on. Advertising reports cost nothing here.
    public mutating func handle(event: UnsafeRawBufferPointer, now: Int64) -> [SessionAction] {
        guard phase != .idle, let event = ControllerEvent(event) else { return [] }
        heardAt = now
        switch event {
        case .commandComplete(let opcode, let credits, let returned):
            grant(credits)
            answer(
                opcode, returned.first.map(StatusCode.init), UnsafeRawBufferPointer(rebasing: returned.dropFirst()),
                now)
        case .commandStatus(let opcode, let credits, let status):
            grant(credits)
            // Success means that the command is under way, and its Command Complete comes.
            if status != .success { answer(opcode, status, UnsafeRawBufferPointer(start: nil, count: 0), now) }
        case .hardwareError(let code):
            // While Reset is under way this is what it is to cure.
            if pending?.step != .reset { fail(.hardwareError(code: code)) }
        case .lowEnergy, .other:
            return []
        }
        advance(now)
        return takeActions()
    }

    /// The connection to the controller is gone; `start` begins again over a new one.
    public mutating func disconnected() -> [SessionAction] {
        if stopDeadline != nil { finish() } else { rest() }
        return takeActions()
    }

    /// The byte stream from the controller made no sense; only Reset brings it back.
    public mutating func framingLost(now: Int64) -> [SessionAction] {
        if pending?.step != .reset && phase != .idle { fail(.framingLost) }
        return takeActions()
    }

    /// Lets time pass.
    public mutating func tick(now: Int64) -> [SessionAction] {
        if let stopDeadline, now >= stopDeadline {
            finish()
        } else if let pending, now >= pending.deadline {
            if pending.attempts < ControllerSession.commandAttempts {
                self.pending?.attempts += 1
                self.pending?.deadline = now + ControllerSession.commandTimeout
                sendAgain(now)
            } else {
                fail(.commandTimeout(pending.step.command.opcode))
            }
        } else if let repetition = pending?.repetition, now >= repetition {
            sendAgain(now)
        } else if let creditDeadline, now >= creditDeadline {
            fail(.noCredits)
        } else if let rotation, now >= rotation {
            self.rotation = nil
            addressNumber += 1
            advance(now)
        } else if let reassertionDeadline, now >= reassertionDeadline {
            reassertion = nil
            reassertedAt = now
            advance(now)
        } else if let pingDeadline, now >= pingDeadline {
            send(.ping, now)
        }
        return takeActions()
    }
}
