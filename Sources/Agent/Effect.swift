/// Something that the agent wants done.
public enum Effect: Equatable, Sendable {
    /// Hand a message to the outbox.
    case publish(Message)
    /// Publish this after everything that waits, and end the connection.
    case farewell(Message)
    /// Bring a file of the state folder to the disk, or remove it where `content` is nil, and say so with
    /// `Event.stored`.
    case store(name: String, content: [UInt8]?, token: UInt64)
    /// Bring the radio into this state.
    case tune(RadioTuning)
    /// Connect to the broker anew, in this way.
    case reconnect(BrokerAccess)
    /// From now on hold so many messages at most.
    case limitQueue(events: Int, windows: Int)
    /// Tell the person who reads the log.
    case log(LogLevel, String)
}

/// How the broker is reached.
public struct BrokerAccess: Equatable, Sendable {
    /// Host name or address.
    public var host: String
    /// TCP port.
    public var port: UInt16
    /// User name, if any.
    public var username: String?
    /// The file that holds the password, if any. Its content never comes near the agent.
    public var passwordFile: String?
    /// How long the connection may be silent.
    public var keepalive: Duration
    /// The client id.
    public var clientID: String
    /// Where the status, and so the will, is published.
    public var statusTopic: String
    /// What is subscribed to.
    public var subscriptions: [String]
}
