internal import System

// What happens inside: each of these only appends to `actions`.
extension ControllerSession {
    mutating func takeActions() -> [SessionAction] {
        if actions.isEmpty { return [] }
        defer { actions = [] }
        return actions
    }

    var isScanning: Bool { phase == .running && state.scan == .on }

    /// Only what works can be asked whether it does; an adapter that only advertises hears nothing that would show it.
    var pingDeadline: Int64? {
        let works = state.scan == .on || state.advertising == .on
        return works && isSettled ? heardAt + ControllerSession.longestSilence : nil
    }

    mutating func begin(_ now: Int64) {
        rest()
        phase = .settingUp
        state = ControllerState()
        state.ownsAdvertising = ownsAir
        identity = ControllerIdentity()
        commandSet = nil
        isProven = false
        setUp = SessionStep.first(access).reversed()
        advance(now)
    }

    /// Forgets what was under way; the session is idle.
    mutating func rest() {
        phase = .idle
        pending = nil
        answeredTwice = nil
        // One may be sent before the controller has said how many (Core Spec Vol 4 Part E 4.4).
        credits = 1
        creditDeadline = nil
        rotation = nil
        reassertion = nil
        foreign = ForeignCommands()
        saidScanning = nil
        saidAdvertising = nil
    }

    mutating func grant(_ credits: UInt8) {
        self.credits = credits
        if credits > 0 { creditDeadline = nil }
    }

    mutating func answer(
        _ opcode: Opcode, _ status: StatusCode?, _ returned: UnsafeRawBufferPointer, _ now: Int64
    ) {
        if foreign.takeAnswer(opcode, now) { return }
        guard let pending, pending.step.command.opcode == opcode, answeredTwice != opcode else {
            if answeredTwice == opcode { answeredTwice = nil }
            if opcode != .none { strayReplies += 1 }
            return
        }
        self.pending = nil
        answeredTwice = pending.sent > 1 ? opcode : nil
        guard let status else { return fail(.malformedReply(opcode)) }
        if pending.step.accepts(status) {
            identity.learn(pending.step, returned)
            state.confirm(pending.step, returned)
            switch pending.step {
            case .scan(true, _), .advertise(true, _): isProven = true
            default: break
            }
        } else if refusesCoded(pending.step, status) {
            state.refusesCoded = true
        } else if let set = otherSet(pending.step, status) {
            actions.append(.noted(.changedCommands(to: set, opcode, status)))
            preferred = set
            return begin(now)
        } else if pending.step.isEssential {
            return fail(.refused(opcode, status))
        } else if pending.planned == plan.advertise {
            // Else it is the refusal of a plan that nobody has any more.
            state.refuse(pending.step, status)
            switch pending.step {
            case .setRandomAddress, .setSetAddress: if state.keepsAddress { note(.addressKept(status)) }
            default: break
            }
        }
        state.forget(pending.disturbance)
        if !identity.isLowEnergy { fail(.notLowEnergy) }
    }

    /// Whether it is the coded PHY that a scan was refused for; there is still the other one.
    private func refusesCoded(_ step: SessionStep, _ status: StatusCode) -> Bool {
        guard case .scanParameters(let settings) = step, settings.isCoded else { return false }
        return status == .unsupportedFeature || status == .invalidParameters
    }

    /// The other set of commands, where a refusal shows that the chosen one does not work with this controller.
    ///
    /// There are controllers that claim extended commands and refuse them. And beside others it is their choice of
    /// commands that counts, which they may have made before us.
    private func otherSet(_ step: SessionStep, _ status: StatusCode) -> CommandSet? {
        guard let commandSet, !isProven, !tried.contains(commandSet.other), CommandSet(step.command.opcode) != nil
        else { return nil }
        switch commandSet {
        case .extended:
            let isMissing = [.unknownCommand, .commandDisallowed, .unsupportedFeature].contains(status)
            return isMissing ? .legacy : nil
        case .legacy:
            return access == .shared && status == .commandDisallowed && identity.claimsExtended ? .extended : nil
        }
    }

    /// Sends the next command if there is one and the controller takes it; says what has changed.
    mutating func advance(_ now: Int64) {
        guard phase != .idle, pending == nil else { return }
        if stopDeadline != nil {
            report(under: nil)
            if let step = state.nextStep(towards: nil, conduct) { send(step, now) } else { finish(isSilent: true) }
            return
        }
        if phase == .settingUp {
            if let step = nextSetUpStep() {
                // It stays in line where the controller takes no command now.
                if send(step, now) { setUp.removeLast() }
                return
            }
            phase = .running
            if let commandSet { actions.append(.ready(identity, commandSet)) }
        }
        noteWhatIsMissing()
        report(under: plan)
        armRotation(now)
        if let reassertion, now < reassertion { return }
        if let step = state.nextStep(towards: plan, conduct) { send(step, now) }
    }

