/// What the agent knows of configuration from the broker: what is in force, what is on its way to the disk, and what
/// waits for that.
///
/// While a document is on its way nothing else is taken, so that what was judged is what comes into force.
struct Control {
    /// A document that is valid and on its way to the disk.
    struct Pending {
        var token: UInt64
        var candidate: ConfigurationStack.Candidate
        var hash: String
        /// What is to be answered when it is there.
        var result: Reply.Result
        var correlation: [UInt8]?
    }

    var stack: ConfigurationStack
    var pending: Pending?
    /// The newest document that came in the meantime. It says all that older ones did, which are answered unread: what
    /// the broker keeps, and what is in force here, is the newest.
    var waiting: Received?
    /// The file that was read last while a document was on its way.
    var waitingFile: FileRead?
    /// The hash of the last document that was judged and rejected: at a reconnect the broker sends it again, and a
    /// second answer to one push would be noise. The verdict depends on the file as well, so another file resets this.
    var lastRejected: String?
    private var tokens: UInt64 = 0

    init(_ stack: ConfigurationStack) { self.stack = stack }

    var configuration: Configuration { stack.configuration }

    /// Whether the broker only repeats what was answered before.
    func isRepeated(_ message: Received, hash: String) -> Bool {
        message.isRetained && (hash == lastRejected || hash == stack.documentInForce?.hash)
    }

    mutating func nextToken() -> UInt64 {
        tokens += 1
        return tokens
    }
}

extension NodeAgent {
    /// The file of the state folder that holds the node's own document, byte for byte as it was received.
    public static let documentFile = "control-node.json"

    // MARK: - Documents

    mutating func received(_ message: Received, _ effects: inout [Effect], at moment: Moment) {
        guard message.topic == topics.nodeConfiguration else {
            effects.append(.log(.warning, "a message on the topic \(quoted(message.topic)) is not for this node"))
            return
        }
        guard control.pending == nil else {
            if let older = control.waiting {
                refuse(
                    older, control.stack.documentHash(older.payload),
                    "a newer document came before this one was looked at", &effects, at: moment)
            }
            control.waiting = message
            return
        }
        judge(message, &effects, at: moment)
    }

    /// One code path for every document: valid as a whole, then on the disk, then in force, then reported.
    private mutating func judge(_ message: Received, _ effects: inout [Effect], at moment: Moment) {
        let hash = control.stack.documentHash(message.payload)
        if control.isRepeated(message, hash: hash) { return }
        guard control.configuration.control.enabled else {
            // A session that the broker kept may hold the subscription of an earlier configuration.
            control.lastRejected = hash
            refuse(
                message, hash, "documents are switched off on this node: control.enabled is false in its file",
                &effects, at: moment)
            return
        }
        if hash == control.stack.documentInForce?.hash {
            answer(
                Reply(document: hash, result: .unchanged, configuration: control.stack.hash), message.correlation,
                &effects, at: moment)
            return
        }
        do throws(ConfigurationProblems) {
            let candidate = try control.stack.candidate(document: message.payload)
            let isRemoval = message.payload.isEmpty
            let token = control.nextToken()
            control.pending = Control.Pending(
                token: token, candidate: candidate, hash: hash,
                result: !isRemoval ? .applied : control.stack.layer == nil ? .unchanged : .removed,
                correlation: message.correlation)
            // A removal without a layer goes to the disk too: there may be a file there that could not be read.
            effects.append(
                .store(name: Self.documentFile, content: isRemoval ? nil : message.payload, token: token))
        } catch {
            control.lastRejected = hash
            answer(
                Reply(
                    document: hash, result: .rejected,
                    problems: error.problems.map { Reply.Problem(path: $0.path, message: $0.message) },
                    more: error.omitted, configuration: control.stack.hash), message.correlation, &effects,
                at: moment)
        }
    }

    mutating func stored(_ token: UInt64, _ failure: String?, _ effects: inout [Effect], at moment: Moment) {
        guard let pending = control.pending, pending.token == token else { return }
        control.pending = nil
        var reply = Reply(document: pending.hash, result: pending.result, configuration: control.stack.hash)
        if let failure {
            let reason = escaped(failure, limit: Self.sentenceLimit)
            reply.result = .rejected
            reply.problems = [Reply.Problem(path: "", message: "cannot be stored on this node: \(reason)")]
        } else {
            take(pending.candidate, &effects, at: moment)
            reply.configuration = control.stack.hash
        }
        answer(reply, pending.correlation, &effects, at: moment)
        if let file = control.waitingFile {
            control.waitingFile = nil
            judge(file, &effects, at: moment)
        }
        // A file that was judged first leaves nothing pending, and neither does a document that is refused.
        if let message = control.waiting {
            control.waiting = nil
            judge(message, &effects, at: moment)
        }
    }

