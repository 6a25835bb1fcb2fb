import Agent
import Testing

@Suite("Control: payloads that are no documents")
struct ControlBadInputTests {
    private func problems(_ payload: [UInt8]) throws -> String {
        var trial = try Trial()
        _ = trial.open()
        let before = trial.stack.hash
        let message = Received(topic: Trial.controlTopic, payload: payload)
        let lines = trial.handle(.received(message), at: 1)
        #expect(only(lines, "reply").count == 1)
        #expect(lines.count == 2)
        #expect(trial.stack.hash == before)
        // What reaches the log can be shown.
        for line in lines {
            #expect(line.unicodeScalars.allSatisfy { $0 == "\n" || escaped(String($0)) == String($0) })
        }
        return lines[1].split(separator: "\n").dropFirst().joined(separator: "\n")
    }

    private func problems(_ text: String) throws -> String { try problems(Array(text.utf8)) }

    @Test(
        "each gets one reply with its own sentence",
        arguments: [
            ("no", "  1:1: expected a value, found a word that is none"),
            ("5", #"  expected an object: {"config": {…}}"#), ("[]", #"  expected an object: {"config": {…}}"#),
            ("{}", #"  config: is missing; a document is {"config": {…}}"#),
            (#"{"config":5}"#, "  config: expected an object, found 5"),
            (#"{"config":null}"#, "  config: expected an object, found nothing"),
            (#"{"config":[]}"#, "  config: expected an object, found a list"),
            (#"{"config":{},"revision":3}"#, "  revision: unknown key; a document has the key config alone"),
            (
                #"{"konfig":{},"x\u001b\u202e":1}"#,
                """
                  konfig: unknown key; a document has the key config alone
                  x\\u{1B}\\u{202E}: unknown key; a document has the key config alone
                  config: is missing; a document is {"config": {…}}
                """
            ),
            (#"{"config":{"advertise":{"major":1,"major":2}}}"#, #"  1:35: the name "major" is given twice"#),
            (#"{"config":{},"config":{}}"#, #"  1:14: the name "config" is given twice"#),
            (#"{"config":{},}"#, "  1:14: a ',' before '}' is not allowed"),
            (
                #"{"config":{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":1}}}}}}}}}"#,
                "  1:46: arrays and objects are nested deeper than 8"
            ),
            ("{\"config\":\n {\"a\":tru}}", "  2:7: expected a value, found a word that is none"),
            (#"{"config":{"advertise":{"uuid":8e287857}}}"#, "  1:32: the number is too large"),
        ])
    func sentences(text: String, expected: String) throws {
        #expect(try problems(text) == expected)
    }

    @Test("nesting of eight is still read") func depth() throws {
        #expect(
            try problems(#"{"config":{"a":{"b":{"c":{"d":{"e":{"f":{"g":1}}}}}}}}"#).hasPrefix(
                "  a: is no key that this version knows"))
    }

    @Test("64 KiB are read, and one byte more is not") func size() throws {
        let frame = #"{"config":{"x":""}}"#
        func document(_ count: Int) -> [UInt8] {
            Array(
                (frame.dropLast(3) + String(repeating: "a", count: count - frame.utf8.count) + frame.suffix(3)).utf8
            )
        }
        #expect(try problems(document(65_536)).hasPrefix("  x: is no key that this version knows"))
        #expect(try problems(document(65_537)) == "  1:1: the text has 65537 bytes, 65536 are allowed")
        #expect(
            try problems([UInt8](repeating: 0x7B, count: 256 << 10)).hasPrefix("  1:1: the text has 262144 bytes"))
    }

    @Test(
        "what is not UTF-8 is said to be so, where it starts",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func encoding(bytes: [UInt8]) throws {
        #expect(
            try problems(Array(#"{"config":""#.utf8) + bytes + Array(#""}"#.utf8)) == "  1:12: this is not UTF-8")
    }

    @Test("what is echoed is cut and escaped") func echo() throws {
        let long = String(repeating: "k", count: 5000)
        let document = """
            {"config":{"advertise":{"major":"\(long)","\\u001b[31m\(long)":1,"uuid":"\\u202e\\n\\u0000"},"log":{"level":"\(long)"}}}
            """
        let text = try problems(document)
        #expect(text.utf8.count < 2000)
        #expect(!text.contains(String(repeating: "k", count: 81)))
        #expect(text.contains(#"advertise.\u{1B}[31mkkk"#))
        #expect(text.contains(#"'\u{202E}\u{A}\u{0}'"#))
    }

    @Test("of very many mistakes the first hundred are listed and the rest counted, and it fits a packet")
    func many() throws {
        var trial = try Trial()
        _ = trial.open()
        // The longest echoes that fit a document: a deletion sign is one byte here and six as it is shown.
        let keys = (0..<400).map { "\"\(String(repeating: "\u{7F}", count: 130))\($0)\":1" }
        let lines = trial.receive("{\"config\":{\(keys.joined(separator: ","))}}", at: 1)
        #expect(lines[0].contains(#""more":300,"config":"#))
        #expect(lines[0].utf8.count < 250_000)
        #expect(lines[1].hasSuffix("\n  and 300 more"))
    }

    @Test("no secret comes near a message: a password in a document is not echoed") func secrets() throws {
        var trial = try Trial()
        _ = trial.open()
        for document in [
            #"{"config":{"mqtt":{"password":"hunter2"}}}"#, #"{"config":{"mqtt":{"password_file":"hunter2"}}}"#,
            #"{"password":"hunter2"}"#, #"{"config":{"password":{"x":"hunter2"}}}"#,
        ] {
            let lines = trial.receive(document, at: 1)
            #expect(lines.count == 2)
            #expect(!lines.joined().contains("hunter2"), "\(lines)")
        }
    }

    @Test("no payload traps, however it is mangled") func noise() throws {
        var trial = try Trial()
        _ = trial.open()
        let document = Array(
            #"{"config":{"advertise":{"enabled":true,"uuid":"39ed98ff2900441a802f9c398fc199d2","major":7},"regions":{"x":{"uuid":null,"exit_after":"5s"}},"windows":null}}"#
                .utf8)
        var state: UInt64 = 7
        func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        for round in 0..<3000 {
            var bytes = document
            for _ in 0...below(4) {
                let index = below(bytes.count)
                switch below(3) {
                case 0: bytes[index] = UInt8(below(256))
                case 1: bytes.removeSubrange(index..<min(bytes.count - 1, index + below(9)))
                default: bytes[index] = Array(#"{}[]:,"\0-"#.utf8)[below(10)]
                }
            }
            let time = 1 + Double(round) / 1000
            let first = trial.effects(.received(Received(topic: Trial.controlTopic, payload: bytes)), at: time)
            let lines =
                first.map(Trial.line)
                + Trial.tokens(first).flatMap { trial.handle(.stored(token: $0, failure: nil), at: time) }
            #expect(only(lines, "reply").count == 1)
        }
    }
}
