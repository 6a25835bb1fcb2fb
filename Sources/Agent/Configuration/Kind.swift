internal import JSON

/// Why a value is not taken.
struct Complaint: Error, Equatable, Sendable {
    let message: String

    init(_ message: String) { self.message = message }
}

/// What a key may be: how it is read, what its bounds are, how it is written.
struct Kind<Value: Sendable>: Sendable {
    /// The bounds as the reference states them.
    let bounds: String
    let read: @Sendable (ConfigurationNode.Value) -> Result<Value, Complaint>
    let write: @Sendable (Value) -> JSONValue

    /// Another type for the same values.
    func map<Other: Sendable>(
        to other: @escaping @Sendable (Value) -> Other, from value: @escaping @Sendable (Other) -> Value
    ) -> Kind<Other> {
        let (read, write) = (read, write)
        return Kind<Other>(bounds: bounds, read: { read($0).map(other) }, write: { write(value($0)) })
    }
}

extension Kind where Value: FixedWidthInteger {
    /// A whole number.
    static func integer(_ range: ClosedRange<Value>, unit: String = "") -> Kind {
        let suffix = unit.isEmpty ? "" : " \(unit)"
        let bounds = "\(range.lowerBound)…\(range.upperBound)\(suffix)"
        return Kind(
            bounds: bounds,
            read: { value in
                switch value {
                case .plain(let literal), .number(let literal):
                    let digits = literal.first == "-" ? literal.dropFirst() : literal[...]
                    guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { break }
                    // Anything that is a whole number but does not fit the type is outside its bounds, too.
                    guard let number = Value(literal), range.contains(number) else {
                        return .failure(Complaint("\(escaped(literal)) is outside \(bounds)"))
                    }
                    return .success(number)
                case .text(let text) where Value(text) != nil:
                    return .failure(
                        Complaint("expected a whole number, found \(value.found); write it without quotes"))
                default: break
                }
                return .failure(Complaint("expected a whole number of \(bounds), found \(value.found)"))
            },
            write: { .integer($0) })
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

extension Kind where Value == Double {
    /// A number with at most two decimals; the bounds are whole.
    static func decimal(_ range: ClosedRange<Int>) -> Kind {
        let bounds = "\(range.lowerBound)…\(range.upperBound)"
        return Kind(
            bounds: "\(bounds), with at most two decimals",
            read: { value in
                guard case .plain(let literal) = value.asPlain, let number = decimalNumber(literal) else {
                    return .failure(
                        Complaint("expected a number of \(bounds) with at most two decimals, found \(value.found)"))
                }
                let isInside = number >= Double(range.lowerBound) && number <= Double(range.upperBound)
                return isInside ? .success(number) : .failure(Complaint("\(escaped(literal)) is outside \(bounds)"))
            },
            write: { JSONNumber($0).map(JSONValue.number) ?? .null })
    }
}

/// Digits, and after a point one or two more; nothing else that computers take for a number.
private func decimalNumber(_ literal: String) -> Double? {
    let parts = literal.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }), parts[0].utf8.count <= 9 else {
        return nil
    }
    return parts.count == 2 && parts[1].utf8.count > 2 ? nil : Double(literal)
}

extension ConfigurationNode.Value {
    /// A number is as good unquoted in YAML as it is in JSON.
    fileprivate var asPlain: ConfigurationNode.Value {
        if case .number(let literal) = self { .plain(literal) } else { self }
    }
}

extension Kind where Value == Bool {
    /// `true` or `false`, and none of the other words that YAML once knew for them.
    static var bool: Kind {
        Kind(
            bounds: "true or false",
            read: { value in
                switch value {
                case .bool(let bool): return .success(bool)
                case .plain("true"): return .success(true)
                case .plain("false"): return .success(false)
                case .text("true"), .text("false"):
                    return .failure(
                        Complaint("expected true or false, found \(value.found); write it without quotes"))
                default: return .failure(Complaint("expected true or false, found \(value.found)"))
                }
            },
            write: { .bool($0) })
    }
}

extension Kind where Value: CaseIterable & Equatable {
    /// One of a few words.
    static func choice(_ word: @escaping @Sendable (Value) -> String) -> Kind {
        let words = Value.allCases.map(word)
        let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        return Kind(
            bounds: list,
            read: { value in
                guard let text = value.text, let choice = Value.allCases.first(where: { word($0) == text }) else {
                    return .failure(Complaint("expected \(list), found \(value.found)"))
                }
                return .success(choice)
            },
            write: { .string(word($0)) })
    }
}

extension Kind where Value == String {
    /// A text without control characters; `complaint` says what is wrong with it, for a message that goes on from it.
    static func text(
        _ noun: String, bounds: String, _ complaint: @escaping @Sendable (String) -> String?
    ) -> Kind {
        Kind(
            bounds: bounds,
            read: { value in
                guard let text = value.text else {
                    var hint = ""
                    if case .number = value { hint = "; write it in quotes" }
                    return .failure(Complaint("expected \(noun), found \(value.found)\(hint)"))
                }
                if text.isEmpty { return .failure(Complaint("expected \(noun), found an empty text")) }
                guard text.unicodeScalars.allSatisfy(\.isPrintable) else {
                    return .failure(Complaint("\(quoted(text)) has a character that cannot be printed"))
                }
                if let complaint = complaint(text) { return .failure(Complaint("\(quoted(text)) \(complaint)")) }
                return .success(text)
            },
            write: { .string($0) })
    }
}

extension Kind where Value == Duration {
    /// A length of time that is a whole number of steps.
    static func duration(_ range: ClosedRange<Duration>, step: Duration = .milliseconds(1)) -> Kind {
        let bounds = "\(range.lowerBound.configurationText)…\(range.upperBound.configurationText)"
        let steps = step == .milliseconds(1) ? "" : " in steps of \(step.configurationText)"
        return Kind(
            bounds: bounds + steps,
            read: { value in
                switch value {
                case .number(let literal):
                    return .failure(
                        Complaint("\(escaped(literal)) has no unit; write \"10s\", \"500ms\" or \"5m\""))
                case .text(let text), .plain(let text):
                    if Double(text) != nil {
                        return .failure(Complaint("\(quoted(text)) has no unit; write 10s, 500ms or 5m"))
                    }
                    guard let duration = Duration(configured: text) else { break }
                    guard range.contains(duration) else {
                        return .failure(Complaint("\(escaped(text)) is outside \(bounds)"))
                    }
                    guard duration.nanoseconds % step.nanoseconds == 0 else {
                        let below = Duration.nanoseconds(
                            duration.nanoseconds / step.nanoseconds * step.nanoseconds)
                        return .failure(
                            Complaint(
                                "\(escaped(text)) is not a multiple of \(step.configurationText); the next ones are "
                                    + "\(below.configurationText) and \((below + step).configurationText)"))
                    }
                    return .success(duration)
                default: break
                }
                return .failure(
                    Complaint("expected a duration such as 500ms, 10s, 5m or 2h, found \(value.found)"))
            },
            write: { .string($0.configurationText) })
    }
}
