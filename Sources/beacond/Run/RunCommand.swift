internal import Agent
internal import HCI
internal import MQTT
internal import Outbox
internal import Presence
internal import System
internal import Trust
internal import YAML

/// `beacond run`: the agent.
enum RunCommand {
    static let help = """
        Usage: beacond run [--config FILE]

        Listens to the beacons around, decides, and publishes to the broker, until SIGTERM or SIGINT. SIGHUP reads the
        configuration file again; one that is not valid changes nothing and is told in the log (standard error).

          -c, --config FILE   the configuration, \(Program.defaultConfiguration) by default
          -h, --help          this text

        Exit codes: 64 usage, 66 no configuration file, 69 the state folder cannot be used or another agent holds it,
        78 bad configuration.

        """

    /// A little more than either thread needs: the store to have delivered what it can, the broker's to publish the
    /// last status and to disconnect.
    private static let threadPatience = Duration.seconds(5)

    static func run(_ arguments: [String]) -> ExitCode {
        let options = [CommandLineOption("config", letter: "c", takesValue: true)]
        switch parsed(arguments, command: "run", help: help, options: options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            guard line.operands.isEmpty else {
                return misuse("run", "unexpected \(quoted(line.operands[0]))").code
            }
            return run(configuration: line["config"] ?? Program.defaultConfiguration)
        }
    }

    private static func run(configuration path: String) -> ExitCode {
        let digest: ConfigurationStack.Digest = { SHA256Digest(of: $0).description }
        var stack: ConfigurationStack
        switch ConfigurationFile.open(path, digest: digest) {
        case .failure(let failure): return failure.say(as: "run")
        case .success(let opened): stack = opened
        }
        let configuration = stack.configuration
        let log = Log(level: configuration.log.level)
        if let file = configuration.mqtt.passwordFile {
            do throws(PasswordFileError) { _ = try readPassword(file) } catch {
                StandardError.write("beacond run: \(error.text)\n")
                return .badConfiguration
            }
        }
        do throws(StateFolderError) {
            let folder = try StateFolder(configuration.stateFolder)
            do throws(SystemError) {
                return try run(&stack, folder, path, digest, log)
            } catch {
                StandardError.write("beacond run: \(error)\n")
                return .unavailable
            }
        } catch {
            StandardError.write("beacond run: \(error)\n")
            return .unavailable
        }
    }

    private static func run(
        _ stack: inout ConfigurationStack, _ folder: StateFolder, _ path: String,
        _ digest: @escaping ConfigurationStack.Digest, _ log: Log
    ) throws(SystemError) -> ExitCode {
        let claim = try folder.nextEpoch(wallSeconds: WallClock.nanoseconds / 1_000_000_000)
        if let file = claim.setAside {
            log(.warning, "state folder: the count of starts cannot be read and is set aside as \(file)")
        }
        restoreDocument(of: folder, into: &stack, log)
        let exchange = try Exchange()
        let start = NodeAgent.Start(
            stack: stack, epoch: claim.epoch, boot: bootID() ?? "unknown", version: Program.version,
            library: BrokerLibrary.version)
        let now = Moment(
            instant: Instant(nanoseconds: MonotonicClock.nanoseconds), wall: WallClock.nanoseconds,
            isSynchronised: WallClock.isSynchronised)
        let agent = NodeAgent(start, at: now)
        // Signals before any other thread is made, so that all of them leave these to the loop. As an argument and not
        // a variable: the optimiser of Swift 6.0 crashes over one that a throw in between would have to close.
        let loop = try RunLoop(
            agent, radio: radio(agent.tuning, folder, log), exchange: exchange, signals: try Signals(), log: log,
            readFile: { ConfigurationFile.read(path) })
        let store = try StoreThread.start(exchange, folder: folder, log: log)
        let broker = try BrokerThread.start(exchange, log: log, will: agent.will)
        log(.info, "beacond \(Program.version), node \(stack.configuration.node), configuration \(stack.hash)")
        try loop.run()
        // A disk that stalls may hold the one, a name server that does not answer the other; the process does not wait.
        for (name, thread) in [("store", store), ("broker", broker)] where !thread.join(within: Self.threadPatience)
        {
            log(.warning, "\(name): its thread still waits and is left")
        }
        log(.info, "stopped")
        return .success
    }

    private static func radio(_ tuning: RadioTuning, _ folder: StateFolder, _ log: Log) -> RadioLink {
        var memory: [UInt8] = []
        do throws(SystemError) {
            memory = try folder.read(RunLoop.memoryFile, limit: 64 * 1024) ?? []
        } catch {
            // It only saves the first try with a controller that promises more than it does.
            log(.warning, "radio: what was learned of the controller cannot be read: \(error)")
        }
        return RadioLink(
            tuning, entropy: randomNumber(), host: LinuxBluetooth(), memory: String(decoding: memory, as: UTF8.self)
        )
    }

    /// Lays the document that is in the state folder over the file. One that is no longer valid there is left where it
    /// is, so that a better file brings it back.
    private static func restoreDocument(of folder: StateFolder, into stack: inout ConfigurationStack, _ log: Log) {
        do throws(SystemError) {
            // A little more than a document may have, so that one that is too long is refused in its own words.
            guard let bytes = try folder.read(NodeAgent.documentFile, limit: 1 << 20) else { return }
            stack.restore(document: bytes)
        } catch {
            log(.error, "the stored document is not in force: \(error)")
        }
    }
}
