internal import CYAML

extension YAMLNode {
    /// The largest text that is read, in bytes: 10,000 regions with every key written out take 1.8 MB.
    public static let maximumBytes = 4 << 20
    /// How deep maps and lists may be nested. A configuration is 4 deep; the builder recurses.
    public static let maximumDepth = 32

    /// Reads one YAML document; nothing at all is an empty map.
    ///
    /// Refuses what a configuration does not need and what makes it mean something else than it shows: anchors and
    /// aliases, tags, keys given twice, keys that are no text, several documents.
    public init(reading bytes: [UInt8]) throws(YAMLError) {
        let start = YAMLMark(line: 1, column: 1)
        if bytes.count > Self.maximumBytes {
            throw YAMLError("the text has \(bytes.count) bytes, \(Self.maximumBytes) are allowed", at: start)
        }
        // A byte order mark says nothing in UTF-8, and would count as a column.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let result = bytes.withUnsafeBufferPointer { (buffer) -> Result<YAMLNode, YAMLError> in
            do throws(YAMLError) {
                var reader = YAMLReader(events: try YAMLEvents(of: buffer))
                return .success(try reader.document())
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }
}

/// Builds the tree of libyaml's events.
private struct YAMLReader: ~Copyable {
    private let events: YAMLEvents
    private var depth = 0

    init(events: consuming YAMLEvents) { self.events = events }

    mutating func document() throws(YAMLError) -> YAMLNode {
        var root = YAMLNode(.mapping([]), at: YAMLMark(line: 1, column: 1))
        var documents = 0
        while true {
            let event = try events.next()
            switch event.kind {
            case .documentStart:
                documents += 1
                if documents > 1 {
                    throw YAMLError("a second document starts here; a file holds one", at: event.mark)
                }
                root = try node(try events.next())
            case .streamEnd:
                // `---` alone is a document with nothing in it.
                if case .scalar(let scalar) = root.value, scalar.isPlain, scalar.text.isEmpty {
                    root.value = .mapping([])
                }
                return root
            default: continue
            }
        }
    }

    private mutating func node(_ event: YAMLEvents.Event) throws(YAMLError) -> YAMLNode {
        if event.hasAnchor {
            throw YAMLError("anchors (&name) are not taken here; write the value out", at: event.mark)
        }
        if let tag = event.tag {
            throw YAMLError(
                "tags (\(shown(tag))) are not taken here; the key says what the value is", at: event.mark)
        }
        switch event.kind {
        case .scalar(let scalar): return YAMLNode(.scalar(scalar), at: event.mark)
        case .sequenceStart:
            try descend(at: event.mark)
            var elements: [YAMLNode] = []
            while true {
                let next = try events.next()
                if next.kind == .sequenceEnd { break }
                elements.append(try node(next))
            }
            depth -= 1
            return YAMLNode(.sequence(elements), at: event.mark)
        case .mappingStart:
            try descend(at: event.mark)
            let entries = try entries()
            depth -= 1
            return YAMLNode(.mapping(entries), at: event.mark)
        case .alias:
            throw YAMLError("aliases (*name) are not taken here; write the value out", at: event.mark)
        case .documentStart, .sequenceEnd, .mappingEnd, .streamEnd, .other:
            throw YAMLError("the text ends in the middle", at: event.mark)
        }
    }

    private mutating func entries() throws(YAMLError) -> [YAMLEntry] {
        var entries: [YAMLEntry] = []
        var marks: [String: YAMLMark] = [:]
        while true {
            let event = try events.next()
            if event.kind == .mappingEnd { return entries }
            let key = try node(event)
            guard case .scalar(let scalar) = key.value else {
                throw YAMLError("a key must be a text, not a list or a map", at: key.mark)
            }
            if let first = marks.updateValue(key.mark, forKey: scalar.text) {
                throw YAMLError(
                    "the key '\(shown(scalar.text))' is given twice, first in line \(first.line)", at: key.mark)
            }
            entries.append(YAMLEntry(key: scalar.text, at: key.mark, value: try node(try events.next())))
        }
    }

    private mutating func descend(at mark: YAMLMark) throws(YAMLError) {
        depth += 1
        if depth > YAMLNode.maximumDepth {
            throw YAMLError("maps and lists are nested deeper than \(YAMLNode.maximumDepth)", at: mark)
        }
    }
}
