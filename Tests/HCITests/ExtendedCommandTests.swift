import Testing

@testable import HCI

/// Golden bytes by the tables of the Core Specification, Vol 4 Part E 7.8.27 and 7.8.52 to 7.8.65.
@Suite struct ExtendedCommandTests {
    static let scan1M = ExtendedScanParameters(
        le1M: .init(active: true, interval: 160, window: 144), ownAddressType: 1, filterPolicy: 2)
    static let scanBoth = ExtendedScanParameters(
        le1M: .init(active: false, interval: 0x0102, window: 0x0101),
        leCoded: .init(active: true, interval: 0x0304, window: 0x0303))
    static let scanCoded = ExtendedScanParameters(
        le1M: nil, leCoded: .init(active: false, interval: 4, window: 4))

    @Test("the parameters of an extended scan are read as they are written, for one PHY and for two") func scan() {
        #expect(
            Self.scan1M.command.bytes == [0x01, 0x41, 0x20, 0x08, 0x01, 0x02, 0x01, 0x01, 0xA0, 0x00, 0x90, 0x00])
        #expect(
            Self.scanBoth.command.bytes == [
                0x01, 0x41, 0x20, 0x0D, 0x00, 0x00, 0x05, 0x00, 0x02, 0x01, 0x01, 0x01, 0x01, 0x04, 0x03, 0x03,
                0x03,
            ])
        for scan in [Self.scan1M, Self.scanBoth, Self.scanCoded] {
            let bytes = scan.command.parameters
            #expect(ExtendedScanParameters(bytes) == scan)
            for length in 0..<bytes.count { #expect(ExtendedScanParameters(Array(bytes.prefix(length))) == nil) }
            #expect(ExtendedScanParameters(bytes + [0]) == nil)
        }
        // No PHY, the 2M PHY, a scan type that there is not.
        #expect(ExtendedScanParameters([0, 0, 0]) == nil)
        #expect(ExtendedScanParameters([0, 0, 2, 0, 4, 0, 4, 0]) == nil)
        #expect(ExtendedScanParameters([0, 0, 1, 2, 4, 0, 4, 0]) == nil)
    }

    @Test("an extended scan is switched with its filter, duration and period") func scanEnable() {
        #expect(ExtendedScanEnable(true).command.bytes == [0x01, 0x42, 0x20, 0x06, 0x01, 0, 0, 0, 0, 0])
        let periodic = ExtendedScanEnable(true, duplicateFilter: 2, duration: 0x0102, period: 0x0304)
        #expect(periodic.command.parameters == [0x01, 0x02, 0x02, 0x01, 0x04, 0x03])
        for value in [periodic, ExtendedScanEnable(false), ExtendedScanEnable(true, duplicateFilter: 1)] {
            #expect(ExtendedScanEnable(value.command.parameters) == value)
        }
        for bytes in [[], [1, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0], [1, 3, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]]
            as [[UInt8]]
        {
            #expect(ExtendedScanEnable(bytes) == nil)
        }
    }

    @Test("the parameters of an advertising set are read as they are written") func parameters() {
        let beacon = ExtendedAdvertisingParameters(handle: 0, interval: 160, ownAddressType: 1)
        #expect(
            beacon.command.bytes
                == [0x01, 0x36, 0x20, 0x19, 0x00, 0x10, 0x00, 0xA0, 0, 0, 0xA0, 0, 0, 0x07, 0x01]
                + [0, 0, 0, 0, 0, 0, 0] + [0x00, 0x7F, 0x01, 0x00, 0x01, 0x00, 0x00])
        var other = ExtendedAdvertisingParameters(
            handle: 0xEF, properties: [.scannable, .includesPower], interval: 0x010203, ownAddressType: 0,
            txPower: -20)
        other.longestInterval = 0xFFFFFF
        other.channels = 1
        other.filterPolicy = 3
        other.primaryPHY = .leCoded
        other.secondaryPHY = .le2M
        other.sid = 15
        #expect(
            other.command.parameters
                == [0xEF, 0x42, 0x00, 0x03, 0x02, 0x01, 0xFF, 0xFF, 0xFF, 0x01, 0x00]
                + [0, 0, 0, 0, 0, 0, 0] + [0x03, 0xEC, 0x03, 0x00, 0x02, 0x0F, 0x00])
        for value in [beacon, other] {
            let bytes = value.command.parameters
            #expect(ExtendedAdvertisingParameters(bytes) == value)
            for length in 0..<bytes.count {
                #expect(ExtendedAdvertisingParameters(Array(bytes.prefix(length))) == nil)
            }
        }
    }

    @Test("the data of an advertising set is read as it is written, whole and in pieces") func data() {
        let whole = ExtendedAdvertisingData(handle: 0, [0x02, 0x01, 0x06])
        #expect(whole.command.bytes == [0x01, 0x37, 0x20, 0x07, 0x00, 0x03, 0x01, 0x03, 0x02, 0x01, 0x06])
        #expect(whole.responseCommand.bytes == [0x01, 0x38, 0x20, 0x07, 0x00, 0x03, 0x01, 0x03, 0x02, 0x01, 0x06])
        let piece = ExtendedAdvertisingData(
            handle: 9, operation: .first, mayFragment: true, [UInt8](repeating: 7, count: 251))
        #expect(Array(piece.command.bytes.prefix(8)) == [0x01, 0x37, 0x20, 0xFF, 0x09, 0x01, 0x00, 0xFB])
        for value in [whole, piece, ExtendedAdvertisingData(handle: 1, operation: .unchanged, [])] {
            let bytes = value.command.parameters
            #expect(ExtendedAdvertisingData(bytes) == value)
            for length in 0..<bytes.count { #expect(ExtendedAdvertisingData(Array(bytes.prefix(length))) == nil) }
        }
        #expect(ExtendedAdvertisingData([0, 5, 1, 0]) == nil)
        #expect(ExtendedAdvertisingData([0, 3, 1, 252] + [UInt8](repeating: 0, count: 252)) == nil)
    }

    @Test("advertising sets are switched one by one, or all off") func enable() {
        #expect(
            ExtendedAdvertisingEnable(true, [.init(0)]).command.bytes
                == [0x01, 0x39, 0x20, 0x06, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00])
        #expect(ExtendedAdvertisingEnable(false, []).command.bytes == [0x01, 0x39, 0x20, 0x02, 0x00, 0x00])
        let two = ExtendedAdvertisingEnable(true, [.init(1, duration: 0x0102, events: 3), .init(4)])
        #expect(two.command.parameters == [0x01, 0x02, 0x01, 0x02, 0x01, 0x03, 0x04, 0x00, 0x00, 0x00])
        for value in [two, ExtendedAdvertisingEnable(false, [])] {
            #expect(ExtendedAdvertisingEnable(value.command.parameters) == value)
        }
        for bytes in [[], [1], [2, 0], [1, 1, 0, 0, 0], [0, 0, 0], [1, 64]] as [[UInt8]] {
            #expect(ExtendedAdvertisingEnable(bytes) == nil)
        }
    }

    @Test("an advertising set has an address of its own, and can be taken away") func sets() {
        let address = AdvertisingSetAddress(handle: 2, address: DeviceAddress(0xC5DC_FD06_7848, .random))
        #expect(address.command.bytes == [0x01, 0x35, 0x20, 0x07, 0x02, 0x48, 0x78, 0x06, 0xFD, 0xDC, 0xC5])
        #expect(AdvertisingSetAddress(address.command.parameters) == address)
        #expect(AdvertisingSetAddress([0, 1, 2, 3, 4, 5]) == nil)
        #expect(Command.removeAdvertisingSet(3).bytes == [0x01, 0x3C, 0x20, 0x01, 0x03])
        #expect(Command(.clearAdvertisingSets).bytes == [0x01, 0x3D, 0x20, 0x00])
    }

    @Test("what is asked for, and what comes back") func reads() {
        #expect(Command(.readAdvertisingDataLimit).bytes == [0x01, 0x3A, 0x20, 0x00])
        #expect(Command(.readAdvertisingSetCount).bytes == [0x01, 0x3B, 0x20, 0x00])
        #expect(Command(.readAdvertisingPower).bytes == [0x01, 0x07, 0x20, 0x00])
        #expect(Command(.readLowEnergyStates).bytes == [0x01, 0x1C, 0x20, 0x00])
        let states: LowEnergyStates = [.advertising, .passiveScanning, .advertisingAndPassiveScanning]
        #expect(ReturnParameters.bytes(lowEnergyStates: states) == [0x11, 0x01, 0, 0, 0, 0, 0, 0])
        func read<Value>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Value?) -> Value? {
            bytes.withUnsafeBytes(body)
        }
        #expect(read([0x11, 0x01, 0, 0, 0, 0, 0, 0], ReturnParameters.lowEnergyStates) == states)
        #expect(read([0x11, 0x01, 0, 0, 0, 0, 0], ReturnParameters.lowEnergyStates) == nil)
        #expect(read(ReturnParameters.bytes(power: -8), ReturnParameters.power) == -8)
        #expect(read([0x7F], ReturnParameters.power) == nil)
        #expect(read([], ReturnParameters.power) == nil)
        #expect(ReturnParameters.bytes(advertisingDataLimit: 1650) == [0x72, 0x06])
        #expect(read([0x72, 0x06], ReturnParameters.advertisingDataLimit) == 1650)
        #expect(read([0x72], ReturnParameters.advertisingDataLimit) == nil)
        #expect(read(ReturnParameters.bytes(advertisingSetCount: 4), ReturnParameters.advertisingSetCount) == 4)
    }

    @Test("every command that belongs to a set says to which, and has a name") func names() {
        #expect(CommandSet(.setScanEnable) == .legacy)
        #expect(CommandSet(.setExtendedScanEnable) == .extended)
        #expect(CommandSet(.setRandomAddress) == nil)
        #expect("\(Opcode.setExtendedScanParameters)" == "LE Set Extended Scan Parameters (0x2041)")
        for command in UInt16(0x2035)...0x203D {
            #expect(CommandSet(Opcode(rawValue: command)) == .extended)
            #expect("\(Opcode(rawValue: command))".hasPrefix("LE "))
        }
        #expect("\(StatusCode.unknownAdvertisingSet)" == "Unknown Advertising Identifier (0x42)")
    }
}
