internal import Agent
internal import System

/// The exit codes that people and scripts may rely on; sysexits.h has the numbers.
enum ExitCode: Int32 {
    case success = 0
    /// The command line makes no sense.
    case usage = 64
    /// The data given is not what it should be.
    case badData = 65
    /// The file named is not there or cannot be read.
    case noInput = 66
    /// The state folder, the radio or the broker is not available.
    case unavailable = 69
    /// The output cannot be written.
    case outputFailed = 74
    /// The configuration is bad.
    case badConfiguration = 78
}

/// The commands, and how they are chosen.
enum Program {
    static let version = "0.1.0"
    static let defaultConfiguration = "/etc/beacond/config.yaml"

    struct Command: Sendable {
        var name: String
        var synopsis: String
        var run: @Sendable ([String]) -> ExitCode
    }

    static let commands: [Command] = [
        Command(name: "run", synopsis: "the agent: listen, decide, publish", run: RunCommand.run),
        Command(
            name: "check", synopsis: "validate a configuration file and show what is in force",
            run: CheckCommand.run),
        Command(
            name: "replay", synopsis: "run a capture through the agent, one JSON line per message",
            run: ReplayCommand.run),
        Command(
            name: "calibrate", synopsis: "measure a beacon's power at one metre", run: CalibrateCommand.run),
        Command(name: "scan", synopsis: "show the beacons around", run: ScanCommand.run),
        Command(
            name: "record", synopsis: "write down what passes between host and controller", run: RecordCommand.run),
        Command(name: "advertise", synopsis: "be a beacon for a trial", run: AdvertiseCommand.run),
        Command(
            name: "silence", synopsis: "switch off what a killed agent left on air", run: SilenceCommand.run),
        Command(name: "doctor", synopsis: "look for what keeps the agent from working", run: DoctorCommand.run),
        Command(name: "decode", synopsis: "what is in an advert given as hexadecimal", run: DecodeCommand.run),
    ]

    static var help: String {
        var text = """
            beacond \(version): the edge agent for Bluetooth beacon fleets

            Usage: beacond COMMAND [OPTION ...]


            """
        for command in commands {
            text +=
                "  \(command.name)" + String(repeating: " ", count: 11 - command.name.count) + command.synopsis
                + "\n"
        }
        return text + """

            `beacond COMMAND --help` tells more. The configuration is \(defaultConfiguration) unless --config says
            otherwise. Exit codes: 64 usage, 65 bad data, 66 no such input, 69 state folder, radio or broker not available,
            74 the output cannot be written, 78 bad configuration.

            """
    }

    static func run(arguments: [String]) -> ExitCode {
        ignoreBrokenPipes()
        returnLargeAllocations()
        switch arguments.first {
        case "--help", "-h", "help":
            StandardOutput.write(help)
            return .success
        case "--version":
            StandardOutput.write("beacond \(version)\n")
            return .success
        case nil:
            StandardError.write(help)
            return .usage
        case .some(let name):
            guard let command = commands.first(where: { $0.name == name }) else {
                let known = commands.map(\.name).joined(separator: ", ")
                StandardError.write("beacond: \(quoted(name)) is not a command; there are \(known)\n")
                return .usage
            }
            return command.run(Array(arguments.dropFirst()))
        }
    }
}
