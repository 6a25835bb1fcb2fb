import Testing

@testable import Presence

@Suite struct InstantTests {
    @Test("arithmetic on times stops at the ends of what can be counted") func saturation() {
        let (first, last) = (Instant(nanoseconds: .min), Instant.distantFuture)
        #expect(last + .seconds(1) == last)
        #expect(first - .seconds(1) == first)
        #expect(last - first == Span(nanoseconds: .max))
        #expect(first - last == Span(nanoseconds: .min))
        #expect(Instant(nanoseconds: 0) - Span(nanoseconds: .min) == last)
        #expect(Span(nanoseconds: .max) + .seconds(1) == Span(nanoseconds: .max))
        #expect(Span(nanoseconds: .min) - .seconds(1) == Span(nanoseconds: .min))
        #expect(Span.seconds(.max) == Span(nanoseconds: .max))
        #expect(Span.milliseconds(.min) == Span(nanoseconds: .min))
        #expect(Span(.seconds(Int64.max)) == Span(nanoseconds: .max))
    }

    @Test("a span is as long as its duration") func duration() {
        #expect(Span(.milliseconds(1_500)) == .milliseconds(1_500))
        #expect(Span(.nanoseconds(-1)).nanoseconds == -1)
        #expect(Span(.seconds(86_400)) == .seconds(86_400))
        #expect(Span(nanoseconds: 1_999_999).milliseconds == 1)
    }
}
