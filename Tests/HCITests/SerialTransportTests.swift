import Foundation
import System
import TestSupport
import Testing

@testable import HCI

@Suite("A controller on a serial line")
struct SerialTransportTests {
    /// Waits for something to read, and gives the events that came.
    private func events(_ transport: any ControllerTransport) throws -> [[UInt8]] {
        var poller = try Poller()
        try poller.add(transport.descriptor, token: 0, .readable)
        try poller.wait(milliseconds: 5000) { _, _ in }
        var events: [[UInt8]] = []
        try transport.readable { _, bytes in events.append(Array(bytes)) }
        return events
    }

    @Test("commands and events go through a line that was opened by its address")
    func bothWays() throws {
        let terminal = PseudoTerminal(try SerialLine.pseudoTerminal())
        let address = try #require(StreamAddress("serial:\(terminal.path):1000000"))
        let transport = try LinuxBluetooth().connect(to: address)
        #expect(transport.isConnected && transport.interest == .readable)
        #expect(try transport.send(Command.reset.bytes))
        #expect(terminal.read(4) == Command.reset.bytes)
        // 0x0A, 0x0D, 0x03, 0x11 and 0x7F are what a terminal for people would not leave alone.
        terminal.write([0x04, 0x3E, 0x05, 0x0A, 0x0D, 0x03, 0x11, 0x7F])
        #expect(try events(transport) == [[0x3E, 0x05, 0x0A, 0x0D, 0x03, 0x11, 0x7F]])
    }

    @Test("framing that is lost on the line is counted, and found again by Reset's answer")
    func framing() throws {
        let terminal = PseudoTerminal(try SerialLine.pseudoTerminal())
        let transport = try LinuxBluetooth().connect(to: .serial(path: terminal.path, baud: 115_200))
        let answer = ControllerEvent.commandCompleteBytes(.reset, status: .success)
        let report: [UInt8] = [0x04, 0x3E, 0x03, 0x02, 0x00, 0x00]
        terminal.write(report)
        #expect(try events(transport) == [Array(report.dropFirst())])
        // A byte of a report went missing on the wire: the next packet's type byte is taken for data.
        terminal.write(report.dropLast() + report + report)
        #expect(try events(transport).count == 1)
        #expect(transport.losses.framing == 1)
        terminal.write(report + answer + report)
        #expect(try events(transport) == [Array(answer.dropFirst()), Array(report.dropFirst())])
        #expect(transport.losses == TransportLosses(framing: 1))
    }

    @Test("a line that is pulled out is the end of the way")
    func pulledOut() throws {
        let terminal = PseudoTerminal(try SerialLine.pseudoTerminal())
        let transport = try LinuxBluetooth().connect(to: .serial(path: terminal.path, baud: 115_200))
        terminal.hangUp()
        #expect(throws: TransportFailure.self) { _ = try events(transport) }
    }

    @Test("a line that is not there is said to be so")
    func notThere() {
        #expect(throws: AdapterProblem.system(SystemError(code: ENOENT, action: "open /nowhere/tty"))) {
            _ = try LinuxBluetooth().connect(to: .serial(path: "/nowhere/tty", baud: 115_200))
        }
    }
}
