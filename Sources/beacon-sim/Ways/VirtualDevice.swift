import Glibc
import HCI
import System

/// An adapter of this machine's kernel that is made of nothing but this program. drivers/bluetooth/hci_vhci.c
///
/// Each read and each write of `/dev/vhci` is one packet. The kernel takes what it is given at once, or refuses it
/// while the adapter is switched off, so nothing ever waits here.
final class VirtualDevice: HostWay {
    static let path = "/dev/vhci"
    /// The longest packet there is, with its type byte: ACL data. HCI_MAX_FRAME_SIZE is less.
    private static let longestPacket = H4Framer.capacity
    /// How many packets are read in a row; the rest of the loop wants its turn.
    private static let readsPerTurn = 64
    /// A vendor packet to the driver: make an adapter. HCI_VENDOR_PKT, and HCI_PRIMARY with no quirks.
    private static let create: [UInt8] = [0xFF, 0x00]

    private let device: Descriptor
    private let buffer: UnsafeMutableRawBufferPointer
    /// What came before the kernel said which number the adapter has.
    private var early: [[UInt8]] = []
    /// The N of hciN.
    let number: UInt16
    private(set) var bytesWritten: UInt64 = 0
    private var failure: SystemError?

    var descriptor: Int32 { device.number }
    var interest: Readiness { .readable }
    let bytesQueued = 0
    /// Packets arrive whole.
    let framingLosses: UInt64 = 0

    /// Makes an adapter. It is gone as soon as this is let go of.
    static func make() throws(SystemError) -> VirtualDevice {
        let action = "make an adapter with \(path)"
        // Not Descriptor.open: where there is no such device it would make a file of that name.
        let number = open(path, O_RDWR | O_NONBLOCK)
        if number < 0 { throw SystemError(code: errno, action: action) }
        let device = Descriptor(owning: number)
        _ = try create.withUnsafeResult { (bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? in
            try device.write(bytes)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: longestPacket, alignment: 1)
        var early: [[UInt8]] = []
        // The driver has put its answer in line before the write returned; on a machine with several processors the
        // kernel's first command may stand before it.
        do throws(SystemError) {
            while let count = try device.read(into: buffer) {
                let packet = Array(buffer.prefix(count))
                if packet.count == 4, packet[0] == create[0] {
                    let index = UInt16(packet[2]) | UInt16(packet[3]) << 8
                    return VirtualDevice(device, buffer, number: index, early: early)
                }
                early.append(packet)
            }
        } catch {
            buffer.deallocate()
            throw error
        }
        buffer.deallocate()
        throw SystemError(code: EPROTO, action: action)
    }

    private init(
        _ device: consuming Descriptor, _ buffer: UnsafeMutableRawBufferPointer, number: UInt16, early: [[UInt8]]
    ) {
        self.device = device
        self.buffer = buffer
        self.number = number
        self.early = early
    }

    deinit { buffer.deallocate() }

    func report(_ packet: [UInt8]) -> Bool { write(packet) }

    /// An adapter that is switched off needs no answers.
    func answer(_ packet: [UInt8]) -> Bool {
        _ = write(packet)
        return true
    }

    private func write(_ packet: [UInt8]) -> Bool {
        do throws(SystemError) {
            let taken = try packet.withUnsafeResult { (bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? in
                try device.write(bytes)
            }
            guard taken == packet.count else { return false }
            bytesWritten += UInt64(packet.count)
            return true
        } catch {
            // hci_recv_frame() says so while the adapter is neither up nor being initialised.
            if error.code != ENXIO { failure = error }
            return false
        }
    }

    func flush() throws(TransportFailure) {
        if let failure { throw .system(failure) }
    }

    func writable() throws(TransportFailure) {}

    func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure) {
        for packet in early { packet.withUnsafeBytes { give($0, body) } }
        early.removeAll()
        for _ in 0..<VirtualDevice.readsPerTurn {
            let count: Int?
            do {
                count = try device.read(into: buffer)
            } catch {
                throw .system(error)
            }
            guard let count else { return }
            if count == 0 { throw .ended }
            give(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), body)
        }
    }

    private func give(_ packet: UnsafeRawBufferPointer, _ body: (H4Kind, UnsafeRawBufferPointer) -> Void) {
        guard let type = packet.first, let kind = H4Kind(rawValue: type) else { return }
        body(kind, UnsafeRawBufferPointer(rebasing: packet[1...]))
    }
}

extension [UInt8] {
    /// A Result, because the library's `withUnsafeBytes` rethrows without the type.
    fileprivate func withUnsafeResult<Value>(
        _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
        let outcome = withUnsafeBytes { bytes -> Result<Value, SystemError> in
            do throws(SystemError) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
