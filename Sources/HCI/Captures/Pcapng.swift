/// The capture format of Wireshark: blocks, in sections of either byte order. draft-ietf-opsawg-pcapng
struct Pcapng {
    /// The type of a section header block, the same in either byte order.
    static let magic: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]
    /// The longest block that holds a packet: the packet, and 64 KiB for its options.
    static let longestPacketBlock = UInt32(CaptureReader.longestPacket + 64 * 1024)
    /// The longest block that does not; it is passed over without being kept, so this only refuses nonsense.
    static let longestOtherBlock: UInt32 = 16 * 1024 * 1024
    /// How many interfaces a section may have.
    static let mostInterfaces = 1024

    private enum BlockType {
        static let section: UInt32 = 0x0A0D_0D0A
        static let interface: UInt32 = 1
        /// Obsolete since 2010, still met.
        static let packet: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let enhancedPacket: UInt32 = 6
    }

    private struct Interface {
        var linkType: LinkType
        var snapLength: UInt32
        var resolution: UInt8 = 6
        var offset: Int64 = 0
    }

    private var isBigEndian = false
    private var interfaces: [Interface] = []
    /// The type of the first block was read to know the format.
    private var isAtStart = true

    mutating func next(_ input: inout CaptureInput) throws(CaptureFault) -> CapturedPacket? {
        while true {
            if isAtStart {
                isAtStart = false
                try section(&input)
                continue
            }
            input.mark()
            let head = try input.take(4)
            if head.isEmpty { return nil }
            if head.count < 4 { throw .cut(.packet) }
            if head.elementsEqual(Self.magic) {
                try section(&input)
                continue
            }
            let type = head.fields { $0.integer(UInt32.self, bigEndian: isBigEndian) } ?? 0
            if let packet = try block(type, &input) { return packet }
        }
    }

    /// A section begins: its byte order decides about its own length too.
    private mutating func section(_ input: inout CaptureInput) throws(CaptureFault) {
        let place: CaptureFault.CutPlace = input.recordStart == 0 ? .header : .packet
        let head = try input.take(8)
        if head.count < 8 { throw .cut(place) }
        switch Array(head.dropFirst(4)) {
        case [0x4D, 0x3C, 0x2B, 0x1A]: isBigEndian = false
        case [0x1A, 0x2B, 0x3C, 0x4D]: isBigEndian = true
        default: throw .inconsistent("a section has no byte order")
        }
        interfaces = []
        let length = head.fields { $0.integer(UInt32.self, bigEndian: isBigEndian) } ?? 0
        // Type, two lengths, byte order, version and the section's length.
        try check(length, atLeast: 28, atMost: Self.longestOtherBlock)
        let version = try input.take(4)
        guard let major = version.fields({ $0.integer(UInt16.self, bigEndian: isBigEndian) }), version.count == 4
        else { throw .cut(place) }
        if major != 1 { throw .version(format: "pcapng", UInt32(major)) }
        if try !input.skip(Int(length) - 20) { throw .cut(place) }
        try end(length, &input, place)
    }

    private mutating func block(_ type: UInt32, _ input: inout CaptureInput) throws(CaptureFault) -> CapturedPacket?
    {
        let place: CaptureFault.CutPlace = .packet
        let field = try input.take(4)
        if field.count < 4 { throw .cut(place) }
        let length = field.fields { $0.integer(UInt32.self, bigEndian: isBigEndian) } ?? 0
        switch type {
        case BlockType.interface, BlockType.packet, BlockType.simplePacket, BlockType.enhancedPacket:
            try check(length, atLeast: 12, atMost: Self.longestPacketBlock)
            // With the length at the end: what was taken is valid until more is.
            let rest = try input.take(Int(length) - 8)
            if rest.count < length - 8 { throw .cut(place) }
            let body = UnsafeRawBufferPointer(rebasing: rest.dropLast(4))
            try end(length, UnsafeRawBufferPointer(rebasing: rest.suffix(4)))
            switch type {
            case BlockType.interface: try interface(body)
            case BlockType.simplePacket: return try simplePacket(body)
            default: return try packet(body, isObsolete: type == BlockType.packet)
            }
        default:
            try check(length, atLeast: 12, atMost: Self.longestOtherBlock)
            if try !input.skip(Int(length) - 12) { throw .cut(place) }
            try end(length, &input, place)
        }
        return nil
    }

    private func check(_ length: UInt32, atLeast: UInt32, atMost: UInt32) throws(CaptureFault) {
        if length > atMost { throw .length(what: "a block", length: length, limit: atMost) }
        if length < atLeast || length % 4 != 0 {
            throw .inconsistent("a block says that it is \(length) bytes long, which it cannot be")
        }
    }

    private func end(
        _ length: UInt32, _ input: inout CaptureInput, _ place: CaptureFault.CutPlace
    ) throws(CaptureFault) {
        let field = try input.take(4)
        if field.count < 4 { throw .cut(place) }
        try end(length, field)
    }

    private func end(_ length: UInt32, _ field: UnsafeRawBufferPointer) throws(CaptureFault) {
        let again = field.fields { $0.integer(UInt32.self, bigEndian: isBigEndian) } ?? 0
        if again != length {
            throw .inconsistent("a block says that it is \(length) bytes long at its start and \(again) at its end")
        }
    }

    private mutating func interface(_ body: UnsafeRawBufferPointer) throws(CaptureFault) {
        if interfaces.count == Self.mostInterfaces {
            throw .inconsistent("a section has more than \(Self.mostInterfaces) interfaces")
        }
        let big = isBigEndian
        let fields = body.fields { cursor -> (UInt16, UInt32, UInt8?, Int64?)? in
            guard let type = cursor.integer(UInt16.self, bigEndian: big), cursor.take(2) != nil,
                let snapLength = cursor.integer(UInt32.self, bigEndian: big)
            else { return nil }
            var resolution: UInt8?
            var offset: Int64?
            while let code = cursor.integer(UInt16.self, bigEndian: big), code != 0,
                let length = cursor.integer(UInt16.self, bigEndian: big), let value = cursor.take(Int(length))
            {
                // Values are filled up to four bytes; a missing fill ends the options.
                _ = cursor.take(-Int(length) & 3)
                var option = ByteCursor(value)
                if code == 9, length == 1 { resolution = option.byte() }
                if code == 14, length == 8 { offset = option.integer(Int64.self, bigEndian: big) }
            }
            return (type, snapLength, resolution, offset)
        }
        guard let (type, snapLength, resolution, offset) = fields else {
            throw .inconsistent("an interface block is too short")
        }
        var interface = Interface(linkType: try LinkType(number: type), snapLength: snapLength)
        interface.resolution = resolution ?? interface.resolution
        interface.offset = offset ?? interface.offset
        interfaces.append(interface)
    }

    private func packet(_ body: UnsafeRawBufferPointer, isObsolete: Bool) throws(CaptureFault) -> CapturedPacket {
        let big = isBigEndian
        let fields = body.fields { cursor -> (Int, UInt64, UInt32, UInt32, Int)? in
            // The obsolete block has a count of drops in the upper half of the interface's number.
            let number =
                isObsolete
                ? cursor.integer(UInt16.self, bigEndian: big).flatMap { cursor.take(2) == nil ? nil : Int($0) }
                : cursor.integer(UInt32.self, bigEndian: big).map { Int($0) }
            guard let number, let high = cursor.integer(UInt32.self, bigEndian: big),
                let low = cursor.integer(UInt32.self, bigEndian: big),
                let included = cursor.integer(UInt32.self, bigEndian: big),
                let original = cursor.integer(UInt32.self, bigEndian: big)
            else { return nil }
            return (number, UInt64(high) << 32 | UInt64(low), included, original, cursor.position)
        }
        guard let (number, ticks, included, original, start) = fields else {
            throw .inconsistent("a packet block is too short")
        }
        guard number < interfaces.count else {
            throw .inconsistent("a packet is of interface \(number), which the section does not have")
        }
        try checkPacketLength(included)
        guard Int(included) <= body.count - start else {
            throw .inconsistent("a packet of \(included) bytes does not fit its block")
        }
        let interface = interfaces[number]
        let bytes = UnsafeRawBufferPointer(rebasing: body[start..<start + Int(included)])
        return CapturedPacket(
            time: CaptureTime.nanoseconds(
                ticks: ticks, resolution: interface.resolution, offset: interface.offset),
            direction: interface.linkType.direction(of: bytes),
            content: interface.linkType.content(bytes, isCut: included < original))
    }

    private func simplePacket(_ body: UnsafeRawBufferPointer) throws(CaptureFault) -> CapturedPacket {
        guard let original = body.fields({ $0.integer(UInt32.self, bigEndian: isBigEndian) }) else {
            throw .inconsistent("a packet block is too short")
        }
        guard let interface = interfaces.first else {
            throw .inconsistent("a packet is of interface 0, which the section does not have")
        }
        // The block does not say how much of the packet it holds: all, or as much as the interface keeps.
        let included = interface.snapLength == 0 ? original : min(original, interface.snapLength)
        try checkPacketLength(included)
        guard Int(included) <= body.count - 4 else {
            throw .inconsistent("a packet of \(included) bytes does not fit its block")
        }
        let bytes = UnsafeRawBufferPointer(rebasing: body[4..<4 + Int(included)])
        return CapturedPacket(
            time: nil, direction: interface.linkType.direction(of: bytes),
            content: interface.linkType.content(bytes, isCut: included < original))
    }
}
