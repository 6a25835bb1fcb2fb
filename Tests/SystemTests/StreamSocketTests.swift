import Foundation
import System
import TestSupport
import Testing

@Suite("StreamSocket")
struct StreamSocketTests {
    @Test(
        "an address is read, and written as it was read",
        arguments: [
            ("unix:/run/x", .unix(path: "/run/x")),
            ("unix:x", .unix(path: "x")),
            ("unix:a:b", .unix(path: "a:b")),
            ("unix:" + String(repeating: "p", count: 107), .unix(path: String(repeating: "p", count: 107))),
            ("unix:" + String(repeating: "p", count: 108), nil),
            ("unix:", nil),
            ("unix:a\0b", nil),
            ("tcp:127.0.0.1:9000", .tcp(address: "127.0.0.1", port: 9000)),
            ("tcp:0.0.0.0:1", .tcp(address: "0.0.0.0", port: 1)),
            ("tcp:10.1.2.3:65535", .tcp(address: "10.1.2.3", port: 65535)),
            ("tcp:10.1.2.3:65536", nil),
            ("tcp:10.1.2.3:0", nil),
            ("tcp:10.1.2.3:+80", nil),
            ("tcp:10.1.2.3:-1", nil),
            ("tcp:10.1.2.3:", nil),
            ("tcp:10.1.2.3", nil),
            ("tcp:10.1.2:80", nil),
            ("tcp:10.1.2.256:80", nil),
            ("tcp:broker.example:80", nil),
            ("tcp:127.0.0.1\0x:80", nil),
            ("tcp:::1:80", nil),
            ("tcp:", nil),
            ("TCP:127.0.0.1:1", nil),
            ("serial:/dev/ttyACM0", .serial(path: "/dev/ttyACM0", baud: 115_200)),
            ("serial:/dev/ttyUSB0:1000000", .serial(path: "/dev/ttyUSB0", baud: 1_000_000)),
            ("serial:/dev/ttyUSB0:9600", .serial(path: "/dev/ttyUSB0", baud: 9_600)),
            ("serial:/dev/ttyUSB0:12000000", .serial(path: "/dev/ttyUSB0", baud: 12_000_000)),
            (
                "serial:/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0",
                .serial(path: "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0", baud: 115_200)
            ),
            ("serial:/dev/ttyUSB0:9599", nil),
            ("serial:/dev/ttyUSB0:12000001", nil),
            ("serial:/dev/ttyUSB0:99999999999999999999", nil),
            ("serial:/dev/ttyUSB0:", nil),
            ("serial::115200", nil),
            ("serial:/dev/tty\0", nil),
            ("serial:", nil),
            ("serial:/" + String(repeating: "p", count: 4095), nil),
            ("", nil),
        ] as [(String, StreamAddress?)])
    func addresses(text: String, address: StreamAddress?) {
        #expect(StreamAddress(text) == address)
        if let address { #expect(address.description == text) }
    }

    @Test("localhost is 127.0.0.1")
    func localhost() {
        #expect(StreamAddress("tcp:localhost:9000")?.description == "tcp:127.0.0.1:9000")
    }

    private func read(_ descriptor: borrowing Descriptor) throws -> [UInt8]? {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
        defer { room.deallocate() }
        return try descriptor.read(into: room).map { Array(room.prefix($0)) }
    }

    private func talk(over address: StreamAddress) throws {
        let listener = try StreamSocket.listen(on: address)
        #expect(try StreamSocket.accept(on: listener) == nil)
        let client = try StreamSocket.connect(to: address)
        var poller = try Poller()
        try poller.add(listener.number, token: 0, .readable)
        try poller.wait(milliseconds: 5000) { _, _ in }
        guard let server = try StreamSocket.accept(on: listener) else {
            Issue.record("no connection came")
            return
        }
        #expect(StreamSocket.failure(of: client, connectingTo: address) == nil)
        #expect(try read(server) == nil)
        try client.writeAll([1, 2, 3])
        try poller.add(server.number, token: 1, .readable)
        try poller.wait(milliseconds: 5000) { _, _ in }
        #expect(try read(server) == [1, 2, 3])
        try client.close()
        try poller.wait(milliseconds: 5000) { _, _ in }
        #expect(try read(server) == [])
    }

    @Test("the speed that is meant where none is said is not written")
    func defaultSpeed() {
        #expect(StreamAddress("serial:/dev/ttyACM0:115200")?.description == "serial:/dev/ttyACM0")
    }

    @Test("two ends talk over a Unix socket and over TCP")
    func talk() throws {
        let folder = try TemporaryFolder()
        try talk(over: .unix(path: folder.path("socket")))
        try talk(over: .tcp(address: "127.0.0.1", port: try MosquittoBroker.freePort()))
    }

    @Test("a socket file that a dead process left is replaced, one in use and any other file are not")
    func abandoned() throws {
        let folder = try TemporaryFolder()
        let address = StreamAddress.unix(path: folder.path("socket"))
        try StreamSocket.listen(on: address).close()
        let listener = try StreamSocket.listen(on: address)
        let inUse = SystemError(code: EADDRINUSE, action: "listen on \(address)")
        #expect(throws: inUse) { _ = try StreamSocket.listen(on: address) }
        #expect(inUse.isHeldElsewhere)
        #expect(try StreamSocket.accept(on: listener) != nil)

        try folder.write("file", "content")
        let file = StreamAddress.unix(path: folder.path("file"))
        #expect(throws: SystemError(code: EADDRINUSE, action: "listen on \(file)")) {
            _ = try StreamSocket.listen(on: file)
        }
        #expect(try folder.read("file") == "content")
    }

    @Test("a refused connection says so, at once or when it is asked")
    func refused() throws {
        let address = StreamAddress.tcp(address: "127.0.0.1", port: try MosquittoBroker.freePort())
        let expected = SystemError(code: ECONNREFUSED, action: "connect to \(address)")
        do throws(SystemError) {
            let socket = try StreamSocket.connect(to: address)
            var poller = try Poller()
            try poller.add(socket.number, token: 0, .writable)
            try poller.wait(milliseconds: 5000) { _, _ in }
            #expect(StreamSocket.failure(of: socket, connectingTo: address) == expected)
        } catch {
            #expect(error == expected)
        }
        #expect(expected.description == "cannot connect to \(address): Connection refused")
        #expect(throws: SystemError(code: ENOENT, action: "connect to unix:/nowhere/x")) {
            _ = try StreamSocket.connect(to: .unix(path: "/nowhere/x"))
        }
    }

    @Test("a full socket takes nothing, and one whose other end is gone is an error and no signal")
    func writing() throws {
        ignoreBrokenPipes()
        let (one, other) = try StreamSocket.pair()
        let near = Descriptor(owning: one)
        let far = Descriptor(owning: other)
        let block = [UInt8](repeating: 0, count: 65536)
        var written = 0
        while let n = try block.withUnsafeBytes({ try near.write($0) }) { written += n }
        #expect(written > 0)
        try far.close()
        #expect(throws: SystemError.self) { _ = try block.withUnsafeBytes { try near.write($0) } }
    }
}
