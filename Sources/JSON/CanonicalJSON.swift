extension JSONValue {
    /// The canonical form (RFC 8785), of which hashes are made: members sorted, no space, numbers as ECMAScript writes
    /// them, so a whole number beyond 2^53 loses digits.
    public var canonical: [UInt8] {
        var writer = JSONWriter()
        writer.canonical(self)
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func canonical(_ value: JSONValue) {
        switch value {
        case .number(let number): shortest(number.double)
        case .array(let elements):
            beginArray()
            for element in elements { canonical(element) }
            endArray()
        case .object(let object):
            beginObject()
            // Section 3.2.3: by UTF-16 code units, which differs from scalars where surrogates meet U+E000 and above.
            let sorted = object.members.sorted { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
            for member in sorted {
                key(text: member.name)
                canonical(member.value)
            }
            endObject()
        case .null, .bool, .string: self.value(value)
        }
    }
}
