internal import CBluetooth

/// What kind of packet follows an H4 type byte (Core Spec Vol 4 Part A 2).
public enum H4Kind: UInt8, Sendable {
    /// HCI_COMMAND_PKT
    case command = 1
    /// HCI_ACLDATA_PKT
    case acl = 2
    /// HCI_SCODATA_PKT
    case sco = 3
    /// HCI_EVENT_PKT
    case event = 4
    /// HCI_ISODATA_PKT
    case iso = 5

    /// How long the header after the type byte is, its length field included.
    fileprivate var headerLength: Int {
        switch self {
        case .command: Int(HCI_COMMAND_HDR_SIZE)
        case .acl: Int(HCI_ACL_HDR_SIZE)
        case .sco: Int(HCI_SCO_HDR_SIZE)
        case .event: Int(HCI_EVENT_HDR_SIZE)
        case .iso: 4
        }
    }

    /// How much follows a complete header.
    fileprivate func payloadLength(_ header: UnsafeRawBufferPointer) -> Int {
        switch self {
        case .command, .sco: Int(header[2])
        case .event: Int(header[1])
        case .acl: Int(header[2]) | Int(header[3]) << 8
        // The upper two bits of ISO's length are reserved (Core Spec Vol 4 Part E 5.4.5).
        case .iso: Int(header[2]) | Int(header[3] & 0x3F) << 8
        }
    }
}

/// Who is at the other end of a byte stream; commands come from hosts only, events from controllers only.
public enum H4Peer: Sendable {
    /// Sends events.
    case controller
    /// Sends commands.
    case host

    fileprivate func sends(_ kind: H4Kind) -> Bool {
        switch kind {
        case .command: self == .host
        case .event: self == .controller
        case .acl, .sco, .iso: true
        }
    }
}

/// Cuts a byte stream into packets, in place, in one buffer of fixed size.
///
/// A byte that starts no packet means that framing is lost: nothing after it can be trusted, so it is counted and
/// everything is skipped until the one thing by which both ends agree again (Core Spec Vol 4 Part A 4): from a
/// controller the Command Complete event for Reset, from a host the Reset command.
public struct H4Framer: ~Copyable {
    /// The longest packet that H4 can describe, ACL data of 65,535 bytes: so a full buffer always holds a packet.
    public static let capacity = 1 + 4 + 65_535

    private let peer: H4Peer
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    /// Whether packets are being looked for.
    public private(set) var isLost = false
    /// How often framing was lost.
    public private(set) var losses: UInt64 = 0
    /// How many bytes were skipped while it was lost.
    public private(set) var skippedBytes: UInt64 = 0

    /// An empty framer for what `peer` sends.
    public init(from peer: H4Peer) {
        self.peer = peer
        buffer = .allocate(byteCount: H4Framer.capacity, alignment: 1)
    }

    deinit { buffer.deallocate() }

    /// Lets `read` put bytes into the free part of the buffer, which is never empty; returns what `read` says.
    public mutating func fill<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int?
    ) throws(Failure) -> Int? {
        let count = try read(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        filled += count ?? 0
        return count
    }

    /// Gives each complete packet to `body`, without its type byte; the bytes are valid during the call only.
    public mutating func drain(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while start < filled {
            if isLost {
                start = resynchronise(from: start)
                if isLost { break }
            }
            guard let kind = H4Kind(rawValue: buffer[start]), peer.sends(kind) else {
                isLost = true
                losses += 1
                continue
            }
            let header = start + 1
            guard filled >= header + kind.headerLength else { break }
            let payload = header + kind.headerLength
            let end = payload + kind.payloadLength(UnsafeRawBufferPointer(rebasing: buffer[header..<payload]))
            guard filled >= end else { break }
            body(kind, UnsafeRawBufferPointer(rebasing: buffer[header..<end]))
            start = end
        }
        if start > 0 {
            if start < filled {
                UnsafeMutableRawBufferPointer(rebasing: buffer[..<(filled - start)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<filled]))
            }
            filled -= start
        }
    }

    /// Skips to the agreed packet; stays lost, with the last few bytes kept, where it is not there yet.
    private mutating func resynchronise(from start: Int) -> Int {
        var at = start
        while at + landmarkLength <= filled {
            if isLandmark(at) {
                isLost = false
                break
            }
            at += 1
        }
        skippedBytes += UInt64(at - start)
        return at
    }

    private var landmarkLength: Int {
        switch peer {
        case .controller: 7
        case .host: 4
        }
    }

    private func isLandmark(_ at: Int) -> Bool {
        let low = UInt8(truncatingIfNeeded: Opcode.reset.rawValue)
        let high = UInt8(Opcode.reset.rawValue >> 8)
        switch peer {
        case .controller:
            // 04 0e 04 nn 03 0c 00: nn commands may follow; a Reset that failed is no landmark.
            return buffer[at] == H4Kind.event.rawValue && Int32(buffer[at + 1]) == EVT_CMD_COMPLETE
                && buffer[at + 2] == 4 && buffer[at + 4] == low && buffer[at + 5] == high && buffer[at + 6] == 0
        case .host:
            // 01 03 0c 00
            return buffer[at] == H4Kind.command.rawValue && buffer[at + 1] == low && buffer[at + 2] == high
                && buffer[at + 3] == 0
        }
    }
}
