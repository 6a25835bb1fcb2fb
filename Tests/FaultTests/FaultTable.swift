import Foundation
import HCI
import System
import Testing

/// One thing that goes wrong with a radio, and what must come of it.
struct FaultRow: Sendable, CustomTestStringConvertible {
    /// What must come of it; seconds are from the fault's end where it ends by itself, else from its beginning.
    enum Outcome: Sendable {
        /// It is heard again within so many seconds.
        case recovered(within: Int64)
        /// It is told within so many seconds, with this cause; and nothing is heard any more.
        case reported(within: Int64, cause: String)
        /// Nothing is noticed at all.
        case unharmed
        /// It is told once in the log, with these words, and nobody is hurt.
        case noted(String)
    }

    let name: String
    /// Entries of the scenario's `faults`; times are from the first scan, 200 s of which the beacons have been known.
    var faults: [String] = []
    var hosts = ""
    var adapters = 1
    /// Problems with opening adapters, in seconds from the start.
    var problems: [(from: Int64, until: Int64, AdapterProblem)] = []
    let outcome: Outcome
    /// Until when it is looked at, in seconds from the start.
    var end: Int64 = 420

    var testDescription: String { name }

    /// How long the longest of its faults lasts by itself, in whole seconds.
    var duration: Int64 {
        faults.compactMap { fault in
            fault.range(of: "for: ").flatMap { Int64(fault[$0.upperBound...].prefix { $0.isNumber }) }
        }.max() ?? 0
    }
}

/// The faults that stores' radios have been seen to have, and a few that they could.
enum FaultTable {
    private static let name = "hci0"

