internal import Glibc

/// Whether something listens where the broker should be: name resolution and a TCP connection, nothing more.
enum BrokerReach {
    /// For one address; a broker in the same network takes milliseconds.
    private static let seconds = 5

    /// Tries the addresses of a name one after the other. Waits: only for a command in the foreground. getaddrinfo(3),
    /// connect(2)
    static func attempt(_ host: String, _ port: UInt16) -> DoctorProbes.Reach {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failed = getaddrinfo(host, "\(port)", &hints, &list)
        guard failed == 0, let first = list else { return .unresolved(String(cString: gai_strerror(failed))) }
        defer { freeaddrinfo(first) }
        var outcome = DoctorProbes.Reach.unresolved("it has no address")
        var next: UnsafeMutablePointer<addrinfo>? = first
        while let info = next?.pointee {
            outcome = connect(info)
            if case .connected = outcome { return outcome }
            next = info.ai_next
        }
        return outcome
    }

    private static func connect(_ info: addrinfo) -> DoctorProbes.Reach {
        let name = name(of: info)
        let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
        guard descriptor >= 0 else { return .refused(address: name, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        // On Linux it bounds connect too, which then says EINPROGRESS (socket(7)).
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return .connected(address: name) }
        let reason = errno == EINPROGRESS ? "no answer in \(seconds) s" : String(cString: strerror(errno))
        return .refused(address: name, reason)
    }

    /// The address in numbers. getnameinfo(3)
    private static func name(of info: addrinfo) -> String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let failed = getnameinfo(
            info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, Int32(NI_NUMERICHOST))
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return failed == 0 ? String(decoding: bytes, as: UTF8.self) : "an address"
    }
}
