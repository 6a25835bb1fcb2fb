/// The address a device advertises with: 48 bits and what kind they are.
public struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
    /// What an address says about itself. Core Spec Vol 4 Part E 7.7.65.13, Address_Type
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// Registered with the IEEE, 0x00.
        case `public` = 0x00
        /// Made up by the device, 0x01.
        case random = 0x01
        /// A public identity, resolved by the controller, 0x02.
        case publicIdentity = 0x02
        /// A random static identity, resolved by the controller, 0x03.
        case randomIdentity = 0x03
        /// None of the assigned ones; the advert is heard all the same.
        case unassigned = 0xFE
        /// The device sent no address, 0xFF.
        case anonymous = 0xFF

        /// The kind for any byte a controller may send.
        public init(_ byte: UInt8) { self = Kind(rawValue: byte) ?? .unassigned }
    }

    /// The 48 bits; the first byte of the written form is the most significant.
    public let value: UInt64
    /// What kind of address it is.
    public let kind: Kind

    /// The address and its kind in one number, which no other address has.
    @inlinable
    public var bits: UInt64 { value | UInt64(kind.rawValue) << 48 }

    /// Makes an address of the low 48 bits of `value`.
    public init(_ value: UInt64, _ kind: Kind) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.kind = kind
    }

    /// Reads `c5:dc:fd:06:78:48`, in any case; nil for anything else.
    public init?(_ text: String, _ kind: Kind) {
        var value: UInt64 = 0
        var count = 0
        for character in text.utf8 {
            if count % 3 == 2 {
                guard character == UInt8(ascii: ":") else { return nil }
            } else {
                guard let digit = hexValue(character) else { return nil }
                value = value << 4 | UInt64(digit)
            }
            count += 1
            guard count <= 17 else { return nil }
        }
        guard count == 17 else { return nil }
        self.init(value, kind)
    }

    /// The written form in lower case: `c5:dc:fd:06:78:48`.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(17)
        for byte in (0..<6).reversed() {
            let bits = UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte)))
            text.append(hexDigit(bits >> 4))
            text.append(hexDigit(bits & 15))
            if byte > 0 { text.append(UInt8(ascii: ":")) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

private func hexValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}

private func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
}
