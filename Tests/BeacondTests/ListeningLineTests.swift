import Beacon
import System
import Testing

@testable import beacond

@Suite("Command lines of commands that listen")
struct ListeningLineTests {
    private func scan(_ arguments: String...) throws -> ScanRequest {
        try ScanCommand.request(
            try CommandLineOptions(arguments, options: ScanCommand.options), isOnTerminal: false)
    }

    private func record(_ arguments: String..., outputIsTerminal: Bool = false) throws -> RecordRequest {
        try RecordCommand.request(
            try CommandLineOptions(arguments, options: RecordCommand.options), outputIsTerminal: outputIsTerminal)
    }

    private func complaint(_ body: () throws -> some Any) -> String {
        do {
            _ = try body()
            return "none"
        } catch {
            return (error as? LineMisuse)?.sentence ?? "\(error)"
        }
    }

    @Test("scan takes what it is asked for") func scanRequest() throws {
        #expect(try scan() == ScanRequest())
        let all = try scan(
            "--seconds", "30", "--interval", "5s", "--filter", "entrance", "--format", "altbeacon", "--sort",
            "distance",
            "--json", "--active")
        #expect(
            all
                == ScanRequest(
                    output: .json, seconds: 30, interval: .seconds(5), filter: "entrance", format: .altbeacon,
                    order: ScanOrder(key: .distance), isActive: true))
    }

    @Test("on a terminal it is a screen, unless JSON is asked for") func screen() throws {
        let options = ScanCommand.options
        #expect(
            try ScanCommand.request(try CommandLineOptions([], options: options), isOnTerminal: true).output
                == .screen)
        #expect(
            try ScanCommand.request(try CommandLineOptions(["--json"], options: options), isOnTerminal: true).output
                == .json)
    }

    @Test(
        "what makes no sense is said",
        arguments: [
            (["--seconds", "0"], "--seconds is 1…86400, not '0'"),
            (["--seconds", "ten"], "--seconds is 1…86400, not 'ten'"),
            (["--interval", "1"], "--interval is 1s…1h, not '1'"),
            (["--interval", "500ms"], "--interval is 1s…1h, not '500ms'"),
            (
                ["--format", "eddystone"],
                "--format is ibeacon, altbeacon, eddystone-uid or eddystone-url, not 'eddystone'"
            ),
            (["--sort", "mac"], "--sort is rssi, distance, rate, last, format or name, not 'mac'"),
            (["hci0"], "unexpected 'hci0'"), (["\u{1B}[2J"], #"unexpected '\u{1B}[2J'"#),
        ])
    func scanMisuse(arguments: [String], sentence: String) {
        #expect(
            complaint {
                try ScanCommand.request(
                    try CommandLineOptions(arguments, options: ScanCommand.options), isOnTerminal: false)
            } == sentence)
    }

    @Test("record takes what it is asked for, 10 MB unless it is said") func recordRequest() throws {
        #expect(try record("x") == RecordRequest(path: "x", size: 10_000_000))
        #expect(
            try record("-", "--seconds", "5", "--size", "500k", "--force", "--active")
                == RecordRequest(path: "-", seconds: 5, size: 500_000, replaces: true, isActive: true))
    }

    @Test("record says what makes no sense") func recordMisuse() {
        #expect(complaint { try record() } == "no file is named")
        #expect(complaint { try record("") } == "no file is named")
        #expect(complaint { try record("a", "b") } == "unexpected 'b'")
        #expect(complaint { try record("a", "--seconds", "-1") } == "--seconds is 1…86400, not '-1'")
        #expect(complaint { try record("a", "--size", "10MB") } == "--size is 1k…100G, not '10MB'")
        #expect(complaint { try record("a", "--size", "999") } == "--size is 1k…100G, not '999'")
        #expect(
            complaint { try record("-", outputIsTerminal: true) }
                == "a capture is nothing for a terminal; name a file")
    }

    @Test("sizes are read and written in thousands")
    func sizes() {
        #expect(
            ByteCount.read("2G") == 2_000_000_000 && ByteCount.read("1000") == 1000 && ByteCount.read("7k") == 7000)
        for text in ["", "k", "1 k", "-1", "1.5M", "1K", "9999999999999", "99999999999999999999G"] {
            #expect(ByteCount.read(text) == nil, "\(text)")
        }
        #expect(
            [999, 1000, 35_833, 10_000_000, 2_500_000_000].map(ByteCount.text) == [
                "999 bytes", "1 kB", "35.8 kB", "10 MB", "2.5 GB",
            ])
    }

    @Test("what a terminal can show is told by its environment") func look() {
        func look(_ isTerminal: Bool, _ variables: [String: String]) -> [Bool] {
            let look = TerminalLook(isTerminal: isTerminal) { variables[$0] }
            return [look.isDrawable, look.hasColours, look.hasUnicode]
        }
        #expect(look(true, ["TERM": "xterm", "LANG": "de_DE.UTF-8"]) == [true, true, true])
        #expect(look(true, ["TERM": "xterm", "LANG": "C", "NO_COLOR": "1"]) == [true, false, false])
        #expect(
            look(true, ["TERM": "xterm", "NO_COLOR": "", "LC_ALL": "C", "LANG": "C.utf8"]) == [true, true, false])
        #expect(look(true, ["TERM": "dumb"]) == [false, false, false] && look(true, [:]) == [false, false, false])
        #expect(look(false, ["TERM": "xterm"]) == [false, false, false])
    }
}
