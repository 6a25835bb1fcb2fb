internal import CSystem
internal import Glibc

/// Sockets of the kernel's that carry packets, and the calls that configure them. What is asked of them, in numbers and
/// structures, is known to who uses them.
extension Descriptor {
    /// Makes a raw socket, closed on exec and non-blocking. socket(2)
    public static func rawSocket(family: Int32, protocol number: Int32) throws(SystemError) -> Descriptor {
        Descriptor(owning: try checked("make a socket") { csystem_socket_raw(family, number) })
    }

    /// Binds a socket to the address in `address`, a C structure. bind(2)
    public func bind(to address: UnsafeRawBufferPointer, _ action: @autoclosure () -> String) throws(SystemError) {
        try checked(action()) {
            Glibc.bind(
                number, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count))
        }
    }

    /// Sets an option of a socket. setsockopt(2)
    public func set(
        _ option: Int32, level: Int32, to value: UnsafeRawBufferPointer, _ action: @autoclosure () -> String
    ) throws(SystemError) {
        try checked(action()) { setsockopt(number, level, option, value.baseAddress, socklen_t(value.count)) }
    }

    /// Asks the driver of a descriptor for something that takes a number. ioctl(2)
    public func control(
        _ request: UInt, _ argument: UInt, _ action: @autoclosure () -> String
    ) throws(SystemError) {
        try checked(action()) { csystem_ioctl_number(number, request, argument) }
    }

    /// Asks the driver of a descriptor for something that it fills `memory` with. ioctl(2)
    public func control(
        _ request: UInt, _ memory: UnsafeMutableRawBufferPointer, _ action: @autoclosure () -> String
    ) throws(SystemError) {
        try checked(action()) { csystem_ioctl_memory(number, request, memory.baseAddress) }
    }

    /// Lets so many bytes wait to be read, or as many as this process may. SO_RCVBUFFORCE, SO_RCVBUF
    public func enlargeReceiveBuffer(to bytes: Int32) throws(SystemError) {
        try checked("enlarge a receive buffer") { csystem_enlarge_receive_buffer(number, bytes) }
    }

    /// How many packets the kernel had no room for since the socket was made, modulo 2³². SO_MEMINFO
    public func droppedPackets() throws(SystemError) -> UInt32 {
        var count: UInt32 = 0
        try checked("ask for a socket's losses") { csystem_dropped_packets(number, &count) }
        return count
    }
}

/// Room for packets that are read several at a time, made once. recvmmsg(2)
public struct PacketBatch: ~Copyable {
    /// How many packets are read by one call. At 3,000 a second and a turn every 20 ms 60 wait.
    public static let count = 64

    private let slot: Int
    private let room: UnsafeMutableRawBufferPointer
    private let lengths: UnsafeMutableBufferPointer<UInt32>

    /// Makes room for packets of up to `longest` bytes; longer ones are skipped.
    public init(longest: Int) {
        slot = longest
        room = .allocate(byteCount: longest * PacketBatch.count, alignment: 16)
        lengths = .allocate(capacity: PacketBatch.count)
    }

    deinit {
        room.deallocate()
        lengths.deallocate()
    }

    /// Gives each packet that waits to `body`, at most `count` of them, and returns how many there were, those that
    /// were skipped included. The bytes are valid during the call only. An empty one is the end, where there is one.
    public func receive(
        from socket: borrowing Descriptor, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(SystemError) -> Int {
        let number = socket.number
        let received: Int32
        do {
            received = try checked("read") {
                csystem_receive_packets(
                    number, room.baseAddress, Int32(slot), lengths.baseAddress, Int32(PacketBatch.count))
            }
        } catch {
            if error.wouldBlock { return 0 }
            throw error
        }
        for i in 0..<Int(received) where lengths[i] <= slot {
            body(UnsafeRawBufferPointer(rebasing: room[(i * slot)..<(i * slot + Int(lengths[i]))]))
        }
        return Int(received)
    }
}
