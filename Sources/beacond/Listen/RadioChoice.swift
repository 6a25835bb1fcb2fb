internal import Agent
internal import HCI
internal import Outbox
internal import System
internal import Trust

/// Which radio a command uses, and how: what the configuration says, and over it what the command line says.
struct RadioChoice {
    /// The configuration that was found; nil where none was asked for and none is in the usual place.
    var configuration: Configuration?
    /// What the radio is to do. Nothing is on air.
    var tuning: RadioTuning

    /// The options that choose it.
    static let options = [
        CommandLineOption("config", letter: "c", takesValue: true), CommandLineOption("adapter", takesValue: true),
        CommandLineOption("access", takesValue: true),
    ]

    /// What `--help` says of them.
    static let help = """
          -c, --config FILE   the configuration; without it \(Program.defaultConfiguration), if it is there
              --adapter A     the radio: auto, an address, hci0, serial:PATH[:BAUD], tcp:ADDRESS:PORT or unix:PATH;
                              without it that of the configuration, or auto
              --access HOW    how an adapter of the kernel's is taken: auto, exclusive or shared; likewise
        """

    /// The state folder of an agent whose configuration names none.
    static let usualStateFolder = "/var/lib/beacond"

    /// For a machine without a configuration: the defaults.
    private static let bareConfiguration = "site: none\nnode: none\n"

    /// Reads the options and the configuration, for a command of this name; says what is wrong, and ends it.
    static func open(_ line: CommandLineOptions, command: String) -> Result<RadioChoice, Finished> {
        let adapter: AdapterChoice?
        let access: RadioTuning.Access?
        do throws(LineMisuse) {
            adapter = try self.adapter(line)
            access = try line.word("access", of: RadioTuning.Access.allCases.map { ($0.rawValue, $0) })
        } catch {
            return .failure(misuse(command, error.sentence))
        }
        let stack: Result<ConfigurationStack, ConfigurationFile.Failure>
        let digest: ConfigurationStack.Digest = { SHA256Digest(of: $0).description }
        let path = line["config"] ?? (exists(Program.defaultConfiguration) ? Program.defaultConfiguration : nil)
        if let path {
            stack = ConfigurationFile.open(path, digest: digest)
        } else {
            stack = ConfigurationFile.parsed(
                Array(bareConfiguration.utf8), name: "the bare configuration", digest: digest)
        }
        switch stack {
        case .failure(let failure): return .failure(Finished(code: failure.say(as: command)))
        case .success(let stack):
            var tuning = stack.configuration.tuning
            tuning.advertising = nil
            if let adapter { tuning.adapter = adapter.description }
            if let access { tuning.access = access }
            let choice = RadioChoice(configuration: path == nil ? nil : stack.configuration, tuning: tuning)
            if let sentence = choice.holder(isNamed: adapter != nil) {
                StandardError.write("beacond \(command): \(sentence)\n")
                return .failure(Finished(code: .unavailable))
            }
            return .success(choice)
        }
    }

    private static func adapter(_ line: CommandLineOptions) throws(LineMisuse) -> AdapterChoice? {
        guard let text = line["adapter"] else { return nil }
        guard let choice = AdapterChoice(text) else {
            throw LineMisuse(
                sentence: "--adapter is auto, an address, hciN, serial:PATH[:BAUD], tcp:ADDRESS:PORT or unix:PATH, "
                    + "not \(quoted(text))")
        }
        return choice
    }

    /// That an agent has the radio; nil where none does. Two hosts of one controller would reset it in turn.
    private func holder(isNamed: Bool) -> String? {
        let configured = configuration?.tuning.adapter
        if isNamed && configured != tuning.adapter { return nil }
        let folder = configuration?.stateFolder ?? Self.usualStateFolder
        guard let holder = StateFolder.holder(of: folder) else { return nil }
        let process = holder.process.map { " (process \($0))" } ?? ""
        return "an agent with this configuration is running\(process) and has the radio; stop it and try again"
    }
}
