// What is lost on the way, and what others do at the same controller.
extension ControllerSession {
    /// Takes a command packet, from its opcode on, that another program or the kernel gave to the same controller. It is
    /// not ours to refuse: what it may have changed is set again, at most once in `reassertionInterval`.
    public mutating func observe(command: UnsafeRawBufferPointer, now: Int64) -> [SessionAction] {
        guard access == .shared, phase != .idle, let command = Command(command) else { return [] }
        foreign.append(command.opcode, now)
        let disturbance = state.disturb(by: command)
        pending?.disturbance.formUnion(disturbance)
        if let commandSet, CommandSet(command.opcode) == commandSet.other {
            // From now on ours may be refused, and then it is because of them.
            isProven = false
            tried.remove(commandSet.other)
        }
        if !disturbance.isEmpty && phase == .running && stopDeadline == nil {
            if !hasSaidDisturbed {
                hasSaidDisturbed = true
                actions.append(.noted(.disturbed(command.opcode)))
            }
            let earliest = reassertedAt.map { $0 + ControllerSession.reassertionInterval } ?? now
            if reassertion == nil { reassertion = max(now + ControllerSession.reassertionDelay, earliest) }
            report(under: plan)
        }
        return takeActions()
    }

    /// Packets from the controller were lost, and the answer to the command under way may be among them: it is asked
    /// again.
    public mutating func packetsLost(now: Int64) -> [SessionAction] {
        guard phase != .idle else { return [] }
        foreign = ForeignCommands()
        if let pending {
            if now - pending.since < ControllerSession.longestLoss {
                self.pending?.attempts = 1
                self.pending?.deadline = now + ControllerSession.commandTimeout
            }
            let earliest = pending.sentAt + ControllerSession.repetitionDelay
            if now >= earliest { sendAgain(now) } else { self.pending?.repetition = earliest }
        } else if credits == 0 {
            // The leave to send may have been lost as well.
            grant(1)
            advance(now)
        }
        return takeActions()
    }

    /// What others changed is looked after when nothing of ours is under way.
    var reassertionDeadline: Int64? { pending == nil && creditDeadline == nil ? reassertion : nil }
}

/// Commands of others at the same controller, whose answers come to us as well.
struct ForeignCommands: Sendable {
    private var waiting: [(opcode: Opcode, at: Int64)] = []
    /// A controller takes a few commands at a time; those before that are answered or never will be.
    private static let limit = 8

    mutating func append(_ opcode: Opcode, _ now: Int64) {
        if waiting.count >= Self.limit { waiting.removeFirst() }
        waiting.append((opcode, now))
    }

    /// Whether an answer is to one of them, which then no longer waits. Where it could be ours as well it counts as
    /// theirs: then ours is the next.
    mutating func takeAnswer(_ opcode: Opcode, _ now: Int64) -> Bool {
        if waiting.isEmpty { return false }
        waiting.removeAll { now - $0.at > ControllerSession.commandTimeout }
        guard let at = waiting.firstIndex(where: { $0.opcode == opcode }) else { return false }
        waiting.removeSubrange(...at)
        return true
    }
}
