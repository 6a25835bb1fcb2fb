internal import Agent
internal import Beacon
internal import JSON
internal import System

/// `beacond advertise`: puts a beacon on air for a trial.
enum AdvertiseCommand {
    static let help = """
        Usage: beacond advertise --uuid UUID [--major N] [--minor N] [--format altbeacon] [OPTION ...]
               beacond advertise --namespace DIGITS --instance DIGITS [OPTION ...]
               beacond advertise --url URL [OPTION ...]

        Is a beacon until Ctrl-C: says what is on air, or what the controller refuses. Nothing of it is kept; an agent
        advertises what its configuration says. An agent that runs has the radio: stop it first.

              --uuid UUID --major N --minor N              an iBeacon, or with --format an AltBeacon
              --namespace DIGITS --instance DIGITS         an Eddystone UID
              --url URL                                    an Eddystone URL
              --format FORMAT     ibeacon, altbeacon, eddystone-uid or eddystone-url
              --measured-power P  the signal strength at one metre that is sent along, -100…-20 dBm; without it what
                                  the controller's own power comes to, or -59
              --interval D        from one advert to the next, 20ms…10.24s, by default 100ms
              --tx-power P        the power to send with, -127…20 dBm, where the controller can be told
              --address KIND      random, as without it, or public
        \(RadioChoice.help)
          -s, --seconds N     end after so many seconds, 1…86400
          -h, --help          this text

        Exit codes: 64 usage, 66 no configuration file, 69 the radio is not available or refuses, 78 bad configuration.

        """

    /// Options and the keys of a configuration's advertise that they are; and whether those are numbers.
    private static let keys: [(option: String, key: String, isNumber: Bool)] = [
        ("uuid", "uuid", false), ("major", "major", true), ("minor", "minor", true),
        ("namespace", "namespace", false),
        ("instance", "instance", false), ("url", "url", false), ("measured-power", "measured_power", true),
        ("interval", "interval", false), ("tx-power", "tx_power", true), ("address", "address", false),
    ]

    static let options =
        [
            CommandLineOption("format", takesValue: true),
            CommandLineOption("seconds", letter: "s", takesValue: true),
        ]
        + keys.map { CommandLineOption($0.option, takesValue: true) } + RadioChoice.options

    static func run(_ arguments: [String]) -> ExitCode {
        switch parsed(arguments, command: "advertise", help: help, options: options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            let seconds: Int?
            let advertising: RadioTuning.Advertising
            do throws(LineMisuse) {
                try line.refuseOperands()
                seconds = try line.number("seconds", in: 1...86_400)
                advertising = try self.advertising(line)
            } catch {
                return misuse("advertise", error.sentence).code
            }
            switch RadioChoice.open(line, command: "advertise") {
            case .failure(let finished): return finished.code
            case .success(let choice):
                var tuning = choice.tuning
                tuning.advertising = advertising
                return advertise(tuning, seconds)
            }
        }
    }

    /// What a command line wants on air. Judged by the configuration's own rules, so that what works here works there.
    static func advertising(_ line: CommandLineOptions) throws(LineMisuse) -> RadioTuning.Advertising {
        _ = try WantedBeacon(line)
        let format = format(line)
        for name in needed(format) where !line.has(name) {
            throw LineMisuse(sentence: "--\(name) is missing, which a beacon of format \(format.name) has")
        }
        var json = JSONWriter()
        json.object { json in
            for (name, value) in [("site", "none"), ("node", "none")] {
                json.key(text: name)
                json.string(value)
            }
            json.key("advertise")
            json.object { json in
                json.key("enabled")
                json.bool(true)
                json.key("format")
                json.string(format.name)
                for (option, key, isNumber) in keys {
                    guard let value = line[option] else { continue }
                    json.key(text: key)
                    if isNumber, Int(value) != nil { json.raw(Array(value.utf8)) } else { json.string(value) }
                }
            }
        }
        do throws(ConfigurationProblems) {
            // JSON is YAML.
            guard let found = try Configuration.read(text: json.bytes).tuning.advertising else {
                throw ConfigurationProblems([])
            }
            return found
        } catch {
            throw LineMisuse(sentence: sentence(error))
        }
    }

    /// The first problem in the words of a command line.
    private static func sentence(_ problems: ConfigurationProblems) -> String {
        guard let problem = problems.problems.first else { return "there is nothing to advertise" }
        let option = keys.first { "advertise.\($0.key)" == problem.path }?.option
        return option.map { "--\($0): \(problem.message)" } ?? problem.message
    }

    private static func format(_ line: CommandLineOptions) -> BeaconFormat {
        if let format = line["format"].flatMap({ BeaconFormat(name: $0) }) { return format }
        if line.has("url") { return .eddystoneURL }
        return line.has("namespace") || line.has("instance") ? .eddystoneUID : .ibeacon
    }

    private static func needed(_ format: BeaconFormat) -> [String] {
        switch format {
        case .ibeacon, .altbeacon: ["uuid"]
        case .eddystoneUID: ["namespace", "instance"]
        case .eddystoneURL: ["url"]
        }
    }

    private static func advertise(_ tuning: RadioTuning, _ seconds: Int?) -> ExitCode {
        let run = AdvertiseRun(tuning, seconds: seconds)
        do throws(SystemError) {
            let listener = try Listener(tuning, signals: try Signals())
            switch try listener.run(run) {
            case .failure(let unavailable): run.said(unavailable.text)
            case .success where !listener.radio.isSilent:
                run.said("the controller did not confirm that it is silent; `beacond silence` tries again")
            case .success: return run.isRefused ? .unavailable : .success
            }
        } catch {
            run.said("\(error)")
        }
        return .unavailable
    }
}
