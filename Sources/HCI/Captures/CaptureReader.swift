public import System

/// Reads the packets of a capture one by one, of any format and length, in bounded memory.
///
/// The format is found out from the first bytes, and whether it is gzip-compressed. An error is given again at each further
/// call. Not to be copied, for two readers would take turns at one source.
public struct CaptureReader: ~Copyable {
    private var input: CaptureInput
    private var format = Format.unknown
    private var isUnpacked = false
    private var failure: CaptureError?
    private var time: Int64 = 0
    /// How many packets were read so far, of any kind.
    public private(set) var packets = 0

    /// The longest packet that is believed; HCI's are 64 KiB and some bytes at most.
    public static let longestPacket = 256 * 1024

    /// Reads from a source that fills a buffer as far as it can and returns 0 at the end, as read(2) does.
    public init(read: @escaping (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int) {
        input = CaptureInput(read)
    }

    /// Reads a file.
    public init(path: String) throws(SystemError) {
        let file = CaptureFile(try Descriptor.open(path, .read), path)
        self.init { (room) throws(SystemError) in try file.read(into: room) }
    }

    /// Reads bytes that are all there.
    public init(_ bytes: [UInt8]) {
        var done = 0
        self.init { room in
            let n = min(room.count, bytes.count - done)
            room.copyBytes(from: bytes[done..<done + n])
            done += n
            return n
        }
    }

    /// The next packet; nil at the end of a whole capture.
    public mutating func next() throws(CaptureError) -> CapturedItem<[UInt8]>? {
        guard let item = try borrowed() else { return nil }
        return CapturedItem(time: item.time, direction: item.direction, content: item.content.copied)
    }

    /// Calls `body` with the next packet; false at the end of a whole capture.
    ///
    /// The packet's bytes are valid during the call only. Allocates nothing, for packets of less than 64 KiB.
    public mutating func next(
        _ body: (CapturedItem<UnsafeRawBufferPointer>) -> Void
    ) throws(CaptureError) -> Bool {
        guard let item = try borrowed() else { return false }
        body(item)
        return true
    }

    /// The next packet, its bytes where the input has them.
    ///
    /// Inlined with what it calls: a packet is a large value, and handing it up from call to call took a quarter of the
    /// time of decoding.
    @inline(__always)
    private mutating func borrowed() throws(CaptureError) -> CapturedItem<UnsafeRawBufferPointer>? {
        if let failure { throw failure }
        do throws(CaptureFault) {
            guard let packet = try nextPacket() else { return nil }
            packets += 1
            time = packet.time ?? time
            return CapturedItem(time: time, direction: packet.direction, content: packet.content)
        } catch {
            var isUnpacked = isUnpacked
            let offset: Int
            switch error {
            case .cut, .unreadable: offset = input.offset
            case .gzip(let fault): (offset, isUnpacked) = (fault.offset, false)
            default: offset = input.recordStart
            }
            let failure = CaptureError(reason: error, offset: offset, packets: packets, isUnpacked: isUnpacked)
            self.failure = failure
            throw failure
        }
    }

    @inline(__always)
    private mutating func nextPacket() throws(CaptureFault) -> CapturedPacket? {
        if case .unknown = format { format = try openFormat() }
        switch format {
        case .unknown: return nil
        case .btsnoop(let file): return try file.next(&input)
        case .pcap(let file): return try file.next(&input)
        case .pcapng(var file):
            defer { format = .pcapng(file) }
            return try file.next(&input)
        }
    }

    private mutating func openFormat() throws(CaptureFault) -> Format {
        if try input.peek(GzipStream.magic.count).elementsEqual(GzipStream.magic) {
            input = try CaptureInput(unpacking: input)
            isUnpacked = true
        }
        // The shortest first bytes that tell the formats apart are four, btsnoop has eight.
        var start = Array(try input.take(4))
        if start.isEmpty { throw .empty }
        if Pcapng.magic == start { return .pcapng(Pcapng()) }
        if let pcap = Pcap.Order(magic: start) { return .pcap(try Pcap(pcap, &input)) }
        if Btsnoop.magic.starts(with: start) && start.count == 4 {
            start += try input.take(4)
            if Btsnoop.magic == start { return .btsnoop(try Btsnoop(&input)) }
        }
        let magics = [Pcapng.magic, Btsnoop.magic] + Pcap.Order.magics + (isUnpacked ? [] : [GzipStream.magic])
        let isBeginning = magics.contains { $0.starts(with: start) }
        if isBeginning { throw .cut(.header) }
        throw .notACapture(start: start + (try input.take(8 - start.count)))
    }
}

/// A packet as a file holds it.
struct CapturedPacket {
    /// Nanoseconds since 1970; nil where the file does not say.
    var time: Int64?
    var direction: CaptureDirection
    /// Its bytes are those of the input, until more is taken from that.
    var content: BorrowedContent
}

/// What a packet is while it lies in the input.
typealias BorrowedContent = CapturedContent<UnsafeRawBufferPointer>

/// What gives the packets of one file format, after the bytes by which the format was known. An enumeration: a protocol's
/// value would be copied for each packet.
private enum Format {
    case unknown
    case btsnoop(Btsnoop)
    case pcap(Pcap)
    case pcapng(Pcapng)
}

/// An open file that a closure can keep.
private final class CaptureFile {
    private let descriptor: Descriptor
    private let path: String

    init(_ descriptor: consuming Descriptor, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        do throws(SystemError) {
            return try descriptor.read(into: room) ?? 0
        } catch {
            throw SystemError(code: error.code, action: "read \(path)")
        }
    }
}
