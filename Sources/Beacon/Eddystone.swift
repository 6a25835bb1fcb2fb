/// What the Eddystone frames have in common. Source: https://github.com/google/eddystone, protocol-specification.md
public enum Eddystone {
    /// 0xFEAA, least significant byte first.
    static let uuid: [UInt8] = [0xAA, 0xFE]
    static let uuidLength = 2

    /// UID and URL give the power at no distance; this many dB less is what is received at one metre.
    public static let lossOverOneMetre = 41

    /// What the data of the service is.
    enum Reading {
        case frame(Frame)
        case reservedURLCode

        /// Another kind or version of frame, or one too short: FEAA is also used by Find My Device and by makers.
        case unknown
    }

    @inline(__always)
    static func isServiceData(_ value: UnsafeRawBufferPointer) -> Bool {
        value.count > uuidLength && value.littleEndian(at: 0, as: UInt16.self) == 0xFEAA
    }

    /// Reads a frame from the byte with its kind on; the caller has seen to it that there is one.
    static func read(_ data: UnsafeRawBufferPointer) -> Reading {
        switch data[0] {
        case EddystoneUID.kind: known(EddystoneUID(data).map(Frame.eddystoneUID))
        case EddystoneURL.kind: EddystoneURL.read(data)
        case EddystoneTLM.kind:
            known(
                EddystoneTLM(data).map(Frame.eddystoneTLM)
                    ?? EddystoneEncryptedTLM(data).map(Frame.eddystoneEncryptedTLM))
        case EddystoneEID.kind: known(EddystoneEID(data).map(Frame.eddystoneEID))
        default: .unknown
        }
    }

    private static func known(_ frame: Frame?) -> Reading {
        frame.map(Reading.frame) ?? .unknown
    }

    /// The structure of service data with a frame in it.
    static func structure(_ data: [UInt8]) -> [UInt8] {
        AdvertisingData.structure(StructureType.serviceData16, uuid + data)
    }
}
