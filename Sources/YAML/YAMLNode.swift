/// A place in a YAML text.
public struct YAMLMark: Hashable, Sendable, Comparable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int

    /// Makes a mark.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Whether one place is before another in the same text.
    public static func < (left: YAMLMark, right: YAMLMark) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A YAML document as plain values, each of which knows where it stood.
public struct YAMLNode: Equatable, Sendable {
    /// What a node is.
    public enum Value: Equatable, Sendable {
        /// A text. What it means (a number, nothing, `no`) is for the reader of the key to say.
        case scalar(YAMLScalar)
        /// A list.
        case sequence([YAMLNode])
        /// A map, in the order written, each key once.
        case mapping([YAMLEntry])
    }

    /// What it is.
    public var value: Value
    /// Where it starts.
    public var mark: YAMLMark

    /// Makes a node.
    public init(_ value: Value, at mark: YAMLMark) {
        self.value = value
        self.mark = mark
    }
}

/// A scalar: its text, and whether it was written plainly.
public struct YAMLScalar: Equatable, Sendable {
    /// The text, without quotes and escapes.
    public var text: String
    /// Whether it had no quotes and was no block (`|`, `>`): only then may it be a number, a truth value or nothing.
    public var isPlain: Bool

    /// Makes a scalar.
    public init(text: String, isPlain: Bool) {
        self.text = text
        self.isPlain = isPlain
    }
}

/// One `key: value` of a map.
public struct YAMLEntry: Equatable, Sendable {
    /// The key.
    public var key: String
    /// Where the key starts.
    public var mark: YAMLMark
    /// The value.
    public var value: YAMLNode

    /// Makes an entry.
    public init(key: String, at mark: YAMLMark, value: YAMLNode) {
        self.key = key
        self.mark = mark
        self.value = value
    }
}
