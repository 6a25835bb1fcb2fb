import Beacon
import Foundation

@testable import Presence

extension Outcome {
    /// The outcome in a line: its time in seconds first, then all that it says.
    var line: String {
        switch self {
        case .entered(let it):
            "\(it.time.text) enter \(it.region) #\(it.sequence) \(it.beacon.text)" + (it.notify ? "" : " quiet")
        case .exited(let it):
            "\(it.time.text) exit \(it.region) #\(it.sequence) of #\(it.visit.text) \(it.beacon.text)"
                + " last \(it.lastSeen.text) dwell \(it.dwell.text) adverts \(it.adverts)"
                + " silent \(it.silence.text) blind \(it.blind.text) \(it.reason.rawValue)"
                + (it.leftBefore.map { " before \($0.text)" } ?? "") + (it.notify ? "" : " quiet")
        case .regionIs(let it):
            "\(it.since.text) \(it.region) \(it.value.rawValue)" + (it.cause.map { " \($0.rawValue)" } ?? "")
                + " \(it.beacons)" + (it.isUncertain ? " uncertain" : "")
        case .regionRemoved(let id):
            "removed \(id)"
        case .ranged(let it):
            "\(it.time.text) ranged \(it.region):"
                + it.items.map { " \($0.reading.text) x\($0.adverts)" }.joined(separator: ",")
                + (it.more == 0 ? "" : " and \(it.more) more")
        case .windowEnded(let it):
            "\(it.start.text) window \(it.length.text) blind \(it.blind.text):"
                + it.items.map { " " + $0.text }.joined(separator: ",")
                + (it.evictedBeacons == 0 ? "" : " evicted \(it.evictedBeacons) x\(it.evictedAdverts)")
        }
    }
}

extension VisitID {
    /// The number; with the run of the agent before it where that is not the first.
    fileprivate var text: String { epoch == 1 ? "\(sequence)" : "\(epoch)-\(sequence)" }
}

extension BeaconReading {
    fileprivate var text: String {
        "\(identity.short) \(rssi.map { String(format: "%.1f", $0) } ?? "?")"
            + " \(distance.accuracy < 0 ? "?" : String(format: "%.2f", distance.accuracy)) \(proximity.rawValue)"
            + (powerIsSuspect ? " suspect" : "")
    }
}

extension Window.Item {
    fileprivate var text: String {
        "\(identity.short) x\(adverts) \(first.text)-\(last.text)"
            + (signal.map {
                String(
                    format: " %d/%d/%d mean %.2f deviation %.2f", $0.minimum, $0.median, $0.maximum, $0.mean,
                    $0.deviation)
            } ?? " ?")
            + (powerIsSuspect ? " suspect" : "") + (addresses == 1 ? "" : " from \(addresses)")
    }
}

extension BeaconIdentity {
    fileprivate var short: String { "\(major ?? 0).\(minor ?? 0)" }
}

extension Instant {
    fileprivate var text: String { (self - Instant(nanoseconds: 0)).text }
}

extension Span {
    fileprivate var text: String { String(format: "%.3f", Double(nanoseconds) / 1e9) }
}
