public import System

/// One controller held at a plan: found, opened, set up, listened to, and brought back whenever it is lost.
///
/// For one thread and somebody else's `Poller`. It knows no clock: `now` is monotonic nanoseconds, never less than
/// before. The owner watches `descriptor` for `interest`, calls `ready` and, at `nextDeadline`, `tick`, and takes the
/// `reports`.
public final class ControllerLink {
    /// What is done next without being asked.
    private enum Errand: Equatable {
        /// Find and open the controller.
        case open
        /// Set the controller up.
        case start
        case recover(Recovery.Step, cause: String, text: String)
    }

    /// What became of the controller since it was last looked at.
    public var reports: [LinkReport] = []
    /// Called with every packet in both directions, without its type byte, where somebody wants to see them all.
    public var tap: ((H4Kind, UnsafeRawBufferPointer, CaptureDirection) -> Void)?
    /// What was lost on the way from the controller so far, over all connections.
    public private(set) var losses = TransportLosses()
    /// Reports that could not be read.
    public private(set) var malformed: UInt64 = 0
    /// Which commands controllers have been found to take.
    public private(set) var memory: ControllerMemory
    /// Whether a stop has been completed.
    public private(set) var isStopped = false
    /// How many ways have been opened: with another number `descriptor` is another one, although it may be the same.
    public private(set) var openings: UInt64 = 0

    private let host: any BluetoothHost
    private let entropy: UInt64
    private var setting: LinkSetting
    private var plan: RadioPlan
    private var session: ControllerSession
    private var way: ReachedController?
    private var reader = AdvertisingReportReader()
    private var recovery = Recovery()
    private var air = AirWatch()
    private var duplicates = DuplicateWatch()
    private var errand: (Errand, at: Int64)?
    /// Adapters that failed although everything was tried, the last one at the end.
    private var passedOver: [DeviceAddress] = []
    /// What `transport.losses` was when it was last looked at.
    private var seenLosses = TransportLosses()
    private var isStopping = false
    /// The notes that were said: each of them is said once.
    private var saidNotes: Set<String> = []
    private var saidTrouble: LinkTrouble?
    /// Why the way has ended, where that was noticed in the middle of something.
    private var broken: TransportFailure?
    /// How it listens, as it was said last.
    private var details: LinkDetails?
    /// What was done last about the present silence.
    private var doubted: AirAction?

    /// A link that begins with its first `tick`. Of `entropy` random addresses are made.
    public init(
        _ setting: LinkSetting, plan: RadioPlan, host: any BluetoothHost, entropy: UInt64,
        memory: ControllerMemory = ControllerMemory()
    ) {
        self.setting = setting
        self.plan = plan
        self.host = host
        self.entropy = entropy
        self.memory = memory
        session = ControllerSession(plan: plan, entropy: entropy)
        errand = (.open, at: 0)
    }

    /// The number to register with a `Poller`, nil while there is no way to a controller.
    public var descriptor: Int32? { way?.transport.descriptor }

    /// What to watch `descriptor` for.
    public var interest: Readiness { way?.transport.interest ?? [] }

    /// Whether the controller does what was planned, so that nothing is waited for but adverts.
    public var isSettled: Bool { way?.transport.isConnected == true && session.isSettled }

    /// Up to when absence can be judged: the controller has shown that it is there and scans, and that it hears at all.
    /// nil while it does not scan.
    public var provenUntil: Int64? {
        guard let proven = session.provenUntil else { return nil }
        return air.provenUntil.map { min($0, proven) } ?? proven
    }

    /// When `tick` is to be called, nil while nothing is waited for.
    public var nextDeadline: Int64? {
        [errand?.at, session.nextDeadline, air.nextDeadline].compactMap { $0 }.min()
    }

    /// Whether the controller can be talked to.
    public var isConnected: Bool { way?.transport.isConnected == true }

    /// "hci0", or the address of a stream; what was asked for while there is no controller.
    public var name: String { way?.adapter?.name ?? "\(setting.choice)" }

    /// What the controller says of itself, once it was asked.
    public var identity: ControllerIdentity { session.identity }

    // MARK: - What the owner wants

