import Testing

@testable import Presence

@Suite struct DistanceCalibrationTests {
    private func finding(_ samples: [Int8], distance: Double = 1) -> PowerCalibration.Finding? {
        var calibration = PowerCalibration(distance: distance)
        for rssi in samples { calibration.add(rssi) }
        return calibration.finding
    }

    @Test("nothing heard gives nothing") func empty() { #expect(finding([]) == nil) }

    @Test("at one metre the measured power is the median, which a few disturbed adverts do not move")
    func oneMetre() {
        let samples = [Int8](repeating: -60, count: 20) + [-58, -58, -62, -62, -61, -59] + [-95, -95, -95, -96]
        let found = finding(samples + [-60])
        #expect(found?.measuredPower == -60)
        #expect(found?.samples == 31)
        #expect(found?.deviation == 0)
        #expect(found?.verdict == .good)
    }

    @Test("elsewhere what free space takes is added", arguments: [(2.0, -54), (0.5, -66), (10, -40), (0.1, -80)])
    func elsewhere(distance: Double, power: Int) {
        #expect(finding([Int8](repeating: -60, count: 40), distance: distance)?.measuredPower == power)
    }

    @Test("fewer than thirty adverts are too few, whatever they say") func tooFew() {
        #expect(finding([Int8](repeating: -60, count: 29))?.verdict == .tooFew)
        #expect(finding([Int8](repeating: -60, count: 30))?.verdict == .good)
    }

    @Test("a spread of more than six decibels is too wide") func tooWide() {
        let steady = (0..<100).map { Int8(-60 + $0 % 9 - 4) }
        #expect(finding(steady)?.verdict == .good)
        let moved = (0..<100).map { Int8(-60 + $0 % 21 - 10) }
        let found = finding(moved)
        #expect(found?.verdict == .tooWide)
        // Median distance 5 of a flat spread over ±10.
        #expect(abs((found?.deviation ?? 0) - 7.413) < 0.001)
        #expect(abs((found?.standardError ?? 0) - 0.929) < 0.001)
    }

    @Test("a power that no beacon has is implausible") func implausible() {
        #expect(finding([Int8](repeating: -10, count: 40))?.verdict == .implausible)
        #expect(finding([Int8](repeating: -90, count: 40), distance: 0.1)?.verdict == .implausible)
    }

    @Test("any strength and distance is taken without a trap", arguments: [0, -1, .nan, .infinity, 1e-300])
    func hostile(distance: Double) {
        let found = finding([.min, .max, 0, -1, 1], distance: distance)
        #expect(found?.samples == 5)
    }
}
