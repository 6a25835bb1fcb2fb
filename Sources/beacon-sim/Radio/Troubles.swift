import HCI
import System

/// What is wrong with the controller of one host at the moment.
struct Troubles {
    /// One fault that has begun and not ended.
    private struct Trouble {
        let number: Int
        let fault: Fault
        /// How many commands it may still hit; nil for all.
        var left: Int?
    }

    /// How often a filter that nobody asked for lets a sender through, nanoseconds.
    static let filterInterval: Int64 = 10_000_000_000
    /// How many senders it knows; then it starts again.
    private static let filterSize = 65_536

    private var all: [Trouble] = []
    private var reported: [DeviceAddress: Int64] = [:]

    /// What becomes of a command.
    enum Verdict: Equatable {
        /// It is performed and answered.
        case perform
        /// It is performed, and answered that many nanoseconds later.
        case late(Int64)
        /// It is performed, and the answer is lost.
        case mute
        /// It is answered with a status and not performed.
        case refuse(StatusCode)
        /// Nothing happens.
        case nothing
    }

    /// What becomes of a report.
    enum Fate: Equatable {
        case delivered, withheld
        /// It comes as nonsense, because of the fault of that number.
        case malformed(Int)
    }

    mutating func begin(_ number: Int, _ fault: Fault) {
        all.append(Trouble(number: number, fault: fault, left: fault.times))
        if fault.kind == .filter { reported.removeAll() }
    }

    /// Whether it was still there.
    mutating func end(_ number: Int) -> Bool {
        guard let index = all.firstIndex(where: { $0.number == number }) else { return false }
        all.remove(at: index)
        return true
    }

    /// Takes away what this cures; returns the numbers of the faults.
    mutating func cured(by cure: Fault.Cure) -> [Int] {
        let cured = all.filter { $0.fault.cure == cure }.map(\.number)
        all.removeAll { $0.fault.cure == cure }
        return cured
    }

    /// Whether the controller is out of the machine.
    var isUnplugged: Bool { all.contains { $0.fault.kind == .unplug } }

    /// Whether a fault goes on.
    func has(_ number: Int) -> Bool { all.contains { $0.number == number } }

    /// What becomes of a command, and which faults are used up by it.
    mutating func verdict(on opcode: Opcode) -> (Verdict, spent: [Int]) {
        guard !all.isEmpty else { return (.perform, []) }
        if all.contains(where: { $0.fault.kind == .hang }) { return (.nothing, []) }
        for index in all.indices {
            let verdict: Verdict
            switch all[index].fault.kind {
            case .noReset(let status) where opcode == .reset: verdict = .refuse(status)
            case .refuse(let which, let status) where which == nil || which == opcode: verdict = .refuse(status)
            case .drop(let which) where which == nil || which == opcode: verdict = .mute
            case .delay(let which, let time) where which == nil || which == opcode: verdict = .late(time)
            default: continue
            }
            guard let left = all[index].left else { return (verdict, []) }
            all[index].left = left - 1
            return (verdict, left > 1 ? [] : [all.remove(at: index).number])
        }
        return (.perform, [])
    }

    /// What becomes of a report of that sender.
    mutating func fate(of sender: DeviceAddress, at time: Int64) -> Fate {
        var malformed: Int?
        for trouble in all {
            switch trouble.fault.kind {
            case .hang, .silence: return .withheld
            case .filter:
                if let last = reported[sender], time - last < Troubles.filterInterval { return .withheld }
                if reported.count >= Troubles.filterSize { reported.removeAll(keepingCapacity: true) }
                reported[sender] = time
            case .malformed: malformed = trouble.number
            default: break
            }
        }
        return malformed.map { .malformed($0) } ?? .delivered
    }
}

/// Reports that no controller should send, made of one that is right; the event's own length is right in all of them,
/// so that a stream stays readable.
enum Nonsense {
    static func report(from report: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        // H4 type, event code and length; subevent, number of reports, and the reports.
        var bytes = report
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[4] = UInt8.random(in: 2...255, using: &random)
        case 1: bytes[4] = 0
        case 2: bytes.removeLast(Int.random(in: 1...(bytes.count - 4), using: &random))
        case 3:
            // The data's own length, or a byte of the data: beyond the end or too short.
            let at = Int.random(in: 5..<bytes.count, using: &random)
            bytes[at] = ~bytes[at]
        case 4: bytes.removeLast(bytes.count - 3)
        default: for at in 4..<bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &random) }
        }
        bytes[2] = UInt8(bytes.count - 3)
        return bytes
    }
}
