internal import Agent
internal import System

/// What `beacond record` was asked for.
struct RecordRequest: Equatable {
    /// The file; `-` is standard output.
    var path = ""
    /// After how many seconds it ends by itself.
    var seconds: Int?
    /// Bytes at most.
    var size = 10_000_000
    /// Whether a file that is there is replaced.
    var replaces = false
    /// Whether scan responses are asked for.
    var isActive = false
}

/// `beacond record`: writes down what passes between this program and the controller.
enum RecordCommand {
    static let help = """
        Usage: beacond record FILE [--config FILE] [--adapter A] [--seconds N] [--size SIZE] [--force] [--active]

        Listens, and records everything that passes between this program and the Bluetooth controller, commands, answers
        and adverts, as a btsnoop capture: `beacond replay FILE` runs it through the agent, Wireshark and btmon read it.
        FILE - is standard output. A capture holds the addresses of every device around that advertises.

        \(RadioChoice.help)
          -s, --seconds N     end after so many seconds, 1…86400; without it Ctrl-C does
              --size SIZE     end before the file is longer, 1k…100G, by default 10M
              --force         replace a file that is there
              --active        ask for scan responses too
          -h, --help          this text

        Exit codes: 64 usage, 66 no configuration file, 69 the radio is not available, 74 the file cannot be written or is
        there already, 78 bad configuration.

        """

    static let options =
        [
            CommandLineOption("seconds", letter: "s", takesValue: true),
            CommandLineOption("size", takesValue: true),
            CommandLineOption("force"), CommandLineOption("active"),
        ] + RadioChoice.options

    static func run(_ arguments: [String]) -> ExitCode {
        switch parsed(arguments, command: "record", help: help, options: options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            let request: RecordRequest
            do throws(LineMisuse) { request = try self.request(line, outputIsTerminal: isTerminal(1)) } catch {
                return misuse("record", error.sentence).code
            }
            if request.path != "-", !request.replaces, exists(request.path) {
                say("\(quoted(request.path, limit: 200)) is there already; --force replaces it")
                return .outputFailed
            }
            switch RadioChoice.open(line, command: "record") {
            case .failure(let finished): return finished.code
            case .success(let choice): return record(request, choice)
            }
        }
    }

    /// What a command line asks for.
    static func request(_ line: CommandLineOptions, outputIsTerminal: Bool) throws(LineMisuse) -> RecordRequest {
        var request = RecordRequest()
        guard let path = line.operands.first, !path.isEmpty else {
            throw LineMisuse(sentence: "no file is named")
        }
        if line.operands.count > 1 { throw LineMisuse(sentence: "unexpected \(quoted(line.operands[1]))") }
        if path == "-" && outputIsTerminal {
            throw LineMisuse(sentence: "a capture is nothing for a terminal; name a file")
        }
        request.path = path
        request.seconds = try line.number("seconds", in: 1...86_400)
        if let text = line["size"] {
            guard let size = ByteCount.read(text), (1000...100_000_000_000).contains(size) else {
                throw LineMisuse(sentence: "--size is 1k…100G, not \(quoted(text))")
            }
            request.size = size
        }
        request.replaces = line.has("force")
        request.isActive = line.has("active")
        return request
    }

    private static func record(_ request: RecordRequest, _ choice: RadioChoice) -> ExitCode {
        var tuning = choice.tuning
        if request.isActive { tuning.activeScan = true }
        let run = RecordRun(request, adapter: tuning.adapter, isTerminal: isTerminal(2)) {
            () throws(SystemError) in
            request.path == "-"
                ? try CaptureFile(standardOutputUpTo: request.size)
                : try CaptureFile(path: request.path, replacing: request.replaces, limit: request.size)
        }
        do throws(SystemError) {
            let listener = try Listener(tuning, signals: try Signals())
            listener.radio.tap = { run.carried($0, $1, $2) }
            let outcome = try listener.run(run)
            run.finish(at: MonotonicClock.nanoseconds)
            if let failure = run.failure {
                say("\(quoted(request.path, limit: 200)): \(failure.reason)")
                return .outputFailed
            }
            guard case .failure(let unavailable) = outcome else { return .success }
            run.said(unavailable.text)
        } catch {
            run.said("\(error)")
        }
        return .unavailable
    }

    private static func say(_ sentence: String) { StandardError.write("beacond record: \(sentence)\n") }
}
