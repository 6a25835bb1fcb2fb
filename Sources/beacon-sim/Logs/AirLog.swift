import Beacon
import JSON
import System

/// What the hosts' controllers have on air, a line for each change: what a neighbour would receive from then on.
struct AirLog: ~Copyable {
    private var log: LineLog
    private let start: Int64

    init(path: String?, start: Int64) throws(SystemError) {
        log = try LineLog(path: path)
        self.start = start
    }

    var failure: SystemError? { log.failure }

    mutating func changed(
        _ host: Int, _ set: Int, to advertisement: VirtualController.Advertisement?, cause: AirCause, at time: Int64
    ) {
        let milliseconds = (time - start) / 1_000_000
        log.line { json in
            json.key("ms")
            json.integer(milliseconds)
            json.key("controller")
            json.integer(host + 1)
            if set > 0 {
                json.key("set")
                json.integer(set)
            }
            json.key("on")
            json.bool(advertisement != nil)
            if let advertisement {
                json.key("data")
                json.string(Hexadecimal.text(advertisement.data))
                json.key("interval_ms")
                json.number(Double(advertisement.interval) * 0.625, decimals: 3)
                json.key("address")
                json.string(advertisement.address.description)
                // What controllers of Bluetooth 4 hear looks the same with either set of commands.
                if !advertisement.isLegacy {
                    json.key("phy")
                    json.string(advertisement.primaryPHY.description)
                }
            }
            json.key("cause")
            json.string(cause.rawValue)
        }
    }
}
