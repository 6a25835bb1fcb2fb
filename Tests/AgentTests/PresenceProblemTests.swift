import Agent
import Testing

/// The lines about one key of a file that is good otherwise, without place and path.
func configurationSentences(_ text: String) -> [String] {
    let good = "site: a\nnode: b\nradio:\n  adapter: unix:/run/x\n"
    do throws(ConfigurationProblems) {
        _ = try Configuration.read(text: Array((good + text).utf8))
        return []
    } catch {
        return error.problems.map { "\($0.path): \($0.message)" }
    }
}

@Suite("Problems of distances and calibrations")
struct PresenceProblemTests {
    private static let distancesCases: [(String, [String])] = [
        ("exponent: 2.75", []), ("exponent: 6", []), ("exponent: 1.0", []),
        ("exponent: 0.99", ["exponent: 0.99 is outside 1…6"]),
        ("exponent: 6.01", ["exponent: 6.01 is outside 1…6"]),
        (
            "exponent: 2.755",
            ["exponent: expected a number of 1…6 with at most two decimals, found '2.755'"]
        ),
        ("exponent: 2e0", ["exponent: expected a number of 1…6 with at most two decimals, found '2e0'"]),
        ("exponent: .5", ["exponent: expected a number of 1…6 with at most two decimals, found '.5'"]),
        ("exponent: nan", ["exponent: expected a number of 1…6 with at most two decimals, found 'nan'"]),
        ("filter: mean", ["filter: expected \(filters), found 'mean'"]),
        ("model: curve", ["model: expected \(models), found 'curve'"]),
    ]

    @Test(
        "each key of distances says what it takes",
        arguments: distancesCases)
    func distance(text: String, expected: [String]) {
        #expect(configurationSentences("distance: {\(text)}\n") == expected.map { "distance.\($0)" })
    }

    private static let filters =
        "trimmed_mean, median, quantile, fenced_median, running_average, arma, kalman, smoothed_maximum or none"
    private static let models =
        "prior, log_distance, curve_fit, curve_fit_nexus_5, curve_fit_moto_x, curve_fit_xt1092, ibeacon_ble, bleacon, espresense or bermuda"

    private static let calibrationsCases: [(String, [String])] = [
        (
            "{uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 1, measured_power: -61}",
            [": is of no single beacon: it needs minor"]
        ),
        (
            "{uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 1, minor: 2}",
            [".measured_power: is missing and has no default; it must be -100…-20 dBm"]
        ),
        (
            "{format: eddystone-uid, namespace: 00000000000000000000, measured_power: -61}",
            [": is of no single beacon: it needs instance"]
        ),
        (
            "{uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 1, minor: 2, measured_power: 0}",
            [".measured_power: 0 is outside -100…-20 dBm"]
        ),
        (
            "{measured_power: -61}",
            [
                ": has nothing to match: with the format ibeacon it needs uuid",
                ": is of no single beacon: it needs minor",
            ]
        ),
    ]

    @Test(
        "a calibration is of one beacon, and has a power",
        arguments: calibrationsCases)
    func calibrations(text: String, expected: [String]) {
        #expect(configurationSentences("calibrations:\n  c: \(text)\n") == expected.map { "calibrations.c\($0)" })
    }

    @Test("so many regions may hold one beacon, and of more of them one is named") func overlap() {
        func regions(_ wide: Int, _ narrow: Int) -> String {
            let uuid = "uuid: 39ed98ff-2900-441a-802f-9c398fc199d2"
            return "regions:\n" + (0..<wide).map { "  w\($0): {\(uuid)}\n" }.joined()
                + (0..<narrow).map { "  n\($0): {\(uuid), major: \($0 / 2)}\n" }.joined()
        }
        #expect(configurationSentences(regions(62, 5_000)) == [])
        #expect(
            configurationSentences(regions(63, 5_000)) == [
                "regions.n0: 65 regions hold its beacons; at most 64 may overlap"
            ])
        #expect(
            configurationSentences(regions(900, 1)) == [
                "regions.w0: 900 regions hold its beacons; at most 64 may overlap"
            ])
    }
}
