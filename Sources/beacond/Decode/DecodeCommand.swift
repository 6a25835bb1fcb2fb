internal import Agent
internal import System

/// `beacond decode`: what is in an advert that somebody has as hexadecimal digits.
enum DecodeCommand {
    static let help = """
        Usage: beacond decode [--as ad|report|event] [HEX ...]

        Says which beacons are in an advert, as one line of JSON for each HEX; without any, for each line of standard
        input. An empty one is an advert without data.

              --as ad         advertising data: length, type, value and so on
              --as report     an LE Advertising Report, from the number of reports on
              --as event      an HCI event with adverts, with or without the 04 before it
          -h, --help          this text

        Without --as, what starts with 04 3e is an event and everything else advertising data. Between the bytes there
        may be spaces, tabs and colons, and 0x before them. Each is read by itself: the pieces of an advert that came
        in several events are not put together.

          $ beacond decode 02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5
          {"beacons":[{"format":"ibeacon","uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","major":1,"minor":2,"power":-59}],"malformed":[]}

        "malformed" tells in words what was wrong with the rest. What is not hexadecimal is told on standard error.
        Exit codes: 64 usage, 65 something was not hexadecimal (the rest is decoded all the same), 66 standard input
        cannot be read.

        """

    static func run(_ arguments: [String]) -> ExitCode {
        let options = [CommandLineOption("as", takesValue: true)]
        switch parsed(arguments, command: "decode", help: help, options: options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            let layout = line["as"].map(Layout.init(rawValue:))
            if let word = line["as"], layout == .some(nil) {
                return misuse("decode", "--as is ad, report or event, not \(quoted(word))").code
            }
            var decoding = Decoding(layout: layout ?? nil)
            return line.operands.isEmpty ? decoding.lines() : decoding.arguments(line.operands)
        }
    }

    /// One run of the command.
    private struct Decoding {
        let layout: Layout?
        var output = DecodedOutput()
        var isBad = false

        mutating func arguments(_ arguments: [String]) -> ExitCode {
            for (i, argument) in arguments.enumerated() {
                decode(HexText.bytes(Array(argument.utf8)), "argument \(i + 1)")
            }
            _ = output.flush()
            return isBad ? .badData : .success
        }

        mutating func lines() -> ExitCode {
            var input = InputLines(Descriptor(owning: 0), longest: HexText.longest)
            var number = 0
            do throws(SystemError) {
                while true {
                    // What was decoded is shown before anybody waits for more.
                    if input.hasToWait || output.isLong {
                        guard output.flush() else { break }
                    }
                    guard let line = try input.next() else { break }
                    number += 1
                    switch line {
                    case .text(let text): decode(HexText.bytes(text), "line \(number)")
                    case .tooLong: decode(.failure(.tooLong), "line \(number)")
                    }
                }
            } catch {
                _ = output.flush()
                StandardError.write("beacond decode: cannot read standard input: \(error.reason)\n")
                return .noInput
            }
            _ = output.flush()
            return isBad ? .badData : .success
        }

        private mutating func decode(_ bytes: Result<[UInt8], HexMistake>, _ place: String) {
            switch bytes {
            case .success(let bytes): output.append(bytes, as: layout)
            case .failure(let mistake):
                isBad = true
                StandardError.write("beacond decode: \(place): \(mistake.sentence)\n")
            }
        }
    }
}
