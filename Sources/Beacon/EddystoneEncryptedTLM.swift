/// Eddystone TLM as only the owner can read it. Source: google/eddystone, eddystone-tlm/tlm-encrypted.md
public struct EddystoneEncryptedTLM: Hashable, Sendable {
    /// The telemetry, encrypted, 12 bytes.
    public var ciphertext: [UInt8] { ciphertextStart.bigEndianBytes + ciphertextEnd.bigEndianBytes }

    /// The salt of the encryption.
    public let salt: UInt16

    /// The check of the encryption.
    public let integrityCheck: UInt16

    private let ciphertextStart: UInt64
    private let ciphertextEnd: UInt32

    /// The frame with these parts, or nil if the telemetry is not 12 bytes.
    public init?(ciphertext: [UInt8], salt: UInt16, integrityCheck: UInt16) {
        guard ciphertext.count == 12 else { return nil }
        let parts = ciphertext.withUnsafeBytes {
            ($0.bigEndian(at: 0, as: UInt64.self), $0.bigEndian(at: 8, as: UInt32.self))
        }
        (ciphertextStart, ciphertextEnd) = parts
        self.salt = salt
        self.integrityCheck = integrityCheck
    }

    /// Kind 1, version 1, telemetry 12, salt 2, check 2.
    init?(_ data: UnsafeRawBufferPointer) {
        guard data.count >= Self.length, data[1] == Self.version else { return nil }
        ciphertextStart = data.bigEndian(at: 2)
        ciphertextEnd = data.bigEndian(at: 10)
        salt = data.bigEndian(at: 14)
        integrityCheck = data.bigEndian(at: 16)
    }

    /// The structure of service data.
    public var structure: [UInt8] {
        Eddystone.structure(
            [EddystoneTLM.kind, Self.version] + ciphertext + salt.bigEndianBytes + integrityCheck.bigEndianBytes)
    }

    /// The whole advert, 29 bytes: flags, the service and the structure.
    public func advertisingData() -> [UInt8] { AdvertisingData.encode([.eddystoneEncryptedTLM(self)]) }

    static let version: UInt8 = 0x01
    private static let length = 18
}
