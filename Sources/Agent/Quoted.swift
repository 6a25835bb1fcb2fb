/// Text from outside, fit for a log or a terminal: cut, and what is not printable written as `\u{1B}`.
///
/// Not printable are all control and format characters, so escape sequences and bidirectional overrides too, and what
/// Unicode has not assigned. The limit is in scalars; a cut is shown as `…`.
public func escaped(_ text: String, limit: Int = 80) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
        if count == limit { return result + "…" }
        count += 1
        if scalar.isPrintable {
            result.unicodeScalars.append(scalar)
        } else {
            result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }
    return result
}

/// Text from outside in quotes, escaped and cut.
public func quoted(_ text: String, limit: Int = 80) -> String { "'\(escaped(text, limit: limit))'" }

extension Unicode.Scalar {
    /// Whether a terminal shows it as itself and does nothing else on its account.
    var isPrintable: Bool {
        if isASCII { return value >= 0x20 && value != 0x7F }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            return false
        default:
            return true
        }
    }
}
