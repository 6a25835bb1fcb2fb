internal import Agent
internal import Beacon
internal import HCI
internal import Presence
internal import System

/// The radio as the loop sees it: a controller over a byte stream, held at a plan, found again when it is lost.
///
/// For one thread. What is heard goes to `sink` as it comes; what becomes of the controller is collected in `reports`.
final class RadioLink {
    /// What became of the radio since it was last looked at.
    var reports: [RadioReport] = []
    /// Adverts, scan responses and what was malformed.
    private(set) var adverts: UInt64 = 0
    private(set) var scanResponses: UInt64 = 0
    private(set) var malformed: UInt64 = 0
    /// How often the byte stream made no sense.
    private(set) var framingLosses: UInt64 = 0
    /// Whether a stop has been completed.
    private(set) var isStopped = false

    private var transport: StreamTransport?
    private var session: ControllerSession
    private var reader = AdvertisingReportReader()
    private var adapter: String
    private var recovery = Recovery()
    /// When to connect, or, where there is a connection, to start the session again.
    private var retryAt: Int64? = 0
    private var isStopping = false
    private var watched: Readiness = []

    init(_ tuning: RadioTuning, entropy: UInt64) {
        adapter = tuning.adapter
        session = ControllerSession(plan: RadioLink.plan(tuning), entropy: entropy)
    }

    /// Whether the controller does what was planned, so that nothing is waited for but adverts.
    var isSettled: Bool { transport?.isConnected == true && session.isSettled }

    /// Up to when the controller has shown that it is there and scans; nil while it does not.
    var provenUntil: Int64? { session.provenUntil }

    /// When `tick` is to be called.
    var nextDeadline: Int64? {
        switch (retryAt, session.nextDeadline) {
        case (let retry?, let deadline?): min(retry, deadline)
        case (let retry, let deadline): retry ?? deadline
        }
    }

    /// Changes what the radio is to do.
    func apply(_ tuning: RadioTuning, now: Int64) {
        if tuning.adapter != adapter {
            adapter = tuning.adapter
            perform(session.disconnected(), now)
            transport = nil
            retryAt = now
        }
        perform(session.apply(RadioLink.plan(tuning), now: now), now)
    }

    /// Asks for a sign of life: somebody's absence is to be judged.
    func prove(now: Int64) { perform(session.prove(now: now), now) }

    /// Begins to switch everything off; `isStopped` tells when that is done.
    func stop(now: Int64) {
        isStopping = true
        retryAt = nil
        if transport?.isConnected == true { perform(session.stop(now: now), now) } else { isStopped = true }
    }

    /// Lets time pass: tries to connect again, looks after commands that are not answered.
    func tick(now: Int64, poller: inout Poller, token: UInt64) {
        if let retryAt, now >= retryAt {
            if transport?.isConnected == true { begin(now) } else { connect(now, &poller, token) }
        }
        perform(session.tick(now: now), now)
        watch(&poller, token)
    }

    /// Does what the socket is ready for.
    func ready(_ seen: Readiness, now: Int64, poller: inout Poller, token: UInt64, sink: (Heard) -> Void) {
        guard let transport else { return }
        do throws(TransportFailure) {
            let wasConnected = transport.isConnected
            if seen.contains(.writable) || (!wasConnected && seen.contains(.closed)) { try transport.writable() }
            if !wasConnected && transport.isConnected { established(now) }
            if seen.contains(.readable) || seen.contains(.closed) {
                try transport.readable { kind, packet in
                    if kind == .event { take(packet, now, sink) }
                }
            }
            if transport.losses.framing > framingLosses {
                framingLosses = transport.losses.framing
                perform(session.framingLost(now: now), now)
            }
            watch(&poller, token)
        } catch {
            lost("the controller at \(adapter): \(error)", now)
        }
    }

    // MARK: - What comes in

