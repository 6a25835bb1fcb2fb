import Glibc
import System

/// The yardsticks: how truthful presence and distance are, and how fast adverts go through.
///
/// Not part of the tests, for its figures depend on the machine or take their time; each is reproducible by one command.
enum Bench {
    /// One yardstick.
    struct Yardstick: Sendable {
        var name: String
        var synopsis: String
        /// From the arguments after its name to an exit code.
        var run: @Sendable ([String]) -> Int32
    }

    static let yardsticks: [Yardstick] = [PresenceYardstick.yardstick, .distance, Throughput.yardstick]

    static var help: String {
        var text = """
            beacon-bench: measures how truthful and how fast beacond is

            usage: beacon-bench YARDSTICK [OPTION ...]


            """
        for yardstick in yardsticks {
            let gap = String(repeating: " ", count: max(1, 12 - yardstick.name.count))
            text += "  \(yardstick.name)\(gap)\(yardstick.synopsis)\n"
        }
        return text + """

            `beacon-bench YARDSTICK --help` tells more. Build it with `swift build -c release`.
            Exit codes: 64 usage, 65 bad data, 66 no such file.

            """
    }

    static func run(_ arguments: [String]) -> Int32 {
        ignoreBrokenPipes()
        returnLargeAllocations()
        guard let name = arguments.first else {
            write(help, to: 2)
            return EX_USAGE
        }
        if ["--help", "-h", "help"].contains(name) {
            write(help, to: 1)
            return 0
        }
        guard let yardstick = yardsticks.first(where: { $0.name == name }) else {
            let known = yardsticks.map(\.name).joined(separator: ", ")
            write("beacon-bench: there is no yardstick of that name; there are \(known)\n", to: 2)
            return EX_USAGE
        }
        return yardstick.run(Array(arguments.dropFirst()))
    }
}

/// Writes text to a standard stream; what a reader that went away does not take is lost.
func write(_ text: String, to stream: Int32) { try? writeToStandardStream(stream, Array(text.utf8)) }
