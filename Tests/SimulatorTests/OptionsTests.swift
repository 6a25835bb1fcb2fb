import System
import Testing

@testable import beacon_sim

@Suite struct OptionsTests {
    @Test("both forms of a value are read") func reads() {
        let expected = Options(
            listen: .unix(path: "/tmp/s"), scenario: "f.yaml", truth: "t", air: nil, seconds: 20)
        let arguments = ["--listen", "unix:/tmp/s", "--scenario=f.yaml", "--truth", "t", "--seconds=20"]
        #expect(Options.read(arguments) == .run(expected))
        #expect(Options.read(["--listen", "--help"]) != .help)
        #expect(Options.read(["--bogus=1", "--help"]) == .wrong("'--bogus=1' is not an option"))
        #expect(Options.read(["--help"]) == .help)
        #expect(Options.read(["-h"]) == .help)
        #expect(
            Options.read(["--list", "unix:/tmp/s", "--scenario", "f.yaml"]) != .wrong("'--list' is not an option"))
    }

    @Test("what is wrong with a command line is said in a sentence") func wrong() {
        let cases: [([String], String)] = [
            ([], "--listen is missing"),
            (["--listen"], "'--listen' needs a value"),
            (["--listen", "unix:/s", "--scenario="], "--scenario needs a value"),
            (["--listen", "unix:/s", "store.yaml"], "'store.yaml' is not an option"),
            (["-x"], "'-x' is not an option"),
            (["--listen", "hci0"], "--listen 'hci0' is neither unix:PATH nor tcp:127.0.0.1:PORT"),
            (["--listen", "tcp:0.0.0.0:9000"], "--listen 'tcp:0.0.0.0:9000' is not on the loopback, 127.0.0.1"),
            (["--listen", "unix:/tmp/s"], "--scenario is missing"),
            (["--truth", "a", "--truth", "b"], "--truth is given twice"),
            (
                ["--listen", "unix:/s", "--scenario", "f", "--seconds", "0"],
                "--seconds '0' is no whole number from 1 to 31536000"
            ),
            (["\u{1B}[31m"], "'\\u{1B}[31m' is not an option"),
        ]
        for (arguments, message) in cases { #expect(Options.read(arguments) == .wrong(message)) }
    }
}
