import Testing

@testable import Presence

/// Numbers of the field: what the projects' own tests assert, and their formulae computed once by hand.
///
/// Sources: Bluetooth-Devices/ibeacon-ble tests/test_init.py; agittins/bermuda tests/test_util.py;
/// AltBeacon/android-beacon-library ModelSpecificDistanceCalculatorTest; docs of OpenMQTTGateway; the formulae of
/// sandeepmistry/node-bleacon lib/bleacon.js and ESPresense src/BleFingerprint.cpp.
@Suite struct DistanceLawTests {
    @Test(
        "the curve with its cap gives what ibeacon-ble's tests assert",
        arguments: [
            (-59.0, -60.0, 1.1352362990362899), (59, -60, 1.183020818815412), (12, -80, 400), (-3, -100, 400),
            (-3, -96, 400), (-3, -3, 1.01076), (-4, -3, 0.056313514709472656),
        ])
    func ibeaconBLE(power: Double, rssi: Double, metres: Double) throws {
        let found = try #require(DistanceLaw.ibeaconBLE.metres(rssi: rssi, power: power, exponent: 2))
        #expect(abs(found - metres) < 1e-9)
    }

    @Test(
        "the curve takes 0 dBm, and a power of 0, for no signal",
        arguments: [
            DistanceLaw.curveFit, .curveFitNexus5, .curveFitMotoX, .curveFitXT1092, .ibeaconBLE,
        ])
    func noSignal(law: DistanceLaw) {
        #expect(law.metres(rssi: 0, power: 59, exponent: 2) == nil)
        #expect(law.metres(rssi: -60, power: 0, exponent: 2) == nil)
        #expect(DistanceModel(law: law).estimate(rssi: 0, measuredPower: -59) == .unknown)
    }

    @Test("the Moto X's curve gives what AltBeacon's test asserts") func motoX() throws {
        let found = try #require(DistanceLaw.curveFitMotoX.metres(rssi: -58, power: -49, exponent: 2))
        #expect(abs(found - 2.661125466) < 1e-6)
    }

    @Test("log-distance gives what Bermuda's tests assert") func bermuda() throws {
        let near = try #require(DistanceLaw.logDistance.metres(rssi: -50, power: -20, exponent: 2))
        #expect(near.rounded(.down) == 31)
        let far = try #require(DistanceLaw.logDistance.metres(rssi: -80, power: -20, exponent: 2))
        #expect((far + 1e-9).rounded(.down) == 1000)
    }

    @Test("OpenMQTTGateway's documented example is the first curve with its own default power") func gateway()
        throws
    {
        let found = try #require(DistanceLaw.curveFit.metres(rssi: -78, power: -59, exponent: 2))
        #expect(abs(found - 7.85288) < 1e-5)
    }

    /// At −59 dBm at one metre; four decimals.
    static let table: [(law: DistanceLaw, exponent: Double, metres: [Double])] = [
        (
            .curveFit, 2,
            [
                0.0205, 0.1911, 0.4956, 1.0108, 1.1352, 2.0094, 3.4724, 5.8327, 9.5216, 15.1285, 23.4443, 35.511,
                52.6816,
            ]
        ),
        (
            .curveFitNexus5, 2,
            [
                0.0205, 0.1911, 0.4956, 0.9708, 1.023, 1.3749, 1.9304, 2.7795, 4.0409, 5.8694, 8.4628, 12.0704,
                17.0027,
            ]
        ),
        (
            .curveFitMotoX, 2,
            [
                0.0205, 0.1911, 0.4956, 0.9402, 1.0429, 1.709, 2.6997, 4.1324, 6.1537, 8.9452, 12.7278, 17.7678,
                24.3827,
            ]
        ),
        (
            .curveFitXT1092, 2,
            [
                0.0205, 0.1911, 0.4956, -0.267, -0.2393, -0.0397, 0.3081, 0.8905, 1.8332, 3.3136, 5.5781, 8.961,
                13.9096,
            ]
        ),
        (
            .bleacon, 2,
            [
                0.3011, 0.5663, 0.7767, 1.0, 1.0652, 1.4609, 2.0036, 2.7478, 3.7685, 5.1684, 7.0883, 9.7213,
                13.3324,
            ]
        ),
        (
            .logDistance, 2,
            [
                0.1122, 0.3548, 0.631, 1.0, 1.122, 1.9953, 3.5481, 6.3096, 11.2202, 19.9526, 35.4813, 63.0957,
                112.2018,
            ]
        ),
        (
            .espresense, 2,
            [
                0.1978, 0.4642, 0.711, 1.0, 1.089, 1.6681, 2.5551, 3.9137, 5.9948, 9.1825, 14.0653, 21.5443,
                33.0003,
            ]
        ),
    ]

    @Test("each published formula gives its table", arguments: table)
    func tables(law: DistanceLaw, exponent: Double, metres: [Double]) throws {
        let strengths = [-40.0, -50, -55, -59, -60, -65, -70, -75, -80, -85, -90, -95, -100]
        for (rssi, expected) in zip(strengths, metres) {
            let found = try #require(law.metres(rssi: rssi, power: -59, exponent: exponent))
            #expect(abs(found - expected) <= 0.00006, "\(law) at \(rssi) dBm")
        }
    }

    @Test("no law gives out what is no distance, whatever comes in", arguments: DistanceLaw.allCases)
    func extremes(law: DistanceLaw) {
        let strengths: [Double] = [
            -.infinity, -1e300, -128, -127, -100, -59, -1, -0.0, 0, 1, 20, 21, 127, .infinity, .nan,
        ]
        for rssi in strengths {
            for power in [Int.min, -128, -127, -101, -100, -59, -20, -19, -1, 0, 1, 20, 127, .max] {
                for exponent in [0, -1, 2, 1e9, Double.nan] {
                    let model = DistanceModel(defaultMeasuredPower: power, law: law, exponent: exponent)
                    let estimate = model.estimate(rssi: rssi, measuredPower: power, samples: power)
                    if estimate == .unknown { continue }
                    #expect((0.01...1_000).contains(estimate.accuracy), "\(rssi) \(power) \(exponent)")
                    #expect(estimate.range.map { $0.contains(estimate.accuracy) } == true)
                }
            }
        }
    }

    @Test("a law is found by its name in the configuration") func names() {
        #expect(
            DistanceLaw.allCases.map(\.rawValue) == [
                "prior", "log_distance", "curve_fit", "curve_fit_nexus_5", "curve_fit_moto_x", "curve_fit_xt1092",
                "ibeacon_ble", "bleacon", "espresense", "bermuda",
            ])
    }
}
