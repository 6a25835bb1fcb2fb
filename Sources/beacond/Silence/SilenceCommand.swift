internal import Agent
internal import HCI
internal import System

/// `beacond silence`: switches off what an agent that was killed may have left on air.
enum SilenceCommand {
    static let help = """
        Usage: beacond silence [--config FILE] [--adapter A] [--access HOW]

        Switches advertising and scanning off in the controllers that the configuration names, and ends. For a unit's
        ExecStopPost: an agent that ends by itself leaves its radio silent, one that is killed cannot. Where there is no
        adapter there is nothing to do, and that is a success.

        \(RadioChoice.help)
          -h, --help          this text

        Exit codes: 64 usage, 66 no configuration file, 69 the controller does not answer, 78 bad configuration.

        """

    static func run(_ arguments: [String]) -> ExitCode {
        switch parsed(arguments, command: "silence", help: help, options: RadioChoice.options) {
        case .failure(let finished): return finished.code
        case .success(let line):
            do throws(LineMisuse) { try line.refuseOperands() } catch {
                return misuse("silence", error.sentence).code
            }
            switch RadioChoice.open(line, command: "silence") {
            case .failure(let finished): return finished.code
            case .success(let choice):
                var adapters = [choice.tuning.adapter]
                if !line.has("adapter"), let other = choice.configuration?.tuning.advertising?.adapter {
                    adapters.append(other)
                }
                return silence(adapters, choice.tuning)
            }
        }
    }

    private static func silence(_ adapters: [String], _ tuning: RadioTuning) -> ExitCode {
        var code = ExitCode.success
        for adapter in adapters {
            var tuning = tuning
            tuning.adapter = adapter
            do throws(SystemError) {
                if let complaint = try Silencing(tuning).run() {
                    StandardError.write("beacond silence: \(complaint)\n")
                    code = .unavailable
                }
            } catch {
                StandardError.write("beacond silence: \(error)\n")
                code = .unavailable
            }
        }
        return code
    }
}

/// One controller on its way to silence: the session begins as always, and is stopped once that is under way which
/// switches everything off. Of a controller for us alone that is Reset, with which it begins. Of a shared one it is that
/// advertising is switched off, with which a session begins that is to advertise; it does not come to that.
final class Silencing {
    private static let token: UInt64 = 1
    /// An adapter may have to be powered first.
    private static let patience: Int64 = 4_000_000_000
    private static let silencers: Set<Opcode> = [.reset, .setAdvertisingEnable, .setExtendedAdvertisingEnable]
    /// Where there is none of these, nothing is on air.
    private static let nothingThere: Set = ["no_adapter", "no_bluetooth"]

    private let radio: RadioLink
    private let adapter: String
    private var poller: Poller
    private var hasBegun = false

    init(_ tuning: RadioTuning) throws(SystemError) {
        adapter = tuning.adapter
        var tuning = tuning
        tuning.advertising = RadioTuning.Advertising(data: [], interval: .seconds(1))
        radio = RadioLink(tuning, entropy: randomNumber(), host: LinuxBluetooth())
        poller = try Poller()
    }

    /// Returns why it is not known to be silent; nil where it is.
    func run() throws(SystemError) -> String? {
        radio.tap = { [unowned self] kind, packet, direction in
            guard kind == .command, direction == .sent, let command = Command(packet) else { return }
            if Self.silencers.contains(command.opcode) { hasBegun = true }
        }
        let end = MonotonicClock.nanoseconds + Self.patience
        var isStopping = false
        var trouble: String?
        while !radio.isStopped {
            let now = MonotonicClock.nanoseconds
            if now >= end { return trouble ?? "the controller at \(adapter) does not answer" }
            let left = min(end, radio.nextDeadline ?? end) - now
            var seen: [(token: UInt64, Readiness)] = []
            try poller.wait(milliseconds: left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)) {
                seen.append(($0, $1))
            }
            let woken = MonotonicClock.nanoseconds
            for (token, seen) in seen { radio.ready(seen, now: woken, token: token) { (_: Heard) in } }
            radio.tick(now: woken, poller: &poller, token: Self.token)
            for report in radio.reports {
                guard case .blind(_, let cause, let text) = report else { continue }
                if Self.nothingThere.contains(cause) { return nil }
                // One that cannot be reached at all is not waited for; one that fell silent on the way may come back.
                if !hasBegun { return text }
                trouble = text
            }
            radio.reports.removeAll()
            if hasBegun && !isStopping {
                isStopping = true
                radio.stop(now: woken)
            }
        }
        return trouble ?? (radio.isSilent ? nil : "the controller at \(adapter) does not answer")
    }
}
