internal import Agent
internal import System
internal import YAML

/// Configuration files as commands meet them.
enum ConfigurationFile {
    /// Why a file cannot be used.
    struct Failure: Error {
        var code: ExitCode
        /// Lines for a person.
        var text: String

        func say(as command: String) -> ExitCode {
            StandardError.write(text.hasSuffix("\n") ? text : "beacond \(command): \(text)\n")
            return code
        }
    }

    /// Reads a file and validates it; every problem at once, each with the place it is at.
    static func open(_ path: String, digest: @escaping ConfigurationStack.Digest) -> Result<
        ConfigurationStack, Failure
    > {
        let bytes: [UInt8]
        switch content(path) {
        case .failure(let failure): return .failure(failure)
        case .success(let content): bytes = content
        }
        return parsed(bytes, name: path, digest: digest)
    }

    /// Validates what stands in a file.
    static func parsed(
        _ bytes: [UInt8], name: String, digest: @escaping ConfigurationStack.Digest
    ) -> Result<ConfigurationStack, Failure> {
        do throws(ConfigurationProblems) {
            return .success(try ConfigurationStack(file: try parse(bytes), digest: digest))
        } catch {
            return .failure(
                Failure(code: .badConfiguration, text: error.report(source: bytes, name: name)))
        }
    }

    /// Reads and parses a file, for the agent to validate together with what lies over it.
    ///
    /// Only a regular file: a pipe would be waited for, by the thread that listens to the radio and to SIGTERM.
    static func read(_ path: String) -> Result<FileRead, FileRefusal> {
        if exists(path) && !isRegularFile(path) {
            return .failure(FileRefusal(text: "the configuration \(quoted(path)) is no regular file"))
        }
        let bytes: [UInt8]
        switch content(path) {
        case .failure(let failure): return .failure(FileRefusal(text: failure.text))
        case .success(let content): bytes = content
        }
        do throws(ConfigurationProblems) {
            return .success(FileRead(name: path, bytes: bytes, node: try parse(bytes)))
        } catch {
            return .failure(FileRefusal(text: error.report(source: bytes, name: path)))
        }
    }

    private static func parse(_ bytes: [UInt8]) throws(ConfigurationProblems) -> YAMLNode {
        do throws(YAMLError) {
            return try YAMLNode(reading: bytes)
        } catch {
            throw ConfigurationProblems([ConfigurationProblem(error)])
        }
    }

    private static func content(_ path: String) -> Result<[UInt8], Failure> {
        do throws(SystemError) {
            // One byte more than a document may have: the parser has the sentence for that.
            return .success(try readFile(path, limit: YAMLNode.maximumBytes + 1))
        } catch {
            return .failure(
                Failure(code: .noInput, text: "cannot read the configuration \(quoted(path)): \(error.reason)"))
        }
    }
}
