import System

/// A socket to which hosts connect.
final class Listener {
    private let socket: Descriptor

    init(on address: StreamAddress) throws(SystemError) { socket = try StreamSocket.listen(on: address) }

    var descriptor: Int32 { socket.number }

    /// The next host; nil when none waits.
    func accept() throws(SystemError) -> StreamWay? {
        guard let stream = try StreamSocket.accept(on: socket) else { return nil }
        return StreamWay(stream, reportLimit: StreamWay.socketLimit)
    }
}