    private mutating func nextSetUpStep() -> SessionStep? {
        if setUp.isEmpty && commandSet == nil {
            let set = chosenSet
            commandSet = set
            tried.insert(set)
            setUp = SessionStep.second(
                access, set, hasStates: identity.mayReadStates, randomAddress: conduct.address
            ).reversed()
        }
        return setUp.last
    }

    private var chosenSet: CommandSet {
        guard identity.claimsExtended else { return .legacy }
        return preferred ?? memory.commands(of: identity) ?? .extended
    }

    var conduct: Conduct {
        Conduct(
            commands: commandSet ?? preferred ?? .legacy, access: access, hasCodedPHY: identity.hasCodedPHY,
            mayReadPower: identity.mayReadPower, address: randomAddress)
    }

    @discardableResult
    mutating func send(_ step: SessionStep, _ now: Int64) -> Bool {
        guard credits > 0 else {
            if creditDeadline == nil { creditDeadline = now + ControllerSession.commandTimeout }
            return false
        }
        credits -= 1
        // From here on it is ours to switch off, whatever becomes of the answer.
        switch step {
        case .scan(true, _): state.ownsScan = true
        case .advertise(true, _): state.ownsAdvertising = true
        default: break
        }
        pending = Pending(
            step: step, planned: plan.advertise, since: now, sentAt: now,
            deadline: now + ControllerSession.commandTimeout)
        actions.append(.send(step.command.bytes))
        return true
    }

    mutating func sendAgain(_ now: Int64) {
        guard let pending else { return }
        self.pending?.sent += 1
        self.pending?.sentAt = now
        self.pending?.repetition = nil
        actions.append(.send(pending.step.command.bytes))
    }

    mutating func report(under plan: RadioPlan?) {
        if let advertising = state.advertisingState(under: plan, conduct), advertising != saidAdvertising {
            saidAdvertising = advertising
            actions.append(.advertising(advertising))
        }
        // On with parameters that were forgotten meanwhile is not known either.
        guard state.scan == .off || (state.scan == .on && state.scanSettings != nil) else { return }
        let scanning = state.scanState(conduct)
        if saidScanning != .some(scanning) {
            saidScanning = .some(scanning)
            actions.append(.scanning(scanning))
        }
    }

    private mutating func noteWhatIsMissing() {
        guard let commandSet else { return }
        if plan.scan?.coded == true && (commandSet == .legacy || !identity.hasCodedPHY || state.refusesCoded) {
            note(.codedMissing(commandSet))
        }
        if plan.advertise?.txPower != nil && commandSet == .legacy { note(.powerFixed) }
        if let scan = plan.scan, plan.advertise != nil, let states = identity.lowEnergyStates {
            let combination: LowEnergyStates =
                scan.active ? .advertisingAndActiveScanning : .advertisingAndPassiveScanning
            if !states.contains(combination) { note(.combinationMissing) }
        }
    }

    private mutating func note(_ note: SessionNote) {
        if saidNotes.insert(note).inserted { actions.append(.noted(note)) }
    }

    mutating func fail(_ failure: SessionFailure) {
        actions.append(.failed(failure))
        if stopDeadline != nil { finish() } else { rest() }
    }

    mutating func finish(isSilent: Bool = false) {
        self.isSilent = isSilent
        rest()
        stopDeadline = nil
        actions.append(.stopped)
    }
}

// The random address, and its rotation.
extension ControllerSession {
    /// The static random address of this moment.
    var randomAddress: DeviceAddress {
        guard addressNumber > 0 else { return ControllerSession.staticRandomAddress(entropy) }
        var random = SeededRandom(seed: entropy, stream: addressNumber)
        return ControllerSession.staticRandomAddress(random.next())
    }

    /// Two upper bits set, and of the others not all the same (Core Spec Vol 6 Part B 1.3.2.1).
    static func staticRandomAddress(_ entropy: UInt64) -> DeviceAddress {
        let mask: UInt64 = 0x3FFF_FFFF_FFFF
        let random = entropy & mask
        return DeviceAddress(0xC000_0000_0000 | (random == 0 || random == mask ? 1 : random), .random)
    }

    private mutating func armRotation(_ now: Int64) {
        guard rotation == nil, state.advertising == .on, let advertise = plan.advertise,
            advertise.address == .random, let interval = advertise.rotation
        else { return }
        let seconds = min(max(interval.components.seconds, 1), ControllerSession.longestRotation)
        rotation = now + seconds * 1_000_000_000
    }

    /// Seconds; far from overflow, and longer than any controller stays up.
    private static let longestRotation: Int64 = 1_000_000_000
}
