internal import Agent
internal import Beacon
internal import HCI
internal import System

/// A beacon on air for a trial.
final class AdvertiseRun: ListeningCommand {
    private static let second: Int64 = 1_000_000_000
    /// A controller that has not said what is on air by then never will: two commands that are not answered.
    private static let patience: Int64 = 8 * second

    let name = "advertise"
    private let tuning: RadioTuning
    private let seconds: Int?
    private var startedAt: Int64 = 0
    private var isOnAir = false
    /// Whether the controller does not do it.
    private(set) var isRefused = false

    init(_ tuning: RadioTuning, seconds: Int?) {
        self.tuning = tuning
        self.seconds = seconds
    }

    func began(at now: Int64, on name: String) { startedAt = now }

    func reported(_ report: RadioReport) {
        guard case .advertising(let state) = report else { return }
        switch state {
        case .onAir(let data, _):
            isOnAir = true
            let address = tuning.advertising?.randomAddress == false ? "its public address" : "a random address"
            let interval = tuning.advertising.map { "every \($0.interval.configurationText) " } ?? ""
            said("\(state), \(interval)from \(address) (\(Hexadecimal.text(data))); Ctrl-C ends it")
        case .refused(let code):
            isRefused = true
            said("the controller refuses: \(StatusCode(rawValue: code))")
        case .unsupported:
            isRefused = true
            said("\(state)")
        case .unknown: break
        case .off:
            if isOnAir { said("nothing is on air any more") }
            isOnAir = false
        }
    }

    func turn(at now: Int64) -> Int64? {
        if isRefused { return nil }
        if let seconds, now - startedAt >= Int64(seconds) * Self.second { return nil }
        if !isOnAir, now - startedAt >= Self.patience {
            isRefused = true
            said("the controller does not say what is on air")
            return nil
        }
        return now + Self.second / 4
    }
}
