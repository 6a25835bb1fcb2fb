import Testing
import YAML

@Suite("YAMLNode")
struct YAMLNodeTests {
    private func complaint(_ text: String) -> String { complaint(Array(text.utf8)) }

    private func complaint(_ bytes: [UInt8]) -> String {
        do throws(YAMLError) {
            return "no complaint: \(outline(try YAMLNode(reading: bytes)))"
        } catch {
            return error.description
        }
    }

    /// The tree on one line, each scalar with its place, quoted ones in quotes.
    private func outline(_ node: YAMLNode) -> String {
        switch node.value {
        case .scalar(let scalar):
            let text = scalar.isPlain ? scalar.text : "\"\(scalar.text)\""
            return "\(text)@\(node.mark.line):\(node.mark.column)"
        case .sequence(let elements): return "[" + elements.map(outline).joined(separator: ", ") + "]"
        case .mapping(let entries):
            let parts = entries.map { "\($0.key)@\($0.mark.line):\($0.mark.column)=" + outline($0.value) }
            return "{" + parts.joined(separator: ", ") + "}"
        }
    }

    private func read(_ text: String) throws -> String { outline(try YAMLNode(reading: Array(text.utf8))) }

    @Test("scalars stay texts, with their place and whether they were plain")
    func tree() throws {
        let text = """
            # a comment
            site: store-12   # another
            uuid: 8e287857
            quoted: "5"
            none:
            list: [no, 'ja', 0x1F]
            regions:
              é: {a: 1, b: 2.50}
            block: |
              two
              lines
            """
        #expect(
            try read(text)
                == "{site@2:1=store-12@2:7, uuid@3:1=8e287857@3:7, quoted@4:1=\"5\"@4:9, none@5:1=@5:6, "
                + "list@6:1=[no@6:8, \"ja\"@6:12, 0x1F@6:18], "
                + "regions@7:1={é@8:3={a@8:7=1@8:10, b@8:13=2.50@8:16}}, block@9:1=\"two\nlines\"@9:8}")
    }

    @Test("nothing at all is an empty map", arguments: ["", "\n", "# only a comment\n", "---\n", "---\n...\n"])
    func empty(text: String) throws {
        #expect(try read(text) == "{}")
    }

    @Test("a byte order mark is skipped and does not move the first column")
    func byteOrderMark() throws {
        #expect(outline(try YAMLNode(reading: [0xEF, 0xBB, 0xBF] + Array("a: 1".utf8))) == "{a@1:1=1@1:4}")
    }

    @Test("JSON is YAML, too")
    func json() throws {
        #expect(try read(#"{"a": [1, "x\u00e9"]}"#) == "{a@1:2=[1@1:8, \"xé\"@1:11]}")
    }

    @Test(
        "what is not our YAML is refused with its place and a sentence",
        arguments: [
            ("a: 1\n---\nb: 2\n", "2:1: a second document starts here; a file holds one"),
            ("a: &x 1\n", "1:4: anchors (&name) are not taken here; write the value out"),
            ("a: &x {b: 1}\n", "1:4: anchors (&name) are not taken here; write the value out"),
            ("a: &x [1]\n", "1:4: anchors (&name) are not taken here; write the value out"),
            ("a: *x\n", "1:4: aliases (*name) are not taken here; write the value out"),
            (
                "a: !!str 1\n",
                "1:4: tags (tag:yaml.org,2002:str) are not taken here; the key says what the value is"
            ),
            ("a: ! 1\n", "1:4: tags (!) are not taken here; the key says what the value is"),
            ("a: !<x%1B> [1]\n", "1:4: tags (x\\u{1B}) are not taken here; the key says what the value is"),
            ("a: 1\nb: 2\n\"a\": 3\n", "3:1: the key 'a' is given twice, first in line 1"),
            ("{a: 1, a: 2}", "1:8: the key 'a' is given twice, first in line 1"),
            ("? [a]\n: 1\n", "1:3: a key must be a text, not a list or a map"),
            ("a:\n\tb: 1\n", "2:1: a tab indents this line; YAML takes spaces only"),
            ("a:\n  b: 1\n\tc: 2\n", "3:1: a tab indents this line; YAML takes spaces only"),
            ("a: @x\n", "1:4: a value cannot start with '@'; put it in quotes"),
            ("a: b: c\n", "1:5: a ': ' is not expected here; look at the indentation, or put the value in quotes"),
            ("a: 1\nb\nc: 2\n", "2:1: this is not 'key: value', the ':' is missing"),
            (
                "a: 1\n  b: 2\n",
                "2:4: a ': ' is not expected here; look at the indentation, or put the value in quotes"
            ),
            ("a:\n    b: 1\n  c: 2\n", "3:3: this line does not fit the indentation of what starts in line 1"),
            ("a: {b: 1\nc: 2\n", "2:2: expected ',' or '}' of what starts at 1:4"),
            ("a: [1\n", "2:1: expected ',' or ']' of what starts at 1:4"),
            ("a: \"x\nb: 1\n", "1:4: the quote is never closed"),
            (
                "a: \"\\ud83d\\ude00\"\n",
                "1:7: this escape is no Unicode character; write the character itself"
            ),
        ])
    func refusals(text: String, expected: String) {
        #expect(complaint(text) == expected)
    }

    @Test("bytes that may not be there are refused where they stand")
    func bytes() {
        #expect(complaint(Array("a: 1\nb: é".utf8) + [0xFF]) == "2:5: this is not UTF-8")
        #expect(complaint(Array("a: 1\nb: é".utf8) + [0x00]) == "2:5: the control character U+0000 is not allowed")
        #expect(complaint(Array("a: ".utf8) + [0x1B]) == "1:4: the control character U+001B is not allowed")
        #expect(complaint([0xFF, 0xFE, 0x61, 0x00]) == "1:1: this is not UTF-8")
    }

    @Test("size and depth are bounded")
    func limits() {
        #expect(
            complaint([UInt8](repeating: 0x20, count: 4 << 20 + 1))
                == "1:1: the text has 4194305 bytes, 4194304 are allowed")
        #expect(
            complaint(String(repeating: "[", count: 100_000)) == "1:33: maps and lists are nested deeper than 32")
    }

    @Test("no text traps")
    func noise() {
        let seed = """
            site: store-12
            regions:
              entrance: {uuid: "39ED98FF-2900-441A-802F-9C398FC199D2", major: 100, exit_after: 10s}
              'till': [a, b, {c: |
                d
                }]
            ---
            """
        var state: UInt64 = 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let marks = Array("{}[]:,\"'|>&*!%@-?#\n\t \\".utf8)
        for _ in 0..<10000 {
            var bytes = Array(seed.utf8)
            for _ in 0...random(4) {
                let index = random(bytes.count)
                switch random(4) {
                case 0: bytes[index] = UInt8(random(256))
                case 1: bytes.removeSubrange(index..<min(bytes.count - 1, index + 5))
                case 2: bytes.insert(contentsOf: bytes[(index / 2)...index], at: index)
                default: bytes[index] = marks[random(marks.count)]
                }
            }
            #expect(!complaint(bytes).isEmpty)
        }
        let whole = Array(seed.utf8)
        for end in 0...whole.count { #expect(!complaint(Array(whole[..<end])).isEmpty) }
    }
}
