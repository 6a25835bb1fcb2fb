internal import Glibc
internal import HCI
internal import System

/// A btsnoop file that is being written, up to a size.
final class CaptureFile {
    /// As much is gathered before it is written.
    private static let chunk = 64 * 1024

    /// Packets and bytes so far, the file's header among them.
    private(set) var packets: UInt64 = 0
    private(set) var size: Int
    /// Whether the next packet did not fit.
    private(set) var isFull = false
    private let limit: Int
    private let file: Descriptor
    private var pending = BtsnoopWriter.header
    private var packet: [UInt8] = []

    /// Opens a file for at most `limit` bytes; one that is there is refused unless it is to be replaced.
    init(path: String, replacing: Bool, limit: Int) throws(SystemError) {
        file = try Descriptor.open(path, replacing ? .replace : .create)
        self.limit = limit
        size = BtsnoopWriter.header.count
    }

    /// Takes standard output.
    init(standardOutputUpTo limit: Int) throws(SystemError) {
        // A second number for it, because a descriptor has one owner and this one belongs to the process.
        let number = dup(1)
        if number < 0 { throw SystemError(code: errno, action: "open standard output") }
        file = Descriptor(owning: number)
        self.limit = limit
        size = BtsnoopWriter.header.count
    }

    /// Adds a packet without its type byte, captured so many nanoseconds after 1970.
    func append(_ kind: H4Kind, _ bytes: UnsafeRawBufferPointer, _ direction: CaptureDirection, time: Int64) {
        packet.removeAll(keepingCapacity: true)
        packet.append(kind.rawValue)
        packet.append(contentsOf: bytes)
        let before = pending.count
        BtsnoopWriter.append(packet, direction: direction, time: time, to: &pending)
        let length = pending.count - before
        guard !isFull, size + length <= limit else {
            isFull = true
            pending.removeLast(length)
            return
        }
        size += length
        packets += 1
    }

    /// Writes what was gathered, if that is much or `everything` is asked for.
    func flush(everything: Bool) throws(SystemError) {
        guard everything ? !pending.isEmpty : pending.count >= Self.chunk else { return }
        try file.writeAll(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
