import System

/// What the command line asks for.
struct Options: Equatable {
    /// What is to be done with the store.
    enum Work: Equatable {
        /// Hosts come and hear it, in real time.
        case serve(HostSource)
        /// What a host would hear is written down, as fast as that goes.
        case record(Recording)
    }

    /// A capture to make.
    struct Recording: Equatable {
        let path: String
        /// Nanoseconds since 1970 at which the store opens; 2026-01-01 unless it is said.
        var start: Int64 = 1_767_225_600_000_000_000
        /// The host's scan in 0.625 ms: 100 and 90 ms, as beacond's unless it is told otherwise.
        var interval: UInt16 = 160
        var window: UInt16 = 144
        /// Whose ears they are, by the number of the host from 0 on.
        var host = 0
    }

    var work: Work
    var scenario: String
    var truth: String?
    var air: String?
    var seconds: Int64?

    static let help = """
        beacon-sim: a virtual Bluetooth controller with a store full of beacons around it

        usage: beacon-sim --listen ADDRESS --scenario FILE [--truth FILE] [--air FILE] [--seconds N]
               beacon-sim --vhci N --scenario FILE [--truth FILE] [--air FILE] [--seconds N]
               beacon-sim --capture FILE --scenario FILE --seconds N [--truth FILE] [--host N] [--start S]
                          [--scan MS/MS]

          --listen ADDRESS  unix:PATH or tcp:127.0.0.1:PORT; each connection is a controller of its own, all hear
                            the same beacons and each other. Or pty:LINK, for one host: a pseudo terminal like a
                            serial line, to which LINK will lead
          --vhci N          the controllers behind N adapters of this machine's own kernel (hci0, hci1 ...), 1 to 16:
                            for programs that want a Bluetooth adapter, where there is none or it is not to be
                            touched. Needs root and the kernel's module hci_vhci
          --capture FILE    no hosts and no waiting: a btsnoop capture of what a host would hear, made as fast as
                            it can be; the same scenario and options give the same bytes
          --scenario FILE   the store, in YAML; see deploy/demo-store.yaml
          --truth FILE      JSON lines: who was there when and where, and how many adverts each host was sent
          --air FILE        JSON lines: what the hosts' controllers had on air, at each change
          --seconds N       end by itself; without it SIGTERM or SIGINT end it
          --host N          which host's ears a capture is of, 1 to 16; 1
          --start S         when the store of a capture opens, in seconds since 1970; 1767225600 is 2026-01-01
          --scan MS/MS      how the host of a capture scans, interval and window in milliseconds; 100/90
          --help            this text

        Times of presence count from the moment at which the first host starts to scan.

        A scenario may have a list of faults, which count from the first scan of the host in question: see
        deploy/faults-store.yaml.

        The truth has, beside start, beacon, enter, leave, connected, scanning, disconnected and end:
          place    where a beacon of a known place is (at, metres) and how far from each host (metres): when it comes,
                   and for one that walks each second in which it moved, and when it leaves
          address  the address that a beacon sends from now on
          fault    a fault of the scenario begins at a host (on: true) or ends; number is its place in the list. A
                   hardware_error only begins
          sent     for each host and sender: adverts sent, dropped because the host did not read; and where there are
                   any, those that it never had: lost by the air, weak (below its sensitivity), and outside its scan
                   window,
                   withheld by a fault, and malformed by one. What a fault makes up has its number for a sender

        Exit codes: 0 ended as asked, 64 usage, 65 bad scenario, 66 no such scenario, 69 cannot listen or make adapters,
        74 a log or a capture cannot be written.

        """

    /// What a command line turned out to be.
    enum Reading: Equatable {
        case run(Options)
        case help
        case wrong(String)
    }

    static func read(_ arguments: [String]) -> Reading {
        let given: CommandLineOptions
        do throws(CommandLineMisuse) {
            given = try CommandLineOptions(
                arguments,
                options: valued.map { CommandLineOption($0, takesValue: true) }
                    + [CommandLineOption("help", letter: "h")])
        } catch {
            switch error {
            case .unknown(let word): return .wrong("\(quoted(word)) is not an option")
            case .missingValue(let word): return .wrong("\(quoted(word)) needs a value")
            case .repeated(let word): return .wrong("\(word) is given twice")
            }
        }
        if given.has("help") { return .help }
        if let word = given.operands.first { return .wrong("\(quoted(word)) is not an option") }
        if let name = valued.first(where: { given[$0] == "" }) { return .wrong("--\(name) needs a value") }
        return read(given)
    }

