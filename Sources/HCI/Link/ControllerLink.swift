public import System

/// One controller held at a plan: found, opened, set up, listened to, and brought back whenever it is lost.
///
/// For one thread and somebody else's `Poller`. It knows no clock: `now` is monotonic nanoseconds, never less than
/// before. The owner watches `descriptor` for `interest`, calls `ready` and, at `nextDeadline`, `tick`, and takes the
/// `reports`.
public final class ControllerLink {
    /// What is done next without being asked.
    enum Errand: Equatable {
        /// Find and open the controller.
        case open
        /// Set the controller up.
        case start
        case recover(Recovery.Step, cause: String)
    }

    /// What became of the controller since it was last looked at.
    public var reports: [LinkReport] = []
    /// Called with every packet in both directions, without its type byte, where somebody wants to see them all.
    public var tap: ((H4Kind, UnsafeRawBufferPointer, CaptureDirection) -> Void)?
    /// What was lost on the way from the controller so far, over all connections.
    public internal(set) var losses = TransportLosses()
    /// Reports that could not be read.
    public internal(set) var malformed: UInt64 = 0
    /// Which commands controllers have been found to take.
    public internal(set) var memory: ControllerMemory
    /// Whether a stop has been completed.
    public internal(set) var isStopped = false
    /// Whether the stop has been confirmed by the controller, or there was none to be stopped.
    public internal(set) var isSilent = false
    /// How many ways have been opened: with another number `descriptor` is another one, although it may be the same.
    public internal(set) var openings: UInt64 = 0

    let host: any BluetoothHost
    let entropy: UInt64
    var setting: LinkSetting
    var plan: RadioPlan
    var session: ControllerSession
    var way: ReachedController?
    var reader = AdvertisingReportReader()
    var recovery = Recovery()
    var air = AirWatch()
    var duplicates = DuplicateWatch()
    var errand: (Errand, at: Int64)?
    /// Adapters that failed although everything was tried, the last one at the end.
    var passedOver: [DeviceAddress] = []
    /// What `transport.losses` was when it was last looked at.
    var seenLosses = TransportLosses()
    var isStopping = false
    /// More notes than that are not said: there are few kinds of them, but a controller may refuse in many ways.
    static let noteLimit = 64
    /// The notes that were said: each of them is said once.
    var saidNotes: Set<String> = []
    var saidTrouble: LinkTrouble?
    /// Why the way has ended, where that was noticed in the middle of something.
    var broken: TransportFailure?
    /// How it listens, as it was said last.
    var details: LinkDetails?
    /// How often in a row the adapter was still being set up by the kernel.
    var startings = 0
    /// So often it is waited for, some ten seconds in all; then it is shared with the kernel. One whose set-up has failed
    /// once is kept from those who want it alone until it is plugged in again, and not from those who share it.
    static let patience = 4
    /// What was done last about the present silence.
    var doubted: AirAction?

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

    /// Whether nothing is waited for but adverts: the controller does what was planned, or nobody talks to it.
    public var isSettled: Bool {
        guard let transport = way?.transport else { return true }
        return transport.isConnected && (session.isSettled || session.phase == .idle)
    }

    /// Up to when absence can be judged: the controller has shown that it is there and scans, and that it hears at all.
    /// nil while it does not scan.
    public var provenUntil: Int64? {
        guard let proven = session.provenUntil else { return nil }
        return air.provenUntil.map { min($0, proven) } ?? proven
    }

    /// When `tick` is to be called, nil while nothing is waited for.
    public var nextDeadline: Int64? {
        [errand?.at, session.nextDeadline, isStopping ? nil : air.nextDeadline].compactMap { $0 }.min()
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
            // What was found out about the one adapter says nothing of the other.
            recovery = Recovery()
            air = AirWatch()
            doubted = nil
            startings = 0
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
        if isConnected {
            perform(session.stop(now: now), now)
        } else {
            isStopped = true
            isSilent = true
        }
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
        // The silence of what is to be silent is no fault.
        if !isStopping, let action = air.tick(now: now) { doubt(action, now) }
        leaveBroken(now)
    }

    /// Does what the poller says that the way is ready for. Each advert goes to `sink` with its data, which is valid
    /// during the call only.
    public func ready(_ seen: Readiness, now: Int64, _ sink: (AdvertisingReport, UnsafeRawBufferPointer) -> Void) {
        guard let transport = way?.transport else { return }
        do throws(TransportFailure) {
            let wasConnected = transport.isConnected
            if seen.contains(.writable) || (!wasConnected && seen.contains(.closed)) { try transport.writable() }
            if !wasConnected && transport.isConnected { start(now) }
            if seen.contains(.readable) || seen.contains(.closed) {
                try transport.readable { kind, packet in take(kind, packet, now, sink) }
            }
            look(at: transport, now)
            leaveBroken(now)
        } catch {
            lost(error, now)
        }
    }

    func take(
        _ kind: H4Kind, _ packet: UnsafeRawBufferPointer, _ now: Int64,
        _ sink: (AdvertisingReport, UnsafeRawBufferPointer) -> Void
    ) {
        tap?(kind, packet, kind == .command ? .sent : .received)
        switch kind {
        case .event:
            let faults = reader.read(event: packet) { report, data in
                // Empty ones have been seen from controllers that were deaf (home-assistant/core, PR 77043).
                if !data.isEmpty { heard(report, now) }
                if !air.isGarbled { sink(report, data) }
            }
            malformed += UInt64(faults.count)
            // Of the other faults a sender may be the cause.
            if faults.cutShort > 0 { air.garbled() }
            perform(session.handle(event: packet, now: now), now)
        case .command:
            // Of another program, or of the kernel, at the same controller.
            perform(session.observe(command: packet, now: now), now)
        case .acl, .sco, .iso: break
        }
    }

    func heard(_ report: AdvertisingReport, _ now: Int64) {
        let sender = report.address.bits
        if let deaf = air.heard(sender, now: now) { wasDeaf(deaf) }
        if duplicates.heard(sender, now: now) { filtered(duplicates.isFiltered, now) }
    }

    /// It looks as if somebody filtered duplicates, or no longer so.
    func filtered(_ isFiltered: Bool, _ now: Int64) {
        reports.append(.filtered(isFiltered))
        guard isFiltered else { return }
        // Which switches a filter off that somebody else has switched on.
        perform(session.restartScan(now: now), now)
        note(
            "\(name): most beacons are heard once in about ten seconds, as if the controller or another program "
                + "filtered duplicates; exits take half a minute, intervals and distances will be poor")
    }

    /// Looks whether something was lost on the way; then the answer that is waited for may be among it.
    func look(at transport: any ControllerTransport, _ now: Int64) {
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
