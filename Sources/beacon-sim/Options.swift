import System

/// What the command line asks for.
struct Options: Equatable {
    var listen: StreamAddress
    var scenario: String
    var truth: String?
    var air: String?
    var seconds: Int64?

    static let help = """
        beacon-sim: a virtual Bluetooth controller with a store full of beacons around it

        usage: beacon-sim --listen ADDRESS --scenario FILE [--truth FILE] [--air FILE] [--seconds N]

          --listen ADDRESS  unix:PATH or tcp:127.0.0.1:PORT; each connection is a controller of its own, all hear
                            the same beacons and each other
          --scenario FILE   the store, in YAML; see deploy/demo-store.yaml
          --truth FILE      JSON lines: who was there when, and how many adverts each host was sent
          --air FILE        JSON lines: what the hosts' controllers had on air, at each change
          --seconds N       end by itself; without it SIGTERM or SIGINT end it
          --help            this text

        Times of presence count from the moment at which the first host starts to scan.
        Exit codes: 0 ended as asked, 64 usage, 65 bad scenario, 66 no such scenario, 69 cannot listen,
        74 a log cannot be written.

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

    private static let valued = ["listen", "scenario", "truth", "air", "seconds"]

    private static func read(_ given: CommandLineOptions) -> Reading {
        guard let listen = given["listen"] else { return .wrong("--listen is missing") }
        guard let address = StreamAddress(listen) else {
            return .wrong("--listen \(quoted(listen)) is neither unix:PATH nor tcp:127.0.0.1:PORT")
        }
        // Whoever connects has a controller; that is nothing for a network.
        if case .tcp(let host, _) = address, !host.hasPrefix("127.") {
            return .wrong("--listen \(quoted(listen)) is not on the loopback, 127.0.0.1")
        }
        guard let scenario = given["scenario"] else { return .wrong("--scenario is missing") }
        var seconds: Int64?
        if let text = given["seconds"] {
            // A year, so that nanoseconds do not overflow.
            guard let number = Int64(text), (1...31_536_000).contains(number) else {
                return .wrong("--seconds \(quoted(text)) is no whole number from 1 to 31536000")
            }
            seconds = number
        }
        return .run(
            Options(
                listen: address, scenario: scenario, truth: given["truth"], air: given["air"], seconds: seconds)
        )
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
