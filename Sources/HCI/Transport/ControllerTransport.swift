public import System

/// The way to one controller, whatever it is made of, for one thread and somebody else's `Poller`.
///
/// The owner registers `descriptor` for `interest`, calls `readable` and `writable` as the poller says, and looks at
/// `interest` again afterwards. When a call throws, the way is over: let go of this and make another one.
public protocol ControllerTransport: AnyObject {
    /// The number to register with a `Poller`.
    var descriptor: Int32 { get }
    /// What to watch for.
    var interest: Readiness { get }
    /// Whether the controller can be talked to; a TCP connection stands at the first `writable`.
    var isConnected: Bool { get }
    /// What was lost on the way from the controller so far.
    var losses: TransportLosses { get }

    /// Sends a command, H4 type byte first, or puts it in line; false when there is no room.
    func send(_ packet: [UInt8]) throws(TransportFailure) -> Bool
    /// The poller says that there is room to write, or that a connection has come about.
    func writable() throws(TransportFailure)
    /// The poller says that there is something to read: gives each packet, without its type byte, to `body`, which may
    /// `send`. The bytes are valid during the call only. Commands are those of other programs at the same controller.
    func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure)
}

/// What was lost on the way from a controller, as totals. After any loss no answer can be waited for any more.
public struct TransportLosses: Equatable, Sendable {
    /// How often the bytes of a stream made no sense.
    public var framing: UInt64
    /// Packets for which the kernel had no room.
    public var packets: UInt64

    /// Makes totals; what is not given is 0.
    public init(framing: UInt64 = 0, packets: UInt64 = 0) {
        self.framing = framing
        self.packets = packets
    }
}

/// Why the way to a controller is over.
public enum TransportFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The other end closed it.
    case ended
    /// The kernel's adapter is gone. EPIPE, ENODEV
    case unplugged
    /// The kernel's adapter was powered down by another program. ENETDOWN
    case poweredDown
    /// The kernel refused.
    case system(SystemError)

    /// A sentence without a full stop.
    public var description: String {
        switch self {
        case .ended: "the other end closed the connection"
        case .unplugged: "it was unplugged, or taken from its driver"
        case .poweredDown: "another program powered it down"
        case .system(let error): error.description
        }
    }
}
