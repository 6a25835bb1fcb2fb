internal import Agent
internal import Outbox
internal import Presence
internal import System
internal import Trust

/// `beacond calibrate`: measures a beacon's power at one metre.
enum CalibrateCommand {
    /// How long may be listened.
    static let seconds = 5...600

    static let help = """
        Usage: beacond calibrate [--config FILE] [--distance 1m] [--seconds N] [--json] [BEACON]

        Measures the signal strength of one beacon with the radio that the configuration names, and prints what to put
        into the configuration as its measured power. Put the beacon one metre from the node, with nothing and nobody
        between, and leave both alone until it ends; Ctrl-C ends it early with what is known by then. Nothing is sent or
        published. An agent that runs has the radio: stop it first.

        BEACON is the beacon or a part of its ids; without it the strongest one is measured, if it leads by 10 dB:
              --uuid UUID --major N --minor N              an iBeacon or AltBeacon
              --namespace DIGITS --instance DIGITS         an Eddystone UID
              --url URL                                    an Eddystone URL
              --format FORMAT     ibeacon, altbeacon, eddystone-uid or eddystone-url

          -c, --config FILE   the configuration, \(Program.defaultConfiguration) by default
          -d, --distance D    how far the beacon is, 0.1m…10m; what free space takes beyond one metre is added
          -s, --seconds N     how long to listen, 5…600, by default 30
              --json          print one line of JSON instead
          -h, --help          this text

        Exit codes: 64 usage, 65 no power that can be used: nothing heard, several beacons, too few adverts, too wide
        a spread, or a power that no beacon has; 66 no configuration file, 69 the radio is not available, 78 bad
        configuration.

        """

    static func run(_ arguments: [String]) -> ExitCode {
        let options =
            [
                CommandLineOption("config", letter: "c", takesValue: true),
                CommandLineOption("distance", letter: "d", takesValue: true),
                CommandLineOption("seconds", letter: "s", takesValue: true), CommandLineOption("json"),
            ] + WantedBeacon.options
        switch parsed(arguments, command: "calibrate", help: help, options: options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            do throws(WantedBeacon.Misuse) {
                let request = try request(line)
                return calibrate(
                    request, path: line["config"] ?? Program.defaultConfiguration, asJSON: line.has("json"))
            } catch {
                return misuse("calibrate", error.sentence).code
            }
        }
    }

    /// What a command line asks for.
    static func request(_ line: CommandLineOptions) throws(WantedBeacon.Misuse) -> CalibrationRequest {
        if let word = line.operands.first { throw WantedBeacon.Misuse(sentence: "unexpected \(quoted(word))") }
        var request = CalibrationRequest()
        request.beacon = try WantedBeacon(line)
        if let text = line["distance"] {
            guard let distance = metres(text) else {
                throw WantedBeacon.Misuse(sentence: "--distance is 0.1m…10m, not \(quoted(text))")
            }
            request.distance = distance
        }
        if let text = line["seconds"] {
            guard let number = Int(text), seconds.contains(number) else {
                throw WantedBeacon.Misuse(sentence: "--seconds is 5…600, not \(quoted(text))")
            }
            request.seconds = number
        }
        return request
    }

    /// Metres with two decimals at most, with or without their unit.
    private static func metres(_ text: String) -> Double? {
        let number = text.hasSuffix("m") ? text.dropLast() : text[...]
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            parts.count == 1 || parts[1].utf8.count <= 2, let metres = Double(number)
        else { return nil }
        return PowerCalibration.distances.contains(metres) ? metres : nil
    }

    private static func calibrate(_ request: CalibrationRequest, path: String, asJSON: Bool) -> ExitCode {
        let configuration: Configuration
        switch ConfigurationFile.open(path, digest: { SHA256Digest(of: $0).description }) {
        case .failure(let failure): return failure.say(as: "calibrate")
        case .success(let stack): configuration = stack.configuration
        }
        if let holder = StateFolder.holder(of: configuration.stateFolder) {
            // Two hosts of one controller would reset it in turn.
            let process = holder.process.map { " (process \($0))" } ?? ""
            say("an agent with this configuration is running\(process) and has the radio; stop it and try again")
            return .unavailable
        }
        var tuning = configuration.tuning
        tuning.advertising = nil
        // A scan response would be counted as one more advert, and takes air time from them.
        tuning.activeScan = false
        do throws(SystemError) {
            let listener = try CalibrationListener(
                Calibration(request), tuning: tuning,
                progress: CalibrationProgress(isTerminal: isTerminal(2)), signals: try Signals())
            switch try listener.run() {
            case .failure(let unavailable):
                say(unavailable.text)
                return .unavailable
            case .success(let seconds):
                let report = CalibrationReport(
                    listener.calibration, seconds: seconds, configured: configuration.calibrations)
                StandardOutput.write(asJSON ? report.json : report.output)
                if !report.complaint.isEmpty { StandardError.write("beacond calibrate: \(report.complaint)") }
                return report.isGood ? .success : .badData
            }
        } catch {
            say("\(error)")
            return .unavailable
        }
    }

    private static func say(_ sentence: String) { StandardError.write("beacond calibrate: \(sentence)\n") }
}
