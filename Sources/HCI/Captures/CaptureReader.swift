public import System

/// Reads the packets of a capture one by one, of any format and length, in bounded memory.
///
/// The format is found out from the first bytes. An error is given again at each further call.
public struct CaptureReader {
    private var input: CaptureInput
    private var format: (any CaptureFormat)?
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
    public mutating func next() throws(CaptureError) -> CapturedItem? {
        if let failure { throw failure }
        do throws(CaptureFault) {
            guard let packet = try nextPacket() else { return nil }
            packets += 1
            time = packet.time ?? time
            return CapturedItem(time: time, direction: packet.direction, content: packet.content)
        } catch {
            let isAtEnd =
                switch error {
                case .cut, .unreadable: true
                default: false
                }
            let failure = CaptureError(
                reason: error, offset: isAtEnd ? input.offset : input.recordStart, packets: packets)
            self.failure = failure
            throw failure
        }
    }

    private mutating func nextPacket() throws(CaptureFault) -> CapturedPacket? {
        if format == nil { format = try openFormat() }
        return try format?.next(&input)
    }

    private mutating func openFormat() throws(CaptureFault) -> any CaptureFormat {
        // The shortest first bytes that tell the formats apart are four, btsnoop has eight.
        var start = try input.take(4)
        if start.isEmpty { throw .empty }
        if Pcapng.magic == start { return Pcapng() }
        if let pcap = Pcap.Order(magic: start) { return try Pcap(pcap, &input) }
        if Btsnoop.magic.starts(with: start) && start.count == 4 {
            start += try input.take(4)
            if Btsnoop.magic == start { return try Btsnoop(&input) }
        }
        let isBeginning = ([Pcapng.magic, Btsnoop.magic] + Pcap.Order.magics).contains { $0.starts(with: start) }
        if isBeginning { throw .cut(.header) }
        throw .notACapture(start: start + (try input.take(8 - start.count)))
    }
}

/// A packet as a file holds it.
struct CapturedPacket {
    /// Nanoseconds since 1970; nil where the file does not say.
    var time: Int64?
    var direction: CaptureDirection
    var content: CapturedContent
}

/// What gives the packets of one file format, after the bytes by which the format was known.
protocol CaptureFormat {
    mutating func next(_ input: inout CaptureInput) throws(CaptureFault) -> CapturedPacket?
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