    static let rows: [FaultRow] = [
        // Explicit: the controller or the kernel says so, or does not answer what it was asked.
        FaultRow(
            name: "a hardware error", faults: ["{at: 200s, fault: hardware_error, code: 0x42}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error of code 0", faults: ["{at: 200s, fault: hardware_error, code: 0x00}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "three hardware errors within three seconds",
            faults: [
                "{at: 200s, fault: hardware_error}", "{at: 201s, fault: hardware_error}",
                "{at: 203s, fault: hardware_error}",
            ], outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error each twenty seconds, eight times",
            faults: (0..<8).map { "{at: \(200 + 20 * $0)s, fault: hardware_error}" },
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "unplugged for three seconds each fifty seconds, four times",
            faults: (0..<4).map { "{at: \(200 + 50 * $0)s, fault: unplug, for: 3s}" },
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error, and three refusals to scan afterwards",
            faults: [
                "{at: 200s, fault: refuse, opcode: 0x200c, status: 0x0c, times: 3}",
                "{at: 200s, fault: hardware_error}",
            ], outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error, and refusals of everything for five seconds",
            faults: ["{at: 200s, fault: refuse, for: 5s}", "{at: 200s, fault: hardware_error}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error, and answers that come a second late for twenty seconds",
            faults: ["{at: 200s, fault: delay, by: 1s, for: 20s}", "{at: 200s, fault: hardware_error}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error, and answers that come after the time-out for ten seconds",
            faults: ["{at: 200s, fault: delay, by: 3s, for: 10s}", "{at: 200s, fault: hardware_error}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error, and the next answer lost",
            faults: ["{at: 200s, fault: drop, times: 1}", "{at: 200s, fault: hardware_error}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error, and the answer to scanning lost twice",
            faults: [
                "{at: 200s, fault: drop, opcode: 0x200c, times: 2}", "{at: 200s, fault: hardware_error}",
            ], outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error, and all answers lost for five seconds",
            faults: ["{at: 200s, fault: drop, for: 5s}", "{at: 200s, fault: hardware_error}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error, and Reset refused once",
            faults: ["{at: 200s, fault: no_reset, times: 1}", "{at: 200s, fault: hardware_error}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "unplugged for three seconds", faults: ["{at: 200s, fault: unplug, for: 3s}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "unplugged for fifty seconds, back under another number",
            faults: ["{at: 200s, fault: unplug, for: 50s}"], outcome: .recovered(within: 15)),
        FaultRow(
            name: "unplugged five times in a minute",
            faults: [200, 210, 220, 230, 240].map { "{at: \($0)s, fault: unplug, for: 2s}" },
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "blocked by rfkill for twenty seconds", faults: ["{at: 200s, fault: unplug, for: 100ms}"],
            problems: [(200, 220, .blocked(name: name, .soft))], outcome: .recovered(within: 35)),
        FaultRow(
            name: "taken by another program for twenty seconds", faults: ["{at: 200s, fault: unplug, for: 100ms}"],
            problems: [(200, 220, .busy(name: name, holder: nil))], outcome: .recovered(within: 35)),
        FaultRow(
            name: "not to be powered up for ten seconds", faults: ["{at: 200s, fault: unplug, for: 100ms}"],
            problems: [(200, 210, .powerFailed(name: name, SystemError(code: 110, action: "x")))],
            outcome: .recovered(within: 25)),
        FaultRow(
            name: "a controller that claims extended commands and refuses them",
            faults: ["{at: 200s, fault: hardware_error}"], hosts: "version: 5.0, commands: broken",
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hardware error with extended commands", faults: ["{at: 200s, fault: hardware_error}"],
            hosts: "version: 5.0", outcome: .recovered(within: 15)),
        FaultRow(
            name: "no adapter at boot, one after half a minute", problems: [(0, 30, .missing(.any))],
            outcome: .unharmed),
        // Silent: nothing says that anything is wrong.
        FaultRow(
            name: "a hang of three seconds", faults: ["{at: 200s, fault: hang, for: 3s}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "a hang that Reset ends", faults: ["{at: 200s, fault: hang, until: reset}"],
            outcome: .recovered(within: 120)),
        FaultRow(
            name: "a hang that only power ends", faults: ["{at: 200s, fault: hang, until: power}"],
            outcome: .recovered(within: 120)),
        FaultRow(
            name: "a scan that has stopped and says it is on",
            faults: ["{at: 200s, fault: silence, until: restart_scan}"],
            outcome: .recovered(within: 120)),
        FaultRow(
            name: "a scan that only Reset brings back", faults: ["{at: 200s, fault: silence, until: reset}"],
            outcome: .recovered(within: 120)),
        FaultRow(
            name: "a scan that only power brings back", faults: ["{at: 200s, fault: silence, until: power}"],
            outcome: .recovered(within: 120)),
        FaultRow(
            name: "a scan that comes back by itself", faults: ["{at: 200s, fault: silence, for: 20s}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "reports that make no sense for a minute", faults: ["{at: 200s, fault: malformed, for: 60s}"],
            outcome: .recovered(within: 15)),
        FaultRow(
            name: "reports filtered to one in ten seconds", faults: ["{at: 200s, fault: filter, for: 600s}"],
            outcome: .noted("filtered duplicates"), end: 700),
        FaultRow(
            name: "a flood of 500 strangers a second for ten seconds",
            faults: ["{at: 200s, fault: flood, rate: 500, for: 10s}"], outcome: .unharmed),
        FaultRow(
            name: "a burst of 20,000 adverts", faults: ["{at: 200s, fault: burst, count: 20000}"],
            outcome: .unharmed),
        FaultRow(
            name: "reports that make no sense for two minutes",
            faults: ["{at: 200s, fault: malformed, for: 120s}"], outcome: .recovered(within: 15)),
        FaultRow(
            name: "a controller that is deaf for good and answers everything",
            faults: ["{at: 200s, fault: silence}"],
            outcome: .reported(within: 150, cause: "deaf"), end: 7200),
        FaultRow(
            name: "all beacons without power for half an hour", faults: ["{at: 200s, fault: silence, for: 1800s}"],
            outcome: .recovered(within: 15), end: 2400),
        FaultRow(
            name: "a controller that is deaf for good, beside one that hears",
            faults: ["{at: 200s, host: 1, fault: silence}"], adapters: 2, outcome: .recovered(within: 120)),
        // Beyond repair by software: told, and another adapter taken where there is one.
        FaultRow(
            name: "a controller that is dead, beside one that works",
            faults: ["{at: 200s, host: 1, fault: hang}"], adapters: 2, outcome: .recovered(within: 120)),
        FaultRow(
            name: "a controller that is dead", faults: ["{at: 200s, fault: hang}"],
            outcome: .reported(within: 150, cause: "unrecovered")),
        FaultRow(
            name: "a controller that refuses every Reset",
            faults: ["{at: 200s, fault: no_reset}", "{at: 200s, fault: hardware_error}"],
            outcome: .reported(within: 150, cause: "unrecovered")),
        FaultRow(
            name: "unplugged for good", faults: ["{at: 200s, fault: unplug}"],
            outcome: .reported(within: 15, cause: "no_adapter")),
        FaultRow(
            name: "blocked by rfkill for good", faults: ["{at: 200s, fault: unplug, for: 100ms}"],
            problems: [(200, .max, .blocked(name: name, .hard))], outcome: .reported(within: 15, cause: "rfkill")),
        FaultRow(
            name: "permission taken away", faults: ["{at: 200s, fault: unplug, for: 100ms}"],
            problems: [(200, .max, .unauthorized(missing: ["CAP_NET_ADMIN"]))],
            outcome: .reported(within: 15, cause: "not_permitted")),
        FaultRow(
            name: "a kernel that lost its Bluetooth", faults: ["{at: 200s, fault: unplug, for: 100ms}"],
            problems: [(200, .max, .noBluetooth)], outcome: .reported(within: 15, cause: "no_bluetooth")),
    ]
}
