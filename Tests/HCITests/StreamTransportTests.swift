import System
import Testing

@testable import HCI

@Suite struct StreamTransportTests {
    /// Both ends of a socket pair, each as the other's peer.
    static func pair() throws -> (host: StreamTransport, controller: StreamTransport) {
        let (one, two) = try StreamSocket.pair()
        return (
            StreamTransport(connected: Descriptor(owning: one), peer: .controller),
            StreamTransport(connected: Descriptor(owning: two), peer: .host)
        )
    }

    @Test("packets go through in both directions, in order") func bothWays() throws {
        let (host, controller) = try Self.pair()
        #expect(try host.send(Command.reset.bytes))
        #expect(try host.send(Command.setScanEnable(true).bytes))
        var commands: [Command?] = []
        try controller.readable { kind, bytes in
            #expect(kind == .command)
            commands.append(Command(bytes))
        }
        #expect(commands == [.reset, .setScanEnable(true)])
        #expect(try controller.send(ControllerEvent.commandCompleteBytes(.reset, status: .success)))
        var events: [[UInt8]] = []
        try host.readable { _, bytes in events.append(Array(bytes)) }
        #expect(events == [[0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]])
        #expect(host.bytesWritten == 10)
        #expect(host.interest == .readable)
    }

    @Test("a full socket is waited for, a full queue refuses, and nothing is lost or torn") func backpressure()
        throws
    {
        let (host, controller) = try Self.pair()
        let packet: [UInt8] = [0x04, 0xFF, 0xC8] + [UInt8](repeating: 0xA5, count: 200)
        var accepted = 0
        while try controller.send(packet) { accepted += 1 }
        #expect(controller.interest == [.readable, .writable])
        #expect(controller.bytesQueued > StreamTransport.queueLimit - packet.count)
        var received = 0
        while received < accepted {
            try host.readable { kind, bytes in
                #expect(kind == .event && bytes.count == 202)
                received += 1
            }
            try controller.writable()
        }
        #expect(received == accepted)
        #expect(controller.bytesQueued == 0)
        #expect(controller.bytesWritten == UInt64(accepted * packet.count))
        #expect(controller.interest == .readable)
    }

    @Test("the end of the other side is an end, not an error") func ends() throws {
        let (one, two) = try StreamSocket.pair()
        let host = StreamTransport(connected: Descriptor(owning: one), peer: .controller)
        do {
            let controller = StreamTransport(connected: Descriptor(owning: two), peer: .host)
            #expect(try controller.send(ControllerEvent.hardwareErrorBytes(code: 1)))
        }
        var events = 0
        #expect(throws: TransportFailure.ended) { try host.readable { _, _ in events += 1 } }
        #expect(events == 1)
    }

    @Test("lost framing is counted, and Reset brings the stream back") func framing() throws {
        let (one, two) = try StreamSocket.pair()
        let host = StreamTransport(connected: Descriptor(owning: one), peer: .controller)
        let controller = Descriptor(owning: two)
        try controller.writeAll(
            [0x77, 0x04, 0x10] + ControllerEvent.commandCompleteBytes(.reset, status: .success))
        var events: [[UInt8]] = []
        try host.readable { _, bytes in events.append(Array(bytes)) }
        #expect(events == [[0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]])
        #expect(host.losses.framing == 1)
        #expect(host.skippedBytes == 3)
    }

    @Test("a controller that is not there is the kernel's error") func notThere() throws {
        #expect(throws: SystemError.self) {
            try StreamTransport(connectingTo: .unix(path: "/nonexistent/beacond.sock"))
        }
        // Nothing listens on port 1 of the loopback: the error comes with the first readiness.
        let transport = try StreamTransport(connectingTo: .tcp(address: "127.0.0.1", port: 1))
        #expect(!transport.isConnected)
        #expect(transport.interest == [.readable, .writable])
        var poller = try Poller()
        try poller.add(transport.descriptor, token: 1, transport.interest)
        try poller.wait(milliseconds: 5_000) { _, _ in }
        #expect(throws: TransportFailure.self) { try transport.writable() }
    }
}