    /// Changes which controller is used, and for what.
    public func apply(_ setting: LinkSetting, _ plan: RadioPlan, now: Int64) {
        self.plan = plan
        if setting != self.setting {
            leave(now)
            self.setting = setting
            recovery = Recovery()
            passedOver = []
            errand = isStopping ? nil : (.open, at: now)
        }
        perform(session.apply(plan, now: now), now)
    }

    /// Asks for a sign of life if there has been none up to `due`: somebody's absence is to be judged.
    public func prove(until due: Int64, now: Int64) {
        // Where all is silent a sign of life is no proof, and asking for one again and again would change nothing.
        if let proven = session.provenUntil, proven < due { perform(session.prove(now: now), now) }
    }

    /// Begins to switch everything off; `isStopped` tells when that is done.
    public func stop(now: Int64) {
        isStopping = true
        errand = nil
        if isConnected { perform(session.stop(now: now), now) } else { isStopped = true }
    }

    /// Lets go of the controller at once; for an owner that ends.
    public func close(now: Int64) { leave(now) }

    // MARK: - What happens

    /// Lets time pass.
    public func tick(now: Int64) {
        if let (task, at) = errand, now >= at {
            errand = nil
            run(task, now)
        }
        perform(session.tick(now: now), now)
        if let action = air.tick(now: now) { doubt(action, now) }
        leaveBroken(now)
    }

    /// Does what the poller says that the way is ready for. Each advert goes to `sink` with its data, which is valid
    /// during the call only.
    public func ready(_ seen: Readiness, now: Int64, _ sink: (AdvertisingReport, UnsafeRawBufferPointer) -> Void) {
        guard let transport = way?.transport else { return }
        do throws(TransportFailure) {
            let wasConnected = transport.isConnected
            if seen.contains(.writable) || (!wasConnected && seen.contains(.closed)) { try transport.writable() }
            if !wasConnected && transport.isConnected { established(now) }
            if seen.contains(.readable) || seen.contains(.closed) {
                try transport.readable { kind, packet in take(kind, packet, now, sink) }
            }
            look(at: transport, now)
            leaveBroken(now)
        } catch {
            lost(error, now)
        }
    }

    private func take(
        _ kind: H4Kind, _ packet: UnsafeRawBufferPointer, _ now: Int64,
        _ sink: (AdvertisingReport, UnsafeRawBufferPointer) -> Void
    ) {
        tap?(kind, packet, kind == .command ? .sent : .received)
        switch kind {
        case .event:
            let faults = reader.read(event: packet) { report, data in
                // Empty ones have been seen from controllers that were deaf (home-assistant/core, PR 77043).
                if !data.isEmpty { heard(report, now) }
                sink(report, data)
            }
            malformed += UInt64(faults.count)
            if faults.count > 0 { air.garbled(now: now) }
            perform(session.handle(event: packet, now: now), now)
        case .command:
            // Of another program, or of the kernel, at the same controller.
            perform(session.observe(command: packet, now: now), now)
        case .acl, .sco, .iso: break
        }
    }

    private func heard(_ report: AdvertisingReport, _ now: Int64) {
        let sender = report.address.bits
        if let deaf = air.heard(sender, now: now) { wasDeaf(deaf) }
        if duplicates.heard(sender, now: now) {
            perform(session.restartScan(now: now), now)
            note(
                "\(name): most beacons are heard once in about ten seconds, as if the controller or another program "
                    + "filtered duplicates; intervals and distances will be poor")
        }
    }

    /// Looks whether something was lost on the way; then the answer that is waited for may be among it.
    private func look(at transport: any ControllerTransport, _ now: Int64) {
        let seen = transport.losses
        guard seen != seenLosses else { return }
        let (framing, packets) = (seen.framing &- seenLosses.framing, seen.packets &- seenLosses.packets)
        seenLosses = seen
        losses.framing += framing
        losses.packets += packets
        if framing > 0 { perform(session.framingLost(now: now), now) }
        if packets > 0 {
            reader.forgetFragments()
            perform(session.packetsLost(now: now), now)
        }
    }
}

