import Foundation
import TestSupport
import Testing

@Suite("beacond decode", .timeLimit(.minutes(2)))
struct DecodeTests {
    let beacond = builtProgram("beacond")
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs it over lines of standard input; the output's lines, those of the errors, and the exit code.
    func decode(
        _ input: String, _ arguments: [String] = []
    ) throws -> (output: [String], errors: [String], code: Int32) {
        let file = try folder.write("input-\(UUID())", input)
        let child = try Child(
            "/bin/sh", ["-c", #"exec "$0" decode "$@" < "$INPUT""#, beacond] + arguments,
            environment: ["INPUT": file])
        let code = try child.waitForExit(within: 60)
        return (child.output, child.errors, code)
    }

    /// Runs it with arguments.
    func decode(arguments: [String]) throws -> (output: [String], errors: [String], code: Int32) {
        let child = try Child(beacond, ["decode"] + arguments)
        let code = try child.waitForExit(within: 60)
        return (child.output, child.errors, code)
    }

    @Test("every line of the vectors gives what its row says, except where a difference is listed")
    func vectors() throws {
        let rows = try DecodeVector.all()
        #expect(rows.count == 422)
        var differences = try DecodeVector.differences()
        for (kind, layout) in [("ad", "ad"), ("adv_report", "report"), ("hci_event", "event")] {
            let rows = rows.filter { $0.kind == kind }
            let (output, errors, code) = try decode(
                rows.map { $0.hex + "\n" }.joined(), ["--as", layout])
            #expect(errors.isEmpty && code == 0)
            try #require(output.count == rows.count)
            for (row, line) in zip(rows, output) {
                let isAsExpected = try row.isAsExpected(line)
                if differences.removeValue(forKey: row.id) != nil {
                    #expect(!isAsExpected, "\(row.id) is listed as a difference and is none")
                } else {
                    #expect(isAsExpected, "\(row.id): \(line)")
                }
            }
        }
        #expect(differences.isEmpty, "listed, but not compared")
    }

    @Test("what an event is, is seen from its first bytes, and arguments are read as lines are")
    func unasked() throws {
        let rows = try DecodeVector.all().filter { $0.kind != "adv_report" && !$0.tags.contains("no_h4_byte") }
        let lines = try decode(rows.map(\.hex).joined(separator: "\n"))
        #expect(lines.code == 0 && lines.output.count == rows.count)
        let arguments = try decode(arguments: rows.map(\.hex))
        #expect(arguments.output == lines.output)
        for (kind, layout) in [("ad", "ad"), ("hci_event", "event")] {
            let asked = try decode(
                rows.filter { $0.kind == kind }.map(\.hex).joined(separator: "\n"), ["--as=\(layout)"])
            #expect(asked.output == zip(rows, lines.output).filter { $0.0.kind == kind }.map(\.1))
        }
    }

    @Test("the beacons of all reports of an event stand in one line, with their addresses and strengths")
    func golden() throws {
        let (output, errors, code) = try decode(
            arguments: [
                """
                04 3E 55 02 02 03 01 2B:1E:8A:A5:B8:32 1E 02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5 c4
                0x03 0x00 01:02:03:04:05:06 21 0201061B FF1801BEACE2c56db5dffb48d2b060d0f5a71096e0ffff0000c509 02ff 7f
                """.replacingOccurrences(of: "\n", with: " ")
            ])
        #expect(errors.isEmpty && code == 0)
        #expect(
            output == [
                #"{"beacons":[{"format":"ibeacon","uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","major":1,"minor":2,"#
                    + #""power":-59,"address":"32:b8:a5:8a:1e:2b","rssi":-60},{"format":"altbeacon","mfg_id":280,"#
                    + #""beacon_id":"e2c56db5dffb48d2b060d0f5a71096e0ffff0000","#
                    + #""uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","id2":65535,"id3":0,"power":-59,"#
                    + #""mfg_reserved":9,"address":"06:05:04:03:02:01","rssi":null}],"#
                    + #""malformed":["a structure claims more bytes than there are"]}"#
            ])
    }

