public import System

/// HCI packets over a byte stream, a socket or a serial line, for one thread and somebody else's `Poller`.
///
/// The owner registers `descriptor` for `interest`, calls `readable` and `writable` as the poller says, and looks at
/// `interest` again afterwards. When a call throws, the connection is over: let go of this and make another one.
public final class StreamTransport: ControllerTransport {
    /// How many bytes may wait to be written. Commands are answered one by one, so a host needs a few hundred; a
    /// program that plays a controller holds two seconds of 2,600 reports of 45 bytes.
    public static let queueLimit = 256 * 1024
    /// How many times in a row `readable` reads; each is up to 64 KiB, and the rest of the loop wants its turn.
    private static let readsPerTurn = 16

    private let socket: Descriptor
    private let address: StreamAddress?
    private var framer: H4Framer
    private var queue = WriteQueue(limit: StreamTransport.queueLimit)
    /// Whether the connection stands.
    public private(set) var isConnected: Bool
    /// How many bytes the kernel has taken so far.
    public private(set) var bytesWritten: UInt64 = 0
    /// How often the bytes of the other end made no sense; see `H4Framer`.
    public private(set) var losses = TransportLosses()
    /// How many bytes were skipped to make sense of them again.
    public private(set) var skippedBytes: UInt64 = 0

    /// Begins to connect to a controller. For TCP the connection stands at the first `writable`.
    public init(connectingTo address: StreamAddress) throws(SystemError) {
        socket = try StreamSocket.connect(to: address)
        framer = H4Framer(from: .controller)
        self.address = address
        // A Unix socket connects at once or not at all, and a serial line is there or not.
        if case .tcp = address { isConnected = false } else { isConnected = true }
    }

    /// Takes over a connected socket whose other end is `peer`.
    public init(connected socket: consuming Descriptor, peer: H4Peer) {
        framer = H4Framer(from: peer)
        address = nil
        isConnected = true
        self.socket = socket
    }

    /// The number to register with a `Poller`.
    public var descriptor: Int32 { socket.number }

    /// What to watch for.
    public var interest: Readiness { isConnected && queue.count == 0 ? .readable : [.readable, .writable] }

    /// How many bytes wait to be written.
    public var bytesQueued: Int { queue.count }

    /// Puts a packet in line, H4 type byte first; false when there is no room. `flush` sends it.
    public func enqueue(_ packet: [UInt8]) -> Bool { queue.append(packet) }

    /// Puts a packet in line and sends what can be sent; false when there is no room.
    public func send(_ packet: [UInt8]) throws(TransportFailure) -> Bool {
        guard enqueue(packet) else { return false }
        try flush()
        return true
    }

    /// Sends what can be sent.
    public func flush() throws(TransportFailure) {
        guard isConnected else { return }
        do {
            bytesWritten += UInt64(
                try queue.flush { (bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? in
                    try socket.write(bytes)
                })
        } catch {
            throw .system(error)
        }
    }

    /// The poller says that there is room to write, or that a connection has come about.
    public func writable() throws(TransportFailure) {
        if !isConnected {
            if let address, let failure = StreamSocket.failure(of: socket, connectingTo: address) {
                throw .system(failure)
            }
            isConnected = true
        }
        try flush()
    }

    /// The poller says that there is something to read: gives each packet, without its type byte, to `body`, which
    /// may `send`. The bytes are valid during the call only.
    public func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure) {
        for _ in 0..<StreamTransport.readsPerTurn {
            let count: Int?
            do {
                count = try framer.fill { (room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? in
                    try socket.read(into: room)
                }
            } catch {
                throw .system(error)
            }
            guard let count else { return }
            if count == 0 { throw .ended }
            framer.drain(body)
            losses.framing = framer.losses
            skippedBytes = framer.skippedBytes
        }
    }
}