// The way to the controller.
extension ControllerLink {
    private func open(_ now: Int64) {
        do throws(AdapterProblem) {
            let search = AdapterSearch(host: host, setting: setting)
            let reached = try search.reach(passedOver: passedOver)
            way = reached
            openings += 1
            seenLosses = reached.transport.losses
            session = ControllerSession(
                plan: plan, access: reached.access ?? .exclusive, entropy: entropy, memory: memory)
            if let text = reached.note { note(text) }
            if reached.transport.isConnected { established(now) }
        } catch {
            trouble(.adapter(error))
            retry(.absent, now)
        }
    }

    private func established(_ now: Int64) {
        reader.forgetFragments()
        start(now)
    }

    /// Sets the controller up, from Reset where it is ours alone; not more often than the budget allows.
    private func start(_ now: Int64) {
        guard way?.access == .shared || recovery.mayReset(now: now) else {
            errand = (.start, at: recovery.nextReset(now: now))
            return
        }
        perform(session.start(now: now), now)
    }

    private func lost(_ failure: TransportFailure, _ now: Int64) {
        let trouble = LinkTrouble.way(name: name, failure)
        leave(now)
        self.trouble(trouble)
        if isStopping {
            isStopped = true
        } else {
            retry(.lost, now)
        }
    }

    private func leaveBroken(_ now: Int64) {
        if let broken { lost(broken, now) }
    }

    /// Lets go of the way; the kernel forgets a descriptor that is closed.
    private func leave(_ now: Int64) {
        way = nil
        broken = nil
        perform(session.disconnected(), now)
        air.scanning(since: nil)
        errand = nil
    }

    private func retry(_ cause: RecoveryCause, _ now: Int64) {
        // Whatever step it is, it begins with a way.
        errand = (.open, at: recovery.failed(cause, now: now, means: []).at)
    }

    private func trouble(_ trouble: LinkTrouble) {
        guard trouble != saidTrouble else { return }
        saidTrouble = trouble
        reports.append(.blind(trouble))
    }

    private func note(_ text: String) {
        // As many as there are kinds of notes and adapters, which is few.
        if saidNotes.insert(text).inserted { reports.append(.noted(text)) }
    }
}

// Bringing the controller back.
extension ControllerLink {
    private func run(_ task: Errand, _ now: Int64) {
        switch task {
        case .open: open(now)
        case .start: start(now)
        case .recover(let step, let cause, let text):
            reports.append(.recovering(step, cause: cause, text: "\(text); \(words(step))"))
            recover(step, now)
        }
    }

    private func recover(_ step: Recovery.Step, _ now: Int64) {
        let (adapter, access) = (way?.adapter, way?.access)
        switch step {
        case .restartScan: perform(session.restartScan(now: now), now)
        case .reset: start(now)
        case .powerCycle, .reprobe, .nextAdapter:
            leave(now)
            do throws(AdapterProblem) {
                if let adapter {
                    switch step {
                    case .powerCycle: try host.powerCycle(adapter, for: access ?? .exclusive)
                    case .reprobe: try host.reprobe(adapter)
                    default: passOver(adapter.address)
                    }
                }
                open(now)
            } catch {
                trouble(.adapter(error))
                retry(.absent, now)
            }
        }
    }

    private func passOver(_ address: DeviceAddress) {
        passedOver.removeAll { $0 == address }
        passedOver.append(address)
        if passedOver.count > 16 { passedOver.removeFirst() }
    }

    private func words(_ step: Recovery.Step) -> String {
        switch step {
        case .restartScan: "restarting the scan"
        case .reset: way?.access == .shared ? "setting it up again" : "resetting it"
        case .powerCycle: way?.adapter == nil ? "connecting anew" : "taking it down and up"
        case .reprobe: "taking it from its driver and giving it back"
        case .nextAdapter: "trying the next adapter"
        }
    }

    private var means: Recovery.Means {
        var means: Recovery.Means = [.reset, .powerCycle]
        guard let adapter = way?.adapter else { return means }
        switch adapter.bus {
        case .usb, .uart, .sdio: means.insert(.reprobe)
        case .virtual, .other: break
        }
        if case .any = setting.choice, AdapterSearch(host: host, setting: setting).count > 1 {
            means.insert(.nextAdapter)
        }
        return means
    }

