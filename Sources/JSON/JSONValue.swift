/// A JSON text as plain values; objects keep the order of their members.
public enum JSONValue: Equatable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as it was written.
    case number(JSONNumber)
    /// A string, without its escapes.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(JSONNumber(value)) }

    /// The text, if this is a string.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The whole number, if this is one and fits.
    public var integer: Int64? {
        if case .number(let number) = self { number.integer } else { nil }
    }

    /// The truth value, if this is one.
    public var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// The elements, if this is an array.
    public var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The object, if this is one.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The member of that name, if this is an object that has it.
    public subscript(name: String) -> JSONValue? { object?[name] }
}

/// The members of a JSON object in the order in which they were written.
public struct JSONObject: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    /// One `"name": value`.
    public struct Member: Equatable, Sendable {
        /// The name, without its escapes.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Makes a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members, first written first.
    public var members: [Member]

    /// Makes an object of members whose names differ.
    public init(_ members: [Member] = []) { self.members = members }

    /// Makes an object in the order of the literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member(name: $0.0, value: $0.1) }
    }

    /// The value of the member of that name; looks through all members, which are few.
    public subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    /// Adds a member at the end.
    public mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }
}
