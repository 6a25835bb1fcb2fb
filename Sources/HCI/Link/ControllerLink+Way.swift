// The way to the controller.
extension ControllerLink {
    func open(_ now: Int64) {
        do throws(AdapterProblem) {
            let search = AdapterSearch(host: host, setting: setting, sharesStarting: startings >= Self.patience)
            let reached = try search.reach(passedOver: passedOver)
            way = reached
            openings += 1
            startings = 0
            if duplicates.isFiltered { reports.append(.filtered(false)) }
            duplicates = DuplicateWatch()
            reader.forgetFragments()
            seenLosses = reached.transport.losses
            let number = session.addressNumber
            session = ControllerSession(
                plan: plan, access: reached.access ?? .exclusive,
                // Beside the kernel alone nobody else advertises.
                ownsAir: reached.access == .shared && host.manager == nil, entropy: entropy, memory: memory)
            // A rotated address does not come again because the controller was lost in between.
            session.addressNumber = number
            if let text = reached.note { note(text) }
            // At the next tick: powering an adapter may have taken the kernel seconds, and `now` is from before.
            if reached.transport.isConnected { errand = (.start, at: now) }
        } catch {
            if case .starting = error { startings += 1 }
            trouble(.adapter(error))
            retry(.absent, now)
        }
    }

    /// Sets the controller up, from Reset where it is ours alone; not more often than the budget allows.
    func start(_ now: Int64) {
        // A connection may come about after the stop.
        if isStopping { return }
        guard way?.access == .shared || recovery.mayReset(now: now) else {
            let at = recovery.nextReset(now: now)
            errand = (.start, at: at)
            return trouble(.spared(name: name, pause: at - now))
        }
        perform(session.start(now: now), now)
    }

    func lost(_ failure: TransportFailure, _ now: Int64) {
        let trouble = LinkTrouble.way(name: name, failure)
        leave(now)
        self.trouble(trouble)
        if isStopping {
            isStopped = true
        } else {
            retry(.lost, now)
        }
    }

    func leaveBroken(_ now: Int64) {
        if let broken { lost(broken, now) }
    }

    /// Lets go of the way; the kernel forgets a descriptor that is closed.
    func leave(_ now: Int64) {
        way = nil
        broken = nil
        perform(session.disconnected(), now)
        air.scanning(since: nil)
        errand = nil
    }

    func retry(_ cause: RecoveryCause, _ now: Int64) {
        // Whatever step it is, it begins with a way.
        errand = (.open, at: recovery.failed(cause, now: now, means: []).at)
    }

    func trouble(_ trouble: LinkTrouble) {
        guard trouble != saidTrouble else { return }
        saidTrouble = trouble
        reports.append(.blind(trouble))
    }

    func note(_ text: String) {
        guard saidNotes.count < Self.noteLimit, saidNotes.insert(text).inserted else { return }
        reports.append(.noted(text))
    }
}
