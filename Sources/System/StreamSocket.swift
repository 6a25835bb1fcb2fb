internal import CSystem
internal import Glibc

/// Where a byte-stream peer is: `unix:PATH`, `tcp:ADDRESS:PORT` or `serial:PATH[:BAUD]`.
public enum StreamAddress: Hashable, Sendable, CustomStringConvertible {
    /// A socket in the file system; the path is at most 107 bytes (unix(7)).
    case unix(path: String)
    /// An IPv4 address in numbers, and a port. Names are not looked up: that could block.
    case tcp(address: String, port: UInt16)
    /// A serial line or a pseudo-terminal, and its speed in baud; see `SerialLine`.
    case serial(path: String, baud: Int)

    /// Reads `unix:/run/x`, `tcp:127.0.0.1:9000` (`localhost` is taken as 127.0.0.1), `serial:/dev/ttyACM0` or
    /// `serial:/dev/ttyUSB0:1000000`; nil for anything else.
    public init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty, path.utf8.count <= 107, !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
        } else if text.hasPrefix("tcp:") {
            let rest = text.dropFirst(4)
            guard let colon = rest.lastIndex(of: ":") else { return nil }
            let digits = rest[rest.index(after: colon)...]
            // UInt16 alone would take "+80".
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0,
                !rest.utf8.contains(0)
            else { return nil }
            var host = String(rest[..<colon])
            if host == "localhost" { host = "127.0.0.1" }
            var binary = in_addr()
            guard inet_pton(AF_INET, host, &binary) == 1 else { return nil }
            self = .tcp(address: host, port: port)
        } else if text.hasPrefix("serial:") {
            self.init(serial: text.dropFirst(7))
        } else {
            return nil
        }
    }

    /// Reads what follows `serial:`. A path may have colons, as those in /dev/serial/by-path do; they end in `:1.0`,
    /// which is no speed.
    private init?(serial text: Substring) {
        var path = text
        var baud = SerialLine.defaultBaud
        if let colon = text.lastIndex(of: ":") {
            let digits = text[text.index(after: colon)...]
            if !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                guard let number = Int(digits), SerialLine.bauds.contains(number) else { return nil }
                baud = number
                path = text[..<colon]
            }
        }
        guard !path.isEmpty, !path.hasSuffix(":"), path.utf8.count < Int(PATH_MAX), !path.utf8.contains(0) else {
            return nil
        }
        self = .serial(path: String(path), baud: baud)
    }

    /// As it is written in configuration.
    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let address, let port): "tcp:\(address):\(port)"
        case .serial(let path, SerialLine.defaultBaud): "serial:\(path)"
        case .serial(let path, let baud): "serial:\(path):\(baud)"
        }
    }

    fileprivate var family: Int32 {
        switch self {
        case .unix: AF_UNIX
        case .tcp: AF_INET
        case .serial: AF_UNSPEC
        }
    }

    fileprivate func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch self {
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { room in
                // Because `init?` bounds the path, it fits with its zero byte.
                for (i, byte) in path.utf8.prefix(room.count - 1).enumerated() { room[i] = byte }
            }
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        case .tcp(let host, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        case .serial:
            // No socket can be made of it, so none gets as far as here.
            var nowhere = sockaddr()
            return body(&nowhere, 0)
        }
    }
}

/// Non-blocking stream sockets.
public enum StreamSocket {
    /// Connects; a TCP connection may still be under way when this returns (it is writable once it stands). A serial line
    /// is opened. connect(2)
    public static func connect(to peer: StreamAddress) throws(SystemError) -> Descriptor {
        if case .serial(let path, let baud) = peer { return try SerialLine.open(path, baud: baud) }
        let socket = Descriptor(
            owning: try checked("make a socket") { csystem_socket_stream(peer.family) })
        do {
            try checked("connect to \(peer)") { peer.withSocketAddress { Glibc.connect(socket.number, $0, $1) } }
        } catch {
            if error.code != EINPROGRESS { throw error }
        }
        sendAtOnce(socket.number)
        return socket
    }

    /// Packets are short and answered at once: held back until the last one is acknowledged they would come in
    /// bursts, 40 ms apart. A Unix socket refuses the option, and does not need it. TCP_NODELAY
    private static func sendAtOnce(_ socket: Int32) {
        var yes: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Listens; a socket file that a dead process left behind is replaced. A serial line cannot be listened on: EAFNOSUPPORT.
    /// listen(2)
    public static func listen(on address: StreamAddress) throws(SystemError) -> Descriptor {
        let socket = Descriptor(
            owning: try checked("make a socket") { csystem_socket_stream(address.family) })
        if case .unix(let path) = address { removeAbandoned(path, address) }
        var yes: Int32 = 1
        setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        try checked("listen on \(address)") { address.withSocketAddress { bind(socket.number, $0, $1) } }
        try checked("listen on \(address)") { Glibc.listen(socket.number, 16) }
        return socket
    }

    /// Removes a socket file that nobody listens on. Nothing else: a mistyped path must not cost a file.
    private static func removeAbandoned(_ path: String, _ address: StreamAddress) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        do throws(SystemError) {
            _ = try connect(to: address)
        } catch {
            // A listener whose queue is full answers otherwise (EAGAIN).
            if error.code == ECONNREFUSED { unlink(path) }
        }
    }

    /// The next connection; nil when none waits. accept4(2)
    public static func accept(on listener: borrowing Descriptor) throws(SystemError) -> Descriptor? {
        do {
            let socket = Descriptor(owning: try checked("accept") { csystem_accept(listener.number) })
            sendAtOnce(socket.number)
            return socket
        } catch {
            if error.wouldBlock { return nil }
            throw error
        }
    }

    /// What became of a connection that was under way; nil when it stands. SO_ERROR
    public static func failure(of socket: borrowing Descriptor, connectingTo peer: StreamAddress) -> SystemError? {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == 0 ? nil : SystemError(code: code, action: "connect to \(peer)")
    }

    /// Two connected ends, for tests. socketpair(2)
    public static func pair() throws(SystemError) -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        try checked("make a socket pair") { csystem_socketpair(&ends) }
        return (ends[0], ends[1])
    }
}
