/// How urgent a line in the log is.
public enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    /// A person must act.
    case error
    /// Something is worse than it should be.
    case warning
    /// The life of the agent.
    case info
    /// A line for each message.
    case debug

    /// The more urgent first.
    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

    /// As configuration spells it.
    public var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }
}
