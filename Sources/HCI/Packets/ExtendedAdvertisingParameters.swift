/// How a controller advertises one set: LE Set Extended Advertising Parameters (Core Spec Vol 4 Part E 7.8.53, [v1]).
public struct ExtendedAdvertisingParameters: Equatable, Sendable {
    /// What kind of advert it is; bits we do not know are kept.
    public struct Properties: OptionSet, Hashable, Sendable {
        /// The bits on the wire.
        public let rawValue: UInt16
        /// Takes the bits on the wire.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// One may connect.
        public static let connectable = Properties(rawValue: 0x0001)
        /// One may ask for more.
        public static let scannable = Properties(rawValue: 0x0002)
        /// For one receiver.
        public static let directed = Properties(rawValue: 0x0004)
        /// Directed, as fast as it can.
        public static let highDuty = Properties(rawValue: 0x0008)
        /// As a PDU of Bluetooth 4, which every receiver hears.
        public static let legacy = Properties(rawValue: 0x0010)
        /// Without an address.
        public static let anonymous = Properties(rawValue: 0x0020)
        /// With the transmit power in it.
        public static let includesPower = Properties(rawValue: 0x0040)

        /// ADV_NONCONN_IND: what a beacon is.
        public static let nonConnectable: Properties = [.legacy]
    }

    /// Which set, 0…0xEF; the host's choice.
    public var handle: UInt8
    /// What kind of advert it is.
    public var properties: Properties
    /// Shortest time between advertising events in 0.625 ms; 0x20…0xFFFFFF.
    public var shortestInterval: UInt32
    /// Longest time between advertising events in 0.625 ms, not below `shortestInterval`.
    public var longestInterval: UInt32
    /// Bits for the channels 37, 38 and 39.
    public var channels: UInt8
    /// 0 public, 1 random, 2 and 3 resolvable.
    public var ownAddressType: UInt8
    /// Whom it answers: 0 is everybody.
    public var filterPolicy: UInt8
    /// The power wanted, dBm, -127…20; nil for the controller's choice.
    public var txPower: Int8?
    /// The PHY of the primary channel: 1M or coded.
    public var primaryPHY: RadioPHY
    /// The PHY of the secondary channel; without meaning for `legacy`.
    public var secondaryPHY: RadioPHY
    /// The number of the set on air, 0…15.
    public var sid: UInt8

    /// Parameters for one interval on all three channels, as a PDU of Bluetooth 4.
    public init(
        handle: UInt8, properties: Properties = .nonConnectable, interval: UInt32, ownAddressType: UInt8,
        txPower: Int8? = nil
    ) {
        self.handle = handle
        self.properties = properties
        shortestInterval = interval
        longestInterval = interval
        channels = 7
        self.ownAddressType = ownAddressType
        filterPolicy = 0
        self.txPower = txPower
        primaryPHY = .le1M
        secondaryPHY = .le1M
        sid = 0
    }

    /// Reads a command's parameters; nil if they are not 25 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 25 else { return nil }
        handle = bytes[0]
        properties = Properties(rawValue: UInt16(bytes[1]) | UInt16(bytes[2]) << 8)
        shortestInterval = UInt32(bytes[3]) | UInt32(bytes[4]) << 8 | UInt32(bytes[5]) << 16
        longestInterval = UInt32(bytes[6]) | UInt32(bytes[7]) << 8 | UInt32(bytes[8]) << 16
        channels = bytes[9]
        ownAddressType = bytes[10]
        // Bytes 11 to 17 are the peer of directed advertising, which nobody here does.
        filterPolicy = bytes[18]
        txPower = Absent.decibels(Int8(bitPattern: bytes[19]))
        primaryPHY = RadioPHY(rawValue: bytes[20])
        // Byte 21 is how many events the secondary channel may be left out: none.
        secondaryPHY = RadioPHY(rawValue: bytes[22])
        sid = bytes[23]
        // Byte 24 asks to be told of scan requests.
    }

    /// The command that sets them. It returns the power chosen, see `ReturnParameters.power`.
    public var command: Command {
        let peer = [UInt8](repeating: 0, count: 7)
        let first =
            [handle] + littleEndian(UInt64(properties.rawValue), bytes: 2)
            + littleEndian(UInt64(shortestInterval), bytes: 3) + littleEndian(UInt64(longestInterval), bytes: 3)
        let power = UInt8(bitPattern: txPower ?? Absent.decibels)
        return Command(
            .setExtendedAdvertisingParameters,
            first + [channels, ownAddressType] + peer
                + [filterPolicy, power, primaryPHY.rawValue, 0, secondaryPHY.rawValue, sid, 0])
    }
}
