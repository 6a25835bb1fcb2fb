public import JSON

extension Configuration {
    /// Every key with its value, defaults too, in the order of the schema; keys without a value are left out. Of
    /// secrets the file names, never the contents.
    public var effective: JSONValue { .object(Self.schema.write(self)) }

    /// The same as a configuration file, which reads back as this.
    public var effectiveYAML: String {
        var text = ""
        for member in Self.schema.write(self).members { text += yamlBlock(member) }
        return text
    }

    /// The first key, in the schema's order, that differs in another configuration and needs a restart.
    public func changeThatNeedsRestart(to other: Configuration) -> String? {
        Self.schema.settings.first { $0.liveness == .restart && $0.write(self) != $0.write(other) }?.path
    }
}

extension Schema {
    /// All keys that have a value.
    func write(_ root: Root) -> JSONObject {
        var top = JSONObject()
        for item in items {
            switch item {
            case .section(let path, _): top.append(path, .object([:]))
            case .entries(let entries): top.append(entries.path, .object(entries.write(root)))
            case .setting(let setting):
                guard let value = setting.write(root) else { continue }
                if let dot = setting.path.lastIndex(of: ".") {
                    top.append(
                        String(setting.path[setting.path.index(after: dot)...]), value, below: setting.path[..<dot])
                } else {
                    top.append(setting.path, value)
                }
            }
        }
        return top
    }
}

extension JSONObject {
    /// Adds a member to an object that is one.
    fileprivate mutating func append(_ name: String, _ value: JSONValue, below section: Substring) {
        guard let place = members.lastIndex(where: { $0.name == section }),
            case .object(var object) = members[place].value
        else { return }
        object.append(name, value)
        members[place].value = .object(object)
    }
}

/// A key of the top: a value, or one line for each of what stands below it.
func yamlBlock(_ member: JSONObject.Member) -> String {
    guard case .object(let object) = member.value, !object.members.isEmpty else {
        return "\(member.name): \(yamlLine(member.value, inFlow: false))\n"
    }
    var text = "\(member.name):\n"
    for member in object.members {
        text += "  \(yamlScalar(member.name)): \(yamlLine(member.value, inFlow: false))\n"
    }
    return text
}

/// A value on one line; in flow is what stands within braces or brackets.
func yamlLine(_ value: JSONValue, inFlow: Bool) -> String {
    switch value {
    case .object(let object):
        let members = object.members.map { "\(yamlScalar($0.name)): \(yamlLine($0.value, inFlow: true))" }
        return "{" + members.joined(separator: ", ") + "}"
    case .array(let elements):
        return "[" + elements.map { yamlLine($0, inFlow: true) }.joined(separator: ", ") + "]"
    case .string(let text): return yamlScalar(text, inFlow: inFlow)
    case .null: return "null"
    case .bool(let bool): return "\(bool)"
    case .number(let number): return number.literal
    }
}
