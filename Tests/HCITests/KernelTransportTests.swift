import Foundation
import System
import TestSupport
import Testing

@testable import HCI

@Suite("KernelTransport")
struct KernelTransportTests {
    /// A transport, and the kernel's end of it: a socket that keeps packets apart.
    struct Pair: ~Copyable {
        let transport: KernelTransport
        let kernel: Descriptor

        init() throws {
            var ends: [Int32] = [0, 0]
            let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            transport = try KernelTransport(bound: Descriptor(owning: ends[0]))
            kernel = Descriptor(owning: ends[1])
        }
    }

    @Test("packets go through in both directions, by their kind; unknown kinds are passed over")
    func bothWays() throws {
        let pair = try Pair()
        let transport = pair.transport
        #expect(try transport.send(Command.reset.bytes))
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { room.deallocate() }
        #expect(try pair.kernel.read(into: room) == 4)
        #expect(Array(room.prefix(4)) == Command.reset.bytes)

        try pair.kernel.writeAll(ControllerEvent.commandCompleteBytes(.reset, status: .success))
        try pair.kernel.writeAll([0x77, 1])
        try pair.kernel.writeAll(Command.setScanEnable(true).bytes)
        try pair.kernel.writeAll([0x04])
        var got: [(H4Kind, [UInt8])] = []
        try transport.readable { got.append(($0, Array($1))) }
        #expect(got.map(\.0) == [.event, .command, .event])
        #expect(
            got.map(\.1) == [
                [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00], Array(Command.setScanEnable(true).bytes.dropFirst()), [],
            ])
        #expect(transport.losses == TransportLosses())
        #expect(transport.interest == .readable && transport.isConnected)
    }

    @Test("the longest event comes whole, data of connections does not matter, and the reader may send")
    func lengths() throws {
        let pair = try Pair()
        let transport = pair.transport
        let longest: [UInt8] = [0x04, 0x3E, 0xFF] + [UInt8](repeating: 0x5A, count: 255)
        try pair.kernel.writeAll(longest)
        try pair.kernel.writeAll([0x02] + [UInt8](repeating: 1, count: 1000))
        try pair.kernel.writeAll(longest)
        var count = 0
        try transport.readable { kind, bytes in
            #expect(kind == .event && Array(bytes) == Array(longest.dropFirst()))
            #expect(throws: Never.self) { _ = try transport.send(Command.reset.bytes) }
            count += 1
        }
        #expect(count == 2)
    }

    @Test("a turn ends after some packets, and the next one goes on")
    func turns() throws {
        let pair = try Pair()
        let transport = pair.transport
        let packet: [UInt8] = [0x04, 0x3E, 0x01, 0x02]
        var sent = 0
        var read = 0
        while sent < 3000 {
            while sent < 3000, try packet.withUnsafeBytes({ try pair.kernel.write($0) }) != nil { sent += 1 }
            let before = read
            try transport.readable { _, _ in read += 1 }
            #expect(read - before <= 16 * PacketBatch.count)
        }
        while case let before = read, before < sent { try transport.readable { _, _ in read += 1 } }
        #expect(read == 3000)
    }

    @Test("a command for which there is no room is said to be not taken")
    func full() throws {
        let pair = try Pair()
        let transport = pair.transport
        var taken = 0
        while try transport.send(Command.reset.bytes) { taken += 1 }
        #expect(taken > 0)
    }

    @Test("what the kernel had no room for is counted after the turn, to the packet")
    func drops() throws {
        let near = Descriptor(owning: socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0))
        // As little room as the kernel allows.
        try near.enlargeReceiveBuffer(to: 1)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try withUnsafeBytes(of: &address) { try near.bind(to: $0, "bind") }
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = near.number
        let far = Descriptor(owning: socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0))
        let joined = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(number, $0, &size) == 0 && connect(far.number, $0, size) == 0
            }
        }
        try #require(joined)
        let transport = try KernelTransport(bound: near)
        var received: UInt64 = 0
        for turn in 1...3 as ClosedRange<UInt64> {
            for _ in 0..<300 { try far.writeAll([0x04, 0x3E, 0x00]) }
            try transport.readable { _, _ in received += 1 }
            #expect(transport.losses.packets > 0)
            #expect(received + transport.losses.packets == 300 * turn)
        }
        #expect(transport.losses.framing == 0)
    }

    @Test("a command to an adapter that is gone is said to be to one that was unplugged")
    func unplugged() throws {
        ignoreBrokenPipes()
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        let transport = try KernelTransport(bound: Descriptor(owning: ends[0]))
        close(ends[1])
        #expect(throws: TransportFailure.unplugged) { _ = try transport.send(Command.reset.bytes) }
        #expect(throws: TransportFailure.ended) { try transport.readable { _, _ in Issue.record("nothing came") } }
        #expect(TransportFailure.unplugged.description == "it was unplugged, or taken from its driver")
        #expect(TransportFailure.poweredDown.description == "another program powered it down")
    }
}
