internal import Beacon
internal import HCI
internal import JSON

/// What bytes that hold adverts can be.
enum Layout: String {
    /// Advertising data.
    case ad
    /// The parameters of an LE Advertising Report from Num_Reports on.
    case report
    /// An HCI event, with or without the H4 type byte.
    case event

    /// What bytes are by their looks.
    init(of bytes: [UInt8]) { self = bytes.starts(with: [0x04, 0x3E]) ? .event : .ad }
}

/// Decoded adverts as lines of JSON, collected until they are written.
struct DecodedOutput {
    private var writer = JSONWriter()

    /// Whether it is time to write.
    var isLong: Bool { writer.bytes.count > 32 * 1024 }

    /// Writes what was collected; false when nobody reads any more.
    mutating func flush() -> Bool {
        if writer.bytes.isEmpty { return true }
        defer { writer.reset() }
        return StandardOutput.write(writer.bytes)
    }

    /// Adds the line for some bytes.
    mutating func append(_ bytes: [UInt8], as layout: Layout?) {
        var malformed: [String] = []
        writer.object { writer in
            writer.key("beacons")
            writer.array { writer in
                malformed = bytes.withUnsafeBytes { writer.beacons($0, layout ?? Layout(of: bytes)) }
            }
            writer.key("malformed")
            writer.array { writer in
                for sentence in malformed { writer.string(sentence) }
            }
        }
        writer.newline()
    }
}

extension JSONWriter {
    /// Writes the beacons in some bytes and returns what was wrong with the rest.
    fileprivate mutating func beacons(_ bytes: UnsafeRawBufferPointer, _ layout: Layout) -> [String] {
        // One event by itself: there is nothing to join.
        var reader = AdvertisingReportReader(joiningFragments: false)
        var malformed: [String] = []
        let faults: AdvertisingReportFaults
        switch layout {
        case .ad:
            return beacons(bytes, nil)
        case .report:
            faults = reader.read(legacyReports: bytes) { malformed += beacons($1, $0) }
        case .event:
            let hasType = bytes.first == 0x04
            faults = reader.read(event: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(hasType ? 1 : 0))) {
                malformed += beacons($1, $0)
            }
        }
        if faults.cutShort > 0 { malformed.append("it ends in the middle of a report") }
        if faults.trailing > 0 { malformed.append("there are bytes after the last report") }
        return malformed
    }

    /// Writes the beacons in one advert's data.
    private mutating func beacons(_ data: UnsafeRawBufferPointer, _ report: AdvertisingReport?) -> [String] {
        let malformed = AdvertisingData.decode(data) { frame in
            object { writer in
                for (name, value) in frame.fields { writer.field(name, value) }
                guard let report else { return }
                writer.key("address")
                writer.string(report.address.description)
                writer.key("rssi")
                if let rssi = report.rssi { writer.integer(rssi) } else { writer.null() }
            }
        }
        return [Malformed.overrun, .reservedURLCode].filter(malformed.contains).map(\.description)
    }

    private mutating func field(_ name: String, _ value: FieldValue) {
        key(text: name)
        switch value {
        case .text(let text): string(text)
        case .integer(let integer): self.integer(integer)
        // The only ones are in units of 1/256, which takes eight decimals.
        case .decimal(let decimal): number(decimal, decimals: 8)
        case .null: null()
        }
    }
}
