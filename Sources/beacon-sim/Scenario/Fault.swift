import HCI

/// Something that goes wrong with a host's controller at a time, and until when.
struct Fault: Equatable {
    /// What goes wrong.
    enum Kind: Equatable {
        /// No answers and no reports; commands are not performed.
        case hang
        /// Commands, or one, are answered with a status and not performed.
        case refuse(Opcode?, StatusCode)
        /// Answers, or those to one command, come that many nanoseconds later.
        case delay(Opcode?, by: Int64)
        /// Answers, or those to one command, are lost; commands are performed.
        case drop(Opcode?)
        /// The controller says that it is broken, and is as if it had just been switched on.
        case hardwareError(UInt8)
        /// No reports although it scans.
        case silence
        /// Reports that make no sense instead of each.
        case malformed
        /// It is taken out of the machine.
        case unplug
        /// Each sender is reported each 10 s only, although nobody asked for a filter.
        case filter
        /// That many adverts a second from addresses that nobody has heard before.
        case flood(rate: Int64)
        /// That many of them as fast as the way to the host takes them.
        case burst(count: Int)
        /// Reset is answered with a status and not performed.
        case noReset(StatusCode)

        /// As it is written in a scenario.
        var name: String {
            switch self {
            case .hang: "hang"
            case .refuse: "refuse"
            case .delay: "delay"
            case .drop: "drop"
            case .hardwareError: "hardware_error"
            case .silence: "silence"
            case .malformed: "malformed"
            case .unplug: "unplug"
            case .filter: "filter"
            case .flood: "flood"
            case .burst: "burst"
            case .noReset: "no_reset"
            }
        }
    }

    /// What ends it before its time.
    enum Cure: String, CaseIterable {
        /// The host switches scanning on (again).
        case restartScan = "restart_scan"
        /// The host sends Reset.
        case reset
        /// The controller is switched off: its host goes, or it is unplugged.
        case power
    }

    /// How many there may be in a scenario.
    static let limit = 64

    let kind: Kind
    /// Whose controller it is by its number from 0 on; nil for each.
    var host: Int?
    /// Nanoseconds after the first scan of that host; nil from the moment at which the controller is switched on.
    var at: Int64?
    /// Nanoseconds; nil for ever.
    var length: Int64?
    /// How many commands it hits; nil for all.
    var times: Int?
    var cure: Cure?
}
