import JSON

/// Spaces that fill a text up to a width, one at least.
func padding(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count))
}

/// A text at the right end of a column.
func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
}

/// A number with just so many decimals.
func decimal(_ value: Double, _ decimals: Int) -> String {
    var writer = JSONWriter()
    writer.number(value, decimals: decimals)
    if decimals == 0 { return writer.text }
    // The writer leaves zeros at the end away.
    let parts = writer.text.split(separator: ".")
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    return (parts.first.map(String.init) ?? "0") + "." + fraction
        + String(repeating: "0", count: max(0, decimals - fraction.count))
}
