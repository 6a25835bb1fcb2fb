internal import CBluetooth
internal import Glibc
public import System

/// HCI packets through a socket of the kernel's that is bound to an adapter, for one thread and somebody else's `Poller`.
///
/// Reading allocates nothing. What the kernel had no room for it counts, and only there: an HCI socket never delivers
/// SO_RXQ_OVFL, and `recv` reports nothing.
public final class KernelTransport: ControllerTransport {
    /// How many bytes may wait to be read; the kernel counts about 800 for an advert. The default of 212,992 lost more
    /// than half of a flood, this one holds 20,000 adverts at once and some more.
    public static let receiveBuffer: Int32 = 32 * 1024 * 1024
    /// The longest packet that is read, type byte included: an event or a command. Data of connections, which nobody here
    /// makes, may be longer and is skipped.
    static let longestPacket = 1 + Int(HCI_COMMAND_HDR_SIZE) + 255
    /// How many times in a row `readable` reads `PacketBatch.count` packets; then the rest of the loop wants its turn.
    private static let readsPerTurn = 16

    private let socket: Descriptor
    private let batch: PacketBatch
    /// The kernel's counter of drops as it was last read; it goes round.
    private var drops: UInt32
    /// What the kernel had no room for.
    public private(set) var losses = TransportLosses()

    /// Takes over a socket that carries a packet at a time, H4 type byte first.
    public init(bound socket: consuming Descriptor) throws(SystemError) {
        // Before any property has a value: Swift 6.0 crashes over a throw that would have to take some back.
        let drops = try socket.droppedPackets()
        self.drops = drops
        batch = PacketBatch(longest: KernelTransport.longestPacket)
        self.socket = socket
    }

    /// The number to register with a `Poller`.
    public var descriptor: Int32 { socket.number }

    /// What to watch for: commands are taken at once.
    public var interest: Readiness { .readable }

    /// Whether the controller can be talked to: from the beginning.
    public var isConnected: Bool { true }

    /// Sends a command, H4 type byte first; false when the kernel has no room.
    public func send(_ packet: [UInt8]) throws(TransportFailure) -> Bool {
        // A Result, because the library's `withUnsafeBytes` rethrows without the type.
        let outcome = packet.withUnsafeBytes { bytes -> Result<Int?, SystemError> in
            do throws(SystemError) {
                return .success(try socket.write(bytes))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        // Whatever the number: a packet goes whole or not at all.
        case .success(let count): return count != nil
        case .failure(let error): throw KernelTransport.failure(error)
        }
    }

    /// Nothing waits to be written.
    public func writable() {}

    /// The poller says that there is something to read; see `ControllerTransport`.
    public func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure) {
        var hasEnded = false
        do throws(SystemError) {
            for _ in 0..<KernelTransport.readsPerTurn {
                let count = try batch.receive(from: socket) { packet in
                    guard !packet.isEmpty else {
                        hasEnded = true
                        return
                    }
                    guard let kind = H4Kind(rawValue: packet[0]) else { return }
                    body(kind, UnsafeRawBufferPointer(rebasing: packet[1...]))
                }
                if count < PacketBatch.count { break }
            }
            // After each turn: packets are dropped while others wait to be read, so that there is one more turn after
            // the last drop.
            let drops = try socket.droppedPackets()
            losses.packets += UInt64(drops &- self.drops)
            self.drops = drops
        } catch {
            throw KernelTransport.failure(error)
        }
        if hasEnded { throw .ended }
    }

    /// EPIPE comes once, to whoever reads or writes first after the adapter went; EBADFD is what follows (hci_sock.c).
    private static func failure(_ error: SystemError) -> TransportFailure {
        switch error.code {
        case EPIPE, ENODEV, EBADFD: .unplugged
        case ENETDOWN: .poweredDown
        default: .system(error)
        }
    }
}
