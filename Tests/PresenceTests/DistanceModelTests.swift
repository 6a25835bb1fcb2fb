import Testing

@testable import Presence

@Suite struct DistanceModelTests {
    @Test("nothing heard is at −1 and without an interval") func unknown() {
        let estimate = DistanceModel().estimate(rssi: nil, measuredPower: -59)
        #expect(estimate == .unknown)
        #expect(estimate.accuracy == -1)
        #expect(estimate.range == nil)
        #expect(Proximity(accuracy: estimate.accuracy) == .unknown)
    }

    @Test("weaker is further, and never further than the measured power's range makes sense") func monotone() {
        let model = DistanceModel()
        var last = 0.0
        for rssi in stride(from: 20, through: -127, by: -1) {
            let estimate = model.estimate(rssi: Double(rssi), measuredPower: -59)
            #expect(estimate.accuracy > last)
            last = estimate.accuracy
        }
        #expect(last < 1_000)
    }

    @Test("the estimate is the log-distance law's, drawn towards two metres") func prior() {
        // At the strength that the law puts at 2 m, law and prior agree.
        let atPrior = DistanceModel().estimate(rssi: -59 - 6.0206, measuredPower: -59).accuracy
        #expect(abs(atPrior - 2) < 0.001)
        // At 20 m by the law alone the prior's weight of a half draws it to 20^0.496 · 2^0.504.
        let far = DistanceModel().estimate(rssi: -59 - 26.0206, measuredPower: -59).accuracy
        #expect(abs(far - 6.27) < 0.01)
    }

    @Test("the interval holds the estimate and is as wide on either side, by ratio") func interval() throws {
        let estimate = DistanceModel().estimate(rssi: -70, measuredPower: -59)
        let range = try #require(estimate.range)
        #expect(abs(range.upperBound / estimate.accuracy - estimate.accuracy / range.lowerBound) < 1e-9)
        #expect(abs(range.upperBound / estimate.accuracy - 2.07) < 0.01)
    }

    @Test(
        "an implausible measured power is replaced by the default one",
        arguments: [-101, -19, 0, 59, 127, .min, .max])
    func implausible(power: Int) {
        let model = DistanceModel(defaultMeasuredPower: -65)
        #expect(model.estimate(rssi: -70, measuredPower: power) == model.estimate(rssi: -70, measuredPower: -65))
        #expect(model.estimate(rssi: -70, measuredPower: -100) != model.estimate(rssi: -70, measuredPower: -65))
    }

    @Test("one advert leaves more open than a window of them, at the same distance") func samples() throws {
        let model = DistanceModel()
        let one = model.estimate(rssi: -90, measuredPower: -59, samples: 1)
        let many = model.estimate(rssi: -90, measuredPower: -59, samples: 100)
        #expect(one.accuracy == many.accuracy)
        let (wide, narrow) = (try #require(one.range), try #require(many.range))
        #expect(wide.upperBound / wide.lowerBound > narrow.upperBound / narrow.lowerBound * 1.1)
        #expect(model.estimate(rssi: -90, measuredPower: -59, samples: 0) == one)
    }

    @Test("a published formula keeps its estimate and gets the interval of its signal") func published() throws {
        let estimate = DistanceModel(law: .curveFit).estimate(rssi: -70, measuredPower: -59)
        #expect(abs(estimate.accuracy - 3.4724) < 0.0001)
        let range = try #require(estimate.range)
        #expect(abs(range.upperBound / estimate.accuracy - 2.81) < 0.01)
        // What its coefficients put below nothing is held at a centimetre.
        #expect(DistanceModel(law: .curveFitXT1092).estimate(rssi: -60, measuredPower: -59).accuracy == 0.01)
    }

    @Test("a strength that no controller reports is none", arguments: [-128.0, 20.5, 127, .nan, .infinity])
    func notReportable(rssi: Double) {
        #expect(DistanceModel().estimate(rssi: rssi, measuredPower: -59) == .unknown)
    }
}