    private func take(_ packet: UnsafeRawBufferPointer, _ now: Int64, _ sink: (Heard) -> Void) {
        let faults = reader.read(event: packet) { report, data in
            if report.isScanResponse { scanResponses += 1 } else { adverts += 1 }
            if !Heard.each(in: data, of: report, now: now, sink).isEmpty { malformed += 1 }
        }
        malformed += UInt64(faults.count)
        perform(session.handle(event: packet, now: now), now)
    }

    // MARK: - The connection

    private func connect(_ now: Int64, _ poller: inout Poller, _ token: UInt64) {
        retryAt = nil
        guard let address = StreamAddress(adapter) else {
            // Because the configuration is valid, this is one of ours that grew a new kind of adapter and not this.
            reports.append(.blind(cause: "no_adapter", text: "\(adapter) is no byte stream"))
            return
        }
        do throws(SystemError) {
            let transport = try StreamTransport(connectingTo: address)
            try poller.add(transport.descriptor, token: token, transport.interest)
            self.transport = transport
            watched = transport.interest
            if transport.isConnected { established(now) }
        } catch {
            lost("\(error)", now)
        }
    }

    private func established(_ now: Int64) {
        reader.forgetFragments()
        framingLosses = 0
        begin(now)
    }

    private func begin(_ now: Int64) {
        retryAt = nil
        if recovery.mayReset(now: now) {
            perform(session.start(now: now), now)
        } else {
            retryAt = recovery.failed(.refused, now: now, means: .reset).at
        }
    }

    private func lost(_ text: String, _ now: Int64) {
        // The kernel forgets a descriptor that is closed.
        transport = nil
        perform(session.disconnected(), now)
        reports.append(.blind(cause: "unreachable", text: text))
        if isStopping {
            isStopped = true
            return
        }
        retryAt = recovery.failed(.absent, now: now, means: .reset).at
    }

    private func watch(_ poller: inout Poller, _ token: UInt64) {
        guard let transport, transport.interest != watched else { return }
        do throws(SystemError) {
            try poller.change(transport.descriptor, token: token, transport.interest)
            watched = transport.interest
        } catch {
            reports.append(.blind(cause: "system", text: "\(error)"))
        }
    }

    // MARK: - The session

    private func perform(_ actions: [SessionAction], _ now: Int64) {
        for action in actions {
            switch action {
            case .send(let bytes):
                guard let transport else { continue }
                do throws(TransportFailure) {
                    // A full queue is a controller that reads nothing: the command times out, and the session says so.
                    _ = try transport.send(bytes)
                } catch {
                    // The next read on this connection fails as well, and is where it is given up.
                    reports.append(.blind(cause: "unreachable", text: "the controller at \(adapter): \(error)"))
                }
            case .ready, .noted: break
            case .scanning(let state):
                if state != nil {
                    recovery.scans(since: now)
                    reports.append(.listening)
                } else if !isStopping {
                    reports.append(.paused)
                }
            case .advertising(let state): reports.append(.advertising(AirState(state)))
            case .failed(let failure):
                let cause = RecoveryCause(failure)
                reports.append(.blind(cause: cause.rawValue, text: "\(failure)"))
                if !isStopping { retryAt = recovery.failed(cause, now: now, means: .reset).at }
            case .stopped: isStopped = true
            }
        }
    }

    private static func plan(_ tuning: RadioTuning) -> RadioPlan {
        RadioPlan(
            scan: ScanPlan(interval: tuning.scanInterval, window: tuning.scanWindow, active: tuning.activeScan),
            advertise: tuning.advertising.flatMap { advertising in
                // Because an iBeacon is 30 bytes, it fits.
                AdvertisePlan(
                    data: advertising.data, interval: advertising.interval,
                    address: advertising.randomAddress ? .random : .public)
            })
    }
}

extension AirState {
    init(_ state: HCI.AdvertisingState) {
        switch state {
        case .off: self = .off
        case .onAir(let data, _): self = .onAir(data: data)
        case .refused(_, let status, _): self = .refused(code: status.rawValue)
        case .unsupported: self = .unsupported
        }
    }
}
