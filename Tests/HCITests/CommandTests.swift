import Testing

@testable import HCI

@Suite struct CommandTests {
    @Test("commands are the bytes of the specification") func bytes() {
        #expect(Command.reset.bytes == [0x01, 0x03, 0x0C, 0x00])
        #expect(Command(.readLocalVersion).bytes == [0x01, 0x01, 0x10, 0x00])
        #expect(Command(.readLocalCommands).bytes == [0x01, 0x02, 0x10, 0x00])
        #expect(Command(.readLocalFeatures).bytes == [0x01, 0x03, 0x10, 0x00])
        #expect(Command(.readAddress).bytes == [0x01, 0x09, 0x10, 0x00])
        #expect(
            Command.setEventMask(0x2000_1FFF_FFFF_FFFF).bytes
                == [0x01, 0x01, 0x0C, 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20])
        #expect(Command.setLowEnergyEventMask(2).bytes == [0x01, 0x01, 0x20, 0x08, 2, 0, 0, 0, 0, 0, 0, 0])
        #expect(
            Command.setRandomAddress(DeviceAddress(0xC5DC_FD06_7848, .random)).bytes
                == [0x01, 0x05, 0x20, 0x06, 0x48, 0x78, 0x06, 0xFD, 0xDC, 0xC5])
        #expect(
            ScanParameters(active: true, interval: 160, window: 144, ownAddressType: 1).command.bytes
                == [0x01, 0x0B, 0x20, 0x07, 0x01, 0xA0, 0x00, 0x90, 0x00, 0x01, 0x00])
        #expect(
            AdvertisingParameters(kind: .nonConnectable, interval: 160, ownAddressType: 1).command.bytes
                == [0x01, 0x06, 0x20, 0x0F, 0xA0, 0, 0xA0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0])
        #expect(
            Command.setAdvertisingData([0x02, 0x01, 0x06]).bytes
                == [0x01, 0x08, 0x20, 0x20, 0x03, 0x02, 0x01, 0x06] + [UInt8](repeating: 0, count: 28))
        #expect(
            Command.setScanResponseData([]).bytes == [0x01, 0x09, 0x20, 0x20] + [UInt8](repeating: 0, count: 32))
        #expect(Command.setAdvertisingEnable(true).bytes == [0x01, 0x0A, 0x20, 0x01, 0x01])
        #expect(Command.setScanEnable(true).bytes == [0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
        #expect(Command.setScanEnable(false, filteringDuplicates: true).bytes == [0x01, 0x0C, 0x20, 0x02, 0, 1])
    }

    @Test("a command is read back as it was written") func roundTrip() {
        let commands: [Command] = [
            .reset, .setAdvertisingData([1, 2, 3]),
            Command(Opcode(rawValue: 0xFC01), [UInt8](repeating: 7, count: 255)),
        ]
        for command in commands {
            command.bytes.withUnsafeBytes { bytes in
                #expect(Command(UnsafeRawBufferPointer(rebasing: bytes[1...])) == command)
                #expect(Command(UnsafeRawBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])) == nil)
            }
        }
        let scan = ScanParameters(active: false, interval: 4, window: 4, ownAddressType: 3, filterPolicy: 1)
        #expect(ScanParameters(scan.command.parameters) == scan)
        #expect(ScanParameters([0, 4, 0, 4, 0, 0]) == nil)
        #expect(ScanParameters([2, 4, 0, 4, 0, 0, 0]) == nil)
        var advertising = AdvertisingParameters(kind: .scannable, interval: 0x0102, ownAddressType: 2)
        advertising.longestInterval = 0x4000
        advertising.channels = 1
        #expect(AdvertisingParameters(advertising.command.parameters) == advertising)
        #expect(AdvertisingParameters([]) == nil)
        #expect(AdvertisingParameters([0xA0, 0, 0xA0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0]) == nil)
    }

    @Test("opcodes and statuses are named in words") func words() {
        #expect("\(Opcode.setScanEnable)" == "LE Set Scan Enable (0x200c)")
        #expect("\(Opcode(rawValue: 0xFC01))" == "command 0xfc01")
        #expect("\(StatusCode.commandDisallowed)" == "Command Disallowed (0x0c)")
        #expect("\(StatusCode(rawValue: 0x1F))" == "status 0x1f")
        #expect(
            "\(SessionFailure.refused(.setScanEnable, .commandDisallowed))"
                == "the controller refuses LE Set Scan Enable (0x200c): Command Disallowed (0x0c)")
    }

    @Test("times become the controller's units, to the nearest and inside its bounds") func plans() throws {
        let scan = ScanPlan(interval: .milliseconds(100), window: .milliseconds(90))
        #expect(scan.slots == (160, 144))
        #expect(ScanPlan(interval: .milliseconds(1), window: .seconds(20)).slots == (4, 4))
        #expect(ScanPlan(interval: .seconds(1_000_000_000_000), window: .seconds(-5)).slots == (0x4000, 4))
        #expect(ScanPlan(interval: .microseconds(2_812), window: .microseconds(2_813)).slots == (4, 4))
        let advertise = try #require(AdvertisePlan(data: [], interval: .milliseconds(100)))
        #expect(advertise.slots == 160)
        #expect(AdvertisePlan(data: [UInt8](repeating: 0, count: 32), interval: .seconds(1)) == nil)
    }

    @Test("a scan gives half of its window to each PHY, and its own address away only where there is no other")
    func scans() {
        let passive = ScanPlan(interval: .milliseconds(100), window: .milliseconds(90), coded: true)
        var active = passive
        active.active = true
        #expect(
            ScanSettings(passive, .legacy, coded: false, hasRandomAddress: true)
                == .legacy(ScanParameters(active: false, interval: 160, window: 144, ownAddressType: 0)))
        #expect(
            ScanSettings(active, .legacy, coded: false, hasRandomAddress: true)
                == .legacy(ScanParameters(active: true, interval: 160, window: 144, ownAddressType: 1)))
        let whole = ExtendedScanParameters.Listening(active: true, interval: 160, window: 144)
        #expect(
            ScanSettings(active, .extended, coded: false, hasRandomAddress: false)
                == .extended(ExtendedScanParameters(le1M: whole, ownAddressType: 0)))
        let half = ExtendedScanParameters.Listening(active: false, interval: 160, window: 72)
        #expect(
            ScanSettings(passive, .extended, coded: true, hasRandomAddress: true)
                == .extended(ExtendedScanParameters(le1M: half, leCoded: half, ownAddressType: 0)))
    }
}
