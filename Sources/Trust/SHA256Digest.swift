internal import CCrypto

/// A SHA-256 digest (FIPS 180-4).
public struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Digests bytes. EVP_Digest
    public init(of data: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = EVP_Digest(data, data.count, &digest, nil, EVP_sha256(), nil)
        // Cannot fail for want of data, only of memory, which ends a Swift program anyway.
        precondition(isDone == 1, "libcrypto has no SHA-256")
        bytes = digest
    }

    /// 64 hexadecimal digits in lower case.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// As messages carry it: `sha256:` and the hexadecimal digits.
    public var description: String { "sha256:" + hexadecimal }
}
