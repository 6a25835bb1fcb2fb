internal import CYAML

/// libyaml's parser over bytes that outlive it: one event after the other, as plain values.
struct YAMLEvents: ~Copyable {
    struct Event {
        enum Kind: Equatable {
            case documentStart, sequenceStart, sequenceEnd, mappingStart, mappingEnd, alias, streamEnd, other
            case scalar(YAMLScalar)
        }
        var kind: Kind
        var mark: YAMLMark
        var hasAnchor = false
        var tag: String?
    }

    // At an address of its own, for libyaml points into its parser.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeBufferPointer<UInt8>

    /// Starts at the first byte. yaml_parser_initialize, yaml_parser_set_input_string
    init(of bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw YAMLError("there is not enough memory to read it", at: YAMLMark(line: 1, column: 1))
        }
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        // Said, so that a text in UTF-16 is refused at its first byte: offsets are then those of our bytes.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        self.bytes = bytes
        self.parser = parser
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The next event. yaml_parser_parse
    func next() throws(YAMLError) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { yaml_event_delete(&event) }
        var result = Event(kind: .other, mark: YAMLMark(event.start_mark))
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: result.kind = .documentStart
        case YAML_STREAM_END_EVENT: result.kind = .streamEnd
        case YAML_ALIAS_EVENT: result.kind = .alias
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            result.kind = .scalar(YAMLScalar(text: String(decoding: text, as: UTF8.self), isPlain: isPlain))
            result.hasAnchor = scalar.anchor != nil
            result.tag = Self.text(scalar.tag)
        case YAML_SEQUENCE_START_EVENT:
            result.kind = .sequenceStart
            result.hasAnchor = event.data.sequence_start.anchor != nil
            result.tag = Self.text(event.data.sequence_start.tag)
        case YAML_SEQUENCE_END_EVENT: result.kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            result.kind = .mappingStart
            result.hasAnchor = event.data.mapping_start.anchor != nil
            result.tag = Self.text(event.data.mapping_start.tag)
        case YAML_MAPPING_END_EVENT: result.kind = .mappingEnd
        default: break
        }
        return result
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(decodingCString: $0, as: UTF8.self) }
    }

    /// What libyaml complains of, in our words.
    private var problem: YAMLError {
        let state = parser.pointee
        let sentence = state.problem.map { String(cString: $0) } ?? ""
        switch state.error {
        case YAML_MEMORY_ERROR:
            return YAMLError("there is not enough memory to read it", at: YAMLMark(state.mark))
        case YAML_READER_ERROR:
            let mark = YAMLMark(offset: state.problem_offset, in: Array(bytes))
            return YAMLError(YAMLProblem.ofBytes(sentence, value: Int(state.problem_value)), at: mark)
        default:
            let mark = YAMLMark(state.problem_mark)
            let context = state.context.map { String(cString: $0) } ?? ""
            return YAMLProblem.ofText(
                sentence, context: context, since: YAMLMark(state.context_mark), at: mark,
                found: scalar(at: state.problem_mark.line, state.problem_mark.column))
        }
    }

    /// The scalar at a place that libyaml named, from 0.
    private func scalar(at line: Int, _ column: Int) -> Unicode.Scalar? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        guard lines.count > line else { return nil }
        return String(decoding: lines[line].prefix(4 * (column + 1)), as: UTF8.self).unicodeScalars.dropFirst(
            column
        ).first
    }
}

extension YAMLMark {
    /// libyaml counts from 0.
    init(_ mark: yaml_mark_t) { self.init(line: mark.line + 1, column: mark.column + 1) }
}
