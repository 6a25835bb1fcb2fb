internal import Agent
internal import System

/// A command line that makes no sense, in a sentence that goes on from the command's name.
struct LineMisuse: Error, Equatable {
    var sentence: String
}

extension CommandLineOptions {
    /// The value of an option that is a whole number; nil if it was not given.
    func number(_ name: String, in bounds: ClosedRange<Int>) throws(LineMisuse) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw LineMisuse(
                sentence: "--\(name) is \(bounds.lowerBound)…\(bounds.upperBound), not \(quoted(text))")
        }
        return number
    }

    /// The value of an option that is a duration; nil if it was not given. `words` are its bounds.
    func duration(
        _ name: String, in bounds: ClosedRange<Duration>, words: String
    ) throws(LineMisuse) -> Duration? {
        guard let text = self[name] else { return nil }
        guard let duration = Duration(configured: text), bounds.contains(duration) else {
            throw LineMisuse(sentence: "--\(name) is \(words), not \(quoted(text))")
        }
        return duration
    }

    /// The value of an option that is one of some words; nil if it was not given.
    func word<Value>(_ name: String, of values: [(word: String, value: Value)]) throws(LineMisuse) -> Value? {
        guard let text = self[name] else { return nil }
        guard let found = values.first(where: { $0.word == text }) else {
            let words = values.map(\.word)
            throw LineMisuse(
                sentence: "--\(name) is \(words.dropLast().joined(separator: ", ")) or \(words.last ?? ""), "
                    + "not \(quoted(text))")
        }
        return found.value
    }

    /// Sees to it that there are no operands.
    func refuseOperands() throws(LineMisuse) {
        if let word = operands.first { throw LineMisuse(sentence: "unexpected \(quoted(word))") }
    }
}