    @Test("what is not hexadecimal is told with line and column, and costs no other line")
    func notHexadecimal() throws {
        let long = String(repeating: "0", count: 20_000)
        let (output, errors, code) = try decode("0201\n\nzz\n02 011\r\n02011a\n00 \u{1B}[31m\n\(long)\n02 0x01 1a")
        #expect(code == 65)
        #expect(
            output == [
                #"{"beacons":[],"malformed":["a structure claims more bytes than there are"]}"#,
                #"{"beacons":[],"malformed":[]}"#,
                #"{"beacons":[],"malformed":[]}"#,
                #"{"beacons":[],"malformed":[]}"#,
            ])
        #expect(
            errors == [
                "beacond decode: line 3: 'z' at column 1 is not a hexadecimal digit",
                "beacond decode: line 4: the digit '1' at column 6 stands alone; a byte is two digits",
                "beacond decode: line 6: '\\u{1B}' at column 4 is not a hexadecimal digit",
                "beacond decode: line 7: longer than 16384 characters",
            ])
        let arguments = try decode(arguments: ["02011a", "1", "0x", "é"])
        #expect(arguments.code == 65 && arguments.output.count == 1)
        #expect(
            arguments.errors == [
                "beacond decode: argument 2: the digit '1' at column 1 stands alone; a byte is two digits",
                "beacond decode: argument 3: 'x' at column 2 is not a hexadecimal digit",
                "beacond decode: argument 4: 'é' at column 1 is not a hexadecimal digit",
            ])
    }

    @Test("an event cut at any byte is malformed, never more than that")
    func cut() throws {
        let event = "043e2a02010301c3d04ef0eaec1e02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5c4"
        let cuts = (0..<event.count / 2).map { String(event.prefix(2 * $0)) }
        for layout in ["event", "report", "ad"] {
            let (output, errors, code) = try decode(cuts.joined(separator: "\n") + "\n", ["--as", layout])
            #expect(errors.isEmpty && code == 0)
            #expect(output.count == cuts.count)
            if layout == "event" {
                #expect(
                    output.allSatisfy {
                        $0 == #"{"beacons":[],"malformed":["it ends in the middle of a report"]}"#
                    })
            }
        }
    }

    @Test("a line is answered before the next one comes")
    func answeredAtOnce() throws {
        let pipe = folder.path("pipe")
        let child = try Child(
            "/bin/sh", ["-c", #"mkfifo "$PIPE" && { echo 0303; cat "$PIPE"; } | "$0" decode"#, beacond],
            environment: ["PIPE": pipe])
        try child.wait(forLine: "beacons")
        #expect(child.output.count == 1)
        try Child("/bin/sh", ["-c", #"echo 02011a > "$PIPE""#], environment: ["PIPE": pipe]).waitForExit()
        #expect(try child.waitForExit() == 0)
        #expect(child.output.count == 2)
    }

    @Test("it ends when nobody reads any more")
    func closedOutput() throws {
        let child = try Child("/bin/sh", ["-c", #"yes 02011a | "$0" decode | head -n 1"#, beacond])
        #expect(try child.waitForExit() == 0)
        #expect(child.output == [#"{"beacons":[],"malformed":[]}"#])
        #expect(child.errors.isEmpty)
    }

    @Test("a command line that makes no sense is refused, an input that cannot be read too")
    func misuse() throws {
        let layout = try decode(arguments: ["--as", "packet", "02011a"])
        #expect(layout.code == 64 && layout.output.isEmpty)
        #expect(
            layout.errors == [
                "beacond decode: --as is ad, report or event, not 'packet'; see beacond decode --help"
            ])
        let option = try decode(arguments: ["--frobnicate"])
        #expect(option.code == 64)
        let help = try decode(arguments: ["--help"])
        #expect(help.code == 0 && help.errors.isEmpty)
        #expect(help.output.first == "Usage: beacond decode [--as ad|report|event] [HEX ...]")

        let child = try Child("/bin/sh", ["-c", #"exec "$0" decode < /"#, beacond])
        #expect(try child.waitForExit() == 66)
        #expect(child.errors == ["beacond decode: cannot read standard input: Is a directory"])
    }
}
