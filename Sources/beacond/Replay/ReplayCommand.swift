internal import Agent
internal import System
internal import Trust
internal import YAML

/// `beacond replay`: runs a capture through the same agent in the capture's own time.
enum ReplayCommand {
    static let help = """
        Usage: beacond replay CAPTURE [--config FILE]

        Runs a capture (btsnoop, pcap, pcapng) through the agent, in the capture's own time, and prints one JSON line for
        each message that the agent would publish: topic, qos, retain, and the payload (null where it is empty). Nothing is
        published, nothing is kept; the same capture gives the same bytes. A capture that gzip compressed is unpacked as it
        is read, whatever its name, to 16 GiB or to 250 times its size at most. Without a configuration, or with one that
        has no regions, the windows show every beacon. What was read is told on standard error.

          -c, --config FILE   regions and everything else
          -h, --help          this text

        Exit codes: 64 usage, 65 the capture is damaged or none (what came before is printed), 66 no such file, 78 bad
        configuration.

        """

    /// For a person who looks at a capture without a configuration. The adapter is never opened.
    private static let bareConfiguration = "site: replay\nnode: replay\nradio: {adapter: \"unix:/dev/null\"}\n"

    static func run(_ arguments: [String]) -> ExitCode {
        let options = [CommandLineOption("config", letter: "c", takesValue: true)]
        switch parsed(arguments, command: "replay", help: help, options: options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            guard let path = line.operands.first else { return misuse("replay", "no capture is named").code }
            guard line.operands.count == 1 else {
                return misuse("replay", "unexpected \(quoted(line.operands[1]))").code
            }
            switch stack(line["config"]) {
            case .failure(let failure): return failure.say(as: "replay")
            case .success(let stack): return replay(path, stack)
            }
        }
    }

    private static func stack(_ path: String?) -> Result<ConfigurationStack, ConfigurationFile.Failure> {
        let digest: ConfigurationStack.Digest = { SHA256Digest(of: $0).description }
        if let path { return ConfigurationFile.open(path, digest: digest) }
        return ConfigurationFile.parsed(
            Array(bareConfiguration.utf8), name: "the bare configuration", digest: digest
        )

    }

    private static func replay(_ path: String, _ stack: ConfigurationStack) -> ExitCode {
        let showsEverything = stack.configuration.regions.isEmpty
        if showsEverything {
            StandardError.write("beacond replay: no regions are configured; the windows show every beacon\n")
        }
        let replay: Replay
        do throws(SystemError) {
            replay = try Replay(path: path, stack: stack, showsEverything: showsEverything)
        } catch {
            StandardError.write("beacond replay: \(quoted(path, limit: 200)): \(error.reason)\n")
            return .noInput
        }
        let failure = replay.run()
        StandardError.write("beacond replay: \(replay.summary)\n")
        guard let failure else { return .success }
        if case .unreadable(let error) = failure.reason {
            StandardError.write("beacond replay: cannot read \(quoted(path, limit: 200)): \(error.reason)\n")
        } else {
            StandardError.write("beacond replay: \(quoted(path, limit: 200)): \(failure)\n")
        }
        return .badData
    }
}
