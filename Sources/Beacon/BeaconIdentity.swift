/// Which beacon it is: a format and up to twenty bytes, of fixed size so that looking one up never allocates.
///
/// iBeacon and AltBeacon: UUID 16, major 2, minor 2. Eddystone UID: namespace 10, instance 6. Eddystone URL: scheme 1
/// and the URL as it is encoded on air, 1 to 17; one URL in two spellings is two identities.
public struct BeaconIdentity: Hashable, Sendable {
    /// The longest identity, in bytes.
    public static let maximumLength = 20

    // Declared from the widest to the narrowest: the order is the layout, and this one is 24 bytes instead of 32.
    @usableFromInline let high: UInt64
    @usableFromInline let middle: UInt64
    @usableFromInline let low: UInt32

    /// The format that the bytes are of.
    public let format: BeaconFormat

    @usableFromInline let byteCount: UInt8

    /// Bytes past `length` must be zero, else two equal identities would not be equal.
    init(format: BeaconFormat, length: Int, high: UInt64, middle: UInt64, low: UInt32) {
        self.format = format
        self.byteCount = UInt8(truncatingIfNeeded: length)
        self.high = high
        self.middle = middle
        self.low = low
    }

    /// How many bytes count: less than the format's own number in a `prefix`.
    public var length: Int { Int(byteCount) }

    /// The bytes that count.
    public var bytes: [UInt8] {
        let all = high.bigEndianBytes + middle.bigEndianBytes + low.bigEndianBytes
        return Array(all.prefix(length))
    }

    /// The first `length` bytes alone, which is what every identity that begins with them has in common.
    ///
    /// A length outside 0 to this one's own is taken as the nearer of the two.
    public func prefix(_ length: Int) -> BeaconIdentity {
        let length = min(max(length, 0), self.length)
        // A shift by all of a word's width or more leaves none of it, which is what a part beyond the prefix needs.
        return BeaconIdentity(
            format: format, length: length,
            high: high & UInt64.max << max(0, 64 - 8 * length),
            middle: middle & UInt64.max << max(0, 128 - 8 * length),
            low: low & UInt32.max << max(0, 160 - 8 * length))
    }

    /// All there is to it in three words, for tables that hash and compare by themselves: bytes 0 to 7, bytes 8 to 15,
    /// and bytes 16 to 19 in the upper half of the third, whose lower half has the length above the format's number.
    @inlinable
    public var words: (UInt64, UInt64, UInt64) {
        (high, middle, UInt64(low) << 32 | UInt64(byteCount) << 8 | UInt64(format.rawValue))
    }

    /// Compares as three words, not as five fields.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    /// Hashes the bytes as three words, with the process's random seed.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(middle)
        hasher.combine(words.2)
    }
}

extension BeaconIdentity: Comparable {
    /// Orders by format, then by bytes; of two of which one continues the other, the shorter comes first.
    public static func < (left: Self, right: Self) -> Bool {
        (left.format, left.high, left.middle, left.low, left.byteCount)
            < (right.format, right.high, right.middle, right.low, right.byteCount)
    }
}

// MARK: From its parts

extension BeaconIdentity {
    /// The identity of an iBeacon.
    public static func ibeacon(uuid: UUID128, major: UInt16, minor: UInt16) -> Self {
        Self(format: .ibeacon, uuid: uuid, major: major, minor: minor)
    }

    /// The identity of an AltBeacon, whose twenty bytes are divided as in an iBeacon.
    public static func altbeacon(uuid: UUID128, major: UInt16, minor: UInt16) -> Self {
        Self(format: .altbeacon, uuid: uuid, major: major, minor: minor)
    }

    /// The identity of an Eddystone UID, or nil if the namespace is not 10 bytes and the instance not 6.
    public static func eddystoneUID(namespace: [UInt8], instance: [UInt8]) -> Self? {
        guard namespace.count == 10, instance.count == 6 else { return nil }
        return Self(format: .eddystoneUID, ShortBytes(namespace + instance))
    }

    /// The identity of an Eddystone URL: its scheme byte and 1 to 17 bytes of the URL as encoded on air, none reserved.
    public static func eddystoneURL(encoded: [UInt8]) -> Self? {
        EddystoneURL(encoded: encoded, power: 0)?.identity
    }

    private init(format: BeaconFormat, uuid: UUID128, major: UInt16, minor: UInt16) {
        self.init(
            format: format, length: Self.maximumLength, high: uuid.high, middle: uuid.low,
            low: UInt32(major) << 16 | UInt32(minor))
    }

    /// The caller has seen to it that there are no more than twenty bytes.
    init(format: BeaconFormat, _ bytes: ShortBytes) {
        self.init(
            format: format, length: bytes.count, high: bytes.first, middle: bytes.second,
            low: UInt32(truncatingIfNeeded: bytes.third >> 32))
    }
}

// MARK: Its parts

extension BeaconIdentity {
    /// The UUID of an iBeacon or AltBeacon, nil of another format or if a prefix does not hold all of it.
    public var uuid: UUID128? { hasUUID && length >= 16 ? UUID128(high: high, low: middle) : nil }

    /// The major number of an iBeacon, or the number in its place in an AltBeacon.
    public var major: UInt16? { hasUUID && length >= 18 ? UInt16(truncatingIfNeeded: low >> 16) : nil }

    /// The minor number of an iBeacon, or the number in its place in an AltBeacon.
    public var minor: UInt16? { hasUUID && length >= 20 ? UInt16(truncatingIfNeeded: low) : nil }

    /// The namespace of an Eddystone UID as 20 digits.
    public var namespace: String? {
        format == .eddystoneUID && length >= 10 ? Hexadecimal.text(bytes.prefix(10)) : nil
    }

    /// The instance of an Eddystone UID as 12 digits.
    public var instance: String? {
        format == .eddystoneUID && length >= 16 ? Hexadecimal.text(bytes.dropFirst(10).prefix(6)) : nil
    }

    /// The URL of an Eddystone URL, expanded.
    public var url: String? {
        format == .eddystoneURL ? EddystoneURLCode.expanded(bytes) : nil
    }

    private var hasUUID: Bool { format == .ibeacon || format == .altbeacon }
}

extension BeaconIdentity: CustomStringConvertible {
    /// The format and what is known of the identity, in a line for a person.
    public var description: String {
        let parts: [String?]
        switch format {
        case .ibeacon, .altbeacon: parts = [uuid?.description, major.map { "\($0)" }, minor.map { "\($0)" }]
        case .eddystoneUID: parts = [namespace, instance]
        case .eddystoneURL: parts = [url]
        }
        return ([format.name] + parts.compactMap { $0 }).joined(separator: " ")
    }
}
