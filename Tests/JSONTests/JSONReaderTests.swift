import JSON
import TestSupport
import Testing

@Suite("JSONReader")
struct JSONReaderTests {
    private func read(_ text: String, depth: Int = 8) -> Result<JSONValue, JSONError> {
        Result { () throws(JSONError) in
            try JSONValue(reading: Array(text.utf8), within: JSONLimits(bytes: 65536, depth: depth))
        }
    }

    private func complaint(_ text: String) -> String {
        switch read(text) {
        case .success(let value): "no complaint: \(value)"
        case .failure(let error): error.description
        }
    }

    private func complaint(_ bytes: [UInt8]) -> String {
        do throws(JSONError) {
            return "no complaint: \(try JSONValue(reading: bytes))"
        } catch {
            return error.description
        }
    }

    @Test("members and elements keep their order and their numbers as written")
    func values() throws {
        let value = try JSONValue(reading: Array(#" {"b":[1, -0.50e+2,true,false,null],"a":{"":"x"}} "#.utf8))
        #expect(value.object?.members.map(\.name) == ["b", "a"])
        let numbers = try #require(value["b"]?.elements)
        #expect(numbers[0].integer == 1)
        #expect(numbers[1].integer == nil)
        let alone = try JSONValue(reading: Array("-0.50e+2".utf8))
        #expect(numbers[1] == alone)
        #expect(numbers[1].number?.literal == "-0.50e+2")
        #expect(numbers[1].number?.double == -50)
        #expect(numbers[2...] == [.bool(true), .bool(false), .null])
        #expect(value["a"]?[""]?.text == "x")
    }

    @Test("whole numbers are exact up to 64 bits, and none beyond")
    func integers() throws {
        #expect(try JSONValue(reading: Array("9223372036854775807".utf8)).integer == .max)
        #expect(try JSONValue(reading: Array("-9223372036854775808".utf8)).integer == .min)
        #expect(try JSONValue(reading: Array("9223372036854775808".utf8)).integer == nil)
        #expect(try JSONValue(reading: Array("1.0".utf8)).integer == nil)
    }

    @Test("escapes are undone, surrogate pairs put together")
    func escapes() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00\u0000é😀""#
        #expect(try JSONValue(reading: Array(text.utf8)).text == "\"\\/\u{8}\u{C}\n\r\tAé😀\u{0}é😀")
    }

    @Test(
        "what is not strict JSON is refused with its place and a sentence",
        arguments: [
            ("", "1:1: the text is empty"),
            ("  \n ", "2:2: the text is empty"),
            ("{", "1:2: expected a name in quotes, found the end of the text"),
            ("[1,]", "1:4: a ',' before ']' is not allowed"),
            ("{\"a\":1,}", "1:8: a ',' before '}' is not allowed"),
            ("[1 2]", "1:4: expected ',' or ']', found '2'"),
            ("{\"a\" 1}", "1:6: expected ':' after the name, found '1'"),
            ("{\"a\":1 \"b\":2}", "1:8: expected ',' or '}', found '\"'"),
            ("{a:1}", "1:2: expected a name in quotes, found 'a'"),
            ("{\"a\":1,\n \"a\":2}", "2:2: the name \"a\" is given twice"),
            ("{\"\\u0061\\u001b\":1,\"a\\u001b\":2}", "1:19: the name \"a\\u{1B}\" is given twice"),
            ("1 2", "1:3: expected the end of the text, found '2'"),
            ("nul", "1:1: expected a value, found a word that is none"),
            ("'a'", "1:1: expected a value, found '''"),
            ("/* c */ 1", "1:1: expected a value, found '/'"),
            ("01", "1:1: a number must not start with 0"),
            ("+1", "1:1: expected a value, found '+'"),
            ("-", "1:2: expected a digit, found the end of the text"),
            (".5", "1:1: expected a value, found '.'"),
            ("5.", "1:3: expected a digit, found the end of the text"),
            ("1e", "1:3: expected a digit, found the end of the text"),
            ("1e400", "1:1: the number is too large"),
            ("NaN", "1:1: expected a value, found 'N'"),
            ("\"abc", "1:1: a string is not closed"),
            ("\"a\nb\"", "1:3: a control character in a string must be written as an escape, found U+000A"),
            ("\"\\x\"", "1:2: a backslash must not be followed by this"),
            ("\"\\u12g4\"", "1:2: \\u needs four hexadecimal digits"),
            ("\"\\ud83d\"", "1:2: half of a surrogate pair"),
            ("\"\\ud83d\\u0041\"", "1:2: half of a surrogate pair"),
            ("\"é\\ude00\"", "1:3: half of a surrogate pair"),
            ("\u{1B}", "1:1: expected a value, found U+001B"),
            ("😀", "1:1: expected a value, found U+1F600"),
            ("[[[[[[[[[1]]]]]]]]]", "1:9: arrays and objects are nested deeper than 8"),
        ])
    func refusals(text: String, expected: String) {
        #expect(complaint(text) == expected)
    }

    @Test(
        "bytes that are not UTF-8 are refused where they stand",
        arguments: [
            ([0x80], "1:2"), ([0xC0, 0x80], "1:2"), ([0xED, 0xA0, 0x80], "1:2"), ([0xF4, 0x90, 0x80, 0x80], "1:2"),
            ([0xE2, 0x82], "1:2"), ([0xC3, 0xA9, 0xFF], "1:3"), ([0xF8, 0x88, 0x80, 0x80, 0x80], "1:2"),
            ([0xF0, 0x80, 0x80, 0x80], "1:2"), ([0xE0, 0x80, 0x80], "1:2"),
        ] as [([UInt8], String)])
    func invalidUTF8(bytes: [UInt8], place: String) {
        #expect(complaint([0x22] + bytes + [0x22]) == "\(place): this is not UTF-8")
    }

    @Test("a byte order mark and UTF-16 are refused")
    func encodings() {
        #expect(complaint([0xEF, 0xBB, 0xBF, 0x31]) == "1:1: the text starts with a byte order mark")
        #expect(complaint([0xFF, 0xFE, 0x31, 0x00]) == "1:1: this is not UTF-8")
        #expect(complaint([0x31, 0x00]) == "1:2: expected the end of the text, found U+0000")
    }

    @Test("a text over the limit is refused unread, and deep nesting ends no stack")
    func limits() {
        #expect(
            complaint([UInt8](repeating: 0x20, count: 65537)) == "1:1: the text has 65537 bytes, 65536 are allowed")
        #expect(read(String(repeating: "[", count: 60000), depth: .max) != .success(.null))
        #expect(read("[[1]]", depth: 2) == .success(.array([.array([.integer(1)])])))
        #expect(read("[[1]]", depth: 1) != .success(.array([.array([.integer(1)])])))
    }

