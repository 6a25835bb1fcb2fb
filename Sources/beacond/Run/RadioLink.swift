internal import Agent
internal import Beacon
internal import HCI
internal import Presence
internal import System

/// The radio as the loop sees it: the controller that listens, and the one that advertises where that is another one.
///
/// For one thread. What is heard goes to `sink` as it comes; what becomes of the controllers is collected in `reports`.
final class RadioLink {
    /// What became of the radio since it was last looked at.
    var reports: [RadioReport] = []
    /// Which commands controllers take, in the form in which it is kept, where that has changed since it was last looked
    /// at.
    var learned: String?
    /// Adverts, scan responses and what was malformed.
    private(set) var adverts: UInt64 = 0
    private(set) var scanResponses: UInt64 = 0
    private var malformedData: UInt64 = 0
    /// What was lost on the way from controllers that are no longer used.
    private var lostBefore: UInt64 = 0

    private let host: any BluetoothHost
    private let entropy: UInt64
    /// Whether anything is to be on air.
    private var isAdvertising: Bool
    private let scanner: ControllerLink
    /// What advertises, where it is not the scanner.
    private var sender: ControllerLink?
    private var watched = Watched()
    private var watchedSender = Watched()

    /// What the poller was told of a link.
    private struct Watched {
        var openings: UInt64 = 0
        var interest: Readiness = []
    }

    /// Set in the token of the link that advertises, where that is another one.
    private static let senderBit: UInt64 = 1 << 32

    init(_ tuning: RadioTuning, entropy: UInt64, host: any BluetoothHost, memory: String = "") {
        self.host = host
        self.entropy = entropy
        let roles = Roles(tuning)
        isAdvertising = tuning.advertising != nil
        scanner = ControllerLink(
            roles.scanner.setting, plan: roles.scanner.plan, host: host, entropy: entropy,
            memory: ControllerMemory(text: memory))
        sender = roles.sender.map { sender(for: $0) }
    }

    /// Every packet of the controller that listens, in both directions, where somebody wants to see them all.
    var tap: ((H4Kind, UnsafeRawBufferPointer, CaptureDirection) -> Void)? {
        get { scanner.tap }
        set { scanner.tap = newValue }
    }

    /// What the controller that listens says of itself, once it was asked.
    var identity: ControllerIdentity { scanner.identity }

    /// "hci0", or the address of a stream; what was asked for while there is no controller.
    var name: String { scanner.name }

    /// Reports and advertising data that could not be read.
    var malformed: UInt64 { malformedData + scanner.malformed }

    /// What was lost on the way from the controllers: packets, and how often a byte stream made no sense.
    var lost: UInt64 { lostBefore + scanner.losses.sum + (sender?.losses.sum ?? 0) }

    /// Whether a stop has been completed.
    var isStopped: Bool { scanner.isStopped && sender?.isStopped ?? true }

    /// Whether the controllers have confirmed that they are silent, or there were none.
    var isSilent: Bool { scanner.isSilent && sender?.isSilent ?? true }

    /// Whether nothing is waited for but adverts: the controllers do what was planned, or nobody talks to them.
    var isSettled: Bool { scanner.isSettled && sender?.isSettled ?? true }

    /// Up to when the controller has shown that it is there and hears; nil while it does not scan.
    var provenUntil: Int64? { scanner.provenUntil }

    /// When `tick` is to be called.
    var nextDeadline: Int64? { [scanner.nextDeadline, sender?.nextDeadline].compactMap { $0 }.min() }

    /// Brings what became of the controllers into `reports`; for a sink that must know it before what is heard next.
    var hasNews: Bool {
        if !scanner.reports.isEmpty { collect() }
        return !reports.isEmpty
    }

    /// Changes what the radio is to do.
    func apply(_ tuning: RadioTuning, now: Int64) {
        let roles = Roles(tuning)
        isAdvertising = tuning.advertising != nil
        scanner.apply(roles.scanner.setting, roles.scanner.plan, now: now)
        switch (sender, roles.sender) {
        case (let sender?, let role?): sender.apply(role.setting, role.plan, now: now)
        case (nil, let role?): sender = sender(for: role)
        case (let old?, nil):
            // It is told to be silent and not waited for: what it says from now on concerns nobody.
            old.stop(now: now)
            old.close(now: now)
            lostBefore += old.losses.sum
            sender = nil
            watchedSender = Watched()
        case (nil, nil): break
        }
        collect()
    }

    /// Asks for a sign of life if there has been none up to `due`: somebody's absence is to be judged.
    func prove(until due: Int64, now: Int64) { scanner.prove(until: due, now: now) }

    /// Begins to switch everything off; `isStopped` tells when that is done.
    func stop(now: Int64) {
        scanner.stop(now: now)
        sender?.stop(now: now)
        collect()
    }

    /// Lets time pass: tries to open again, looks after commands that are not answered.
    func tick(now: Int64) {
        scanner.tick(now: now)
        sender?.tick(now: now)
        collect()
    }

