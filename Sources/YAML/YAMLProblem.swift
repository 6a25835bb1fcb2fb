/// libyaml's complaints, which speak of tokens, said to the person who wrote the file.
enum YAMLProblem {
    /// A byte or character that may not be there at all.
    static func ofBytes(_ sentence: String, value: Int) -> String {
        if sentence.hasSuffix("control characters are not allowed") {
            let digits = String(value, radix: 16, uppercase: true)
            return "the control character U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits) "
                + "is not allowed"
        }
        // The rest are six ways not to be UTF-8.
        return "this is not UTF-8"
    }

    /// Structure. What we know is said anew, the rest is libyaml's sentence, which holds nothing of the text.
    static func ofText(
        _ sentence: String, context: String, since start: YAMLMark, at mark: YAMLMark, found: Unicode.Scalar?
    ) -> YAMLError {
        switch sentence {
        case "found character that cannot start any token" where found == "\t",
            "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return YAMLError("a tab indents this line; YAML takes spaces only", at: mark)
        case "found character that cannot start any token":
            return YAMLError(
                "a value cannot start with '\(shown(found.map(String.init) ?? ""))'; put it in quotes", at: mark)
        case "mapping values are not allowed in this context":
            return YAMLError(
                "a ': ' is not expected here; look at the indentation, or put the value in quotes", at: mark)
        case "could not find expected ':'":
            return YAMLError("this is not 'key: value', the ':' is missing", at: start)
        case "did not find expected key" where context == "while parsing a block mapping",
            "did not find expected '-' indicator":
            return YAMLError(
                "this line does not fit the indentation of what starts in line \(start.line)", at: mark)
        case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
            let expected = sentence.dropFirst("did not find expected ".count)
            return YAMLError("expected \(expected) of what starts at \(start.line):\(start.column)", at: mark)
        case "found unexpected end of stream" where context == "while scanning a quoted scalar":
            return YAMLError("the quote is never closed", at: start)
        case "found unexpected document indicator" where context == "while scanning a quoted scalar":
            return YAMLError("the quote is never closed", at: start)
        case "found invalid Unicode character escape code":
            // Half of a surrogate pair, for one: YAML, unlike JSON, writes what is beyond the basic plane as \U.
            return YAMLError("this escape is no Unicode character; write the character itself", at: mark)
        default:
            return YAMLError(context.isEmpty ? sentence : "\(sentence) (\(context))", at: mark)
        }
    }
}
