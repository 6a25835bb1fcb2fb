import Glibc
import JSON
import System

extension Bench.Yardstick {
    /// How far distances are off.
    static let distance = Bench.Yardstick(
        name: "distance", synopsis: "error, order, steadiness and interval of distances over recorded RSSI",
        run: DistanceYardstick.run)
}

/// `beacon-bench distance`.
enum DistanceYardstick {
    static let help = """
        beacon-bench distance: judges estimates of distance on recorded signal strengths

        usage: beacon-bench distance [--json | --held-out] FILE...

          FILE    CSV with a header: distance_m or distance_ft, time_ms or timestamp, rssi, and where there are
                  several: set, transmitter, measured_power. One set is one place with one measured power; where it
                  is not given it is the median signal nearest to one metre, put there by free space
          --json  one JSON object instead of tables
          --held-out
                  what the 80 % interval covers on each set when its width is chosen on the others alone
          --help  this text

        error        mean |log2(estimate / truth)| over windows of 10 s, each from cold; 1 is a factor of two
        order        share of pairs of windows at different distances in the right order; 0.5 is chance, and a
                     set of one distance has none
        near/far     share of windows on the right side of 3 m
        changes      of the proximity class per minute of a still beacon, and without hysteresis
        covered      share of windows whose 80 % interval holds the truth
        width        mean of the interval's upper by its lower end

        A window with fewer than three adverts is left out. Within a set distances count the same, and in the mean
        sets do. Try it: beacon-bench distance Tests/Recordings/*.csv

        Exit codes: 64 usage, 65 bad data, 66 no such file.

        """

    /// Bytes: a file is read whole.
    private static let largest = 256 << 20

    static func run(_ arguments: [String]) -> Int32 {
        let given: CommandLineOptions
        do {
            given = try CommandLineOptions(
                arguments,
                options: [
                    CommandLineOption("json"), CommandLineOption("held-out"),
                    CommandLineOption("help", letter: "h"),
                ])
        } catch {
            return misuse("an option is not known")
        }
        if given.has("help") {
            write(help, to: 1)
            return 0
        }
        if given.operands.isEmpty { return misuse("a file is missing") }
        var reader = RecordingReader()
        for path in given.operands {
            let bytes: [UInt8]
            do {
                bytes = try readFile(path, limit: largest)
            } catch {
                write("beacon-bench distance: \(error.description)\n", to: 2)
                return EX_NOINPUT
            }
            do {
                try reader.read(String(decoding: bytes, as: UTF8.self), name: Self.name(of: path))
            } catch {
                write("beacon-bench distance: \(path):\(error.line): \(error.text)\n", to: 2)
                return EX_DATAERR
            }
        }
        if given.has("held-out") {
            if reader.recordings.count < 2 { return misuse("--held-out needs two sets at least") }
            write(HeldOut(reader.recordings).text, to: 1)
            return 0
        }
        let report = DistanceReport(reader.recordings)
        write(given.has("json") ? report.json : report.text, to: 1)
        return 0
    }

    private static func misuse(_ text: String) -> Int32 {
        write("beacon-bench distance: \(text); --help tells more\n", to: 2)
        return EX_USAGE
    }

    /// A file's name without folders and ending.
    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.hasSuffix(".csv") ? file.dropLast(4) : file)
    }
}
