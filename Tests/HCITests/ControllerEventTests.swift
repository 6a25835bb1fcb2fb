import Testing

@testable import HCI

@Suite struct ControllerEventTests {
    /// What an event is, in words that outlive its bytes.
    static func read(_ bytes: [UInt8]) -> String? {
        bytes.withUnsafeBytes { bytes -> String? in
            switch ControllerEvent(bytes) {
            case .commandComplete(let opcode, let credits, let returned):
                "complete \(opcode) \(credits) \(Array(returned))"
            case .commandStatus(let opcode, let credits, let status): "status \(opcode) \(credits) \(status)"
            case .hardwareError(let code): "hardware \(code)"
            case .lowEnergy(let subevent, let parameters): "le \(subevent) \(Array(parameters))"
            case .other(let code): "other \(code)"
            case nil: nil
            }
        }
    }

    static let events: [(bytes: [UInt8], words: String)] = [
        ([0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00], "complete LE Set Scan Enable (0x200c) 1 [0]"),
        ([0x0E, 0x03, 0x05, 0x00, 0x00], "complete no command (0x0000) 5 []"),
        (
            [0x0F, 0x04, 0x12, 0x02, 0x0B, 0x20],
            "status LE Set Scan Parameters (0x200b) 2 Invalid HCI Command Parameters (0x12)"
        ),
        ([0x10, 0x01, 0x42], "hardware 66"),
        ([0x3E, 0x02, 0x02, 0x00], "le 2 [0]"),
        ([0xFF, 0x00], "other 255"),
    ]

    @Test("events are read, and cut anywhere they are none") func reads() {
        for event in Self.events {
            #expect(Self.read(event.bytes) == event.words)
            for length in 0..<event.bytes.count { #expect(Self.read(Array(event.bytes.prefix(length))) == nil) }
            #expect(Self.read(event.bytes + [0xAA]) == event.words)
        }
    }

    @Test("an event too short for what it says to be is none") func tooShort() {
        #expect(Self.read([0x0E, 0x02, 0x01, 0x0C]) == nil)
        #expect(Self.read([0x0F, 0x03, 0x00, 0x01, 0x0C]) == nil)
        #expect(Self.read([0x10, 0x00]) == nil)
        #expect(Self.read([0x3E, 0x00]) == nil)
    }

    @Test("what plays a controller writes the same bytes") func writes() {
        #expect(
            ControllerEvent.commandCompleteBytes(.setScanEnable, status: .success)
                == [0x04, 0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00])
        #expect(
            ControllerEvent.commandCompleteBytes(.readAddress, credits: 3, status: .success, returned: [1, 2])
                == [0x04, 0x0E, 0x06, 0x03, 0x09, 0x10, 0x00, 0x01, 0x02])
        #expect(
            ControllerEvent.commandStatusBytes(.setScanParameters, credits: 2, status: .invalidParameters)
                == [0x04, 0x0F, 0x04, 0x12, 0x02, 0x0B, 0x20])
        #expect(ControllerEvent.hardwareErrorBytes(code: 0x42) == [0x04, 0x10, 0x01, 0x42])
    }
}