    private func failed(_ failure: SessionFailure, _ now: Int64) {
        let trouble = LinkTrouble.controller(name: name, failure)
        self.trouble(trouble)
        air.scanning(since: nil)
        if isStopping { return }
        let (step, at) = recovery.failed(RecoveryCause(failure), now: now, means: means)
        if recovery.isExhausted { self.trouble(.lasting(name: name, failure, pause: at - now)) }
        errand = (.recover(step, cause: trouble.cause, text: "\(trouble)"), at: at)
    }

    /// Everything is silent at once, which a store seldom is.
    private func doubt(_ action: AirAction, _ now: Int64) {
        let text = "\(name): nothing at all is heard any more, since one moment"
        switch action {
        case .restartScan:
            // Nothing is said of it unless it helps: a store that is closed is silent too.
            doubted = .restartScan
            duplicates.restarted()
            recover(.restartScan, now)
        case .reset, .powerCycle:
            doubted = action
            let step: Recovery.Step = action == .reset && way?.access != .shared ? .reset : .powerCycle
            reports.append(.recovering(step, cause: "silence", text: "\(text); \(words(step))"))
            recover(step, now)
        case .deaf:
            doubted = .deaf
            guard means.contains(.nextAdapter) else { return trouble(.deaf(name: name)) }
            reports.append(
                .recovering(.nextAdapter, cause: "silence", text: "\(text); \(words(.nextAdapter))"))
            recover(.nextAdapter, now)
        case .believe: doubted = nil
        }
    }

    /// It hears again after a silence that was doubted.
    private func wasDeaf(_ span: AirWatch.BlindSpan) {
        defer { doubted = nil }
        guard let details, let doubted else { return }
        if doubted == .restartScan {
            let seconds = (span.to - span.from) / 1_000_000_000
            let text =
                "\(name): the scan had stopped by itself, and was restarted after \(seconds) s of hearing nothing"
            reports.append(.recovering(.restartScan, cause: "silence", text: text))
        }
        saidTrouble = nil
        reports.append(.listening(details))
    }

    private func perform(_ actions: [SessionAction], _ now: Int64) {
        for action in actions {
            switch action {
            case .send(let packet): send(packet, now)
            case .ready: break
            case .scanning(let scan): scanning(scan, now)
            case .advertising(let state): advertising(state, now)
            case .failed(let failure): failed(failure, now)
            case .noted(let note): self.note("\(name): \(note)")
            case .stopped: isStopped = true
            }
        }
    }

    private func send(_ packet: [UInt8], _ now: Int64) {
        guard let transport = way?.transport else { return }
        if let tap { packet.withUnsafeBytes { tap(.command, UnsafeRawBufferPointer(rebasing: $0[1...]), .sent) } }
        do throws(TransportFailure) {
            // A full queue is a controller that reads nothing: the command times out, and the session says so.
            _ = try transport.send(packet)
        } catch {
            // Not here, in the middle of what the session wants done: the next turn lets go of it.
            broken = error
        }
    }

    private func scanning(_ scan: ScanState?, _ now: Int64) {
        air.scanning(since: scan == nil ? nil : now)
        guard let scan else {
            if !isStopping { reports.append(.paused) }
            return
        }
        works(now)
        let details = LinkDetails(
            name: name, address: session.identity.address ?? way?.adapter?.address, access: way?.access,
            commands: scan.commands, phys: scan.phys)
        self.details = details
        reports.append(.listening(details))
    }

    private func advertising(_ state: AdvertisingState, _ now: Int64) {
        // An adapter that is not to listen works when it sends.
        if case .onAir = state, plan.scan == nil { works(now) }
        reports.append(.advertising(state))
    }

    /// The controller does what it is there for.
    private func works(_ now: Int64) {
        recovery.scans(since: now)
        saidTrouble = nil
        // Where it claims nothing else there is no choice to be remembered.
        guard let commands = session.commandSet, session.identity.claimsExtended else { return }
        if memory.learn(commands, of: session.identity) { reports.append(.learned(memory)) }
    }
}
