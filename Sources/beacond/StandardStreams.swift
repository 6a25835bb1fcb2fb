internal import System

/// What a command was asked for. Writes as it comes; a closed pipe ends the writing, not the program.
enum StandardOutput {
    static func write(_ text: String) { _ = write(Array(text.utf8)) }

    /// Returns whether somebody still reads.
    static func write(_ bytes: [UInt8]) -> Bool { writeAll(bytes, to: 1) }
}

/// What is said about the work.
enum StandardError {
    static func write(_ text: String) { _ = writeAll(Array(text.utf8), to: 2) }
}

private func writeAll(_ bytes: [UInt8], to number: Int32) -> Bool {
    do throws(SystemError) {
        try writeToStandardStream(number, bytes)
        return true
    } catch {
        return false
    }
}
