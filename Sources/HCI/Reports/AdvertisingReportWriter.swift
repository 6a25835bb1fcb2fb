/// Makes the events by which a controller reports adverts, from the event code on (`3E`, length …).
public enum AdvertisingReportWriter {
    /// An advert to report: what is known of it, and its data.
    public typealias Advert = (report: AdvertisingReport, data: [UInt8])

    /// An LE Advertising Report event. The data of all must fit into one event: 255 bytes with 10 for each report.
    public static func legacyEvent(reports: [Advert]) -> [UInt8] {
        var event: [UInt8] = []
        appendLegacyEvent(reports: reports, to: &event)
        return event
    }

    /// Appends an LE Advertising Report event to what is to be sent, as `legacyEvent` makes it.
    public static func appendLegacyEvent(reports: [Advert], to bytes: inout [UInt8]) {
        precondition(reports.count <= 25, "a legacy event holds 25 reports at most")
        let start = beginEvent(Code.advertisingReport, reports.count, &bytes)
        for (report, data) in reports {
            bytes.append(report.eventType.legacyReportType)
            bytes.append(address: report.address)
            bytes.append(UInt8(data.count))
            bytes.append(contentsOf: data)
            bytes.append(UInt8(bitPattern: report.rssi ?? Absent.decibels))
        }
        endEvent(start, &bytes)
    }

    /// An LE Extended Advertising Report event. The data of all must fit: 255 bytes with 24 for each report.
    public static func extendedEvent(reports: [Advert]) -> [UInt8] {
        var event: [UInt8] = []
        appendExtendedEvent(reports: reports, to: &event)
        return event
    }

    /// Appends an LE Extended Advertising Report event to what is to be sent, as `extendedEvent` makes it.
    public static func appendExtendedEvent(reports: [Advert], to bytes: inout [UInt8]) {
        precondition(reports.count <= 10, "an extended event holds 10 reports at most")
        let start = beginEvent(Code.extendedAdvertisingReport, reports.count, &bytes)
        for (report, data) in reports { append(report, data, &bytes) }
        endEvent(start, &bytes)
    }

    /// The most data that one extended report can carry. Core Spec Vol 4 Part E 7.7.65.13
    public static let longestFragment = 229

    /// One advert as a controller sends it: in one extended event, or in several of `fragment` bytes of data each.
    public static func extendedEvents(
        report: AdvertisingReport, data: [UInt8], fragment: Int = longestFragment
    ) -> [[UInt8]] {
        precondition((1...longestFragment).contains(fragment), "a fragment holds 1…229 bytes")
        var events: [[UInt8]] = []
        var start = 0
        repeat {
            let end = min(start + fragment, data.count)
            var piece = report
            if end < data.count { piece.eventType = report.eventType.with(.moreToCome) }
            events.append(extendedEvent(reports: [(piece, Array(data[start..<end]))]))
            start = end
        } while start < data.count
        return events
    }

    private static func append(_ report: AdvertisingReport, _ data: [UInt8], _ bytes: inout [UInt8]) {
        bytes.append(little: report.eventType.rawValue)
        bytes.append(address: report.address)
        bytes.append(report.primaryPHY.rawValue)
        bytes.append(report.secondaryPHY?.rawValue ?? Absent.phy)
        bytes.append(report.sid ?? Absent.sid)
        bytes.append(UInt8(bitPattern: report.txPower ?? Absent.decibels))
        bytes.append(UInt8(bitPattern: report.rssi ?? Absent.decibels))
        bytes.append(little: report.periodicInterval)
        bytes.append(address: report.directAddress ?? DeviceAddress(0, .public))
        bytes.append(UInt8(data.count))
        bytes.append(contentsOf: data)
    }

    private static func beginEvent(_ subevent: UInt8, _ count: Int, _ bytes: inout [UInt8]) -> Int {
        let start = bytes.count
        // The length is known at the end.
        bytes.append(contentsOf: [Code.leMeta, 0, subevent, UInt8(count)])
        return start
    }

    private static func endEvent(_ start: Int, _ bytes: inout [UInt8]) {
        let length = bytes.count - start - 2
        precondition(length <= 255, "the reports do not fit into one event")
        bytes[start + 1] = UInt8(length)
    }
}

extension [UInt8] {
    fileprivate mutating func append(little value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    fileprivate mutating func append(address: DeviceAddress) {
        append(address.kind.rawValue)
        for byte in 0..<6 { append(UInt8(truncatingIfNeeded: address.value >> (8 * UInt64(byte)))) }
    }
}
