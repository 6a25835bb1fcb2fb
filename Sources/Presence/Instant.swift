/// A point on the monotonic clock. Wall time plays no part in presence: it may step by years.
public struct Instant: Comparable, Hashable, Sendable {
    /// Nanoseconds since an arbitrary start, boot for instance.
    public let nanoseconds: Int64

    /// Makes an instant.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Earlier before later.
    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    /// The instant that much later. Times further away than the clock can count stop at its end.
    public static func + (instant: Instant, span: Span) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.nanoseconds)
        return overflow ? .distantFuture : Instant(nanoseconds: sum)
    }

    /// The time from `b` to `a`.
    public static func - (a: Instant, b: Instant) -> Span {
        Span(nanoseconds: a.nanoseconds &- b.nanoseconds)
    }

    /// Later than every other instant.
    public static let distantFuture = Instant(nanoseconds: .max)
}

/// A length of time in nanoseconds; half the size of `Duration` and cheaper to add on the path of every advert.
public struct Span: Comparable, Hashable, Sendable {
    /// Nanoseconds; negative where an earlier time is measured from a later one.
    public let nanoseconds: Int64

    /// Makes a span.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Makes a span of whole milliseconds.
    public static func milliseconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000_000) }

    /// Makes a span of whole seconds.
    public static func seconds(_ count: Int64) -> Span { Span(nanoseconds: count * 1_000_000_000) }

    /// Makes a span of a duration, which must be shorter than 292 years.
    public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Whole milliseconds, rounded down.
    public var milliseconds: Int64 { nanoseconds / 1_000_000 }

    /// Shorter before longer.
    public static func < (a: Span, b: Span) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Both spans, one after the other.
    public static func + (a: Span, b: Span) -> Span { Span(nanoseconds: a.nanoseconds + b.nanoseconds) }

    /// What is left of `a` without `b`.
    public static func - (a: Span, b: Span) -> Span { Span(nanoseconds: a.nanoseconds - b.nanoseconds) }

    /// No time at all.
    public static let zero = Span(nanoseconds: 0)
}
