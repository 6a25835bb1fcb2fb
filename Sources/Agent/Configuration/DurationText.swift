extension Duration {
    /// Reads `500ms`, `2.5ms`, `10s`, `5m`, `2h`, with at most six decimals; nil for anything else.
    package init?(configured text: String) {
        let units: [(suffix: String, nanoseconds: Int64)] = [
            ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ]
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        var number = text.dropLast(unit.suffix.count)
        let isNegative = number.first == "-"
        if isNegative { number = number.dropFirst() }
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count > 1 ? parts[1] : "0"
        // Twelve digits of hours do not fit any more, which the multiplication below finds out.
        guard let whole = parts.first, (1...12).contains(whole.count), (1...6).contains(decimals.count),
            (whole + decimals).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let wholes = Int64(whole),
            let millionths = Int64(decimals + repeatElement("0", count: 6 - decimals.count))
        else { return nil }
        let (product, isTooLong) = wholes.multipliedReportingOverflow(by: unit.nanoseconds)
        // At most 10^6 × 3.6 × 10^12, and the unit is a whole number of microseconds: exact.
        let (sum, isStillTooLong) = product.addingReportingOverflow(millionths * (unit.nanoseconds / 1_000_000))
        if isTooLong || isStillTooLong { return nil }
        self = .nanoseconds(isNegative ? -sum : sum)
    }

    /// The text that reads back as this: the largest unit in which it is whole, else seconds or milliseconds with
    /// decimals.
    package var configurationText: String {
        let count = nanoseconds
        if count == 0 { return "0s" }
        let units: [(suffix: String, nanoseconds: Int64)] = [
            ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ]
        for unit in units where count % unit.nanoseconds == 0 {
            return "\(count / unit.nanoseconds)\(unit.suffix)"
        }
        let isInSeconds = count.magnitude >= 1_000_000_000 && count % 1_000 == 0
        let millionths = isInSeconds ? count.magnitude / 1_000 : count.magnitude
        var decimals = String(millionths % 1_000_000)
        decimals = String(repeating: "0", count: 6 - decimals.count) + decimals
        while decimals.hasSuffix("0") { decimals.removeLast() }
        let sign = count < 0 ? "-" : ""
        let point = decimals.isEmpty ? "" : "."
        return "\(sign)\(millionths / 1_000_000)\(point)\(decimals)\(isInSeconds ? "s" : "ms")"
    }

    /// Whole nanoseconds; configuration knows nothing smaller, and nothing of centuries.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
