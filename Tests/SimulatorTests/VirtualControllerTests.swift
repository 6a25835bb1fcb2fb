import HCI
import Testing

@testable import beacon_sim

@Suite struct VirtualControllerTests {
    static let address = DeviceAddress(0x02BE_AC00_0001, .`public`)

    static func controller(_ generation: Generation = .before5) -> VirtualController {
        VirtualController(address: address, model: Model(generation: generation))
    }

    /// The status of a command's Command Complete, which must be for that command.
    static func status(_ controller: inout VirtualController, _ command: Command) -> UInt8? {
        let reply = controller.perform(command)
        let opcode = [UInt8(truncatingIfNeeded: command.opcode.rawValue), UInt8(command.opcode.rawValue >> 8)]
        guard reply.count >= 7, Array(reply[..<2]) == [0x04, 0x0E], Array(reply[3..<6]) == [0x01] + opcode else {
            return nil
        }
        return reply[6]
    }

    static func reports(_ controller: inout VirtualController, _ sender: DeviceAddress) -> Bool {
        let advertisement = VirtualController.Advertisement(
            type: .advNonconnInd, data: [], response: [], address: sender, interval: 160)
        let isHeard = controller.scan(for: Transmission(advertisement, fault: 0)) != nil
        return isHeard && controller.reports(sender)
    }

    static let beaconParameters = AdvertisingParameters(kind: .nonConnectable, interval: 160, ownAddressType: 0)