    @Test("no text traps, and what is read can be written and read again")
    func noise() throws {
        let seeds = [
            #"{"config":{"advertise":{"major":100,"minor":7},"regions":{"a":null}},"revision":12}"#,
            #"["\ud83d\ude00", -1.5e-7, 0, [], {}, "\u0000é"]"#,
        ]
        var random = SeededGenerator(seed: 0x6265_6163_6f6e)
        for round in 0..<20000 {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0...Int(random.next() % 4) {
                let index = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.removeSubrange(index..<min(bytes.count, index + 3))
                case 2: bytes.insert(contentsOf: bytes[(index / 2)...index], at: index)
                default: bytes[index] = Array("{}[]:,\"\\u09".utf8)[Int(random.next() % 11)]
                }
                if bytes.isEmpty { bytes = [0x31] }
            }
            guard let value = try? JSONValue(reading: bytes) else { continue }
            var writer = JSONWriter()
            writer.value(value)
            #expect(try JSONValue(reading: writer.bytes) == value)
        }
    }

    @Test("every beginning of a text is refused or read, never a trap")
    func truncation() {
        let bytes = Array(#"{"a":[1.5e3,"\ud83d\ude00é"],"b":{"c":[true,null]}}"#.utf8)
        for end in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSONValue(reading: Array(bytes[..<end])) }
        }
    }
}

extension JSONValue {
    fileprivate var number: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }
}
