/// Apple's iBeacon. Source: Apple, Proximity Beacon Specification.
public struct IBeacon: Hashable, Sendable {
    /// Whose beacon it is.
    public let uuid: UUID128

    /// The upper number, 0 to 65535, all valid.
    public let major: UInt16

    /// The lower number, 0 to 65535, all valid.
    public let minor: UInt16

    /// The RSSI at one metre in dBm as it came, plausible or not.
    public let power: Int8

    private let tail: ShortBytes

    /// The iBeacon with these numbers and nothing behind them.
    public init(uuid: UUID128, major: UInt16, minor: UInt16, power: Int8) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.power = power
        self.tail = ShortBytes([])
    }

    /// Company 2, type 2, UUID 16, major 2, minor 2, power 1; makers put a battery level or the like behind.
    @inline(__always)
    init?(manufacturerData value: UnsafeRawBufferPointer) {
        guard value.count >= Self.length, value.bigEndian(at: 0) == Self.prefix else { return nil }
        uuid = UUID128(high: value.bigEndian(at: 4), low: value.bigEndian(at: 12))
        major = value.bigEndian(at: 20)
        minor = value.bigEndian(at: 22)
        power = value.bigEndian(at: 24)
        tail = ShortBytes(UnsafeRawBufferPointer(rebasing: value[Self.length...]))
    }

    /// The identity, all of it.
    public var identity: BeaconIdentity { .ibeacon(uuid: uuid, major: major, minor: minor) }

    /// What the maker put behind the power; no part of the format, empty as a rule.
    public var trailing: [UInt8] { tail.bytes }

    /// The structure of manufacturer data, 27 bytes and what trails.
    public var structure: [UInt8] {
        var value: [UInt8] = []
        value.append(bigEndian: Self.prefix)
        uuid.append(to: &value)
        value.append(bigEndian: major)
        value.append(bigEndian: minor)
        value.append(bigEndian: power)
        return AdvertisingData.structure(StructureType.manufacturerData, value + trailing)
    }

    /// The whole advert, 30 bytes: flags and the structure.
    public func advertisingData() -> [UInt8] { AdvertisingData.encode([.ibeacon(self)]) }

    private static let length = 25

    /// Company 0x004C, least significant byte first; type 02; 15, the length of the rest.
    private static let prefix: UInt32 = 0x4C00_0215
}
