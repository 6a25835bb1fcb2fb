internal import Agent
internal import Presence
internal import System

/// `beacond calibrate`: measures a beacon's power at one metre.
enum CalibrateCommand {
    /// How long may be listened.
    static let seconds = 5...600

    static let help = """
        Usage: beacond calibrate [--config FILE] [--adapter A] [--distance 1m] [--seconds N] [--json]
                                 [BEACON]

        Measures the signal strength of one beacon, and prints what to put into the configuration as its measured power.
        Put the beacon one metre from the node, with nothing and nobody between, and leave both alone until it ends;
        Ctrl-C ends it early with what is known by then. Nothing is sent or published. An agent that runs has the radio:
        stop it first.

        BEACON is the beacon or a part of its ids; without it the strongest one is measured, if it leads by 10 dB:
              --uuid UUID --major N --minor N              an iBeacon or AltBeacon
              --namespace DIGITS --instance DIGITS         an Eddystone UID
              --url URL                                    an Eddystone URL
              --format FORMAT     ibeacon, altbeacon, eddystone-uid or eddystone-url

        \(RadioChoice.help)
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
                CommandLineOption("distance", letter: "d", takesValue: true),
                CommandLineOption("seconds", letter: "s", takesValue: true), CommandLineOption("json"),
            ] + RadioChoice.options + WantedBeacon.options
        switch parsed(arguments, command: "calibrate", help: help, options: options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            do throws(LineMisuse) {
                let request = try request(line)
                switch RadioChoice.open(line, command: "calibrate") {
                case .failure(let finished): return finished.code
                case .success(let choice): return calibrate(request, choice, asJSON: line.has("json"))
                }
            } catch {
                return misuse("calibrate", error.sentence).code
            }
        }
    }

    /// What a command line asks for.
    static func request(_ line: CommandLineOptions) throws(LineMisuse) -> CalibrationRequest {
        try line.refuseOperands()
        var request = CalibrationRequest()
        request.beacon = try WantedBeacon(line)
        if let text = line["distance"] {
            guard let distance = metres(text) else {
                throw LineMisuse(sentence: "--distance is 0.1m…10m, not \(quoted(text))")
            }
            request.distance = distance
        }
        if let seconds = try line.number("seconds", in: seconds) { request.seconds = seconds }
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

    private static func calibrate(
        _ request: CalibrationRequest, _ choice: RadioChoice, asJSON: Bool
    ) -> ExitCode {
        var tuning = choice.tuning
        // A scan response would be counted as one more advert, and takes air time from them.
        tuning.activeScan = false
        let run = CalibrationRun(
            Calibration(request), progress: CalibrationProgress(isTerminal: isTerminal(2)))
        do throws(SystemError) {
            let outcome = try Listener(tuning, signals: try Signals()).run(run)
            run.finish()
            switch outcome {
            case .failure(let unavailable):
                run.said(unavailable.text)
                return .unavailable
            case .success(let seconds):
                let report = CalibrationReport(
                    run.calibration, seconds: seconds, configured: choice.configuration?.calibrations ?? [])
                StandardOutput.write(asJSON ? report.json : report.output)
                if !report.complaint.isEmpty { StandardError.write("beacond calibrate: \(report.complaint)") }
                return report.isGood ? .success : .badData
            }
        } catch {
            run.said("\(error)")
            return .unavailable
        }
    }
}
