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
        Instant(nanoseconds: instant.nanoseconds.saturatingSum(span.nanoseconds))
    }

    /// The instant that much earlier.
    public static func - (instant: Instant, span: Span) -> Instant {
        Instant(nanoseconds: instant.nanoseconds.saturatingDifference(span.nanoseconds))
    }

    /// The time from `b` to `a`.
    public static func - (a: Instant, b: Instant) -> Span {
        Span(nanoseconds: a.nanoseconds.saturatingDifference(b.nanoseconds))
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
    public static func milliseconds(_ count: Int64) -> Span {
        Span(nanoseconds: count.saturatingProduct(1_000_000))
    }

    /// Makes a span of whole seconds.
    public static func seconds(_ count: Int64) -> Span {
        Span(nanoseconds: count.saturatingProduct(1_000_000_000))
    }

    /// Makes a span of a duration; one of more than 292 years becomes as long as a span can be.
    public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        nanoseconds = seconds.saturatingProduct(1_000_000_000).saturatingSum(attoseconds / 1_000_000_000)
    }

    /// Whole milliseconds, rounded towards zero.
    public var milliseconds: Int64 { nanoseconds / 1_000_000 }

    /// Shorter before longer.
    public static func < (a: Span, b: Span) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Both spans, one after the other.
    public static func + (a: Span, b: Span) -> Span {
        Span(nanoseconds: a.nanoseconds.saturatingSum(b.nanoseconds))
    }

    /// What is left of `a` without `b`.
    public static func - (a: Span, b: Span) -> Span {
        Span(nanoseconds: a.nanoseconds.saturatingDifference(b.nanoseconds))
    }

    /// No time at all.
    public static let zero = Span(nanoseconds: 0)
}

/// Times come from captures as well as from clocks: arithmetic on them stops at the ends instead of trapping.
extension Int64 {
    fileprivate func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : sum
    }

    fileprivate func saturatingDifference(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }

    /// `other` is above zero.
    fileprivate func saturatingProduct(_ other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? (self < 0 ? .min : .max) : product
    }
}