    /// Lets time pass, and has the poller watch what is to be watched from now on.
    func tick(now: Int64, poller: inout Poller, token: UInt64) {
        tick(now: now)
        watch(scanner, &watched, &poller, token)
        if let sender { watch(sender, &watchedSender, &poller, token | Self.senderBit) }
    }

    /// Does what a descriptor is ready for; `token` is the one that the poller gave.
    func ready(_ seen: Readiness, now: Int64, token: UInt64, sink: (Heard) -> Void) {
        ready(seen, now: now, token: token) { heard, _ in sink(heard) }
    }

    /// The same for somebody who wants to know what the advert was in which it was heard.
    func ready(_ seen: Readiness, now: Int64, token: UInt64, sink: (Heard, AdvertisingReport) -> Void) {
        let link = token & Self.senderBit == 0 ? scanner : sender
        link?.ready(seen, now: now) { report, data in
            if report.isScanResponse { scanResponses += 1 } else { adverts += 1 }
            if !Heard.each(in: data, of: report, now: now, { sink($0, report) }).isEmpty { malformedData += 1 }
        }
        collect()
    }

    private func sender(for role: Role) -> ControllerLink {
        ControllerLink(role.setting, plan: role.plan, host: host, entropy: ~entropy, memory: scanner.memory)
    }

    private func watch(
        _ link: ControllerLink, _ watched: inout Watched, _ poller: inout Poller, _ token: UInt64
    ) {
        guard let descriptor = link.descriptor else { return }
        let interest = link.interest
        do throws(SystemError) {
            if watched.openings != link.openings {
                try poller.add(descriptor, token: token, interest)
            } else if watched.interest != interest {
                try poller.change(descriptor, token: token, interest)
            }
            watched = Watched(openings: link.openings, interest: interest)
        } catch {
            reports.append(.blind(.unknown, cause: "system", text: "\(error)"))
        }
    }
}

// What becomes of the links, in the agent's words.
extension RadioLink {
    private func collect() {
        if !scanner.reports.isEmpty {
            for report in scanner.reports { tell(report) }
            scanner.reports.removeAll(keepingCapacity: true)
        }
        guard let sender, !sender.reports.isEmpty else { return }
        for report in sender.reports { tellOfSender(report) }
        sender.reports.removeAll(keepingCapacity: true)
    }

    private func tell(_ report: LinkReport) {
        switch report {
        case .listening(let details): reports.append(.listening(Listening(details)))
        case .paused: reports.append(.paused)
        case .blind(let trouble):
            reports.append(.blind(trouble.state, cause: trouble.cause, text: "\(trouble)"))
            // One that is deaf does what it is told, and has said that it is on air.
            if case .deaf = trouble { break }
            if sender == nil, isAdvertising { reports.append(.advertising(.unknown)) }
        case .recovering(let step, let cause, let text):
            reports.append(.recovering(step: step.rawValue, cause: cause, text: text))
        case .missed(let nanoseconds): reports.append(.missed(Span(nanoseconds: nanoseconds)))
        case .advertising(let state):
            // Of a controller that only listens nothing else is to be said.
            if sender == nil { reports.append(.advertising(AirState(state))) }
        case .filtered(let isFiltered): reports.append(.filtered(isFiltered))
        case .noted(let text): reports.append(.noted(text))
        case .learned(let memory): learned = memory.text
        }
    }

    /// A node whose advertising adapter is in trouble still listens.
    private func tellOfSender(_ report: LinkReport) {
        switch report {
        case .advertising(let state): reports.append(.advertising(AirState(state)))
        case .blind(let trouble):
            reports.append(.advertising(.unknown))
            reports.append(.noted("advertising: \(trouble)"))
        case .recovering(_, _, let text), .noted(let text): reports.append(.noted("advertising: \(text)"))
        case .listening, .paused, .missed, .filtered, .learned: break
        }
    }
}

extension TransportLosses {
    /// All of them, as one number for health.
    fileprivate var sum: UInt64 { framing + packets }
}

extension LinkTrouble {
    /// The trouble as one of Core Bluetooth's manager states.
    fileprivate var state: RadioState {
        switch self {
        case .adapter(.noBluetooth), .adapter(.missing), .adapter(.noOther), .controller(_, .notLowEnergy):
            .unsupported
        case .adapter(.unauthorized): .unauthorized
        case .adapter(.blocked), .adapter(.powerFailed): .poweredOff
        case .adapter(.busy): .unknown
        case .adapter, .way, .controller, .lasting, .spared, .deaf: .resetting
        }
    }
}

extension Listening {
    fileprivate init(_ details: LinkDetails) {
        self.init(
            adapter: details.name, address: details.address.map { "\($0)" }, access: details.access?.rawValue,
            commands: details.commands.rawValue, phys: details.phys.map { "\($0)" })
    }
}

extension AirState {
    fileprivate init(_ state: HCI.AdvertisingState) {
        switch state {
        case .off: self = .off
        case .onAir(let data, let txPower): self = .onAir(data: data, txPower: txPower)
        case .refused(_, let status, _): self = .refused(code: status.rawValue)
        case .unsupported: self = .unsupported
        }
    }
}
