internal import Beacon
internal import JSON

extension Kind where Value == String {
    /// A name that is a level of a topic.
    static var id: Kind {
        .text("an id", bounds: "1…64 of a-z 0-9 . _ - and the first a letter or a digit") { text in
            let bytes = text.utf8
            let isGood = bytes.allSatisfy { byte in
                isLetterOrDigit(byte) || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte)
            }
            if isGood, bytes.count <= 64, bytes.first.map(isLetterOrDigit) == true { return nil }
            return "is no id: up to 64 of a-z, 0-9, '.', '_' and '-', and the first a letter or a digit"
        }
    }

    /// Where a file or folder of the node is.
    static var path: Kind {
        // PATH_MAX with its zero byte (path_resolution(7)).
        .text("a path", bounds: "a path from / on") { text in
            if !text.hasPrefix("/") { return "is no path from / on" }
            return text.utf8.count > 4095 ? "is longer than 4095 bytes" : nil
        }
    }

    /// The name of a computer, or its address.
    static var host: Kind {
        // 253 characters: RFC 1035, section 2.3.4, less length bytes.
        .text("a host name or an address", bounds: "a host name or an address") { text in
            let isGood = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
            return isGood && text.utf8.count <= 253 ? nil : "is neither a host name nor an address"
        }
    }

    /// What topics start with.
    static var topicPrefix: Kind {
        .text("a topic", bounds: "up to 128 bytes, without +, # and $") { text in
            if text.contains(where: { "+#$".contains($0) }) {
                return "has one of + # $, which mean something in topics"
            }
            let levels = text.split(separator: "/", omittingEmptySubsequences: false)
            if levels.contains("") { return "has an empty level; write no / at either end and none twice" }
            return text.utf8.count > 128 ? "is longer than 128 bytes" : nil
        }
    }

    /// What a broker knows the node by.
    static var username: Kind {
        // A UTF-8 string of MQTT: MQTT 5.0, section 1.5.4.
        .text("a user name", bounds: "up to 65535 bytes") {
            $0.utf8.count > 65535 ? "is longer than 65535 bytes" : nil
        }
    }

    /// The URL of an Eddystone URL.
    static var url: Kind {
        .text("a URL", bounds: "http:// or https:// and at most 17 bytes as Eddystone abbreviates them") { text in
            do throws(EddystoneURLError) {
                _ = try EddystoneURL(text, power: 0)
                return nil
            } catch {
                return "cannot be sent by a beacon: \(error)"
            }
        }
    }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

extension Kind where Value == UUID128 {
    /// A UUID.
    static var uuid: Kind {
        Kind(
            bounds: "32 hexadecimal digits, as 8-4-4-4-12 or without hyphens",
            read: { value in
                guard let text = value.text else {
                    var hint = ""
                    if case .number = value { hint = "; write all 32 digits, in quotes" }
                    return .failure(Complaint("expected a UUID, found \(value.found)\(hint)"))
                }
                if let uuid = UUID128(text) { return .success(uuid) }
                let digits = text.filter { $0 != "-" }
                guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }), !digits.isEmpty else {
                    return .failure(Complaint("expected a UUID of 32 hexadecimal digits, found \(value.found)"))
                }
                let count = "\(quoted(text)) has \(digitCount(digits.count)), 32 are needed"
                if digits.count == 32 {
                    return .failure(Complaint("\(quoted(text)) has its hyphens elsewhere than 8-4-4-4-12"))
                }
                // Not to be taken for what other programs make of it, 8 × 10^287857.
                if case .plain = value, looksLikeNumber(text) {
                    return .failure(Complaint("\(count); it looks like a number, but is a text here"))
                }
                return .failure(Complaint(count))
            },
            write: { .string($0.description) })
    }
}

private func digitCount(_ count: Int) -> String { "\(count) hexadecimal \(count == 1 ? "digit" : "digits")" }

/// Whether YAML as others read it takes the text for a number: digits, and perhaps an exponent.
private func looksLikeNumber(_ text: String) -> Bool {
    let parts = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
}

extension Kind where Value == [UInt8] {
    /// So many bytes as hexadecimal digits.
    static func bytes(_ count: Int) -> Kind {
        let digits = 2 * count
        return Kind(
            bounds: "\(digits) hexadecimal digits",
            read: { value in
                guard let text = value.text else {
                    var hint = ""
                    if case .number = value { hint = "; write it in quotes" }
                    return .failure(
                        Complaint("expected \(digits) hexadecimal digits, found \(value.found)\(hint)"))
                }
                if let bytes = Hexadecimal.bytes(text), bytes.count == count { return .success(bytes) }
                guard text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                    return .failure(Complaint("expected \(digits) hexadecimal digits, found \(value.found)"))
                }
                return .failure(
                    Complaint("\(quoted(text)) has \(digitCount(text.count)), \(digits) are needed"))
            },
            write: { .string(Hexadecimal.text($0)) })
    }
}
