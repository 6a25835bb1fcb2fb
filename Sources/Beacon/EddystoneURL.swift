/// Eddystone URL: a web address, abbreviated. Source: google/eddystone, eddystone-url/README.md
public struct EddystoneURL: Hashable, Sendable {
    /// The power at no distance in dBm as it came, plausible or not.
    public let power: Int8

    /// The scheme byte and the URL as on air.
    private let content: ShortBytes

    /// The URL abbreviated as far as it can be, or why it cannot be sent.
    public init(_ url: String, power: Int8) throws(EddystoneURLError) {
        let encoded = try EddystoneURLCode.abbreviated(url)
        guard encoded.count > 1 else { throw .empty }
        guard encoded.count <= Self.maximumLength else { throw .tooLong(bytes: encoded.count - 1) }
        self.power = power
        self.content = ShortBytes(encoded)
    }

    /// The URL of a scheme byte and 1 to 17 bytes as on air, or nil if there are fewer or more or one is reserved.
    public init?(encoded: [UInt8], power: Int8) {
        guard (2...Self.maximumLength).contains(encoded.count), EddystoneURLCode.isValid(encoded) else {
            return nil
        }
        self.power = power
        self.content = ShortBytes(encoded)
    }

    private init(power: Int8, content: ShortBytes) {
        self.power = power
        self.content = content
    }

    /// Kind 1, power 1, scheme 1, URL 1 to 17.
    ///
    /// A longer one is read, since there are beacons which send it, but has no identity. One without a single
    /// character is no URL.
    static func read(_ data: UnsafeRawBufferPointer) -> Eddystone.Reading {
        guard data.count >= 4 else { return .unknown }
        let encoded = UnsafeRawBufferPointer(rebasing: data[2...])
        guard EddystoneURLCode.isValid(encoded) else { return .reservedURLCode }
        return .frame(.eddystoneURL(Self(power: data.bigEndian(at: 1), content: ShortBytes(encoded))))
    }

    /// The identity, or nil if the URL is longer than the format allows.
    public var identity: BeaconIdentity? {
        content.count <= Self.maximumLength ? BeaconIdentity(format: .eddystoneURL, content) : nil
    }

    /// The scheme byte and the URL as on air.
    public var encoded: [UInt8] { content.bytes }

    /// The URL, expanded.
    public var url: String { EddystoneURLCode.expanded(encoded) ?? "" }

    /// The structure of service data.
    public var structure: [UInt8] {
        Eddystone.structure([Self.kind, UInt8(bitPattern: power)] + encoded)
    }

    /// The whole advert, 31 bytes at most: flags, the service and the structure.
    public func advertisingData() -> [UInt8] { AdvertisingData.encode([.eddystoneURL(self)]) }

    static let kind: UInt8 = 0x10

    /// Scheme and 17 bytes: what is left of a legacy advert behind flags, service and the rest of the frame.
    private static let maximumLength = 18
}

/// Why a URL cannot be sent as an Eddystone URL.
public enum EddystoneURLError: Error, Equatable, Sendable {
    /// It begins with neither `http://` nor `https://`.
    case unknownScheme

    /// It has nothing behind its scheme.
    case empty

    /// It has a character outside the printable ASCII ones, which must be percent-encoded first.
    case unencodable(Unicode.Scalar)

    /// It needs this many bytes behind its scheme, of which there can be 17.
    case tooLong(bytes: Int)
}

extension EddystoneURLError: CustomStringConvertible {
    /// What is wrong with the URL and what to do about it, as a sentence.
    public var description: String {
        switch self {
        case .unknownScheme: "the URL must begin with http:// or https:// in lower case"
        case .empty: "the URL has nothing behind its scheme"
        case .unencodable(let scalar):
            "the URL has the character \(Self.name(of: scalar)), which must be percent-encoded"
        case .tooLong(let bytes): "the URL needs \(bytes) bytes, an Eddystone beacon has 17; use a shorter one"
        }
    }

    /// By number alone: the text came from outside and may hold what a terminal would act on.
    private static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
