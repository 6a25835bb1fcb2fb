/// How an Eddystone URL is abbreviated. Source: google/eddystone, eddystone-url/README.md, "URL Scheme Prefix" and
/// "Eddystone-URL HTTP URL encoding"
enum EddystoneURLCode {
    /// By their code, 0 to 3.
    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]

    /// By their code, 0 to 13. Those with a slash come first, so that the first that fits is the longest.
    private static let expansions = [
        ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/",
        ".com", ".org", ".edu", ".net", ".info", ".biz", ".gov",
    ]

    /// Bytes that stand for themselves; those neither here nor a code of an expansion are reserved.
    private static let printable: ClosedRange<UInt8> = 0x21...0x7E

    /// Whether a scheme and what follows it has no reserved code.
    static func isValid(_ encoded: some Collection<UInt8>) -> Bool {
        guard let scheme = encoded.first, scheme < schemes.count else { return false }
        return encoded.dropFirst().allSatisfy { $0 < expansions.count || printable.contains($0) }
    }

    /// The URL as text, or nil if a code is reserved.
    static func expanded(_ encoded: [UInt8]) -> String? {
        guard isValid(encoded), let scheme = encoded.first else { return nil }
        var url = schemes[Int(scheme)]
        for byte in encoded.dropFirst() {
            if byte < expansions.count {
                url += expansions[Int(byte)]
            } else {
                url.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return url
    }

    /// The scheme and what follows it, in as few bytes as there can be.
    static func abbreviated(_ url: String) throws(EddystoneURLError) -> [UInt8] {
        // Those with `www.` come first among the schemes too.
        guard let scheme = schemes.firstIndex(where: { url.utf8.starts(with: $0.utf8) }) else {
            throw .unknownScheme
        }
        var encoded = [UInt8(scheme)]
        var rest = url.unicodeScalars.dropFirst(schemes[scheme].unicodeScalars.count)
        while let scalar = rest.first {
            if let code = expansions.firstIndex(where: { rest.starts(with: $0.unicodeScalars) }) {
                encoded.append(UInt8(code))
                rest = rest.dropFirst(expansions[code].unicodeScalars.count)
            } else {
                guard let byte = UInt8(exactly: scalar.value), printable.contains(byte) else {
                    throw .unencodable(scalar)
                }
                encoded.append(byte)
                rest = rest.dropFirst()
            }
        }
        return encoded
    }
}
