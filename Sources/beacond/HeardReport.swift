internal import Agent
internal import Beacon
internal import HCI
internal import Presence

extension Heard {
    /// Calls `body` with what is in a report's data; `now` is on the monotonic clock, in nanoseconds.
    static func each(
        in data: UnsafeRawBufferPointer, of report: AdvertisingReport, now: Int64, _ body: (Heard) -> Void
    ) -> Malformed {
        each(in: data, source: report.address.bits, rssi: report.signal, at: Instant(nanoseconds: now), body)
    }
}
