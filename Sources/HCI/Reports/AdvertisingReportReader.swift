/// Takes the adverts out of LE advertising report events, legacy and extended, and puts fragmented ones together.
///
/// Nothing is allocated for a report that is whole. The air is not trusted: what does not fit is counted and dropped,
/// what came before it in the same event stays.
public struct AdvertisingReportReader: Sendable {
    private var fragments = FragmentAssembler()
    private let joinsFragments: Bool

    /// Makes a reader with no fragments waiting. One that does not join them gives each piece as it is: for events
    /// that have nothing to do with each other.
    public init(joiningFragments: Bool = true) { joinsFragments = joiningFragments }

    /// Forgets waiting fragments: the controller was reset or the scan restarted.
    public mutating func forgetFragments() { fragments.forget() }

    /// Reads an event from its event code on (`3E`, length, subevent …) and calls `body` with each advert in it.
    ///
    /// The data is valid during the call only. Events that report no advert are passed over without complaint.
    @discardableResult
    public mutating func read(
        event: UnsafeRawBufferPointer, _ body: (AdvertisingReport, UnsafeRawBufferPointer) -> Void
    ) -> AdvertisingReportFaults {
        var cursor = ByteCursor(event)
        guard let code = cursor.byte(), let length = cursor.byte() else {
            return AdvertisingReportFaults(cutShort: 1)
        }
        guard code == Code.leMeta else { return AdvertisingReportFaults() }
        let isCut = cursor.remaining < Int(length)
        let isFollowed = cursor.remaining > Int(length)
        guard var parameters = cursor.take(min(Int(length), cursor.remaining)) else {
            return AdvertisingReportFaults()
        }
        guard let subevent = parameters.first else { return AdvertisingReportFaults(cutShort: 1) }
        parameters = UnsafeRawBufferPointer(rebasing: parameters.dropFirst())

        var faults: AdvertisingReportFaults
        switch subevent {
        case Code.advertisingReport: faults = read(legacyReports: parameters, body)
        case Code.extendedAdvertisingReport: faults = read(extendedReports: parameters, body)
        // LE Directed Advertising Report (0x0B) carries no data; other subevents are not about adverts.
        default: return AdvertisingReportFaults()
        }
        // A cut event whose reports all fit has lost nothing but its tail; one that does not fit says so already.
        if isCut && faults.cutShort == 0 { faults.cutShort = 1 }
        if isFollowed && faults.cutShort == 0 { faults.trailing = 1 }
        return faults
    }

    /// Reads the parameters of an LE Advertising Report event from Num_Reports on. Core Spec Vol 4 Part E 7.7.65.2
    ///
    /// By the text of the specification the fields of several reports lie in columns (all types, all addresses …).
    /// Every controller sends report after report instead, and Linux reads them so (hci_le_adv_report_evt in
    /// net/bluetooth/hci_event.c); so do we. Longer data than the 31 bytes of the air is accepted if it fits: hosts
    /// that make such events of extended adverts exist, and nothing is gained by losing theirs.
    @discardableResult
    public mutating func read(
        legacyReports bytes: UnsafeRawBufferPointer, _ body: (AdvertisingReport, UnsafeRawBufferPointer) -> Void
    ) -> AdvertisingReportFaults {
        var cursor = ByteCursor(bytes)
        guard let count = cursor.byte() else { return AdvertisingReportFaults(cutShort: 1) }
        for _ in 0..<count {
            guard let type = cursor.byte(), let kind = cursor.byte(), let address = cursor.address48(),
                let length = cursor.byte(), let data = cursor.take(Int(length)), let rssi = cursor.little(Int8.self)
            else { return AdvertisingReportFaults(cutShort: 1) }
            body(
                AdvertisingReport(
                    address: DeviceAddress(address, DeviceAddress.Kind(kind)),
                    eventType: AdvertisingEventType(legacyReportType: type), rssi: Absent.decibels(rssi)),
                data)
        }
        return AdvertisingReportFaults(trailing: cursor.remaining > 0 ? 1 : 0)
    }

