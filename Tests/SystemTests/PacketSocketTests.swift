import Foundation
import System
import TestSupport
import Testing

@Suite("Packet sockets")
struct PacketSocketTests {
    /// Two ends that keep packets apart.
    struct Pair: ~Copyable {
        let near: Descriptor
        let far: Descriptor

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
            near = Descriptor(owning: ends[0])
            far = Descriptor(owning: ends[1])
        }
    }

    @Test("packets come one by one, many by one call, and as they were sent")
    func batches() throws {
        let pair = try Pair()
        let batch = PacketBatch(longest: 8)
        #expect(try batch.receive(from: pair.near) { _ in Issue.record("nothing was sent") } == 0)
        for i in 0..<100 { try pair.far.writeAll([UInt8](repeating: UInt8(i), count: 1 + i % 8)) }
        var got: [[UInt8]] = []
        #expect(try batch.receive(from: pair.near) { got.append(Array($0)) } == PacketBatch.count)
        #expect(try batch.receive(from: pair.near) { got.append(Array($0)) } == 100 - PacketBatch.count)
        #expect(got == (0..<100).map { [UInt8](repeating: UInt8($0), count: 1 + $0 % 8) })
    }

    @Test("a packet that is too long is skipped, and the next one is not")
    func tooLong() throws {
        let pair = try Pair()
        let batch = PacketBatch(longest: 4)
        try pair.far.writeAll([1, 2, 3, 4])
        try pair.far.writeAll([1, 2, 3, 4, 5])
        try pair.far.writeAll([6])
        var got: [[UInt8]] = []
        #expect(try batch.receive(from: pair.near) { got.append(Array($0)) } == 3)
        #expect(got == [[1, 2, 3, 4], [6]])
    }

    @Test("what the kernel had no room for is counted to the packet")
    func drops() throws {
        let near = Descriptor(owning: socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0))
        let far = Descriptor(owning: socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try withUnsafeBytes(of: &address) { try near.bind(to: $0, "bind") }
        let (one, other) = (near.number, far.number)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let joined = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(one, $0, &size) == 0 && connect(other, $0, size) == 0
            }
        }
        try #require(joined)
        #expect(try near.droppedPackets() == 0)
        // As little room as the kernel allows.
        try near.enlargeReceiveBuffer(to: 1)
        for _ in 0..<500 { try far.writeAll([1, 2, 3]) }
        let batch = PacketBatch(longest: 8)
        var received = 0
        while case let more = try batch.receive(from: near, { _ in }), more > 0 { received += more }
        let dropped = Int(try near.droppedPackets())
        #expect(dropped > 0)
        #expect(received + dropped == 500)
    }

    @Test("a refused call is the kernel's reason and what was tried")
    func refused() throws {
        let pair = try Pair()
        // A request that no driver knows, and an address that is none.
        #expect(throws: SystemError(code: ENOTTY, action: "ask")) { try pair.near.control(0xFFFF, 0, "ask") }
        #expect(throws: SystemError(code: EINVAL, action: "bind here")) {
            try pair.near.bind(to: UnsafeRawBufferPointer(start: nil, count: 0), "bind here")
        }
        let file = try Descriptor.open("/dev/null", .read)
        #expect(throws: SystemError(code: ENOTSOCK, action: "ask for a socket's losses")) {
            _ = try file.droppedPackets()
        }
        #expect(throws: SystemError(code: ENOTSOCK, action: "read")) {
            _ = try PacketBatch(longest: 8).receive(from: file) { _ in }
        }
    }
}
