internal import YAML

/// What the agent knows of configuration from the broker: what is in force, what is on its way to the disk, and which
/// documents wait for that.
struct Control {
    /// How many documents may wait for the disk. More are refused, each with a reply.
    static let waitingLimit = 16

    /// A document that is valid and on its way to the disk.
    struct Pending {
        var token: UInt64
        var candidate: ConfigurationStack.Candidate
        var hash: String
        var isRemoval: Bool
        var correlation: [UInt8]?
    }

    var stack: ConfigurationStack
    var pending: Pending?
    var waiting: [Received] = []
    /// The hash of the last document that was answered: at a reconnect the broker sends it again, and a second answer
    /// to one push would be noise.
    var lastAnswered: String?
    private var tokens: UInt64 = 0

    init(_ stack: ConfigurationStack) {
        self.stack = stack
        lastAnswered = stack.document?.hash
    }

    var configuration: Configuration { stack.configuration }

    mutating func nextToken() -> UInt64 {
        tokens += 1
        return tokens
    }
}

extension NodeAgent {
    /// The file of the state folder that holds the node's own document, byte for byte as it was received.
    public static let documentFile = "control-node.json"

    mutating func received(_ message: Received, _ effects: inout [Effect], at moment: Moment) {
        guard message.topic == topics.nodeConfiguration else {
            effects.append(.log(.warning, "a message on the topic \(quoted(message.topic)) is not for this node"))
            return
        }
        guard control.pending == nil else {
            if control.waiting.count < Control.waitingLimit {
                control.waiting.append(message)
            } else {
                let problem = Reply.Problem(
                    path: "", message: "\(Control.waitingLimit) documents wait already; push it again")
                reject(message, [problem], &effects, at: moment)
            }
            return
        }
        judge(message, &effects, at: moment)
    }

    /// One code path for every document: valid as a whole, then on the disk, then in force, then reported.
    private mutating func judge(_ message: Received, _ effects: inout [Effect], at moment: Moment) {
        let hash = control.stack.documentHash(message.payload)
        if message.isRetained && hash == control.lastAnswered { return }
        if message.payload.isEmpty {
            // An empty payload without a layer: the echo of somebody who tidies up.
            guard control.stack.document != nil || conditions.layer != nil else { return }
        } else if hash == control.stack.document?.hash {
            answer(
                Reply(document: hash, result: .unchanged, configuration: control.stack.hash), message.correlation,
                &effects, at: moment)
            return
        }
        do throws(ConfigurationProblems) {
            let candidate = try control.stack.candidate(document: message.payload)
            let token = control.nextToken()
            control.pending = Control.Pending(
                token: token, candidate: candidate, hash: hash, isRemoval: message.payload.isEmpty,
                correlation: message.correlation)
            effects.append(
                .store(
                    name: Self.documentFile, content: message.payload.isEmpty ? nil : message.payload, token: token)
            )
        } catch {
            reject(
                message, error.problems.map { Reply.Problem(path: $0.path, message: $0.message) }, &effects,
                at: moment)
        }
    }

    mutating func stored(_ token: UInt64, _ failure: String?, _ effects: inout [Effect], at moment: Moment) {
        guard let pending = control.pending, pending.token == token else { return }
        control.pending = nil
        if let failure {
            let problem = Reply.Problem(path: "", message: "cannot be stored on this node: \(quoted(failure))")
            answer(
                Reply(
                    document: pending.hash, result: .rejected, problems: [problem],
                    configuration: control.stack.hash), pending.correlation, &effects, at: moment)
        } else {
            let before = control.configuration
            control.stack.take(pending.candidate)
            conditions.layer =
                pending.isRemoval ? nil : Conditions.Layer(document: pending.hash, result: .applied)
            apply(before, &effects, at: moment)
            answer(
                Reply(
                    document: pending.hash, result: pending.isRemoval ? .removed : .applied,
                    configuration: control.stack.hash), pending.correlation, &effects, at: moment)
        }
        while control.pending == nil && !control.waiting.isEmpty {
            judge(control.waiting.removeFirst(), &effects, at: moment)
        }
    }

    mutating func fileRead(
        _ result: Result<YAMLNode, FileRefusal>, _ effects: inout [Effect], at moment: Moment
    ) {
        switch result {
        case .failure(let refusal):
            effects.append(
                .log(.error, "the configuration file is not taken, nothing has changed:\n\(refusal.text)"))
        case .success(let file):
            do throws(ConfigurationProblems) {
                let candidate = try control.stack.candidate(file: file)
                if let key = control.configuration.changeThatNeedsRestart(to: candidate.configuration) {
                    effects.append(
                        .log(
                            .error,
                            "the configuration file is not taken, nothing has changed: \(key) is fixed while the agent runs; restart it"
                        ))
                    return
                }
                // A document that was on its way to the disk was judged with the old file; it is judged again.
                let before = control.configuration
                control.stack.take(candidate)
                apply(before, &effects, at: moment)
                effects.append(.log(.info, "the configuration file is taken: \(control.stack.hash)"))
            } catch {
                effects.append(
                    .log(.error, "the configuration file is not taken, nothing has changed:\n\(error)"))
            }
        }
    }

    /// Brings what differs between the configuration before and the one in force to those whom it concerns.
    private mutating func apply(_ before: Configuration, _ effects: inout [Effect], at moment: Moment) {
        let now = control.configuration
        conditions.configuration = control.stack.hash
        stateIsStale = true
        let everything = presence.watchesEverything
        if now.presence(watchesEverything: everything) != before.presence(watchesEverything: everything) {
            presence.reconfigure(now.presence(watchesEverything: everything), at: moment.instant)
            settle(&effects, at: moment)
        }
        if now.tuning != before.tuning { effects.append(.tune(now.tuning)) }
        if now.limits != before.limits {
            effects.append(.limitQueue(events: now.limits.queuedEvents, windows: now.limits.queuedWindows))
        }
        if now.brokerAccess != before.brokerAccess { effects.append(.reconnect(now.brokerAccess)) }
    }

    private mutating func reject(
        _ message: Received, _ problems: [Reply.Problem], _ effects: inout [Effect], at moment: Moment
    ) {
        let hash = control.stack.documentHash(message.payload)
        answer(
            Reply(
                document: hash, result: .rejected, problems: problems, configuration: control.stack.hash),
            message.correlation, &effects, at: moment)
    }

    private mutating func answer(
        _ reply: Reply, _ correlation: [UInt8]?, _ effects: inout [Effect], at moment: Moment
    ) {
        control.lastAnswered = reply.document
        effects.append(
            .publish(
                Message(
                    .reply, topic: topics.reply, payload: payloads.reply(reply, at: moment),
                    correlation: correlation)))
        let what = "configuration document \(reply.document): \(reply.result.rawValue)"
        effects.append(
            .log(
                reply.problems.isEmpty ? .info : .warning,
                reply.problems.reduce(what) { $0 + "\n  \($1.path): \($1.message)" }))
    }
}
