/// How patient a connection is; the standard values are for the field, tests take shorter ones.
public struct ConnectionLimits: Equatable, Sendable {
    /// The longest wait after the first failure; doubles with each further one.
    public var firstDelay = Duration.seconds(1)
    /// The longest wait there is.
    public var maximumDelay = Duration.seconds(120)
    /// The shortest wait after a refusal that a person must clear up (wrong password, banned …); the longest is twice this.
    public var refusalDelay = Duration.seconds(60)
    /// The shortest wait after another client took the session over; the longest is twice this.
    public var takeoverDelay = Duration.seconds(60)
    /// A connection this old has shown that it works, and the next failure is a first one.
    public var stability = Duration.seconds(60)
    /// A connection that the broker closed without a word when it was younger than this …
    public var shortSession = Duration.seconds(10)
    /// … this often in a row was taken over by another client: mosquitto 2.0.11 does not say so.
    public var shortSessions = 3
    /// From the start of an attempt to the broker's CONNACK; a TCP connect alone could take two minutes.
    public var attemptTimeout = Duration.seconds(15)
    /// From CONNACK to the last SUBACK.
    public var subscribeTimeout = Duration.seconds(15)

    /// The standard values.
    public init() {}
}

/// What the owner of the socket has to do.
enum ConnectionAction: Equatable {
    /// Start an attempt, with any address of the host or only with IPv4 ones.
    case connect(onlyIPv4: Bool)
    /// Close what there is of a connection.
    case close
    /// Send all subscriptions and say `subscribed` once they are answered.
    case subscribe
    /// Tell the owner of the client.
    case report(BrokerEvent)
}

/// How a connection, or an attempt at one, ended.
enum ConnectionLoss: Equatable {
    /// By the broker's DISCONNECT with an error.
    case ended(code: UInt8, text: String)
    /// By the broker, without a word.
    case closed(text: String)
    /// By anything else.
    case failed(text: String)

    var text: String {
        switch self {
        case .ended(_, let text), .closed(let text), .failed(let text): text
        }
    }
}

/// When to connect, wait and give up. Time and chance are arguments: `now` is monotonic from any origin, `random` is
/// in 0..<1.
///
/// Waits are "full jitter": a random part of a ceiling that doubles with each failure, so that 2,000 nodes whose
/// broker restarted do not come back in step. No failure is final: a node that nobody visits has no better plan than
/// to go on trying.
struct ConnectionState {
    enum Phase: Equatable {
        case idle
        case connecting(deadline: Duration)
        case subscribing(sessionPresent: Bool, deadline: Duration)
        case connected(since: Duration)
        case waiting(until: Duration)
        case stopped
    }

    private(set) var phase = Phase.idle
    /// Attempts since the last connection that was complete.
    private(set) var attempt = 0
    /// Failures in a row, where a connection that did not last counts as one.
    private var failures = 0
    /// Connections in a row that the broker closed early and without a word.
    private var shortSessions = 0
    /// An asynchronous connect tries the first address only. Where that is an IPv6 one that leads nowhere nobody
    /// answers, ever: so an attempt that timed out is followed by one with IPv4, and the other way round.
    private var triesIPv4 = false
    private let limits: ConnectionLimits

    init(limits: ConnectionLimits) { self.limits = limits }

    /// When `tick` has something to do; nil for not by time alone.
    var deadline: Duration? {
        switch phase {
        case .idle: .zero
        case .connecting(let deadline), .subscribing(_, let deadline): deadline
        case .waiting(let until): until
        case .connected, .stopped: nil
        }
    }

    var isConnected: Bool {
        if case .connected = phase { true } else { false }
    }

    /// Whether a connection, or an attempt at one, exists.
    var usesSocket: Bool {
        switch phase {
        case .connecting, .subscribing, .connected: true
        case .idle, .waiting, .stopped: false
        }
    }

