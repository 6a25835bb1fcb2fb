/// What a `BrokerClient` has to tell its owner.
public enum BrokerEvent: Equatable, Sendable {
    /// The broker accepted the connection and answered every subscription.
    case connected(sessionPresent: Bool)
    /// A connection that was reported as connected is gone; the client makes another by itself.
    case disconnected(reason: String)
    /// The broker answered CONNECT with a refusal; the client tries again later. `code` is MQTT 5's reason code.
    case refused(code: UInt8, text: String)
    /// An attempt failed before the broker answered; `attempt` counts from 1 since the last connection.
    case unreachable(attempt: Int, text: String)
    /// Another client took this one's identity; the client waits at least a minute before it takes it back. Certain
    /// where the broker said so (0x8E), else concluded from three connections in a row that it closed at once.
    case identityConflict
    /// The broker does not accept one subscription, 0x80 or higher; the connection stands without it.
    case subscriptionRefused(filter: String, code: UInt8)
    /// The broker acknowledged a publish (QoS 0: it was written out). Below 0x80 is success; 0x10 means that
    /// nobody subscribes.
    case published(token: UInt64, reasonCode: UInt8)
    /// A publish will not be answered any more; whether the broker has it is unknown.
    case dropped(token: UInt64)
    /// A message came in.
    case received(IncomingMessage)

    /// Which state the connection is in since this event; nil where it says nothing about that.
    public var condition: BrokerCondition? {
        switch self {
        case .connected: .connected
        case .disconnected(let reason): .disconnected(reason: reason)
        case .refused(let code, let text): .refused(code: code, text: text)
        case .unreachable(_, let text): .unreachable(text: text)
        case .identityConflict: .identityConflict
        case .subscriptionRefused, .published, .dropped, .received: nil
        }
    }
}

/// The state of a connection as a person wants to hear of it: once for each change and not for each attempt.
public enum BrokerCondition: Equatable, Sendable, CustomStringConvertible {
    /// Connected and subscribed.
    case connected
    /// Was connected.
    case disconnected(reason: String)
    /// Answered by a refusal.
    case refused(code: UInt8, text: String)
    /// Not answered.
    case unreachable(text: String)
    /// Two clients claim one identity.
    case identityConflict

    /// The end of a sentence that starts with "the broker": "is connected".
    public var description: String {
        switch self {
        case .connected: "is connected"
        case .disconnected(let reason): "is disconnected: \(reason)"
        case .refused(let code, let text): "refuses the connection: \(text) (0x\(String(code, radix: 16)))"
        case .unreachable(let text): "cannot be reached: \(text)"
        case .identityConflict: "has another client with the same id, which took the session over"
        }
    }
}

/// A message from the broker.
public struct IncomingMessage: Equatable, Sendable {
    /// Where it was published.
    public var topic: String
    /// What was published; any bytes.
    public var payload: [UInt8]
    /// 0…2.
    public var qos: UInt8
    /// Retained: came out of the broker's memory, or, with retain-as-published, was sent to be kept there.
    public var retain: Bool
    /// Where the sender wants its answer. MQTT 5 section 3.3.2.3.5
    public var responseTopic: String?
    /// What the sender knows its answer by. MQTT 5 section 3.3.2.3.6
    public var correlationData: [UInt8]?

    /// Makes a message.
    public init(
        topic: String, payload: [UInt8], qos: UInt8 = 0, retain: Bool = false, responseTopic: String? = nil,
        correlationData: [UInt8]? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.responseTopic = responseTopic
        self.correlationData = correlationData
    }
}
