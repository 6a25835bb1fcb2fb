/// AltBeacon, the open format. Source: https://github.com/AltBeacon/spec
public struct AltBeacon: Hashable, Sendable {
    /// The maker's company identifier: any, 0x0118 in most examples.
    public let company: UInt16

    /// The first sixteen bytes of the beacon id.
    public let uuid: UUID128

    /// The next two bytes of the beacon id, which the format leaves to the owner.
    public let major: UInt16

    /// The last two bytes of the beacon id, which the format leaves to the owner.
    public let minor: UInt16

    /// The RSSI at one metre in dBm as it came, plausible or not.
    public let power: Int8

    /// The byte left to the maker; some leave it out.
    public let reserved: UInt8?

    /// The AltBeacon with these numbers.
    public init(company: UInt16, uuid: UUID128, major: UInt16, minor: UInt16, power: Int8, reserved: UInt8? = 0) {
        self.company = company
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.power = power
        self.reserved = reserved
    }

    /// Company 2, code 2, id 20, power 1, reserved 1.
    ///
    /// Longer is none: the code is short and any company may use it, so the length is half of the recognition.
    @inline(__always)
    init?(manufacturerData value: UnsafeRawBufferPointer) {
        guard value.count == Self.length || value.count == Self.length - 1, value.bigEndian(at: 2) == Self.code
        else { return nil }
        company = value.littleEndian(at: 0)
        uuid = UUID128(high: value.bigEndian(at: 4), low: value.bigEndian(at: 12))
        major = value.bigEndian(at: 20)
        minor = value.bigEndian(at: 22)
        power = value.bigEndian(at: 24)
        reserved = value.count == Self.length ? value[25] : nil
    }

    /// The identity, all of it.
    public var identity: BeaconIdentity { .altbeacon(uuid: uuid, major: major, minor: minor) }

    /// The structure of manufacturer data, 28 bytes, or 27 without the reserved one.
    public var structure: [UInt8] {
        var value: [UInt8] = []
        value.append(bigEndian: company.byteSwapped)
        value.append(bigEndian: Self.code)
        value += identity.bytes
        value.append(bigEndian: power)
        if let reserved { value.append(reserved) }
        return AdvertisingData.structure(StructureType.manufacturerData, value)
    }

    /// The whole advert, 31 bytes: flags and the structure.
    public func advertisingData() -> [UInt8] { AdvertisingData.encode([.altbeacon(self)]) }

    private static let length = 26
    private static let code: UInt16 = 0xBEAC
}
