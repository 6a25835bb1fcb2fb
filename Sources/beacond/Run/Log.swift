internal import Agent
internal import System

/// The log: lines on standard error, whole and one at a time, from any thread.
///
/// No time stamps of its own: systemd's journal has better ones.
final class Log: Sendable {
    private let level: Locked<LogLevel>

    init(level: LogLevel) { self.level = Locked(level) }

    /// From now on this and what is more urgent is written.
    func set(_ level: LogLevel) { self.level.withLock { $0 = level } }

    func callAsFunction(_ level: LogLevel, _ text: String) {
        guard level <= self.level.withLock({ $0 }) else { return }
        StandardError.write(text.hasSuffix("\n") ? "\(level.name): \(text)" : "\(level.name): \(text)\n")
    }
}
