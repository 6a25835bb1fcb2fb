public import System

/// Why a capture cannot be read, or not further. What came before was delivered.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let reason: CaptureFault
    /// Where in the file: its end if it was cut, else the start of the record that is wrong, or the place in its gzip data
    /// that is wrong.
    public let offset: Int
    /// Whether `offset` is a place in what the file unpacks to, and not in the file.
    public let isUnpacked: Bool
    /// How many packets were read before.
    public let packets: Int

    /// Makes an error.
    public init(reason: CaptureFault, offset: Int, packets: Int, isUnpacked: Bool = false) {
        self.reason = reason
        self.offset = offset
        self.packets = packets
        self.isUnpacked = isUnpacked
    }

    /// One sentence, without the name of the file.
    public var description: String {
        switch reason {
        case .unreadable(let error):
            error.description
        case .empty:
            isUnpacked ? "the file unpacks to nothing" : "the file is empty"
        case .notACapture(let start):
            "not a capture: \(isUnpacked ? "what it unpacks to" : "it") starts with \(Self.shown(start)); "
                + "btsnoop, pcap and pcapng are known, also gzip-compressed once"
        case .version(let format, let version):
            "\(format) version \(version) is not known"
        case .linkType(let type):
            "packets of \(type) are not read; known are btsnoop 1002 (HCI H4) and 2001 (Linux monitor), "
                + "pcap 187 and 201 (HCI H4), 251 and 256 (Bluetooth LE) and 272 (nRF sniffer)"
        case .cut(.header):
            "cut inside the file header, \(place)"
        case .cut(.packet):
            "cut after \(count), \(place)"
        case .length(let what, let length, let limit):
            "\(what) \(place) says that it is \(length) bytes long; \(limit) is the most (\(count) read before it)"
        case .inconsistent(let what):
            "\(what), \(place) (\(count) read before it)"
        case .gzip(let fault):
            "\(fault.kind) at byte \(offset) (\(count) read before it)"
        }
    }

    private var place: String { "at byte \(offset)" + (isUnpacked ? " of what the file unpacks to" : "") }

    private var count: String { "\(packets) packet\(packets == 1 ? "" : "s")" }

    private static func shown(_ bytes: [UInt8]) -> String {
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        let isText = bytes.allSatisfy { (0x20...0x7E).contains($0) }
        return isText ? "\(hex) (\"\(String(decoding: bytes, as: UTF8.self))\")" : hex
    }
}

/// The kinds of wrong that a capture can be.
public enum CaptureFault: Error, Equatable, Sendable {
    /// The system did not give the bytes.
    case unreadable(SystemError)
    /// There is not a single byte.
    case empty
    /// It begins as no known format does.
    case notACapture(start: [UInt8])
    /// The format is known, this version of it is not.
    case version(format: String, UInt32)
    /// The packets are of a type that is not read; its number and name.
    case linkType(String)
    /// The file ends where it should not.
    case cut(CutPlace)
    /// A length is beyond what such a thing can have.
    case length(what: String, length: UInt32, limit: UInt32)
    /// Parts of the file contradict each other.
    case inconsistent(String)
    /// What the file is compressed with is wrong.
    case gzip(GzipFault)

    /// Where a file was cut.
    public enum CutPlace: Equatable, Sendable {
        /// Before the first packet could begin.
        case header
        /// In a packet or what goes with it.
        case packet
    }
}
