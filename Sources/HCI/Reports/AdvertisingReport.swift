/// One advert as a controller or a sniffer reports it; its data travels beside it.
///
/// Legacy and extended reports have the same form: a legacy one looks like an extended report of a legacy PDU.
public struct AdvertisingReport: Equatable, Sendable {
    /// Who sent it.
    public var address: DeviceAddress
    /// What kind of advert it is.
    public var eventType: AdvertisingEventType
    /// The PHY of the primary channel.
    public var primaryPHY: RadioPHY
    /// The PHY of the secondary channel; nil when the advert did not use one.
    public var secondaryPHY: RadioPHY?
    /// The advertising set, 0…15; nil where there is none.
    public var sid: UInt8?
    /// The power the sender says it sends with, dBm; nil where it does not say.
    public var txPower: Int8?
    /// The received strength, dBm, as it came (values above 20 have no meaning yet); nil where it was not measured.
    public var rssi: Int8?
    /// The interval of a periodic train in units of 1.25 ms; 0 where there is none.
    public var periodicInterval: UInt16
    /// Whom a directed advert is for.
    public var directAddress: DeviceAddress?

    /// Makes a report; what is not given is what a legacy advert has.
    public init(
        address: DeviceAddress, eventType: AdvertisingEventType, primaryPHY: RadioPHY = .le1M,
        secondaryPHY: RadioPHY? = nil, sid: UInt8? = nil, txPower: Int8? = nil, rssi: Int8? = nil,
        periodicInterval: UInt16 = 0, directAddress: DeviceAddress? = nil
    ) {
        self.address = address
        self.eventType = eventType
        self.primaryPHY = primaryPHY
        self.secondaryPHY = secondaryPHY
        self.sid = sid
        self.txPower = txPower
        self.rssi = rssi
        self.periodicInterval = periodicInterval
        self.directAddress = directAddress
    }

    /// The strongest signal that a controller can report, in dBm; more means nothing. Core Spec Vol 4 Part E 7.7.65.2
    public static let strongestSignal: Int8 = 20

    /// The received strength, dBm, where it was measured and means something.
    @inlinable
    public var signal: Int8? { rssi.flatMap { $0 <= Self.strongestSignal ? $0 : nil } }

    /// Whether this is the answer to an active scan, not an advert of its own.
    public var isScanResponse: Bool { eventType.contains(.scanResponse) }
}

/// What kind of advert a report is about, in the layout of the extended report; bits we do not know are kept.
///
/// Core Spec Vol 4 Part E 7.7.65.13, Event_Type. Controllers from Apple put other things into the upper byte.
public struct AdvertisingEventType: OptionSet, Hashable, Sendable {
    /// The bits as they came.
    public let rawValue: UInt16
    /// Makes a set of bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// One may connect to the sender.
    public static let connectable = AdvertisingEventType(rawValue: 0x0001)
    /// The sender answers scan requests.
    public static let scannable = AdvertisingEventType(rawValue: 0x0002)
    /// For one receiver.
    public static let directed = AdvertisingEventType(rawValue: 0x0004)
    /// An answer to a scan request.
    public static let scanResponse = AdvertisingEventType(rawValue: 0x0008)
    /// Sent as a PDU of Bluetooth 4.
    public static let legacy = AdvertisingEventType(rawValue: 0x0010)

    /// Legacy ADV_IND.
    public static let advInd: AdvertisingEventType = [.legacy, .connectable, .scannable]
    /// Legacy ADV_DIRECT_IND.
    public static let advDirectInd: AdvertisingEventType = [.legacy, .connectable, .directed]
    /// Legacy ADV_SCAN_IND.
    public static let advScanInd: AdvertisingEventType = [.legacy, .scannable]
    /// Legacy ADV_NONCONN_IND, what a beacon sends.
    public static let advNonconnInd: AdvertisingEventType = [.legacy]
    /// Legacy SCAN_RSP, to whatever it was an answer.
    public static let scanRsp: AdvertisingEventType = [.legacy, .scannable, .scanResponse]

    /// How much of the advert's data a report holds.
    public enum DataStatus: UInt16, Sendable {
        /// The data is whole, or this is its last piece.
        case complete = 0
        /// Another piece follows in a later report.
        case moreToCome = 1
        /// The controller did not get the rest.
        case truncated = 2
        /// Not assigned.
        case reserved = 3
    }

    /// How much of the advert's data the report holds. Bits 5 and 6
    public var dataStatus: DataStatus { DataStatus(rawValue: rawValue >> 5 & 3) ?? .reserved }

    /// The same kind of advert with another status of its data.
    public func with(_ status: DataStatus) -> AdvertisingEventType {
        AdvertisingEventType(rawValue: rawValue & ~0x0060 | status.rawValue << 5)
    }
}

/// How bits are put on the air. Core Spec Vol 4 Part E 7.7.65.13, Primary_PHY
public struct RadioPHY: Hashable, Sendable, CustomStringConvertible {
    /// The assigned number.
    public let rawValue: UInt8
    /// Makes one of an assigned number, 0…31.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x1F }

    /// 1 Mbit/s, what every device has.
    public static let le1M = RadioPHY(rawValue: 1)
    /// 2 Mbit/s.
    public static let le2M = RadioPHY(rawValue: 2)
    /// Coded, for long range.
    public static let leCoded = RadioPHY(rawValue: 3)

    /// "1m", "2m", "coded", or the number.
    public var description: String {
        switch rawValue {
        case 1: "1m"
        case 2: "2m"
        case 3, 4: "coded"
        default: "phy \(rawValue)"
        }
    }
}
