internal import Agent
internal import System
internal import Trust

/// `beacond doctor`: looks for what keeps the agent from working.
enum DoctorCommand {
    static let help = """
        Usage: beacond doctor [--config FILE] [--json]

        Checks what the agent needs: configuration, adapters, capabilities, rfkill, other programs that hold the adapter,
        the clock, the broker, the state folder. Each is pass, warn or fail, with what to do. It changes nothing, and asks
        a controller only for what it is.

          -c, --config FILE   the configuration, \(Program.defaultConfiguration) by default
              --json          one line of JSON: {"verdict":…,"checks":[{"check":…,"verdict":…,"text":…,"remedy":…},…]}
          -h, --help          this text

        Exit codes: 0 nothing failed, 64 usage, 69 something did.

        """

    static func run(_ arguments: [String]) -> ExitCode {
        let options = [CommandLineOption("config", letter: "c", takesValue: true), CommandLineOption("json")]
        switch parsed(arguments, command: "doctor", help: help, options: options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            do throws(LineMisuse) { try line.refuseOperands() } catch {
                return misuse("doctor", error.sentence).code
            }
            let path = line["config"] ?? Program.defaultConfiguration
            let file = ConfigurationFile.open(path, digest: { SHA256Digest(of: $0).description })
            let report = DoctorReport(findings: Doctor(path, file, .own).findings())
            StandardOutput.write(line.has("json") ? report.json : report.text)
            return report.verdict == .fail ? .unavailable : .success
        }
    }
}
