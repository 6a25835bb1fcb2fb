internal import Agent
internal import System

/// Why a password file is of no use: a sentence.
struct PasswordFileError: Error {
    var text: String
}

/// The password in a file: its first line. What it is never reaches a message or the log.
func readPassword(_ path: String) throws(PasswordFileError) -> [UInt8] {
    // A pipe would be waited for, for ever if nobody writes.
    if exists(path) && !isRegularFile(path) {
        throw PasswordFileError(text: "mqtt.password_file: \(quoted(path)) is no regular file")
    }
    // MQTT bounds a password to 65,535 bytes (MQTT 5 section 3.1.3.6).
    let content: [UInt8]
    do throws(SystemError) {
        content = try readFile(path, limit: 65_535)
    } catch {
        throw PasswordFileError(text: "mqtt.password_file: cannot read \(quoted(path)): \(error.reason)")
    }
    let line = content.prefix { $0 != 0x0A && $0 != 0x0D }
    if line.isEmpty { throw PasswordFileError(text: "mqtt.password_file: \(quoted(path)) has an empty first line") }
    return Array(line)
}
