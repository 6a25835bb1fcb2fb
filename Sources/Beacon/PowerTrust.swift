/// Which measured powers may be used for a distance.
public enum PowerTrust {
    /// The power at one metre, in dBm, that a real beacon can have.
    ///
    /// Outside it are the values of makers who put a battery level, zero or an unsigned number there: −3, 0 or +59 put
    /// a beacon that lies on the table thousands of kilometres away.
    public static let plausible = -100 ... -20

    /// Whether the power at one metre, in dBm, is one that a real beacon can have.
    public static func isPlausible(_ power: Int) -> Bool {
        plausible.contains(power)
    }
}
