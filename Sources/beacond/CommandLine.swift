internal import Agent
internal import System

/// A command has ended before it began.
struct Finished: Error {
    var code: ExitCode
}

/// Takes a command's arguments apart; prints what is wrong, or the help that was asked for, and returns the exit code
/// where there is nothing else to do.
func parsed(
    _ arguments: [String], command: String, help: String, options: [CommandLineOption]
) -> Result<CommandLineOptions, Finished> {
    do throws(CommandLineMisuse) {
        let line = try CommandLineOptions(
            arguments, options: options + [CommandLineOption("help", letter: "h")])
        guard line.has("help") else { return .success(line) }
        StandardOutput.write(help)
        return .failure(Finished(code: .success))
    } catch {
        switch error {
        case .unknown(let word): return .failure(misuse(command, "there is no option \(quoted(word))"))
        case .missingValue(let word): return .failure(misuse(command, "the option \(quoted(word)) needs a value"))
        case .repeated(let word): return .failure(misuse(command, "the option \(quoted(word)) stands there twice"))
        }
    }
}

/// Says that a command line makes no sense, and where to read what would.
func misuse(_ command: String, _ sentence: String) -> Finished {
    StandardError.write("beacond \(command): \(sentence); see beacond \(command) --help\n")
    return Finished(code: .usage)
}
