/// A double rounded to a number of decimals, without Foundation and without allocation.
struct FixedPoint {
    let isNegative: Bool
    /// Before the point.
    let whole: UInt64
    /// After the point, as a whole number of `decimals` digits.
    let fraction: UInt64
    /// How many decimals are left after the zeros at the end are gone.
    let decimals: Int

    /// Powers of ten that a double holds exactly; more decimals than that nobody measures here.
    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    /// Rounds a finite double; nil where a scaled double has no halves any more (2^52 and above).
    init?(_ value: Double, decimals: Int) {
        let decimals = min(max(decimals, 0), Self.powers.count - 1)
        let power = Self.powers[decimals]
        let product = value.magnitude * power
        guard product < 0x1p52 else { return nil }
        // The product is itself rounded. As n and n + ½ are doubles here, rounding cannot carry it across either, only
        // onto them; there the exact remainder of the multiplication tells on which side it came from: 0.15 is less
        // than its name, and 0.15 × 10 is 1.5 all the same.
        let remainder = (-product).addingProduct(value.magnitude, power)
        let floor = product.rounded(.down)
        let half = product - floor - 0.5
        var scaled = UInt64(floor)
        if half > 0 || (half == 0 && remainder >= 0) { scaled += 1 }

        var left = decimals
        while left > 0, scaled % 10 == 0 {
            scaled /= 10
            left -= 1
        }
        let unit = UInt64(Self.powers[left])
        whole = scaled / unit
        fraction = scaled % unit
        self.decimals = left
        isNegative = value < 0 && scaled > 0
    }
}