    private static let valued = [
        "listen", "vhci", "capture", "scenario", "truth", "air", "seconds", "host", "start", "scan",
    ]

    /// Why a command line makes no sense.
    private struct Misuse: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    private static func read(_ given: CommandLineOptions) -> Reading {
        do throws(Misuse) {
            let work = try work(given)
            guard let scenario = given["scenario"] else { throw Misuse("--scenario is missing") }
            // A year, so that nanoseconds do not overflow.
            let seconds = try number(given, "seconds", 1...31_536_000)
            if seconds == nil, case .record = work { throw Misuse("--capture needs --seconds") }
            return .run(
                Options(
                    work: work, scenario: scenario, truth: given["truth"], air: given["air"], seconds: seconds))
        } catch {
            return .wrong(error.message)
        }
    }

    private static func work(_ given: CommandLineOptions) throws(Misuse) -> Work {
        let works = ["listen", "vhci", "capture"].filter { given[$0] != nil }
        if works.count > 1 { throw Misuse("--\(works[0]) and --\(works[1]) exclude each other") }
        if let path = given["capture"] {
            if given["air"] != nil { throw Misuse("--air is not for --capture") }
            var recording = Recording(path: path)
            // Up to 2199, which nanoseconds hold.
            if let start = try number(given, "start", 0...7_258_118_399) { recording.start = start * 1_000_000_000 }
            if let host = try number(given, "host", 1...Int64(Link.hostLimit)) { recording.host = Int(host) - 1 }
            if let scan = given["scan"] { (recording.interval, recording.window) = try windows(scan) }
            return .record(recording)
        }
        for name in ["host", "start", "scan"] where given[name] != nil {
            throw Misuse("--\(name) is for --capture")
        }
        if let count = try number(given, "vhci", 1...Int64(Link.hostLimit)) { return .serve(.devices(Int(count))) }
        guard let listen = given["listen"] else { throw Misuse("--listen, --vhci or --capture is missing") }
        if listen.hasPrefix("pty:"), listen.utf8.count > 4 { return .serve(.terminal(String(listen.dropFirst(4)))) }
        return .serve(.socket(try address(listen)))
    }

    private static func address(_ listen: String) throws(Misuse) -> StreamAddress {
        guard let address = StreamAddress(listen) else {
            throw Misuse("--listen \(quoted(listen)) is none of unix:PATH, tcp:127.0.0.1:PORT and pty:LINK")
        }
        // Whoever connects has a controller; that is nothing for a network.
        if case .tcp(let host, _) = address, !host.hasPrefix("127.") {
            throw Misuse("--listen \(quoted(listen)) is not on the loopback, 127.0.0.1")
        }
        return address
    }

    private static func number(
        _ given: CommandLineOptions, _ name: String, _ bounds: ClosedRange<Int64>
    ) throws(Misuse) -> Int64? {
        guard let text = given[name] else { return nil }
        guard let number = Int64(text), bounds.contains(number) else {
            let (low, high) = (bounds.lowerBound, bounds.upperBound)
            throw Misuse("--\(name) \(quoted(text)) is no whole number from \(low) to \(high)")
        }
        return number
    }

    /// "100/30" in units of 0.625 ms, rounded to the nearest.
    private static func windows(_ text: String) throws(Misuse) -> (UInt16, UInt16) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt16($0) }
        guard parts.count == 2, let interval = parts[0], let window = parts[1], (3...10_240).contains(interval),
            (3...interval).contains(window)
        else {
            throw Misuse("--scan \(quoted(text)) is no interval and window such as 100/30, 3 to 10240 ms")
        }
        return (UInt16((UInt32(interval) * 8 + 2) / 5), UInt16((UInt32(window) * 8 + 2) / 5))
    }
}

/// Text from outside in a message: cut at 60 scalars, what is not printable ASCII as `\u{1B}`.
func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars.prefix(60) {
        let code = String(scalar.value, radix: 16, uppercase: true)
        result += (" "..."~").contains(scalar) ? String(scalar) : "\\u{\(code)}"
    }
    return result + (text.unicodeScalars.count > 60 ? "...'" : "'")
}
