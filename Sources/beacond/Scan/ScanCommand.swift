internal import Agent
internal import Beacon
internal import System

/// `beacond scan`: shows the beacons around.
enum ScanCommand {
    static let help = """
        Usage: beacond scan [--config FILE] [--adapter A] [--seconds N] [--filter TEXT] [--format FORMAT] [--sort KEY]
                            [--interval D] [--json] [--active] [--coded]

        Shows the beacons around: a live table on a terminal; elsewhere a line for each beacon when it is first heard, and
        a table in the end. Nothing is published. An agent that runs has the radio: stop it first.

        \(RadioChoice.help)
          -s, --seconds N     end after so many seconds, 1…86400; without it q or Ctrl-C do
              --filter TEXT   only beacons of which the line holds this: a part of an id, a URL or an address
              --format FORMAT only these: ibeacon, altbeacon, eddystone-uid or eddystone-url
              --sort KEY      rssi (the strongest first, if nothing is said), distance, rate, last, format or name
              --interval D    not on a terminal: print the table so often, 1s…1h; with --json how often a line of
                              each beacon, by default 1s
              --json          a line of JSON for each beacon that was heard, once per interval, with the number of its
                              adverts in it
              --active        ask for scan responses too
              --coded         listen on the coded PHY too, which takes half of the time from the other
          -h, --help          this text

        Keys: r d a l f n sort (again: the other way round), / filters, j k and arrows scroll, q quits. Columns: DBM is the
        signal strength, filtered over ten seconds; METRES the distance, and RANGE what it is between four times in five;
        PER S adverts per second heard lately; EVERY the interval that it sends at, as learned; LAST when it was heard.
        Faint lines: not heard for ten seconds. NO_COLOR switches colours off.

        Exit codes: 64 usage, 66 no configuration file, 69 the radio is not available, 74 the output cannot be written,
        78 bad configuration.

        """

    static let options =
        [
            CommandLineOption("seconds", letter: "s", takesValue: true), CommandLineOption("json"),
            CommandLineOption("interval", takesValue: true), CommandLineOption("filter", takesValue: true),
            CommandLineOption("format", takesValue: true), CommandLineOption("sort", takesValue: true),
            CommandLineOption("active"), CommandLineOption("coded"),
        ] + RadioChoice.options

    static func run(_ arguments: [String]) -> ExitCode {
        switch parsed(arguments, command: "scan", help: help, options: options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            let look = TerminalLook.own
            let request: ScanRequest
            do throws(LineMisuse) { request = try self.request(line, isOnTerminal: look.isDrawable) } catch {
                return misuse("scan", error.sentence).code
            }
            switch RadioChoice.open(line, command: "scan") {
            case .failure(let finished): return finished.code
            case .success(let choice): return scan(request, choice, look)
            }
        }
    }

    /// What a command line asks for.
    static func request(_ line: CommandLineOptions, isOnTerminal: Bool) throws(LineMisuse) -> ScanRequest {
        try line.refuseOperands()
        var request = ScanRequest()
        request.output = line.has("json") ? .json : isOnTerminal ? .screen : .lines
        request.seconds = try line.number("seconds", in: 1...86_400)
        request.interval = try line.duration("interval", in: .seconds(1)...(.seconds(3600)), words: "1s…1h")
        request.format = try line.word("format", of: BeaconFormat.allCases.map { ($0.name, $0) })
        if let key = try line.word("sort", of: ScanOrder.Key.allCases.map { ($0.rawValue, $0) }) {
            request.order.key = key
        }
        request.filter = line["filter"] ?? ""
        request.isActive = line.has("active")
        request.isCoded = line.has("coded")
        return request
    }

    private static func scan(_ request: ScanRequest, _ choice: RadioChoice, _ look: TerminalLook) -> ExitCode {
        var tuning = choice.tuning
        if request.isActive { tuning.activeScan = true }
        if request.isCoded { tuning.coded = true }
        let run = ScanRun(
            request, adapter: tuning.adapter, look: look, beacons: ScannedBeacons(choice.configuration))
        do throws(SystemError) {
            let listener = try Listener(
                tuning, keyboard: request.output == .screen ? 0 : nil, signals: try Signals())
            let outcome = try listener.run(run)
            run.finish(at: MonotonicClock.nanoseconds)
            guard case .failure(let unavailable) = outcome else { return .success }
            run.said(unavailable.text)
        } catch {
            run.finish(at: MonotonicClock.nanoseconds)
            run.said("\(error)")
        }
        return .unavailable
    }
}
