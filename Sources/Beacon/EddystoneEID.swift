/// Eddystone EID: an identity that changes and that only its owner can resolve. Source: google/eddystone, eddystone-eid
public struct EddystoneEID: Hashable, Sendable {
    /// The power at no distance in dBm as it came, plausible or not.
    public let power: Int8

    /// The identifier of the moment, whose first byte is the most significant one.
    public let identifier: UInt64

    /// The frame with this identifier.
    public init(identifier: UInt64, power: Int8) {
        self.identifier = identifier
        self.power = power
    }

    /// Kind 1, power 1, identifier 8.
    init?(_ data: UnsafeRawBufferPointer) {
        guard data.count >= Self.length else { return nil }
        power = data.bigEndian(at: 1)
        identifier = data.bigEndian(at: 2)
    }

    /// The structure of service data.
    public var structure: [UInt8] {
        Eddystone.structure([Self.kind, UInt8(bitPattern: power)] + identifier.bigEndianBytes)
    }

    /// The whole advert, 21 bytes: flags, the service and the structure.
    public func advertisingData() -> [UInt8] { AdvertisingData.encode([.eddystoneEID(self)]) }

    static let kind: UInt8 = 0x30
    private static let length = 10
}
