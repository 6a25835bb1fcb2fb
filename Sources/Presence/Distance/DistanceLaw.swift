internal import Glibc

/// How a signal strength becomes a distance: our own way and every published one, by the name that configuration
/// uses.
public enum DistanceLaw: String, CaseIterable, Sendable {
    /// Log-distance path loss weighed against a prior around two metres; the default.
    case prior
    /// Log-distance path loss alone.
    case logDistance = "log_distance"
    /// The curve that Radius Networks fitted to a Nexus 4; AltBeacon's library, theengs/gateway, room-assistant.
    case curveFit = "curve_fit"
    /// The same with what AltBeacon's library now gives the Nexus 5 and every phone it does not know.
    case curveFitNexus5 = "curve_fit_nexus_5"
    /// The same with its coefficients for the Moto X Pro.
    case curveFitMotoX = "curve_fit_moto_x"
    /// The same with its coefficients for the XT1092, which are below zero near one metre.
    case curveFitXT1092 = "curve_fit_xt1092"
    /// The first curve, and never beyond 400 m: ibeacon-ble, which Home Assistant uses.
    case ibeaconBLE = "ibeacon_ble"
    /// 12^(1.5 · (rssi / power − 1)): node-bleacon.
    case bleacon
    /// Log-distance with the exponent 2.7 that ESPresense calls absorption.
    case espresense
    /// Log-distance with the exponent 3 that Bermuda calls attenuation.
    case bermuda

    /// The distance in metres by the formula as it was published, unbounded; nil where the formula knows none.
    ///
    /// `exponent` is that of the log-distance laws whose author did not fix one.
    func metres(rssi: Double, power: Double, exponent: Double) -> Double? {
        switch self {
        case .prior, .logDistance: Self.logDistance(rssi, power, exponent)
        case .espresense: Self.logDistance(rssi, power, 2.7)
        case .bermuda: Self.logDistance(rssi, power, 3)
        case .curveFit: Curve.nexus4.metres(rssi, power)
        case .curveFitNexus5: Curve.nexus5.metres(rssi, power)
        case .curveFitMotoX: Curve.motoXPro.metres(rssi, power)
        case .curveFitXT1092: Curve.xt1092.metres(rssi, power)
        case .ibeaconBLE: power == 0 ? nil : Curve.nexus4.metres(rssi, power).map { min($0, 400) }
        case .bleacon: power == 0 ? nil : pow(12, 1.5 * (rssi / power - 1))
        }
    }

    private static func logDistance(_ rssi: Double, _ power: Double, _ exponent: Double) -> Double {
        pow(10, (power - rssi) / (10 * exponent))
    }
}

/// Coefficients of the curve fit: below the measured power (ratio^10), else a · ratio^b + c.
///
/// Source: AltBeacon/android-beacon-library, CurveFittedDistanceCalculator.java and the two
/// model-distance-calculations.json, of its resources and of its tests.
private struct Curve {
    var a: Double
    var b: Double
    var c: Double

    static let nexus4 = Curve(a: 0.89976, b: 7.7095, c: 0.111)
    static let nexus5 = Curve(a: 0.42093, b: 6.9476, c: 0.54992)
    static let motoXPro = Curve(a: 0.9401940951, b: 6.170094565, c: 0)
    static let xt1092 = Curve(a: 0.1862616782, b: 8.235367435, c: -0.45324519)

    func metres(_ rssi: Double, _ power: Double) -> Double? {
        // The formula takes 0 dBm for "no signal".
        if rssi == 0 || power == 0 { return nil }
        let ratio = rssi / power
        return ratio < 1 ? pow(ratio, 10) : a * pow(ratio, b) + c
    }
}
