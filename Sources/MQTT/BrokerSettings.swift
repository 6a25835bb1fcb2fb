/// Everything that makes one MQTT session: where, who, what is said at its end and what is listened to.
///
/// The settings of a client never change: for new ones, disconnect the client and make another.
public struct BrokerSettings: Equatable, Sendable {
    /// The broker's host name or address; with port 0 the path of its Unix socket.
    public var host: String
    /// TCP port, 0…65535; 0 means a Unix socket.
    public var port: UInt16
    /// The MQTT client id.
    public var clientID: String
    /// The user name; nil sends neither name nor password.
    public var username: String?
    /// The password as it stands in its file; it must not contain a zero byte.
    public var password: [UInt8]?
    /// Seconds without traffic after which the connection is probed; 5…65535, or 0 for never.
    public var keepalive: UInt16
    /// What the broker publishes when the connection ends without a DISCONNECT.
    public var will: Will?
    /// What is subscribed to at every connect.
    public var subscriptions: [Subscription]
    /// Seconds for which the broker keeps the session of an absent client. MQTT 5 section 3.1.2.11.2
    public var sessionExpiry: UInt32 = 86400
    /// Bytes of the largest packet that the broker may send here. MQTT 5 section 3.1.2.11.4
    public var maximumPacketSize: UInt32 = 256 * 1024

    /// Settings with the session expiry and the packet size of every node.
    public init(
        host: String, port: UInt16, clientID: String, username: String? = nil, password: [UInt8]? = nil,
        keepalive: UInt16 = 30, will: Will? = nil, subscriptions: [Subscription] = []
    ) {
        self.host = host
        self.port = port
        self.clientID = clientID
        self.username = username
        self.password = password
        self.keepalive = keepalive
        self.will = will
        self.subscriptions = subscriptions
    }
}

/// A message that the broker publishes in a client's name once it is gone.
public struct Will: Equatable, Sendable {
    /// The topic.
    public var topic: String
    /// The payload.
    public var payload: [UInt8]
    /// 0…2.
    public var qos: UInt8
    /// Whether the broker keeps it for later subscribers.
    public var retain: Bool

    /// Makes a will.
    public init(topic: String, payload: [UInt8], qos: UInt8 = 1, retain: Bool = true) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
    }
}

/// A topic filter and how its messages are delivered.
public struct Subscription: Equatable, Sendable {
    /// When the broker sends the retained messages of a filter. The raw value is MQTT 5's Retain Handling option.
    public enum RetainHandling: UInt8, Sendable {
        /// At every subscribe.
        case always = 0
        /// At a subscribe that is new to the session.
        case ifNew = 1
        /// Never.
        case never = 2
    }

    /// The filter, `+` and `#` included.
    public var filter: String
    /// The highest quality of service, 0…2.
    public var qos: UInt8
    /// Whether the retain flag comes as the publisher set it.
    public var retainAsPublished: Bool
    /// When retained messages come.
    public var retainHandling: RetainHandling

    /// Makes a subscription.
    public init(
        filter: String, qos: UInt8 = 1, retainAsPublished: Bool = true, retainHandling: RetainHandling = .always
    ) {
        self.filter = filter
        self.qos = qos
        self.retainAsPublished = retainAsPublished
        self.retainHandling = retainHandling
    }
}
