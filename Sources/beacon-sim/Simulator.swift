import Glibc
import System

/// The program: from a command line to an exit code.
enum Simulator {
    static func run(_ arguments: [String]) -> Int32 {
        switch Options.read(arguments) {
        case .help:
            write(Options.help, to: 1)
            return 0
        case .wrong(let message):
            say("\(message); see beacon-sim --help")
            return EX_USAGE
        case .run(let options):
            return run(options)
        }
    }

    private static func run(_ options: Options) -> Int32 {
        ignoreBrokenPipes()
        let scenario: Scenario
        switch read(options.scenario) {
        case .success(let read): scenario = read
        case .failure(let failure): return failure.code
        }
        switch options.work {
        case .serve(let source): return serve(scenario, options, source)
        case .record(let recording): return record(scenario, options, recording)
        }
    }

    private static func serve(_ scenario: Scenario, _ options: Options, _ source: HostSource) -> Int32 {
        guard case .socket(let address) = source else { return serve(scenario, options, source, nil) }
        let listener: Listener
        do throws(SystemError) {
            listener = try Listener(on: address)
        } catch {
            say("\(error)")
            return EX_UNAVAILABLE
        }
        defer { if case .unix(let path) = address { unlink(path) } }
        return serve(scenario, options, source, listener)
    }

    private static func serve(
        _ scenario: Scenario, _ options: Options, _ source: HostSource, _ listener: Listener?
    ) -> Int32 {
        let start = MonotonicClock.nanoseconds
        let server: Server
        do throws(SystemError) {
            let truth = try TruthLog(path: options.truth, start: start, wallStart: WallClock.nanoseconds)
            let air = try AirLog(path: options.air, start: start)
            server = try Server(
                scenario, from: source, listener: listener, truth: truth, air: air,
                end: options.seconds.map { start + $0 * 1_000_000_000 })
        } catch {
            say("\(error)")
            return EX_IOERR
        }
        do throws(SystemError) {
            try server.open()
        } catch {
            say("\(error)")
            return EX_UNAVAILABLE
        }
        write("beacon-sim: \(scenario.beacons.count) beacons, \(source)\n", to: 1)
        do throws(SystemError) {
            if let failure = try server.run() { throw failure }
            return 0
        } catch {
            say("\(error)")
            return EX_IOERR
        }
    }

    private static func record(_ scenario: Scenario, _ options: Options, _ recording: Options.Recording) -> Int32 {
        do throws(SystemError) {
            let truth = try TruthLog(path: options.truth, start: 0, wallStart: recording.start)
            let file = try Descriptor.open(recording.path, .replace, permissions: 0o644)
            let recorder = Recorder(scenario, recording, file: file, truth: truth)
            if let failure = recorder.run((options.seconds ?? 0) * 1_000_000_000) { throw failure }
            return 0
        } catch {
            say("\(error)")
            return EX_IOERR
        }
    }

    private struct Refused: Error {
        let code: Int32
    }

    /// 1 MiB is more than twenty thousand beacons take.
    private static let scenarioLimit = 1 << 20

    private static func read(_ path: String) -> Result<Scenario, Refused> {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try readFile(path, limit: scenarioLimit)
        } catch {
            say("\(error)")
            return .failure(Refused(code: EX_NOINPUT))
        }
        do throws(ScenarioProblems) {
            return .success(try ScenarioReader.read(bytes))
        } catch {
            for problem in error.all { say(problem.line(file: path), named: false) }
            return .failure(Refused(code: EX_DATAERR))
        }
    }
}

/// A line on standard error, with the name of the program before it unless it has a file's.
func say(_ line: String, named: Bool = true) { write((named ? "beacon-sim: " : "") + line + "\n", to: 2) }

private func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    // Because nothing can be done about a terminal that is gone, the result does not matter.
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
}
