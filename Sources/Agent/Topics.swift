/// Every topic that a node writes or listens to. A node writes only below `<prefix>/data/<site>/<node>/`.
public struct Topics: Equatable, Sendable {
    private let data: String
    private let control: String

    /// Makes the topics of a node; prefix, site and node are valid ids already.
    public init(prefix: String, site: String, node: String) {
        data = "\(prefix)/data/\(site)/\(node)"
        control = "\(prefix)/control/node/\(node)"
    }

    /// Online or offline, with the session; retained, and the will.
    public var status: String { "\(data)/status" }
    /// What is in force and how the parts are; retained.
    public var state: String { "\(data)/state" }
    /// Events of a region that was entered.
    public func enter(_ region: String) -> String { "\(data)/enter/\(region)" }
    /// Events of a region that was left.
    public func exit(_ region: String) -> String { "\(data)/exit/\(region)" }
    /// A region's state; retained.
    public func region(_ region: String) -> String { "\(data)/region/\(region)" }
    /// A region's ranging, once a second.
    public func ranging(_ region: String) -> String { "\(data)/ranging/\(region)" }
    /// What was heard in a window.
    public var window: String { "\(data)/window" }
    /// Something that a person should know.
    public func alert(_ kind: String) -> String { "\(data)/alert/\(kind)" }
    /// Counters, once a minute.
    public var health: String { "\(data)/health" }
    /// Answers to documents.
    public var reply: String { "\(data)/reply" }
    /// The node's own configuration document; retained by whoever pushes it.
    public var nodeConfiguration: String { "\(control)/config" }
}
