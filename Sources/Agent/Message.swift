/// A message for the broker, and how dear it is.
public struct Message: Equatable, Sendable {
    /// What becomes of a message that cannot be sent now.
    public enum Kind: String, Sendable {
        /// Enter, exit, alert: kept, in order.
        case event
        /// A retained fact: only the newest of a topic is kept.
        case latest
        /// The answer to a document: kept, in order.
        case reply
        /// A window: kept while there is room.
        case window
        /// Ranging and health: true now or not at all.
        case fleeting
    }

    /// How dear it is.
    public var kind: Kind
    /// Where it is published.
    public var topic: String
    /// JSON, or nothing to clear a retained topic.
    public var payload: [UInt8]
    /// 0 or 1.
    public var qos: UInt8
    /// Whether the broker keeps it for later subscribers.
    public var retain: Bool
    /// MQTT 5 correlation data of the request that this answers.
    public var correlation: [UInt8]?

    /// Makes a message.
    public init(
        _ kind: Kind, topic: String, payload: [UInt8], qos: UInt8 = 1, retain: Bool = false,
        correlation: [UInt8]? = nil
    ) {
        self.kind = kind
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.correlation = correlation
    }
}
