/// The conversation with one controller: sets it up, then keeps it at a plan.
///
/// It does no I/O and knows no clock: `now` is monotonic nanoseconds, never less than before. The owner performs the
/// actions, gives it every event packet, and calls `tick` at `nextDeadline`. One command is under way at a time, and
/// the status of every one is looked at. Legacy advertising commands only; which set a controller understands is to
/// be chosen once per Reset, between the end of set-up and the first step towards the plan.
public struct ControllerSession: Sendable {
    /// How long a command may take; the kernel's own limit (HCI_CMD_TIMEOUT in net/bluetooth/hci.h).
    public static let commandTimeout: Int64 = 2_000_000_000
    /// How often a command is sent before the controller counts as dead.
    public static let commandAttempts = 2
    /// How long `stop` may take. Shorter than `commandTimeout`: whoever stops is waited for.
    public static let stopTimeout: Int64 = 1_000_000_000
    /// How long a session must have been up for its next failure to be met at once again; above the longest delay
    /// of `Backoff.controller`.
    public static let steadyAfter: Int64 = 60_000_000_000

    /// After so much silence a scanning controller is asked for a sign of life, so that a dead one is noticed although
    /// nobody waits for anything.
    public static let longestSilence: Int64 = 10_000_000_000

    private enum Phase: Equatable {
        case idle
        case settingUp(next: Int)
        case running(since: Int64)
        case waiting(until: Int64)
    }

    private struct Pending {
        let step: SessionStep
        let planned: AdvertisePlan?
        var deadline: Int64
        var attempts = 1
    }

    private var plan: RadioPlan
    private let setUp: [SessionStep]
    private var phase = Phase.idle
    private var state = ControllerState()
    private var identity = ControllerIdentity()
    private var pending: Pending?
    private var backoff = Backoff.controller
    /// Num_HCI_Command_Packets as last heard: how many commands the controller takes.
    private var credits: UInt8 = 1
    private var creditDeadline: Int64?
    private var stopDeadline: Int64?
    /// A command that was sent twice and answered once: its next answer may be the second one. Commands are answered
    /// in their order, so it is so only until another command is answered.
    private var answeredTwice: Opcode?
    /// When the last event came.
    private var heardAt: Int64 = 0
    private var saidScanning: Bool?
    private var saidAdvertising: AdvertisingState?
    private var actions: [SessionAction] = []

    /// Events that no command was waiting for: late, doubled, or for somebody else. Normal, but worth a counter.
    public private(set) var strayReplies: UInt64 = 0

    /// A session that has not begun. Of `entropy` 46 bits become the static random address, which stays the same for
    /// the life of the session.
    public init(plan: RadioPlan, entropy: UInt64) {
        self.plan = plan
        setUp = SessionStep.initial(randomAddress: ControllerSession.staticRandomAddress(entropy))
    }

    /// Two upper bits set, and of the others not all the same (Core Spec Vol 6 Part B 1.3.2.1).
    static func staticRandomAddress(_ entropy: UInt64) -> DeviceAddress {
        let mask: UInt64 = 0x3FFF_FFFF_FFFF
        let random = entropy & mask
        return DeviceAddress(0xC000_0000_0000 | (random == 0 || random == mask ? 1 : random), .random)
    }

    /// When `tick` is to be called, nil while nothing is waited for.
    public var nextDeadline: Int64? {
        var deadline = [pending?.deadline, creditDeadline, stopDeadline, pingDeadline].compactMap { $0 }.min()
        if case .waiting(let until) = phase { deadline = min(deadline ?? until, until) }
        return deadline
    }

    /// Up to when the controller has shown that it is there and scans; nil while it does not. A store may be silent, and
    /// so may a controller that hangs: absence counts only up to here.
    public var provenUntil: Int64? { isScanning ? heardAt : nil }

    /// Whether the controller does what was planned, so that nothing is waited for but adverts.
    public var isSettled: Bool {
        if case .running = phase { pending == nil && creditDeadline == nil && stopDeadline == nil } else { false }
    }

    /// Asks a controller that scans for a sign of life, unless it is being asked for something already.
    public mutating func prove(now: Int64) -> [SessionAction] {
        if isScanning && isSettled { send(.ping, now) }
        return takeActions()
    }

    private var isScanning: Bool {
        if case .running = phase { state.scan == .on } else { false }
    }

    private var pingDeadline: Int64? {
        isScanning && isSettled ? heardAt + ControllerSession.longestSilence : nil
    }

    /// Begins with Reset: at first, after a reconnection, and after `stop`.
    public mutating func start(now: Int64) -> [SessionAction] {
        stopDeadline = nil
        begin(now)
        return takeActions()
    }

    /// Changes the plan; takes effect at once if the controller is set up, else as soon as it is.
    public mutating func apply(_ plan: RadioPlan, now: Int64) -> [SessionAction] {
        if plan.advertise != self.plan.advertise { state.refusal = nil }
        self.plan = plan
        advance(now)
        return takeActions()
    }

    /// Switches advertising, then scanning off. `stopped` comes when that is done or has taken too long.
    public mutating func stop(now: Int64) -> [SessionAction] {
        switch phase {
        case .idle, .waiting: finish()
        case .settingUp, .running:
            if stopDeadline == nil { stopDeadline = now + ControllerSession.stopTimeout }
            advance(now)
        }
        return takeActions()
    }

