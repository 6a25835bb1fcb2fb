internal import Glibc
internal import JSON

extension Kind where Value == String {
    /// The Bluetooth controller that listens.
    static var adapter: Kind {
        .text("a controller", bounds: "auto, or \(knownAdapters)") { text in
            text == "auto" ? nil : complaint(ofAdapter: text)
        }
    }

    /// A Bluetooth controller beside the one that listens.
    static var otherAdapter: Kind {
        .text("a controller", bounds: knownAdapters) { text in
            text == "auto"
                ? "could be the controller that listens; name one, or leave the key out and that one sends"
                : complaint(ofAdapter: text)
        }
    }
}

private let knownAdapters = "an address, hciN, serial:PATH[:BAUD], tcp:ADDRESS:PORT or unix:PATH"

/// The speeds of a serial line: what UARTs of controllers are driven with.
private let bauds = 9_600...12_000_000

/// What is wrong with an adapter; each kind gets its own answer.
private func complaint(ofAdapter text: String) -> String? {
    if text.hasPrefix("unix:") { return complaint(ofPath: text.dropFirst("unix:".count)) }
    if text.hasPrefix("tcp:") { return complaint(ofHost: text.dropFirst("tcp:".count)) }
    if text.hasPrefix("serial:") { return complaint(ofSerial: text.dropFirst("serial:".count)) }
    if text.hasPrefix("hci") {
        let digits = text.dropFirst("hci".count)
        // The kernel's own writing: no sign and no zero in front.
        return UInt16(digits).map { "\($0)" } == String(digits) ? nil : "has no number of 0…65535 behind hci"
    }
    if text.contains(":"), text.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || isHexDigit($0) }) {
        let octets = text.split(separator: ":", omittingEmptySubsequences: false)
        let isAddress = octets.count == 6 && octets.allSatisfy { $0.utf8.count == 2 }
        return isAddress ? nil : "is no address: it takes six pairs of hexadecimal digits, as in dc:a6:32:01:02:03"
    }
    return "names no controller; it must be auto, or \(knownAdapters)"
}

private func complaint(ofPath path: Substring) -> String? {
    if path.isEmpty { return "has no path behind unix:" }
    // sun_path less its zero byte: unix(7).
    return path.utf8.count > 107 ? "has a path of more than 107 bytes, which no socket can have" : nil
}

private func complaint(ofHost rest: Substring) -> String? {
    // UInt16 alone would take "+80".
    guard let colon = rest.lastIndex(of: ":"), rest[rest.index(after: colon)...].utf8.allSatisfy(isDigit),
        let port = UInt16(rest[rest.index(after: colon)...]), port > 0
    else { return "has no port of 1…65535 at its end" }
    var binary = in_addr()
    let host = String(rest[..<colon])
    if host == "localhost" || inet_pton(AF_INET, host, &binary) == 1 { return nil }
    return "has no IPv4 address in numbers; names are not looked up, which could block the radio"
}

private func complaint(ofSerial rest: Substring) -> String? {
    var path = rest
    // A path may have colons, as those in /dev/serial/by-path do; they end in `:1.0`, which is no speed.
    if let colon = rest.lastIndex(of: ":") {
        let digits = rest[rest.index(after: colon)...]
        if digits.isEmpty { return "has no speed behind its last colon" }
        if digits.utf8.allSatisfy(isDigit) {
            guard let baud = Int(digits), bauds.contains(baud) else {
                return "has a speed outside \(bauds.lowerBound)…\(bauds.upperBound) baud"
            }
            path = rest[..<colon]
        }
    }
    if path.isEmpty { return "has no path behind serial:" }
    if !path.hasPrefix("/") || path.hasSuffix(":") { return "has no path from / on behind serial:" }
    // PATH_MAX with its zero byte (path_resolution(7)).
    return path.utf8.count > 4095 ? "has a path of more than 4095 bytes" : nil
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
}

extension Kind where Value == [Configuration.Radio.PHY] {
    /// The PHYs to listen on.
    static var phys: Kind {
        .list(bounds: "[1m] or [1m, coded]", { $0.rawValue }) { phys in
            phys.contains(.oneM) ? nil : "leaves out 1m, on which all beacons of these formats send"
        }
    }
}

extension Kind {
    /// A list of a few words, each at most once and at least one; their order means nothing. `complaint` says what is wrong
    /// with the whole.
    static func list<Item: CaseIterable & Equatable & Sendable>(
        bounds: String, _ word: @escaping @Sendable (Item) -> String,
        _ complaint: @escaping @Sendable ([Item]) -> String?
    ) -> Kind where Value == [Item] {
        let one = Kind<Item>.choice(word)
        return Kind(
            bounds: bounds,
            read: { value in
                guard case .list(let elements) = value else {
                    return .failure(Complaint("expected a list, \(bounds), found \(value.found)"))
                }
                if elements.isEmpty { return .failure(Complaint("expected \(bounds), found an empty list")) }
                var items: [Item] = []
                for element in elements {
                    switch one.read(element.value) {
                    case .failure(let complaint): return .failure(Complaint("in the list \(complaint.message)"))
                    case .success(let item):
                        if items.contains(item) { return .failure(Complaint("has \(word(item)) twice")) }
                        items.append(item)
                    }
                }
                if let complaint = complaint(items) { return .failure(Complaint(complaint)) }
                return .success(Item.allCases.filter { items.contains($0) })
            },
            write: { .array($0.map { .string(word($0)) }) })
    }
}
