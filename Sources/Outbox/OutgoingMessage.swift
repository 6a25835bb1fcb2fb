/// A message on its way to the broker.
public struct OutgoingMessage: Equatable, Sendable {
    /// What becomes of a message while the broker is away.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// The answer to a request. Kept in order, a few of them.
        case reply
        /// A retained fact: only the newest of a topic is worth anything.
        case latest
        /// Something that happened. Kept in order, as many as there is room for.
        case event
        /// A summary of a time. Kept in order, and the first to be given up.
        case window
    }

    /// The caller's name for it, unique among those in the outbox.
    public var id: UInt64
    /// How it is kept.
    public var kind: Kind
    /// Where it is published.
    public var topic: String
    /// What is published.
    public var payload: [UInt8]
    /// 0…2.
    public var qos: UInt8
    /// Whether the broker keeps it.
    public var retain: Bool
    /// MQTT 5 correlation data of the request that this answers.
    public var correlation: [UInt8]?

    /// Makes a message.
    public init(
        id: UInt64, kind: Kind, topic: String, payload: [UInt8], qos: UInt8 = 1, retain: Bool = false,
        correlation: [UInt8]? = nil
    ) {
        self.id = id
        self.kind = kind
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.correlation = correlation
    }
}