    /// Takes an event packet from its event code on. Advertising reports cost nothing here.
    public mutating func handle(event: UnsafeRawBufferPointer, now: Int64) -> [SessionAction] {
        guard isUp, let event = ControllerEvent(event) else { return [] }
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
            if pending?.step != .reset { fail(.hardwareError(code: code), now) }
        case .lowEnergy, .other:
            return []
        }
        advance(now)
        return takeActions()
    }

    /// The connection to the controller is gone; `start` begins again over a new one.
    public mutating func disconnected() -> [SessionAction] {
        saidScanning = nil
        saidAdvertising = nil
        if stopDeadline != nil { finish() }
        phase = .idle
        pending = nil
        creditDeadline = nil
        return takeActions()
    }

    /// The byte stream from the controller made no sense; only Reset brings it back.
    public mutating func framingLost(now: Int64) -> [SessionAction] {
        if pending?.step != .reset && isUp { fail(.framingLost, now) }
        return takeActions()
    }

    /// Lets time pass.
    public mutating func tick(now: Int64) -> [SessionAction] {
        if let stopDeadline, now >= stopDeadline {
            finish()
        } else if case .waiting(let until) = phase, now >= until {
            begin(now)
        } else if let pending, now >= pending.deadline {
            if pending.attempts < ControllerSession.commandAttempts {
                self.pending?.attempts += 1
                self.pending?.deadline = now + ControllerSession.commandTimeout
                actions.append(.send(pending.step.command.bytes))
            } else {
                fail(.commandTimeout(pending.step.command.opcode), now)
            }
        } else if let creditDeadline, now >= creditDeadline {
            fail(.noCredits, now)
        } else if let pingDeadline, now >= pingDeadline {
            send(.ping, now)
        }
        return takeActions()
    }

    private var isUp: Bool {
        switch phase {
        case .settingUp, .running: true
        case .idle, .waiting: false
        }
    }
}

// What happens inside: each of these only appends to `actions`.
extension ControllerSession {
    private mutating func takeActions() -> [SessionAction] {
        if actions.isEmpty { return [] }
        defer { actions = [] }
        return actions
    }

    private mutating func begin(_ now: Int64) {
        phase = .settingUp(next: 0)
        state = ControllerState()
        identity = ControllerIdentity()
        pending = nil
        answeredTwice = nil
        // One may be sent before the controller has said how many (Core Spec Vol 4 Part E 4.4).
        credits = 1
        creditDeadline = nil
        advance(now)
    }

    private mutating func grant(_ credits: UInt8) {
        self.credits = credits
        if credits > 0 { creditDeadline = nil }
    }

    private mutating func answer(
        _ opcode: Opcode, _ status: StatusCode?, _ returned: UnsafeRawBufferPointer, _ now: Int64
    ) {
        guard let pending, pending.step.command.opcode == opcode, answeredTwice != opcode else {
            if answeredTwice == opcode { answeredTwice = nil }
            if opcode != .none { strayReplies += 1 }
            return
        }
        self.pending = nil
        answeredTwice = pending.attempts > 1 ? opcode : nil
        guard let status else { return fail(.malformedReply(opcode), now) }
        if pending.step.accepts(status) {
            identity.learn(pending.step, returned)
            state.confirm(pending.step)
        } else if pending.step.isEssential {
            return fail(.refused(opcode, status), now)
        } else if pending.planned == plan.advertise {
            // Else it is the refusal of a plan that nobody has any more.
            state.refuse(pending.step, status)
        }
        if case .settingUp(let next) = phase { phase = .settingUp(next: next + 1) }
        if !identity.isLowEnergy { fail(.notLowEnergy, now) }
    }

    /// Sends the next command if there is one and the controller takes it; says what has changed.
    private mutating func advance(_ now: Int64) {
        guard isUp, pending == nil else { return }
        if stopDeadline != nil {
            report(under: nil)
            guard let step = state.nextStep(towards: nil) else { return finish() }
            return send(step, now)
        }
        if case .settingUp(let next) = phase {
            if next < setUp.count { return send(setUp[next], now) }
            phase = .running(since: now)
            actions.append(.ready(identity))
        }
        report(under: plan)
        if let step = state.nextStep(towards: plan) { send(step, now) }
    }

    private mutating func send(_ step: SessionStep, _ now: Int64) {
        guard credits > 0 else {
            if creditDeadline == nil { creditDeadline = now + ControllerSession.commandTimeout }
            return
        }
        credits -= 1
        pending = Pending(step: step, planned: plan.advertise, deadline: now + ControllerSession.commandTimeout)
        actions.append(.send(step.command.bytes))
    }

    private mutating func report(under plan: RadioPlan?) {
        if let advertising = state.advertisingState(under: plan), advertising != saidAdvertising {
            saidAdvertising = advertising
            actions.append(.advertising(advertising))
        }
        if state.scan != .unknown, (state.scan == .on) != saidScanning {
            saidScanning = state.scan == .on
            actions.append(.scanning(state.scan == .on))
        }
    }

    private mutating func fail(_ failure: SessionFailure, _ now: Int64) {
        if case .running(let since) = phase, now - since >= ControllerSession.steadyAfter { backoff.reset() }
        actions.append(.failed(failure))
        pending = nil
        creditDeadline = nil
        saidScanning = nil
        saidAdvertising = nil
        if stopDeadline != nil { return finish() }
        phase = .waiting(until: now + backoff.next())
    }

    private mutating func finish() {
        phase = .idle
        pending = nil
        creditDeadline = nil
        stopDeadline = nil
        actions.append(.stopped)
    }
}
