/// A text as a YAML scalar: plain where every reader of YAML takes it for this text, else in double quotes.
func yamlScalar(_ text: String, inFlow: Bool = true) -> String {
    isPlain(text, inFlow: inFlow) ? text : doubleQuoted(text)
}

private func isPlain(_ text: String, inFlow: Bool) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 255, !words.contains(text.lowercased()) else {
        return false
    }
    let isTame = text.utf8.allSatisfy { byte in
        isLetter(byte) || isDigit(byte) || "._/-".utf8.contains(byte)
            // Harmless unless a space or the end follows; readers differ about it within braces.
            || (byte == UInt8(ascii: ":") && !inFlow)
    }
    if !isTame || text.hasSuffix(":") { return false }
    if isLetter(first) || first == UInt8(ascii: "/") { return true }
    // What starts with a digit may be a number elsewhere (8e287857, 0x1F, 12:30); a duration and a UUID are none.
    guard isDigit(first), !text.contains(":") else { return false }
    return Duration(configured: text) != nil || (text.utf8.count == 36 && text.contains("-"))
}

/// What YAML 1.1 takes for nothing or for a truth value.
private let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func doubleQuoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": quoted += "\\\""
        case "\\": quoted += "\\\\"
        case _ where scalar.isPrintable: quoted.unicodeScalars.append(scalar)
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
    }
    return quoted + "\""
}
