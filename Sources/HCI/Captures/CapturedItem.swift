/// One packet of a capture, in the form in which the rest of the program wants it; `Bytes` are its own, or borrowed.
public struct CapturedItem<Bytes> {
    /// When it was captured, nanoseconds since 1970-01-01 UTC. Where the file does not say (pcapng Simple Packet
    /// Block) it is the time of the packet before.
    public var time: Int64
    /// Which way it went.
    public var direction: CaptureDirection
    /// What it is.
    public var content: CapturedContent<Bytes>

    /// Makes an item.
    public init(time: Int64, direction: CaptureDirection, content: CapturedContent<Bytes>) {
        self.time = time
        self.direction = direction
        self.content = content
    }
}

/// Which way a captured packet went.
public enum CaptureDirection: Sendable {
    /// From the controller to the host, or from the air to a sniffer.
    case received
    /// From the host to the controller.
    case sent
}

/// What a captured packet is.
public enum CapturedContent<Bytes> {
    /// An HCI event, from its event code on.
    case hciEvent(Bytes)
    /// An HCI command, from its opcode on.
    case hciCommand(Bytes)
    /// HCI data, and what a monitor says beside the packets.
    case hciOther
    /// An advert or scan response from the air, its checksum right, with its data.
    case linkLayerAdvert(AdvertisingReport, Bytes)
    /// Something else from the air: requests, connections, parts of chained adverts.
    case linkLayerOther
    /// A packet from the air whose checksum is wrong: not an advert, whatever it looks like.
    case crcRefused
    /// A packet that nothing can be said about.
    case skipped(CaptureSkip)
}

extension CapturedItem: Equatable where Bytes: Equatable {}
extension CapturedItem: Sendable where Bytes: Sendable {}
extension CapturedContent: Equatable where Bytes: Equatable {}
extension CapturedContent: Sendable where Bytes: Sendable {}

extension CapturedContent<UnsafeRawBufferPointer> {
    /// The same with bytes of its own, which last.
    var copied: CapturedContent<[UInt8]> {
        switch self {
        case .hciEvent(let bytes): .hciEvent(Array(bytes))
        case .hciCommand(let bytes): .hciCommand(Array(bytes))
        case .hciOther: .hciOther
        case .linkLayerAdvert(let report, let data): .linkLayerAdvert(report, Array(data))
        case .linkLayerOther: .linkLayerOther
        case .crcRefused: .crcRefused
        case .skipped(let reason): .skipped(reason)
        }
    }
}

/// Why a captured packet was passed over.
public enum CaptureSkip: Equatable, Sendable, CustomStringConvertible {
    /// The capture holds only the beginning of the packet.
    case cutByCapture
    /// It is shorter than the header that it must have.
    case tooShort
    /// Its H4 packet type is none of 1…5.
    case unknownPacketType(UInt8)
    /// Its sniffer header is of a version that is not known.
    case unknownSnifferHeader(UInt8)
    /// Its bits are as they were on the air, still whitened.
    case whitened

    /// The reason in words.
    public var description: String {
        switch self {
        case .cutByCapture: "cut by the capturing program"
        case .tooShort: "shorter than its header"
        case .unknownPacketType(let type): "unknown packet type \(type)"
        case .unknownSnifferHeader(let version): "unknown sniffer header version \(version)"
        case .whitened: "still whitened"
        }
    }
}
