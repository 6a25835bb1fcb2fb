import System
import Testing

@testable import beacon_sim

@Suite struct OptionsTests {
    @Test("both forms of a value are read") func reads() {
        let expected = Options(
            work: .serve(.socket(.unix(path: "/tmp/s"))), scenario: "f.yaml", truth: "t", air: nil, seconds: 20)
        let arguments = ["--listen", "unix:/tmp/s", "--scenario=f.yaml", "--truth", "t", "--seconds=20"]
        #expect(Options.read(arguments) == .run(expected))
        #expect(
            Options.read(["--vhci", "2", "--scenario", "f"])
                == .run(Options(work: .serve(.devices(2)), scenario: "f", truth: nil, air: nil, seconds: nil)))
        #expect(
            Options.read(["--listen", "pty:/tmp/tty", "--scenario", "f"])
                == .run(
                    Options(work: .serve(.terminal("/tmp/tty")), scenario: "f", truth: nil, air: nil, seconds: nil))
        )
        #expect(Options.read(["--listen", "--help"]) != .help)
        #expect(Options.read(["--bogus=1", "--help"]) == .wrong("'--bogus=1' is not an option"))
        #expect(Options.read(["--help"]) == .help)
        #expect(Options.read(["-h"]) == .help)
        #expect(
            Options.read(["--list", "unix:/tmp/s", "--scenario", "f.yaml"]) != .wrong("'--list' is not an option"))
    }

    @Test("a capture has a start and a scan, and both have defaults") func capture() {
        let arguments = ["--capture", "c", "--scenario", "f", "--seconds", "60"]
        var recording = Options.Recording(path: "c")
        #expect(
            Options.read(arguments)
                == .run(Options(work: .record(recording), scenario: "f", truth: nil, air: nil, seconds: 60)))
        recording.start = 1_700_000_000_000_000_000
        recording.interval = 1_600
        recording.window = 5
        recording.host = 15
        #expect(
            Options.read(arguments + ["--start", "1700000000", "--scan", "1000/3", "--host=16"])
                == .run(Options(work: .record(recording), scenario: "f", truth: nil, air: nil, seconds: 60)))
    }

    @Test("what is wrong with a command line is said in a sentence") func wrong() {
        let cases: [([String], String)] = [
            ([], "--listen, --vhci or --capture is missing"),
            (["--listen"], "'--listen' needs a value"),
            (["--listen", "unix:/s", "--scenario="], "--scenario needs a value"),
            (["--listen", "unix:/s", "store.yaml"], "'store.yaml' is not an option"),
            (["-x"], "'-x' is not an option"),
            (["--listen", "hci0"], "--listen 'hci0' is none of unix:PATH, tcp:127.0.0.1:PORT and pty:LINK"),
            (["--listen", "pty:"], "--listen 'pty:' is none of unix:PATH, tcp:127.0.0.1:PORT and pty:LINK"),
            (["--listen", "tcp:0.0.0.0:9000"], "--listen 'tcp:0.0.0.0:9000' is not on the loopback, 127.0.0.1"),
            (["--listen", "unix:/tmp/s"], "--scenario is missing"),
            (["--truth", "a", "--truth", "b"], "--truth is given twice"),
            (
                ["--listen", "unix:/s", "--scenario", "f", "--seconds", "0"],
                "--seconds '0' is no whole number from 1 to 31536000"
            ),
            (["--listen", "unix:/s", "--capture", "c"], "--listen and --capture exclude each other"),
            (["--listen", "unix:/s", "--vhci", "1"], "--listen and --vhci exclude each other"),
            (["--vhci", "1", "--capture", "c"], "--vhci and --capture exclude each other"),
            (["--vhci", "17", "--scenario", "f"], "--vhci '17' is no whole number from 1 to 16"),
            (["--vhci", "1", "--host", "1"], "--host is for --capture"),
            (["--listen", "unix:/s", "--scan", "100/30"], "--scan is for --capture"),
            (["--capture", "c", "--host", "17"], "--host '17' is no whole number from 1 to 16"),
            (["--listen", "unix:/s", "--start=0"], "--start is for --capture"),
            (["--capture", "c", "--air", "a"], "--air is not for --capture"),
            (["--capture", "c", "--scenario", "f"], "--capture needs --seconds"),
            (["--capture", "c", "--start", "-1"], "--start '-1' is no whole number from 0 to 7258118399"),
            (
                ["--capture", "c", "--scan", "30/100"],
                "--scan '30/100' is no interval and window such as 100/30, 3 to 10240 ms"
            ),
            (
                ["--capture", "c", "--scan", "100"],
                "--scan '100' is no interval and window such as 100/30, 3 to 10240 ms"
            ),
            (["\u{1B}[31m"], "'\\u{1B}[31m' is not an option"),
        ]
        for (arguments, message) in cases { #expect(Options.read(arguments) == .wrong(message)) }
    }
}
