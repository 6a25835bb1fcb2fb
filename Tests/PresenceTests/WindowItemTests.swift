import Beacon
import Testing

@testable import Presence

@Suite struct WindowItemTests {
    private let item = Window.Item(
        identity: .ibeacon(uuid: UUID128(high: 1, low: 2), major: 65_535, minor: 7), adverts: 98,
        first: Span(nanoseconds: 4_000_001), last: Span(nanoseconds: 9_987_000_002),
        signal: Window.Signal(minimum: -128, maximum: 127, mean: -67.25, median: -67, deviation: 3.0625),
        interval: .milliseconds(100), loss: 0.25, addresses: 2,
        telemetry: Telemetry(battery: 2_987, temperatureSteps: -650, adverts: .max, uptimeDeciseconds: .max),
        distance: DistanceEstimate(accuracy: 1.875, range: 0.9375...3.75), powerIsSuspect: true)

    @Test("an item of a window gives back what was put into it, and takes 96 bytes") func whole() {
        #expect(MemoryLayout<Window.Item>.stride == 96)
        #expect(item.adverts == 98 && item.addresses == 2 && item.powerIsSuspect)
        #expect(item.first == Span(nanoseconds: 4_000_001) && item.last == Span(nanoseconds: 9_987_000_002))
        #expect(
            item.signal == Window.Signal(minimum: -128, maximum: 127, mean: -67.25, median: -67, deviation: 3.0625))
        #expect(item.interval == .milliseconds(100) && item.loss == 0.25)
        #expect(
            item.telemetry
                == Telemetry(battery: 2_987, temperatureSteps: -650, adverts: .max, uptimeDeciseconds: .max))
        #expect(item.distance == DistanceEstimate(accuracy: 1.875, range: 0.9375...3.75))
    }

    @Test("what is not known of an item stays unknown, each thing by itself") func nothing() {
        var item = item
        (item.signal, item.interval, item.loss, item.distance, item.powerIsSuspect) = (
            nil, nil, nil, .unknown, false
        )
        #expect(item.signal == nil && item.interval == nil && item.loss == nil)
        #expect(item.distance == .unknown && !item.powerIsSuspect && item.telemetry != nil)
        item.loss = 0
        #expect(item.loss == 0)
        item.telemetry = Telemetry(battery: nil, temperatureSteps: 0, adverts: 0, uptimeDeciseconds: 0)
        #expect(item.telemetry == Telemetry(battery: nil, temperatureSteps: 0, adverts: 0, uptimeDeciseconds: 0))
        item.telemetry = Telemetry(battery: 0, temperatureSteps: nil, adverts: 0, uptimeDeciseconds: 0)
        #expect(item.telemetry == Telemetry(battery: 0, temperatureSteps: nil, adverts: 0, uptimeDeciseconds: 0))
        item.telemetry = nil
        #expect(item.telemetry == nil)
    }

    @Test("numbers that are too large stop at their ends") func ends() {
        var item = item
        (item.adverts, item.addresses, item.interval) = (.max, .max, Span(nanoseconds: .max))
        #expect(item.adverts == 4_294_967_295 && item.addresses == 4_294_967_295)
        #expect(item.interval == .milliseconds(4_294_967_295))
        (item.adverts, item.interval) = (-1, .zero)
        #expect(item.adverts == 0 && item.interval == .milliseconds(1))
    }

    @Test("hundredths and tenths are published as they were", arguments: 0...1_000)
    func rounding(number: Int) {
        var item = item
        item.loss = Double(number) / 1_000
        item.distance = DistanceEstimate(accuracy: Double(number + 1), range: Double(number + 1)...1_001)
        #expect(abs((item.loss ?? -1) - Double(number) / 1_000) < 1e-7)
        #expect(item.distance.accuracy == Double(number + 1))
    }
}
