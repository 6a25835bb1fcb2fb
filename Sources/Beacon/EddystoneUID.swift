/// Eddystone UID: a namespace and an instance. Source: google/eddystone, eddystone-uid/README.md
public struct EddystoneUID: Hashable, Sendable {
    /// The namespace and the instance.
    public let identity: BeaconIdentity

    /// The power at no distance in dBm as it came, plausible or not.
    public let power: Int8

    /// How many bytes of service data came, 18 to 20; more counts as 20. Makers leave out the two reserved ones at
    /// the end.
    public let serviceDataLength: Int

    /// The UID with these bytes, or nil if the namespace is not 10 and the instance not 6 of them.
    public init?(namespace: [UInt8], instance: [UInt8], power: Int8) {
        guard let identity = BeaconIdentity.eddystoneUID(namespace: namespace, instance: instance) else {
            return nil
        }
        self.identity = identity
        self.power = power
        self.serviceDataLength = Self.length
    }

    /// Kind 1, power 1, namespace 10, instance 6, reserved 2.
    init?(_ data: UnsafeRawBufferPointer) {
        guard data.count >= Self.lengthUsed else { return nil }
        identity = BeaconIdentity(
            format: .eddystoneUID, ShortBytes(UnsafeRawBufferPointer(rebasing: data[2..<Self.lengthUsed])))
        power = data.bigEndian(at: 1)
        serviceDataLength = min(data.count, Self.length)
    }

    /// The structure of service data.
    public var structure: [UInt8] {
        let reserved = [UInt8](repeating: 0, count: serviceDataLength - Self.lengthUsed)
        return Eddystone.structure([Self.kind, UInt8(bitPattern: power)] + identity.bytes + reserved)
    }

    /// The whole advert, 31 bytes: flags, the service and the structure.
    public func advertisingData() -> [UInt8] { AdvertisingData.encode([.eddystoneUID(self)]) }

    static let kind: UInt8 = 0x00
    private static let lengthUsed = 18
    static let length = 20
}