    /// Reads the parameters of an LE Extended Advertising Report event from Num_Reports on.
    ///
    /// Core Spec Vol 4 Part E 7.7.65.13
    @discardableResult
    public mutating func read(
        extendedReports bytes: UnsafeRawBufferPointer, _ body: (AdvertisingReport, UnsafeRawBufferPointer) -> Void
    ) -> AdvertisingReportFaults {
        let abandoned = fragments.abandoned
        let tooLong = fragments.tooLong
        var faults = AdvertisingReportFaults()
        var cursor = ByteCursor(bytes)
        guard let count = cursor.byte() else { return AdvertisingReportFaults(cutShort: 1) }
        for _ in 0..<count {
            guard let (report, data) = cursor.extendedReport() else {
                faults.cutShort = 1
                break
            }
            switch joinsFragments ? fragments.take(report, data) : .whole {
            case .whole: body(report, data)
            case .waiting: break
            case .assembled: fragments.assembled.withUnsafeBytes { body(report, $0) }
            }
        }
        if faults.cutShort == 0 && cursor.remaining > 0 { faults.trailing = 1 }
        faults.abandoned = fragments.abandoned - abandoned
        faults.tooLong = fragments.tooLong - tooLong
        return faults
    }
}

/// What was wrong in advertising report events, counted.
public struct AdvertisingReportFaults: Equatable, Sendable {
    /// Events that ended in the middle of a report; it and those after it are lost.
    public var cutShort = 0
    /// Events with bytes after their last report; no report is lost, unless a length was wrong.
    public var trailing = 0
    /// Fragmented adverts whose end did not come, or that had to make room for others.
    public var abandoned = 0
    /// Fragmented adverts longer than an advert can be.
    public var tooLong = 0

    /// Makes counts; what is not given is 0.
    public init(cutShort: Int = 0, trailing: Int = 0, abandoned: Int = 0, tooLong: Int = 0) {
        self.cutShort = cutShort
        self.trailing = trailing
        self.abandoned = abandoned
        self.tooLong = tooLong
    }

    /// All of them together.
    public var count: Int { cutShort + trailing + abandoned + tooLong }

    /// Adds the counts of another event.
    public static func += (left: inout AdvertisingReportFaults, right: AdvertisingReportFaults) {
        left.cutShort += right.cutShort
        left.trailing += right.trailing
        left.abandoned += right.abandoned
        left.tooLong += right.tooLong
    }
}

/// Numbers of events. Core Spec Vol 4 Part E 7.7.65
enum Code {
    static let leMeta: UInt8 = 0x3E
    static let advertisingReport: UInt8 = 0x02
    static let extendedAdvertisingReport: UInt8 = 0x0D
}

/// The values that mean that there is none.
enum Absent {
    static let decibels: Int8 = 127
    static let sid: UInt8 = 0xFF
    static let phy: UInt8 = 0

    static func decibels(_ value: Int8) -> Int8? { value == decibels ? nil : value }
}

extension AdvertisingEventType {
    /// The type of a legacy report, Vol 4 Part E 7.7.65.2. Only the low bits are looked at: some controllers put
    /// others beside them.
    init(legacyReportType type: UInt8) {
        switch type & 0x07 {
        case 0: self = .advInd
        case 1: self = .advDirectInd
        case 2: self = .advScanInd
        case 4: self = .scanRsp
        default: self = .advNonconnInd
        }
    }

    /// The type as a legacy report has it.
    var legacyReportType: UInt8 {
        if contains(.scanResponse) { return 4 }
        if contains(.directed) { return 1 }
        if contains(.connectable) { return 0 }
        return contains(.scannable) ? 2 : 3
    }
}

extension ByteCursor {
    fileprivate mutating func extendedReport() -> (AdvertisingReport, UnsafeRawBufferPointer)? {
        guard let type = little(UInt16.self), let kind = byte(), let address = address48(),
            let primary = byte(), let secondary = byte(), let sid = byte(),
            let txPower = little(Int8.self), let rssi = little(Int8.self),
            let interval = little(UInt16.self), let directKind = byte(), let directAddress = address48(),
            let length = byte(), let data = take(Int(length))
        else { return nil }
        let eventType = AdvertisingEventType(rawValue: type)
        let report = AdvertisingReport(
            address: DeviceAddress(address, DeviceAddress.Kind(kind)),
            eventType: eventType,
            // Some controllers put the channel into the upper three bits, which RadioPHY leaves out, as Linux does for
            // them (HCI_QUIRK_FIXUP_LE_EXT_ADV_REPORT_PHY).
            primaryPHY: RadioPHY(rawValue: primary),
            secondaryPHY: secondary & 0x1F == Absent.phy ? nil : RadioPHY(rawValue: secondary),
            sid: sid == Absent.sid ? nil : sid,
            txPower: Absent.decibels(txPower),
            rssi: Absent.decibels(rssi),
            periodicInterval: interval,
            directAddress: eventType.contains(.directed)
                ? DeviceAddress(directAddress, DeviceAddress.Kind(directKind)) : nil)
        return (report, data)
    }
}
