internal import YAML

extension Configuration {
    /// Reads a file with documents over it, the wider scopes first, those of one scope in the order given.
    ///
    /// The one way to a configuration, for the file at the start and at SIGHUP and for documents from the broker; it
    /// throws everything that is wrong at once.
    public static func read(
        file: ConfigurationNode, layers: [ConfigurationLayer] = []
    ) throws(ConfigurationProblems) -> Configuration {
        var problems: [ConfigurationProblem] = []
        var merged = file
        for scope in ConfigurationScope.allCases {
            for layer in layers where layer.scope == scope {
                if let patch = allowed(layer, &problems) { merged.merge(patch) }
            }
        }
        var reader = SchemaReader(schema, into: Configuration())
        reader.read(merged, at: file.origin)
        problems += reader.problems
        if !problems.isEmpty { throw ConfigurationProblems(problems) }
        return reader.root
    }

    /// Reads the content of a file alone.
    public static func read(text: [UInt8]) throws(ConfigurationProblems) -> Configuration {
        let file: YAMLNode
        do throws(YAMLError) {
            file = try YAMLNode(reading: text)
        } catch {
            throw ConfigurationProblems([ConfigurationProblem(error)])
        }
        return try read(file: ConfigurationNode(file))
    }

    /// A layer without the keys that it may not set, each of which is a problem; nil if it is none at all.
    private static func allowed(
        _ layer: ConfigurationLayer, _ problems: inout [ConfigurationProblem]
    ) -> ConfigurationNode? {
        guard case .map = layer.root.value else {
            problems.append(
                ConfigurationProblem(
                    path: "", message: "expected an object, found \(layer.root.value.found)",
                    origin: layer.root.origin))
            return nil
        }
        return allowed(layer.root, below: "", &problems)
    }

    private static func allowed(
        _ node: ConfigurationNode, below parent: String, _ problems: inout [ConfigurationProblem]
    ) -> ConfigurationNode {
        guard case .map(let entries) = node.value else { return node }
        var kept: [ConfigurationNode.Entry] = []
        for var entry in entries {
            let path = parent.isEmpty ? entry.key : "\(parent).\(entry.key)"
            var reach: Reach
            switch entry.key.contains(".") ? nil : schema[path] {
            case .setting(let setting): reach = setting.reach
            case .entries(let map): reach = map.reach
            case .section:
                // Where a document may set nothing, it may not set the whole either.
                reach = keys(below: path).isEmpty ? .file : .everywhere
                switch entry.node.value {
                case .map:
                    // Each of its keys is judged by itself.
                    reach = .everywhere
                    entry.node = allowed(entry.node, below: path, &problems)
                case .null: entry.node = unset(path, at: entry.origin)
                // Whatever it is, it is no section, and refused for that.
                default: break
                }
            case nil: reach = .everywhere
            }
            switch reach {
            case .everywhere: kept.append(entry)
            case .file:
                problems.append(
                    ConfigurationProblem(
                        path: path, message: "can only be set in the node's own file", origin: entry.origin))
            }
        }
        return ConfigurationNode(value: .map(kept), origin: node.origin)
    }

    /// A section that is null in a document: what a document may set there is unset, and the rest stays as it is in the
    /// file.
    private static func unset(_ section: String, at origin: ConfigurationOrigin) -> ConfigurationNode {
        let null = ConfigurationNode(value: .null, origin: origin)
        return ConfigurationNode(
            value: .map(
                keys(below: section).map { ConfigurationNode.Entry(key: $0, origin: origin, node: null) }),
            origin: origin)
    }

    /// The keys of a section that documents may set.
    private static func keys(below section: String) -> [String] {
        schema.settings.filter { $0.reach == .everywhere && $0.path.hasPrefix(section + ".") }.map {
            String($0.path.dropFirst(section.count + 1))
        }
    }
}