    /// Time passed.
    mutating func tick(at now: Duration, random: Double) -> [ConnectionAction] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .idle, .waiting:
            attempt += 1
            phase = .connecting(deadline: now + limits.attemptTimeout)
            return [.connect(onlyIPv4: triesIPv4)]
        case .connecting:
            let other = !triesIPv4
            let report = fail("no answer within \(limits.attemptTimeout.text)", at: now, random)
            triesIPv4 = other
            return [.close] + report
        case .subscribing:
            return [.close]
                + fail("subscriptions not answered within \(limits.subscribeTimeout.text)", at: now, random)
        case .connected, .stopped:
            return []
        }
    }

    /// CONNACK, success.
    mutating func accepted(sessionPresent: Bool, at now: Duration) -> [ConnectionAction] {
        guard case .connecting = phase else { return [] }
        phase = .subscribing(sessionPresent: sessionPresent, deadline: now + limits.subscribeTimeout)
        return [.subscribe]
    }

    /// CONNACK, any other reason code.
    mutating func refused(code: UInt8, text: String, at now: Duration, random: Double) -> [ConnectionAction] {
        guard case .connecting = phase else { return [] }
        failures += 1
        triesIPv4 = false
        let wait = Self.needsPerson.contains(code) ? atLeast(limits.refusalDelay, random) : backOff(random)
        phase = .waiting(until: now + wait)
        return [.close, .report(.refused(code: code, text: text))]
    }

    /// The last SUBACK.
    mutating func subscribed(at now: Duration) -> [ConnectionAction] {
        guard case .subscribing(let sessionPresent, _) = phase else { return [] }
        phase = .connected(since: now)
        attempt = 0
        return [.report(.connected(sessionPresent: sessionPresent))]
    }

    /// The connection, or the attempt, ended.
    mutating func lost(_ loss: ConnectionLoss, at now: Duration, random: Double) -> [ConnectionAction] {
        var takenOver = false
        if case .ended(Self.sessionTakenOver, _) = loss { takenOver = true }
        switch phase {
        case .idle, .waiting, .stopped:
            return []
        case .connecting, .subscribing:
            let actions = fail(loss.text, at: now, random)
            return takenOver ? actions + yield(at: now, random) : actions
        case .connected(let since):
            if now - since >= limits.stability { failures = 0 }
            triesIPv4 = false
            failures += 1
            phase = .waiting(until: now + backOff(random))
            if case .closed = loss, now - since < limits.shortSession {
                shortSessions += 1
            } else {
                shortSessions = 0
            }
            if shortSessions >= limits.shortSessions { takenOver = true }
            let report = ConnectionAction.report(.disconnected(reason: loss.text))
            return takenOver ? [report] + yield(at: now, random) : [report]
        }
    }

    /// No more attempts.
    mutating func stop() { phase = .stopped }

    private mutating func fail(_ text: String, at now: Duration, _ random: Double) -> [ConnectionAction] {
        failures += 1
        triesIPv4 = false
        phase = .waiting(until: now + backOff(random))
        return [.report(.unreachable(attempt: attempt, text: text))]
    }

    /// Two nodes with one identity would otherwise throw each other out as fast as they can connect.
    private mutating func yield(at now: Duration, _ random: Double) -> [ConnectionAction] {
        shortSessions = 0
        phase = .waiting(until: now + atLeast(limits.takeoverDelay, random))
        return [.report(.identityConflict)]
    }

    private func backOff(_ random: Double) -> Duration {
        var ceiling = limits.firstDelay
        var doublings = failures - 1
        while doublings > 0, ceiling < limits.maximumDelay {
            ceiling = ceiling * 2
            doublings -= 1
        }
        return min(ceiling, limits.maximumDelay) * random
    }

    private func atLeast(_ shortest: Duration, _ random: Double) -> Duration { shortest + shortest * random }

    /// MQTT 5 section 3.14.2.1
    private static let sessionTakenOver: UInt8 = 0x8E

    /// MQTT 5 section 3.2.2.2: unsupported protocol version, client identifier not valid, bad user name or password,
    /// not authorised, banned, bad authentication method. Asking more often changes none of them, and fills logs.
    private static let needsPerson: Set<UInt8> = [0x84, 0x85, 0x86, 0x87, 0x8A, 0x8C]
}

extension Duration {
    /// "15 s" or "200 ms".
    fileprivate var text: String {
        let (seconds, attoseconds) = components
        return attoseconds == 0
            ? "\(seconds) s" : "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
