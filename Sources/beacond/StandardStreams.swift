internal import Glibc
internal import System

/// What a command was asked for. A reader that went away, as `head` does, ends the writing and not the program; a disk
/// that is full ends the program, for an empty file and a success would be a lie.
enum StandardOutput {
    static func write(_ text: String) { _ = write(Array(text.utf8)) }

    /// Returns whether somebody still reads.
    static func write(_ bytes: [UInt8]) -> Bool {
        do throws(SystemError) {
            try writeToStandardStream(1, bytes)
            return true
        } catch {
            // Whoever does not read is as good as gone once this is to end.
            if error.isBrokenPipe || error.isInterrupted { return false }
            StandardError.write("beacond: cannot write the output: \(error.reason)\n")
            exit(ExitCode.outputFailed.rawValue)
        }
    }
}

/// What is said about the work. Where that cannot be written there is nobody to tell.
enum StandardError {
    static func write(_ text: String) { try? writeToStandardStream(2, Array(text.utf8)) }
}
