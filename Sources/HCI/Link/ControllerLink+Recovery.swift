// Bringing the controller back.
extension ControllerLink {
    func run(_ task: Errand, _ now: Int64) {
        switch task {
        case .open: open(now)
        case .start: start(now)
        case .recover(let step, let cause):
            reports.append(.recovering(step, cause: cause, text: "\(name): \(words(step))"))
            recover(step, now)
        }
    }

    func recover(_ step: Recovery.Step, _ now: Int64) {
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

    func passOver(_ address: DeviceAddress) {
        passedOver.removeAll { $0 == address }
        passedOver.append(address)
        if passedOver.count > 16 { passedOver.removeFirst() }
    }

    func words(_ step: Recovery.Step) -> String {
        switch step {
        case .restartScan: "restarting the scan"
        case .reset: way?.access == .shared ? "setting it up again" : "resetting it"
        case .powerCycle: way?.adapter == nil ? "connecting anew" : "taking it down and up"
        case .reprobe: "taking it from its driver and giving it back"
        case .nextAdapter: "trying the next adapter"
        }
    }

    var means: Recovery.Means {
        var means: Recovery.Means = [.reset, .powerCycle]
        guard let adapter = way?.adapter else { return means }
        if host.isReprobable(adapter) { means.insert(.reprobe) }
        if case .any = setting.choice, AdapterSearch(host: host, setting: setting, sharesStarting: false).count > 1
        {
            means.insert(.nextAdapter)
        }
        return means
    }

    func failed(_ failure: SessionFailure, _ now: Int64) {
        let trouble = LinkTrouble.controller(name: name, failure)
        air.scanning(since: nil)
        if isStopping { return self.trouble(trouble) }
        let (step, at) = recovery.failed(RecoveryCause(failure), now: now, means: means)
        self.trouble(recovery.isExhausted ? .lasting(name: name, failure, pause: at - now) : trouble)
        errand = (.recover(step, cause: trouble.cause), at: at)
    }

    /// Everything is silent at once, which a store seldom is.
    func doubt(_ action: AirAction, _ now: Int64) {
        let text = "\(name): nothing at all is heard any more, since one moment"
        switch action {
        case .restartScan:
            // Nothing is said of it unless it helps: a store that is closed is silent too.
            if doubted != .deaf { doubted = .restartScan }
            recover(.restartScan, now)
        case .reset, .powerCycle:
            doubted = action
            let step: Recovery.Step = action == .reset && way?.access != .shared ? .reset : .powerCycle
            reports.append(
                .recovering(step, cause: RecoveryCause.silence.rawValue, text: "\(text); \(words(step))"))
            recover(step, now)
        case .deaf:
            doubted = .deaf
            guard means.contains(.nextAdapter) else { return trouble(.deaf(name: name)) }
            reports.append(
                .recovering(
                    .nextAdapter, cause: RecoveryCause.silence.rawValue, text: "\(text); \(words(.nextAdapter))"))
            recover(.nextAdapter, now)
        case .believe:
            let wasTold = isTakenForDeaf
            doubted = nil
            // It was reset for nothing: there is nobody to be heard.
            if wasTold, let details { reports.append(.listening(details)) }
        }
    }

    /// Whether it was told that nothing is heard any more.
    var isTakenForDeaf: Bool {
        switch doubted {
        case .reset, .powerCycle, .deaf: true
        case .restartScan, .believe, nil: air.isDeaf
        }
    }

    /// It hears again after a silence that was doubted.
    func wasDeaf(_ span: AirWatch.BlindSpan) {
        defer { doubted = nil }
        if !span.isCured { reports.append(.missed(nanoseconds: span.to - span.from)) }
        guard let details, span.isCured || isTakenForDeaf || saidTrouble != nil else { return }
        if doubted == .restartScan, span.isCured {
            let seconds = (span.to - span.from) / 1_000_000_000
            let text =
                "\(name): the scan had stopped by itself, and was restarted after \(seconds) s of hearing nothing"
            reports.append(.recovering(.restartScan, cause: RecoveryCause.silence.rawValue, text: text))
        }
        saidTrouble = nil
        reports.append(.listening(details))
    }

    func perform(_ actions: [SessionAction], _ now: Int64) {
        for action in actions {
            switch action {
            case .send(let packet): send(packet, now)
            case .ready: break
            case .scanning(let scan): scanning(scan, now)
            case .advertising(let state): advertising(state, now)
            case .failed(let failure): failed(failure, now)
            case .noted(let note): self.note("\(name): \(note)")
            case .stopped:
                isStopped = true
                isSilent = session.isSilent
            }
        }
    }

    func send(_ packet: [UInt8], _ now: Int64) {
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

    func scanning(_ scan: ScanState?, _ now: Int64) {
        air.scanning(since: scan == nil ? nil : now)
        guard let scan else {
            if !isStopping && !isTakenForDeaf { reports.append(.paused) }
            return
        }
        works(now)
        let details = LinkDetails(
            name: name, address: session.identity.address ?? way?.adapter?.address, access: way?.access,
            commands: scan.commands, phys: scan.phys)
        self.details = details
        // That it scans is no news of one that may be deaf; that it hears will be.
        if !isTakenForDeaf { reports.append(.listening(details)) }
    }

    func advertising(_ state: AdvertisingState, _ now: Int64) {
        // An adapter that is not to listen works when it sends.
        if case .onAir = state, plan.scan == nil { works(now) }
        reports.append(.advertising(state))
    }

    /// The controller does what it is there for.
    func works(_ now: Int64) {
        recovery.scans(since: now)
        saidTrouble = nil
        // Where it claims nothing else there is no choice to be remembered.
        guard let commands = session.commandSet, session.identity.claimsExtended else { return }
        if memory.learn(commands, of: session.identity) { reports.append(.learned(memory)) }
    }
}
