/// The fewest decimal digits that give a double back, laid out as ECMAScript does it (RFC 8785, section 3.2.2.3).
///
/// The digits are the standard library's, which promises the shortest that round-trip and of these the nearest; only
/// the layout is done here.
struct ShortestDecimal {
    private let isNegative: Bool
    /// Without zeros at either end; [0] for zero.
    private let digits: [UInt8]
    /// The value is 0.d₁d₂d₃… × 10^point.
    private let point: Int

    /// Takes a double apart; nil if it is infinite or not a number.
    init?(_ value: Double) {
        guard value.isFinite else { return nil }
        var digits: [UInt8] = []
        var point = 0
        var exponent = 0
        var seenDot = false
        var text = value.magnitude.description[...]
        if let e = text.firstIndex(of: "e") {
            exponent = Int(text[text.index(after: e)...]) ?? 0
            text = text[..<e]
        }
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                seenDot = true
            } else {
                digits.append(byte - UInt8(ascii: "0"))
                if !seenDot { point += 1 }
            }
        }
        let leading = digits.prefix { $0 == 0 }.count
        digits.removeFirst(leading)
        while digits.last == 0 { digits.removeLast() }
        self.isNegative = value < 0
        self.digits = digits.isEmpty ? [0] : digits
        self.point = digits.isEmpty ? 1 : point - leading + exponent
    }

    /// Writes the number. The names in ECMAScript's Number::toString: k is `digits.count`, n is `point`.
    func append(to bytes: inout [UInt8]) {
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        let zero = UInt8(ascii: "0")
        switch point {
        case digits.count...21:
            for digit in digits { bytes.append(zero + digit) }
            for _ in digits.count..<point { bytes.append(zero) }
        case 1...21:
            for digit in digits[..<point] { bytes.append(zero + digit) }
            bytes.append(UInt8(ascii: "."))
            for digit in digits[point...] { bytes.append(zero + digit) }
        case -5...0:
            bytes.append(zero)
            bytes.append(UInt8(ascii: "."))
            for _ in point..<0 { bytes.append(zero) }
            for digit in digits { bytes.append(zero + digit) }
        default:
            bytes.append(zero + digits[0])
            if digits.count > 1 {
                bytes.append(UInt8(ascii: "."))
                for digit in digits[1...] { bytes.append(zero + digit) }
            }
            bytes.append(UInt8(ascii: "e"))
            bytes.append(UInt8(ascii: point > 0 ? "+" : "-"))
            bytes.append(contentsOf: String((point - 1).magnitude).utf8)
        }
    }
}
