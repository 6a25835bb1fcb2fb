import Foundation
import System
import TestSupport
import Testing

@Suite("SerialLine")
struct SerialLineTests {
    private func read(_ line: borrowing Descriptor, _ count: Int) throws -> [UInt8] {
        var poller = try Poller()
        try poller.add(line.number, token: 0, .readable)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { room.deallocate() }
        var got: [UInt8] = []
        while got.count < count, try poller.wait(milliseconds: 5000, { _, _ in }) > 0 {
            guard let n = try line.read(into: room), n > 0 else { break }
            got += room.prefix(n)
        }
        return got
    }

    @Test("every byte goes through a line as it is, in both directions, without an echo")
    func raw() throws {
        let terminal = PseudoTerminal(try SerialLine.pseudoTerminal())
        let line = try SerialLine.open(terminal.path, baud: 115_200)
        let all = [UInt8](0...255)
        try line.writeAll(all)
        #expect(terminal.read(256) == all)
        terminal.write(all)
        #expect(try read(line, 256) == all)
    }

    @Test("a line gets any speed", arguments: [9_600, 115_200, 1_000_000, 3_000_001])
    func speed(baud: Int) throws {
        let terminal = PseudoTerminal(try SerialLine.pseudoTerminal())
        let line = try SerialLine.open(terminal.path, baud: baud)
        // struct termios2 of the kernel: four words of flags, 20 bytes, then the speeds in and out. TCGETS2
        var words = [UInt32](repeating: 0, count: 11)
        try words.withUnsafeMutableBytes { try line.control(0x802C_542A, $0, "ask") }
        #expect(words[9] == UInt32(baud) && words[10] == UInt32(baud))
        #expect(words[0] == 0 && words[1] == 0 && words[3] == 0, "no mode for people")
        #expect(words[2] & 0x8000_0000 == 0, "no CRTSCTS")
    }

    @Test("what came before a line was opened is forgotten")
    func flushed() throws {
        let terminal = PseudoTerminal(try SerialLine.pseudoTerminal())
        terminal.write([1, 2, 3])
        let line = try SerialLine.open(terminal.path, baud: 115_200)
        terminal.write([4])
        #expect(try read(line, 1) == [4])
    }

    @Test("a line that is not there, and a file that is no line, are the kernel's reasons")
    func refused() throws {
        let address = StreamAddress.serial(path: "/nowhere/tty", baud: 115_200)
        #expect(throws: SystemError(code: ENOENT, action: "open /nowhere/tty")) {
            _ = try StreamSocket.connect(to: address)
        }
        let folder = try TemporaryFolder()
        let file = try folder.write("file", "")
        #expect(throws: SystemError(code: ENOTTY, action: "set up \(file)")) {
            _ = try SerialLine.open(file, baud: 115_200)
        }
        #expect(throws: SystemError(code: EAFNOSUPPORT, action: "make a socket")) {
            _ = try StreamSocket.listen(on: address)
        }
    }
}