    // MARK: - The file

    mutating func fileRead(
        _ result: Result<FileRead, FileRefusal>, _ effects: inout [Effect], at moment: Moment
    ) {
        switch result {
        case .failure(let refusal): refuse(file: "\n\(refusal.text)", &effects)
        case .success(let file):
            if control.pending == nil { judge(file, &effects, at: moment) } else { control.waitingFile = file }
        }
    }

    private mutating func judge(_ file: FileRead, _ effects: inout [Effect], at moment: Moment) {
        do throws(ConfigurationProblems) {
            let candidate = try control.stack.candidate(file: file.node)
            if let key = control.configuration.changeThatNeedsRestart(to: candidate.configuration) {
                refuse(file: " \(key) is fixed while the agent runs; restart it", &effects)
                return
            }
            control.lastRejected = nil
            let before = control.configuration.brokerAccess
            take(candidate, &effects, at: moment)
            // Whoever asks while there is no connection may have put another password into its file.
            let access = control.configuration.brokerAccess
            if session == nil && access == before { effects.append(.reconnect(access)) }
            effects.append(.log(.info, "the configuration file is taken: \(control.stack.hash)"))
            if case .refused(let problems) = control.stack.layer?.standing {
                effects.append(.log(.error, "the stored document is not in force:\n\(problems)"))
            }
        } catch {
            refuse(file: "\n\(error.report(source: file.bytes, name: file.name))", &effects)
        }
    }

    private func refuse(file reason: String, _ effects: inout [Effect]) {
        let text = reason.hasSuffix("\n") ? String(reason.dropLast()) : reason
        effects.append(.log(.error, "the configuration file is not taken, nothing has changed:\(text)"))
    }

    // MARK: - Both

    /// Takes a candidate, and brings what differs from the configuration before to those whom it concerns.
    private mutating func take(
        _ candidate: ConfigurationStack.Candidate, _ effects: inout [Effect], at moment: Moment
    ) {
        let before = control.configuration
        control.stack.take(candidate)
        let now = control.configuration
        conditions.configuration = control.stack.hash
        conditions.layer = Conditions.Layer(control.stack.layer)
        stateIsStale = true
        let everything = presence.watchesEverything
        if now.presence(watchesEverything: everything) != before.presence(watchesEverything: everything) {
            presence.reconfigure(now.presence(watchesEverything: everything), at: judged(moment))
            tell(&effects, at: moment)
        }
        if now.tuning != before.tuning { effects.append(.tune(now.tuning)) }
        if now.limits != before.limits {
            effects.append(.limitQueue(events: now.limits.queuedEvents, windows: now.limits.queuedWindows))
        }
        if now.brokerAccess != before.brokerAccess { effects.append(.reconnect(now.brokerAccess)) }
    }

    /// Refuses a document unread. It is judged when it comes again.
    private mutating func refuse(
        _ message: Received, _ hash: String, _ reason: String, _ effects: inout [Effect], at moment: Moment
    ) {
        answer(
            Reply(
                document: hash, result: .rejected, problems: [Reply.Problem(path: "", message: reason)],
                configuration: control.stack.hash), message.correlation, &effects, at: moment)
    }

    private mutating func answer(
        _ reply: Reply, _ correlation: [UInt8]?, _ effects: inout [Effect], at moment: Moment
    ) {
        effects.append(
            .publish(
                Message(
                    .reply, topic: topics.reply, payload: payloads.reply(reply, at: moment),
                    correlation: correlation)))
        var text = "configuration document \(reply.document): \(reply.result.rawValue)"
        for problem in reply.problems {
            text += "\n  \(problem.path.isEmpty ? "" : "\(problem.path): ")\(problem.message)"
        }
        if reply.more > 0 { text += "\n  and \(reply.more) more" }
        effects.append(.log(reply.problems.isEmpty ? .info : .warning, text))
    }
}
