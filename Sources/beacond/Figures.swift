internal import JSON

/// A number and its noun, in the plural where it is not one.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A number with so many decimals at most.
func decimal(_ value: Double, _ decimals: Int) -> String {
    var writer = JSONWriter()
    writer.number(value, decimals: decimals)
    return writer.text
}

/// Bytes for people: 10 MB, in thousands.
enum ByteCount {
    static func text(_ count: Int) -> String {
        switch count {
        case ..<1000: "\(count) bytes"
        case ..<1_000_000: "\(decimal(Double(count) / 1e3, 1)) kB"
        case ..<1_000_000_000: "\(decimal(Double(count) / 1e6, 1)) MB"
        default: "\(decimal(Double(count) / 1e9, 1)) GB"
        }
    }

    /// Reads `500k`, `10M`, `2G` or a plain number, in thousands; nil for anything else.
    static func read(_ text: String) -> Int? {
        let units: [(Character, Int)] = [("k", 1000), ("M", 1_000_000), ("G", 1_000_000_000)]
        let unit = units.first { $0.0 == text.last }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard (1...12).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(digits)
        else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        return overflow ? nil : product
    }
}
