/// The capture format of BlueZ, Android and hcidump: everything big-endian, times in microseconds since the year 0.
///
/// BlueZ src/shared/btsnoop.c; the format is that of RFC 1761 with other link types.
struct Btsnoop {
    static let magic: [UInt8] = Array("btsnoop\0".utf8)
    static let version: UInt32 = 1
    /// From the year 0, as btsnoop counts, to 1970, microseconds.
    static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

    enum DataLink: UInt32 {
        /// HCI packets with the H4 type byte before each.
        case h4 = 1002
        /// What the kernel's monitor channel gives: the type is in the flags.
        case monitor = 2001
    }

    private let dataLink: DataLink

    init(_ input: inout CaptureInput) throws(CaptureFault) {
        let header = try input.take(8)
        guard
            let (version, type) = header.fields({ cursor -> (UInt32, UInt32)? in
                guard let version = cursor.integer(UInt32.self, bigEndian: true),
                    let type = cursor.integer(UInt32.self, bigEndian: true)
                else { return nil }
                return (version, type)
            })
        else { throw .cut(.header) }
        if version != Self.version { throw .version(format: "btsnoop", version) }
        guard let dataLink = DataLink(rawValue: type) else { throw .linkType("btsnoop \(type)\(Self.name(type))") }
        self.dataLink = dataLink
    }

    private static func name(_ dataLink: UInt32) -> String {
        switch dataLink {
        case 1001: " (HCI without packet types)"
        case 1003: " (BCSP)"
        case 1004: " (H5)"
        case 2002: " (simulator)"
        default: ""
        }
    }

    @inline(__always)
    func next(_ input: inout CaptureInput) throws(CaptureFault) -> CapturedPacket? {
        input.mark()
        let header = try input.take(24)
        if header.isEmpty { return nil }
        guard let record = header.fields(Record.init) else { throw .cut(.packet) }
        try checkPacketLength(record.included)
        let bytes = try input.take(Int(record.included))
        if bytes.count < record.included { throw .cut(.packet) }
        let isCut = record.included < record.original
        switch dataLink {
        case .h4:
            return CapturedPacket(
                time: record.time, direction: record.flags & 1 == 0 ? .sent : .received,
                content: .h4(bytes, isCut: isCut))
        case .monitor:
            return CapturedPacket(
                time: record.time, direction: .monitor(record.flags),
                content: .monitor(record.flags, bytes, isCut: isCut))
        }
    }

    private struct Record {
        let original: UInt32
        let included: UInt32
        let flags: UInt32
        let time: Int64

        @inline(__always)
        init?(_ cursor: inout ByteCursor) {
            guard let original = cursor.integer(UInt32.self, bigEndian: true),
                let included = cursor.integer(UInt32.self, bigEndian: true),
                let flags = cursor.integer(UInt32.self, bigEndian: true),
                // Cumulative drops: of no use to a reader of packets.
                cursor.integer(UInt32.self, bigEndian: true) != nil,
                let microseconds = cursor.integer(Int64.self, bigEndian: true)
            else { return nil }
            self.original = original
            self.included = included
            self.flags = flags
            time = CaptureTime.nanoseconds(microseconds: microseconds.subtractingSaturated(Btsnoop.epoch))
        }
    }
}

/// Makes btsnoop files of HCI packets with their H4 type byte (data link 1002), piece by piece.
public enum BtsnoopWriter {
    /// What a file starts with.
    public static let header: [UInt8] =
        Btsnoop.magic + bigEndian(Btsnoop.version) + bigEndian(Btsnoop.DataLink.h4.rawValue)

    /// One packet from its H4 type byte on, captured `time` nanoseconds after 1970 (kept to the microsecond), and how
    /// many were lost since the file began.
    public static func record(
        _ packet: [UInt8], direction: CaptureDirection, time: Int64, lost: UInt32 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        append(packet, direction: direction, time: time, lost: lost, to: &bytes)
        return bytes
    }

    /// The same at the end of what is there: long captures need no array for each packet.
    public static func append(
        _ packet: [UInt8], direction: CaptureDirection, time: Int64, lost: UInt32 = 0, to bytes: inout [UInt8]
    ) {
        let length = UInt32(clamping: packet.count)
        // Bit 0 is the direction, bit 1 tells commands and events from data.
        let isControl = packet.first == 1 || packet.first == 4
        let flags: UInt32 = (direction == .received ? 1 : 0) | (isControl ? 2 : 0)
        // Rounded down, so that times before 1970 keep their order too.
        let microseconds = time / 1_000 - (time % 1_000 < 0 ? 1 : 0) + Btsnoop.epoch
        append(length, to: &bytes)
        append(length, to: &bytes)
        append(flags, to: &bytes)
        append(lost, to: &bytes)
        append(microseconds, to: &bytes)
        bytes += packet
    }

    private static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func bigEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
