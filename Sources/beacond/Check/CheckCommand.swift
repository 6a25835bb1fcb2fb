internal import Agent
internal import System
internal import Trust

/// `beacond check`: validates a configuration file and shows what would be in force.
enum CheckCommand {
    static let help = """
        Usage: beacond check [FILE]
               beacond check --reference

        Validates a configuration file, \(Program.defaultConfiguration) by default, and prints the effective configuration:
        every key with its value, defaults included, as a file that reads back the same. Of secrets the file names are
        shown, never the contents. Every problem is listed at once on standard error, with its place, the line and a
        caret.

              --reference     print the reference configuration: every key, what it means, its bounds and its default
          -h, --help          this text

        Exit codes: 64 usage, 66 no such file, 78 bad configuration.

        """

    static func run(_ arguments: [String]) -> ExitCode {
        switch parsed(arguments, command: "check", help: help, options: [CommandLineOption("reference")]) {
        case .failure(let finished): return finished.code
        case .success(let line):
            if line.has("reference") {
                guard line.operands.isEmpty else {
                    return misuse("check", "--reference goes without a file").code
                }
                StandardOutput.write(Configuration.reference)
                return .success
            }
            guard line.operands.count <= 1 else {
                return misuse("check", "unexpected \(quoted(line.operands[1]))").code
            }
            return check(line.operands.first ?? Program.defaultConfiguration)
        }
    }

    private static func check(_ path: String) -> ExitCode {
        switch ConfigurationFile.open(path, digest: { SHA256Digest(of: $0).description }) {
        case .failure(let failure): return failure.say(as: "check")
        case .success(let stack):
            StandardOutput.write("# \(stack.hash)\n")
            StandardOutput.write(stack.configuration.effectiveYAML)
            return .success
        }
    }
}
