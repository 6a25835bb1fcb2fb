public import Presence

/// One moment on both clocks: the monotonic one that decides, and the wall clock that is only told.
public struct Moment: Equatable, Sendable {
    /// For decisions.
    public var instant: Instant
    /// For payloads: nanoseconds since 1970-01-01 UTC.
    public var wall: Int64
    /// Whether the kernel says that the wall clock is kept right.
    public var isSynchronised: Bool

    /// Makes a moment.
    public init(instant: Instant, wall: Int64, isSynchronised: Bool) {
        self.instant = instant
        self.wall = wall
        self.isSynchronised = isSynchronised
    }

    /// The wall time of another instant, as far as today's clock can tell.
    func wallTime(of other: Instant) -> Int64 { wall &- (instant - other).nanoseconds }
}

/// Wall time as text: RFC 3339 in UTC with milliseconds.
package enum Timestamp {
    /// Text of a time in nanoseconds since 1970, cut to the millisecond.
    package static func text(_ nanoseconds: Int64) -> String {
        let milliseconds = floorDivide(nanoseconds, 1_000_000)
        let seconds = floorDivide(milliseconds, 1000)
        let days = floorDivide(seconds, 86_400)
        let (year, month, day) = civil(days)
        let ofDay = seconds - days * 86_400
        // Int64 nanoseconds reach from 1677 to 2262, so the year always has four digits.
        return
            "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(ofDay / 3600, 2)):"
            + "\(padded(ofDay / 60 % 60, 2)):\(padded(ofDay % 60, 2)).\(padded(milliseconds - seconds * 1000, 3))Z"
    }

    /// Days since 1970-01-01 to year, month, day of the Gregorian calendar. Works in years that start in March, so that
    /// the leap day is the last, and in eras of 400 years, which all have the same number of days.
    private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
        a >= 0 ? a / b : -((-(a + 1)) / b) - 1
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
