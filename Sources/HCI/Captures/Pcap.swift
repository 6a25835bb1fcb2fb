/// The capture format of tcpdump, in either byte order, with microseconds or nanoseconds. pcap-savefile(5)
struct Pcap {
    /// What the first four bytes say.
    struct Order {
        let isBigEndian: Bool
        let isNano: Bool

        init?(magic: [UInt8]) {
            switch magic {
            case Self.magics[0]: (isBigEndian, isNano) = (false, false)
            case Self.magics[1]: (isBigEndian, isNano) = (true, false)
            case Self.magics[2]: (isBigEndian, isNano) = (false, true)
            case Self.magics[3]: (isBigEndian, isNano) = (true, true)
            default: return nil
            }
        }

        static let magics: [[UInt8]] = [
            [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0xC3, 0xD4], [0x4D, 0x3C, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D],
        ]
    }

    private let order: Order
    private let linkType: LinkType

    init(_ order: Order, _ input: inout CaptureInput) throws(CaptureFault) {
        let header = try input.take(20)
        let fields = header.fields { cursor -> (UInt16, UInt32)? in
            let big = order.isBigEndian
            guard let major = cursor.integer(UInt16.self, bigEndian: big),
                // Minor version, time zone, accuracy and snapshot length say nothing that a reader needs.
                cursor.take(14) != nil, let linkType = cursor.integer(UInt32.self, bigEndian: big)
            else { return nil }
            return (major, linkType)
        }
        guard let (major, linkType) = fields else { throw .cut(.header) }
        if major != 2 { throw .version(format: "pcap", UInt32(major)) }
        // The upper half holds flags about checksums.
        self.linkType = try LinkType(number: UInt16(truncatingIfNeeded: linkType))
        self.order = order
    }

    @inline(__always)
    func next(_ input: inout CaptureInput) throws(CaptureFault) -> CapturedPacket? {
        input.mark()
        let header = try input.take(16)
        if header.isEmpty { return nil }
        let big = order.isBigEndian
        let fields = header.fields { cursor -> (UInt32, UInt32, UInt32, UInt32)? in
            guard let seconds = cursor.integer(UInt32.self, bigEndian: big),
                let part = cursor.integer(UInt32.self, bigEndian: big),
                let included = cursor.integer(UInt32.self, bigEndian: big),
                let original = cursor.integer(UInt32.self, bigEndian: big)
            else { return nil }
            return (seconds, part, included, original)
        }
        guard let (seconds, part, included, original) = fields else { throw .cut(.packet) }
        try checkPacketLength(included)
        let bytes = try input.take(Int(included))
        if bytes.count < included { throw .cut(.packet) }
        return CapturedPacket(
            time: CaptureTime.nanoseconds(seconds: seconds, part: part, isNano: order.isNano),
            direction: linkType.direction(of: bytes), content: linkType.content(bytes, isCut: included < original))
    }
}
