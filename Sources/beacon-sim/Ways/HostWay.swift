import HCI
import System

/// The way to one host, whatever it is made of; for one thread and somebody else's `Poller`.
protocol HostWay: AnyObject {
    /// The number to register with a `Poller`.
    var descriptor: Int32 { get }
    /// What to watch for.
    var interest: Readiness { get }
    /// How many bytes the way has taken so far.
    var bytesWritten: UInt64 { get }
    /// How many bytes wait for it.
    var bytesQueued: Int { get }
    /// How often the bytes of the host made no sense.
    var framingLosses: UInt64 { get }

    /// Puts a report in line, H4 type byte first; false when the way has no room for it, and it is lost.
    func report(_ packet: [UInt8]) -> Bool
    /// Puts an answer in line; false when there is no room and so no use in this host.
    func answer(_ packet: [UInt8]) -> Bool
    /// Sends what can be sent.
    func flush() throws(TransportFailure)
    /// The poller says that there is room to write.
    func writable() throws(TransportFailure)
    /// The poller says that there is something to read: gives each packet, without its type byte, to `body`.
    func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure)
}

/// Where hosts come from.
enum HostSource: Equatable, CustomStringConvertible {
    /// They connect to a socket.
    case socket(StreamAddress)
    /// There is one, at a pseudo terminal to which a link of that name leads.
    case terminal(String)
    /// They are adapters of this machine's kernel, so many of them.
    case devices(Int)

    var description: String {
        switch self {
        case .socket(let address): "listening on \(address)"
        case .terminal(let link): "listening on pty:\(link)"
        case .devices(let count): "\(count) \(count == 1 ? "adapter" : "adapters") of this machine"
        }
    }
}

/// A byte stream that speaks H4.
class StreamWay: HostWay {
    /// Up to where adverts fill a socket's queue; the rest of it is for answers.
    static let socketLimit = StreamTransport.queueLimit - 16 * 1024

    private let transport: StreamTransport
    private let reportLimit: Int

    init(_ stream: consuming Descriptor, reportLimit: Int) {
        transport = StreamTransport(connected: stream, peer: .host)
        self.reportLimit = reportLimit
    }

    var descriptor: Int32 { transport.descriptor }
    var interest: Readiness { transport.interest }
    var bytesWritten: UInt64 { transport.bytesWritten }
    var bytesQueued: Int { transport.bytesQueued }
    var framingLosses: UInt64 { transport.losses.framing }

    func report(_ packet: [UInt8]) -> Bool {
        transport.bytesQueued + packet.count <= reportLimit && transport.enqueue(packet)
    }

    func answer(_ packet: [UInt8]) -> Bool { transport.enqueue(packet) }

    func flush() throws(TransportFailure) { try transport.flush() }

    func writable() throws(TransportFailure) { try transport.writable() }

    func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure) {
        try transport.readable(body)
    }
}
