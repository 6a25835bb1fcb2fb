/// The payload of an advert: a row of structures, each a length, a type and a value. Core Spec Vol 3, Part C, 11.
public enum AdvertisingData {
    /// The most bytes that a legacy advert holds; more need extended advertising.
    public static let legacyCapacity = 31

    /// Calls `body` with the type and the value of each structure, in order.
    ///
    /// A zero length ends the row, whatever follows it: the specification calls the rest padding. So does a last
    /// byte alone: it is a length without even a type, which is how captures show a byte of the packet around the
    /// advert, such as the RSSI. A structure that claims more bytes than there are is not passed on and ends the row,
    /// since nothing says where a next one would begin.
    @inline(__always)
    public static func forEachStructure(
        _ bytes: UnsafeRawBufferPointer, _ body: (_ type: UInt8, _ value: UnsafeRawBufferPointer) -> Void
    ) -> Malformed {
        var offset = 0
        while offset + 1 < bytes.count {
            let length = Int(bytes[offset])
            if length == 0 { break }
            let end = offset + 1 + length
            if end > bytes.count { return .overrun }
            body(bytes[offset + 1], UnsafeRawBufferPointer(rebasing: bytes[(offset + 2)..<end]))
            offset = end
        }
        return []
    }

    /// Calls `body` with each beacon frame of an advert, in order, and tells what was malformed.
    ///
    /// Takes any bytes. A structure that is malformed costs itself; what comes before and after it is kept as far as
    /// it can be found. Allocates nothing, save for a URL or a tail of more than 24 bytes.
    public static func decode(_ bytes: UnsafeRawBufferPointer, _ body: (Frame) -> Void) -> Malformed {
        forEachFrame(bytes, body)
    }

    /// Calls `body` with identity and power at one metre, in dBm, of each frame of an advert that has both, in order,
    /// and tells what was malformed.
    ///
    /// What `decode` finds, for those who hear thousands of adverts a second: the frames are never put together. Only
    /// telemetry, which has no identity and is rare, is passed on as it is.
    public static func decodeIdentities(
        _ bytes: UnsafeRawBufferPointer, telemetry: (EddystoneTLM) -> Void = { _ in },
        _ body: (_ identity: BeaconIdentity, _ powerAtOneMetre: Int) -> Void
    ) -> Malformed {
        forEachFrame(bytes) { frame in
            if let identity = frame.identity, let power = frame.powerAtOneMetre {
                body(identity, power)
            } else if case .eddystoneTLM(let frame) = frame {
                telemetry(frame)
            }
        }
    }

    /// Inlined, so that what a caller does not look at is not read.
    @inline(__always)
    private static func forEachFrame(_ bytes: UnsafeRawBufferPointer, _ body: (Frame) -> Void) -> Malformed {
        var reserved = Malformed()
        let overrun = forEachStructure(bytes) { type, value in
            switch type {
            case StructureType.manufacturerData:
                if let beacon = IBeacon(manufacturerData: value) {
                    body(.ibeacon(beacon))
                } else if let beacon = AltBeacon(manufacturerData: value) {
                    body(.altbeacon(beacon))
                }
            case StructureType.serviceData16 where Eddystone.isServiceData(value):
                switch Eddystone.read(UnsafeRawBufferPointer(rebasing: value[Eddystone.uuidLength...])) {
                case .frame(let frame): body(frame)
                case .reservedURLCode: reserved.insert(.reservedURLCode)
                case .unknown: break
                }
            default: break
            }
        }
        return reserved.union(overrun)
    }

    /// The beacon frames of an advert, in order, and what was malformed.
    public static func decode(_ bytes: [UInt8]) -> (frames: [Frame], malformed: Malformed) {
        var frames: [Frame] = []
        let malformed = bytes.withUnsafeBytes { decode($0) { frames.append($0) } }
        return (frames, malformed)
    }

    /// A whole advert of these frames: flags, the Eddystone service if one of the frames is of it, and the frames.
    ///
    /// One frame always fits a legacy advert, unless it was decoded with more bytes than its format has. The flags are
    /// 06, LE General Discoverable and no BR/EDR: a non-connectable advert needs none, yet Apple's Proximity Beacon
    /// layout has these, and passive filters of other stacks match on them.
    public static func encode(_ frames: [Frame]) -> [UInt8] {
        var bytes: [UInt8] = [2, StructureType.flags, 0x06]
        if frames.contains(where: \.isEddystone) {
            bytes += [3, StructureType.completeServices16] + Eddystone.uuid
        }
        for frame in frames { bytes += frame.structure }
        return bytes
    }

    /// One structure. The value must not be longer than the 254 bytes that one length byte can count with the type.
    static func structure(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        [UInt8(value.count + 1), type] + value
    }
}

/// The types of structures used here. Bluetooth Assigned Numbers, 2.3.
enum StructureType {
    static let flags: UInt8 = 0x01
    static let completeServices16: UInt8 = 0x03
    static let serviceData16: UInt8 = 0x16
    static let manufacturerData: UInt8 = 0xFF
}