    @Test("it says who it is as a controller of Bluetooth 4.2 does") func identity() {
        var controller = Self.controller()
        #expect(controller.perform(.reset) == [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
        #expect(
            controller.perform(Command(.readLocalVersion))
                == [0x04, 0x0E, 0x0C, 0x01, 0x01, 0x10, 0x00, 0x08, 0, 0, 0x08, 0xFF, 0xFF, 0x01, 0x00])
        #expect(
            controller.perform(Command(.readAddress))
                == [0x04, 0x0E, 0x0A, 0x01, 0x09, 0x10, 0x00, 0x01, 0x00, 0x00, 0xAC, 0xBE, 0x02])
        #expect(
            controller.perform(Command(.readLocalFeatures))
                == [0x04, 0x0E, 0x0C, 0x01, 0x03, 0x10, 0x00, 0, 0, 0, 0, 0x60, 0, 0, 0])
        let commands = controller.perform(Command(.readLocalCommands))
        #expect(commands.count == 3 + 4 + 64)
        #expect(
            [commands[7 + 5], commands[7 + 14], commands[7 + 25], commands[7 + 26]] == [0xC0, 0x28, 0xF7, 0xCF])
        // LE Set Extended Scan Parameters (octet 37 bit 5) is none of its commands.
        #expect(commands[7 + 37] == 0)
    }

    @Test("a command it does not know gets a Command Status that says so") func unknown() {
        var controller = Self.controller()
        // LE Set Extended Scan Enable.
        let reply = controller.perform(Command(Opcode(rawValue: 0x2042), [1, 0, 0, 0, 0, 0]))
        #expect(reply == [0x04, 0x0F, 0x04, 0x01, 0x01, 0x42, 0x20])
    }

    @Test("parameters are refused while what they are for is on") func disallowed() {
        var controller = Self.controller()
        let scan = ScanParameters(active: false, interval: 160, window: 144)
        #expect(Self.status(&controller, scan.command) == 0)
        #expect(Self.status(&controller, .setScanEnable(true)) == 0)
        #expect(Self.status(&controller, scan.command) == 0x0C)
        #expect(Self.status(&controller, .setRandomAddress(DeviceAddress(1, .random))) == 0x0C)
        // Enabling once more and disabling what is off are allowed.
        #expect(Self.status(&controller, .setScanEnable(true)) == 0)
        #expect(Self.status(&controller, .setScanEnable(false)) == 0)
        #expect(Self.status(&controller, .setScanEnable(false)) == 0)
        #expect(Self.status(&controller, Self.beaconParameters.command) == 0)
        #expect(Self.status(&controller, .setAdvertisingEnable(true)) == 0)
        #expect(Self.status(&controller, Self.beaconParameters.command) == 0x0C)
        #expect(Self.status(&controller, .setRandomAddress(DeviceAddress(1, .random))) == 0x0C)
        #expect(Self.status(&controller, .setAdvertisingData([1])) == 0)
        #expect(Self.status(&controller, .setAdvertisingEnable(false)) == 0)
        #expect(Self.status(&controller, .setAdvertisingEnable(false)) == 0)
    }

    @Test("parameters out of their ranges are invalid") func invalid() {
        var controller = Self.controller()
        let scans: [(UInt16, UInt16)] = [(3, 3), (0x4001, 4), (160, 161), (160, 3)]
        for (interval, window) in scans {
            let command = ScanParameters(active: false, interval: interval, window: window).command
            #expect(Self.status(&controller, command) == 0x12, "\(interval) \(window)")
        }
        let intervals: [UInt16] = [0, 0x1F, 0x9F, 0x4001]
        for interval in intervals {
            let parameters = AdvertisingParameters(kind: .nonConnectable, interval: interval, ownAddressType: 0)
            #expect(Self.status(&controller, parameters.command) == 0x12, "\(interval)")
        }
        var backwards = Self.beaconParameters
        backwards.longestInterval = 159
        #expect(Self.status(&controller, backwards.command) == 0x12)
        var silent = Self.beaconParameters
        silent.channels = 0
        #expect(Self.status(&controller, silent.command) == 0x12)
        #expect(
            Self.status(&controller, Command(.setAdvertisingData, [32] + [UInt8](repeating: 0, count: 31))) == 0x12)
        #expect(Self.status(&controller, Command(.setAdvertisingData, [1, 2])) == 0x12)
        #expect(Self.status(&controller, Command(.setAdvertisingEnable, [2])) == 0x12)
        #expect(Self.status(&controller, Command(.setScanEnable, [1])) == 0x12)
        #expect(Self.status(&controller, Command(.setEventMask, [])) == 0x12)
    }

    @Test("since Bluetooth 5.0 a beacon may send each 20 ms") func from5() {
        var controller = Self.controller(.from5)
        let fast = AdvertisingParameters(kind: .nonConnectable, interval: 0x20, ownAddressType: 0)
        #expect(Self.status(&controller, fast.command) == 0)
    }

    @Test("nothing is sent from a random address that was never set") func randomAddress() {
        var controller = Self.controller()
        let random = AdvertisingParameters(kind: .nonConnectable, interval: 160, ownAddressType: 1)
        let active = ScanParameters(active: true, interval: 160, window: 144, ownAddressType: 1)
        #expect(Self.status(&controller, random.command) == 0)
        #expect(Self.status(&controller, active.command) == 0)
        #expect(Self.status(&controller, .setAdvertisingEnable(true)) == 0x12)
        #expect(Self.status(&controller, .setScanEnable(true)) == 0x12)
        let address = DeviceAddress(0xC5DC_FD06_7848, .random)
        #expect(Self.status(&controller, .setRandomAddress(address)) == 0)
        #expect(Self.status(&controller, .setAdvertisingEnable(true)) == 0)
        #expect(controller.advertisements.first?.address == address)
        #expect(Self.status(&controller, .setScanEnable(true)) == 0)
    }

    @Test("reports need a scan and both masks, and Reset takes all of them away") func reports() {
        var controller = Self.controller()
        let sender = DeviceAddress(0xC000_0000_0001, .random)
        _ = Self.status(&controller, .setScanEnable(true))
        // The default event mask has no LE Meta events.
        #expect(!Self.reports(&controller, sender))
        _ = Self.status(&controller, .setEventMask(0x2000_1FFF_FFFF_FFFF))
        #expect(Self.reports(&controller, sender))
        #expect(Self.reports(&controller, sender))
        _ = Self.status(&controller, .setLowEnergyEventMask(0x01))
        #expect(!Self.reports(&controller, sender))
        _ = Self.status(&controller, .setLowEnergyEventMask(0x02))
        _ = Self.status(&controller, .setScanEnable(false))
        #expect(!Self.reports(&controller, sender))
        _ = Self.status(&controller, .setScanEnable(true))
        _ = Self.status(&controller, .setAdvertisingData([1]))
        _ = Self.status(&controller, .setAdvertisingEnable(true))
        #expect(controller.advertisements.first?.data == [1])
        _ = Self.status(&controller, .reset)
        #expect(!controller.isScanning)
        #expect(controller.advertisements.isEmpty)
        _ = Self.status(&controller, .setAdvertisingEnable(true))
        #expect(controller.advertisements.first?.data == [])
    }

    @Test("the duplicate filter lets each sender through once, until scanning is enabled again") func duplicates() {
        var controller = Self.controller()
        _ = Self.status(&controller, .setEventMask(0x2000_1FFF_FFFF_FFFF))
        _ = Self.status(&controller, .setScanEnable(true, filteringDuplicates: true))
        let senders = (0..<4).map { DeviceAddress(0xC000_0000_0000 + UInt64($0 % 2), .random) }
        let reported = senders.map { controller.reports($0) }
        #expect(reported == [true, true, false, false])
        _ = Self.status(&controller, .setScanEnable(true, filteringDuplicates: true))
        #expect(Self.reports(&controller, senders[0]))
    }
}
