/// When a controller that was lost is tried again.
///
/// The delay grows with each loss and starts again only after a controller that had been steady: one that dies soon
/// after it began to scan is no better than one that is not there, and would else be tried, and told of, for ever.
public struct Reconnection: Equatable, Sendable {
    private var backoff = Backoff.controller
    private var scanningSince: Int64?

    /// Nothing has happened yet.
    public init() {}

    /// The controller scans, since a monotonic time in nanoseconds.
    public mutating func scans(since now: Int64) { scanningSince = now }

    /// The controller is lost; returns when to try again, in monotonic nanoseconds.
    public mutating func lost(at now: Int64) -> Int64 {
        if let since = scanningSince, now - since >= ControllerSession.steadyAfter { backoff.reset() }
        scanningSince = nil
        return now + backoff.next()
    }
}
