internal import Beacon
import Glibc
internal import HCI
internal import JSON
internal import System

/// `beacon-bench throughput`: how fast adverts go from a capture to sightings, and from there into windows.
enum Throughput {
    static let yardstick = Bench.Yardstick(
        name: "throughput", synopsis: "adverts a second, decoded and through to windows", run: run)

    static let help = """
        usage: beacon-bench throughput [OPTION ...] [CAPTURE]

        Takes the adverts of a capture to sightings, and through presence to the text of windows, with 10, 1,000 and
        10,000 regions in turn. Without a capture it makes one up, of iBeacons in LE Advertising Report events, in which
        every beacon is in a region; a capture's own beacons become regions, and all of them are in windows. Times are
        CPU times, medians of all rounds; a round of a made-up capture takes as many passes as make a window, and the
        first pass of all is not counted. Allocations are counted when Tests/allocations.sh starts the program. The peak
        of memory is that of one agent in a process of its own, which streams the made-up capture from a file. In a
        sparse capture of your own few adverts share the look that is taken at every region once a second, some 80 µs
        for 10,000, and so each costs more.

          --regions N[,N ...]  how many regions there are (10,1000,10000); '' decodes only
          --beacons N          how many beacons are made up and remembered (10000)
          --heard N            how often each of them is heard in the capture (10)
          --interval MS        the time between two of its adverts (100)
          --rounds N           how often each variant is measured (9)
          --seed N             where the made-up capture's random numbers start (1)
          --flood              also sends 100,000 strangers a minute, whom no region holds, through each agent
          --write FILE         writes the made-up capture to a file and measures nothing
          --made-up FILE       takes such a file for the capture, whose beacons the regions hold
          --memory             with --made-up: has one agent with 10 regions, and prints its peak of memory in bytes
          --json               one JSON object instead of a table
          --help               this text

        Exit codes: 64 usage, 65 bad data, 66 no such file, 71 the kernel does not say the peak of memory, 73 and 74
        the made-up capture cannot be made or written.

        """

    private static let options =
        ["regions", "beacons", "heard", "interval", "rounds", "seed", "write", "made-up"].map {
            CommandLineOption($0, takesValue: true)
        } + [
            CommandLineOption("flood"), CommandLineOption("memory"), CommandLineOption("json"),
            CommandLineOption("help", letter: "h"),
        ]

    static func run(_ arguments: [String]) -> Int32 {
        let line: CommandLineOptions
        do throws(CommandLineMisuse) {
            line = try CommandLineOptions(arguments, options: options)
        } catch {
            return misuse("\(error)")
        }
        if line.has("help") {
            write(help, to: 1)
            return 0
        }
        var numbers: [String: Int] = [:]
        for (name, value) in [
            ("beacons", 10_000), ("heard", 10), ("interval", 100), ("rounds", 9), ("seed", 1),
        ] {
            let number = line[name].map { Int($0) ?? 0 } ?? value
            guard (1...10_000_000).contains(number) else {
                return misuse("--\(name) needs a number from 1 to 10000000")
            }
            numbers[name] = number
        }
        let regions = (line["regions"] ?? "10,1000,10000").split(separator: ",").map { Int($0) ?? -1 }
        if !regions.allSatisfy((0...100_000).contains) {
            return misuse("--regions needs numbers from 0 to 100000")
        }
        let synthetic = SyntheticCapture(
            beacons: numbers["beacons"] ?? 1, rounds: numbers["heard"] ?? 1, interval: numbers["interval"] ?? 1,
            seed: UInt64(numbers["seed"] ?? 1))
        if let path = line["write"] { return save(synthetic.bytes, path) }
        if line.operands.count + (line["made-up"] == nil ? 0 : 1) > 1 { return misuse("one capture at a time") }
        do {
            if line.has("memory") { return try printMemory(line["made-up"], beacons: synthetic.beacons) }
            let result = try trial(line, synthetic, regions, rounds: numbers["rounds"] ?? 1).run()
            write(line.has("json") ? result.json : result.table, to: 1)
            return 0
        } catch {
            write("beacon-bench throughput: \(error)\n", to: 2)
            return error is SystemError ? EX_NOINPUT : EX_DATAERR
        }
    }

    private static func trial(
        _ line: CommandLineOptions, _ synthetic: SyntheticCapture, _ regions: [Int], rounds: Int
    ) -> ThroughputTrial {
        var trial = ThroughputTrial(
            capture: .synthetic([]), regions: regions, beacons: synthetic.beacons, rounds: rounds,
            hasFlood: line.has("flood"))
        if let path = line.operands.first {
            trial.capture = .file(path)
        } else if let path = line["made-up"] {
            trial.capture = .madeUp(path)
        } else {
            let bytes = synthetic.bytes
            trial.capture = .synthetic(bytes)
            trial.memoryTrial = MemoryTrial(beacons: synthetic.beacons, bytes: bytes)
        }
        return trial
    }

    private static func printMemory(_ path: String?, beacons: Int) throws -> Int32 {
        guard let path else { return misuse("--memory needs --made-up FILE") }
        guard let peak = try MemoryTrial.measure(path, beacons: beacons) else {
            write("beacon-bench throughput: the kernel does not say how much memory it was\n", to: 2)
            return EX_OSERR
        }
        write("\(peak)\n", to: 1)
        return 0
    }

    private static func misuse(_ text: String) -> Int32 {
        write("beacon-bench throughput: \(text)\n", to: 2)
        return EX_USAGE
    }

    static func save(_ bytes: [UInt8], _ path: String) -> Int32 {
        guard let file = fopen(path, "w") else {
            write("beacon-bench throughput: cannot write \(path)\n", to: 2)
            return EX_CANTCREAT
        }
        let written = fwrite(bytes, 1, bytes.count, file)
        return fclose(file) == 0 && written == bytes.count ? 0 : EX_IOERR
    }
}
