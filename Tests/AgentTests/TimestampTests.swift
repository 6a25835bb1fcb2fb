import Foundation
import Testing

@testable import Agent

@Suite struct TimestampTests {
    @Test("times are as Foundation writes them, from 1678 to 2262") func agrees() {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // Days through four centuries with their leap years; the step meets every hour and minute.
        var seconds: Int64 = -9_200_000_000
        while seconds < 9_200_000_000 {
            for milliseconds in [0, 1, 999] as [Int64] {
                let date = Date(timeIntervalSince1970: Double(seconds) + Double(milliseconds) / 1000 + 0.0001)
                #expect(Timestamp.text((seconds * 1000 + milliseconds) * 1_000_000) == date.formatted(format))
            }
            seconds += 2_345_678
        }
    }

    @Test(
        "the days at which calendars go wrong are right",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (999_999, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999_999_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000_000_000, "2000-03-01T00:00:00.000Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
            (4_107_542_399_000_000_000, "2100-02-28T23:59:59.000Z"), (.max, "2262-04-11T23:47:16.854Z"),
            (.min, "1677-09-21T00:12:43.145Z"),
        ] as [(Int64, String)])
    func edges(nanoseconds: Int64, text: String) {
        #expect(Timestamp.text(nanoseconds) == text)
    }
}
