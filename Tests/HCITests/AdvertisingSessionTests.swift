import Testing

@testable import HCI

@Suite("Advertising of a session") struct AdvertisingSessionTests {
    static let address: [UInt8] = [0x48, 0x78, 0x06, 0xFD, 0xDC, 0xC5]
    static let enable: [UInt8] = [0x01, 0x39, 0x20, 0x06, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00]
    static let disable: [UInt8] = [0x01, 0x39, 0x20, 0x06, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00]

    static func data(_ data: [UInt8]) -> [UInt8] {
        [0x01, 0x37, 0x20, UInt8(4 + data.count), 0x00, 0x03, 0x01, UInt8(data.count)] + data
    }

    static func parameters(power: UInt8 = 0x7F, interval: UInt8 = 0xA0) -> [UInt8] {
        [0x01, 0x36, 0x20, 0x19, 0x00, 0x10, 0x00, interval, 0, 0, interval, 0, 0, 0x07, 0x01]
            + [0, 0, 0, 0, 0, 0, 0] + [0x00, power, 0x01, 0x00, 0x01, 0x00, 0x00]
    }

    @Test("an advertising set gets parameters, address and data before it is enabled, and then comes the scan")
    func extended() {
        var talk = Conversation(advertising(oldData))
        talk.start()
        let commands = talk.obey()
        #expect(
            Array(commands.dropFirst(CommandSetTests.extendedSetUp.count)) == [
                [0x01, 0x42, 0x20, 0x06, 0x00, 0x00, 0, 0, 0, 0], Self.parameters(),
                [0x01, 0x35, 0x20, 0x07, 0x00] + Self.address, Self.data(oldData), Self.enable,
                CommandSetTests.scan, [0x01, 0x42, 0x20, 0x06, 0x01, 0x00, 0, 0, 0, 0],
            ])
        #expect(talk.said.contains(.advertising(.onAir(oldData, txPower: 4))))
    }

    @Test("other data is one command while on air, in both sets of commands, and nothing else is ever on air")
    func replacesData() {
        var talk = Conversation.extended(advertising(oldData))
        talk.apply(advertising(newData))
        talk.expect(Self.data(newData))
        talk.expectSaid([])
        talk.answer(.setExtendedAdvertisingData)
        talk.expectSaid([.advertising(.onAir(newData, txPower: 4))])
        talk.expectNothing()
        talk.apply(advertising(newData, interval: .milliseconds(50)))
        #expect(talk.obey() == [Self.disable, Self.parameters(interval: 0x50), Self.enable])
        talk.stop()
        #expect(talk.obeyed() == [.setExtendedAdvertisingEnable, .setExtendedScanEnable])
        #expect(talk.said.last == .stopped)
    }

    @Test("a set that is not there is off air") func unknownSet() {
        var talk = Conversation.extended(advertising(oldData))
        talk.apply(advertising(nil))
        #expect(
            talk.obeyed(refusing: [.setExtendedAdvertisingEnable: .unknownAdvertisingSet])
                == [.setExtendedAdvertisingEnable])
        talk.expectSaid([.advertising(.off)])
    }

    @Test("the power asked for is that of the set, and what the controller chose stands in the advert")
    func power() {
        let plan = AdvertisePlan(
            data: [0x4C, 0x00], powerByte: PowerByte(offset: 1, fallback: -65), interval: .milliseconds(100),
            txPower: 10)
        var talk = Conversation(RadioPlan(scan: nil, advertise: plan))
        talk.start()
        let commands = talk.obey()
        #expect(commands.contains(Self.parameters(power: 10)))
        // 4 dBm chosen, so -55 dBm at 1 m.
        #expect(commands.contains(Self.data([0x4C, 0xC9])))
        #expect(talk.said.last == .advertising(.onAir([0x4C, 0xC9], txPower: 4)))
    }

    @Test("with legacy commands the power is asked for before the advert is made, and cannot be chosen")
    func legacyPower() {
        let plan = AdvertisePlan(
            data: [0x4C, 0x00], powerByte: PowerByte(offset: 1, fallback: -65), interval: .milliseconds(100),
            txPower: 10)
        var talk = Conversation(RadioPlan(scan: nil, advertise: plan), remembered: .legacy)
        talk.start()
        #expect(
            talk.obeyed().dropFirst(CommandSetTests.extendedSetUp.count) == [
                .setScanEnable, .readAdvertisingPower, .setAdvertisingParameters, .setAdvertisingData,
                .setAdvertisingEnable,
            ])
        // -4 dBm told, so -63 dBm at 1 m.
        #expect(talk.said.last == .advertising(.onAir([0x4C, 0xC1], txPower: -4)))
        #expect(talk.said.contains(.noted(.powerFixed)))
        // A controller that does not tell.
        talk.start()
        talk.obey(refusing: [.readAdvertisingPower: .unknownCommand])
        #expect(talk.said.last == .advertising(.onAir([0x4C, 0xBF], txPower: nil)))
    }

    @Test("a power byte is that of the adapter at the format's distance, and never nonsense") func powerByte() {
        let atOne = PowerByte(offset: 0, fallback: -65)
        let atZero = PowerByte(offset: 0, fallback: -65, atZeroMetres: true)
        #expect(
            [nil, 0, 4, -20, 20, 127, -127].map { atOne.value(at: $0) } == [-65, -59, -55, -79, -39, -20, -100])
        #expect([nil, 0, 4, -20, 127, -127].map { atZero.value(at: $0) } == [-24, -18, -14, -38, 21, -59])
        #expect(PowerByte(offset: 0, fallback: 5).value(at: nil) == -20)
        #expect(
            AdvertisePlan(data: [1], powerByte: PowerByte(offset: 1, fallback: 0), interval: .seconds(1)) == nil)
        #expect(
            AdvertisePlan(data: [1], powerByte: PowerByte(offset: -1, fallback: 0), interval: .seconds(1)) == nil)
    }

    @Test("an adapter that only advertises is asked for a sign of life all the same") func advertisesOnly() {
        var talk = Conversation(RadioPlan(scan: nil, advertise: advertising(oldData).advertise))
        talk.start()
        talk.obey()
        let since = talk.now
        #expect(talk.session.provenUntil == nil)
        talk.tick()
        #expect(talk.now == since + ControllerSession.longestSilence)
        talk.expect([0x01, 0x09, 0x10, 0x00])
        talk.tick()
        talk.tick()
        #expect(talk.said.last == .failed(.commandTimeout(.readAddress)))
    }

    private static func rotating() -> RadioPlan {
        RadioPlan(
            scan: Conversation.scan,
            advertise: AdvertisePlan(data: oldData, interval: .milliseconds(100), rotation: .seconds(900)))
    }

    @Test("a new random address is one command while on air, as often as planned") func rotates() {
        var talk = Conversation.extended(Self.rotating())
        let since = talk.now
        var addresses: Set<[UInt8]> = [Self.address]
        for turn in 1...3 {
            talk.now = since + Int64(turn) * 900_000_000_000
            // An advert just before, so that no sign of life is due as well.
            talk.receive([4, 0x3E, 2, 2, 0])
            talk.take(talk.session.tick(now: talk.now))
            let commands = talk.obey()
            #expect(commands.map(Conversation.opcode) == [.setAdvertisingSetAddress])
            #expect((commands.first?.last ?? 0) >= 0xC0)
            addresses.insert(Array(commands.first?.suffix(6) ?? []))
        }
        #expect(addresses.count == 4)
        talk.expectSaid([])
    }

    @Test("with legacy commands a new address goes off air, and takes the scan down for that moment")
    func rotatesLegacy() {
        var talk = Conversation(Self.rotating(), remembered: .legacy)
        talk.start()
        talk.obey()
        talk.now += 900_000_000_000
        talk.receive([4, 0x3E, 2, 2, 0])
        talk.said = []
        talk.take(talk.session.tick(now: talk.now))
        let expected: [Opcode] = [
            .setAdvertisingEnable, .setScanEnable, .setRandomAddress, .setAdvertisingEnable, .setScanEnable,
        ]
        #expect(talk.obeyed() == expected)
        talk.expectSaid([
            .advertising(.off), .scanning(nil), .advertising(.onAir(oldData, txPower: -4)),
            .scanning(ScanState(.legacy)),
        ])
        // One that is refused leaves the old one, and everything as planned.
        talk.now += 900_000_000_000
        talk.receive([4, 0x3E, 2, 2, 0])
        talk.take(talk.session.tick(now: talk.now))
        #expect(talk.obeyed(refusing: [.setRandomAddress: .commandDisallowed]) == expected)
        #expect(talk.said.contains(.noted(.addressKept(.commandDisallowed))))
        #expect(talk.said.last == .scanning(ScanState(.legacy)))
    }

    @Test("a controller that refuses a new address on air gets it off air") func rotatesOffAir() {
        var talk = Conversation.extended(Self.rotating())
        talk.now += 900_000_000_000
        talk.receive([4, 0x3E, 2, 2, 0])
        talk.take(talk.session.tick(now: talk.now))
        talk.answer(.setAdvertisingSetAddress, .commandDisallowed)
        talk.sent.removeFirst()
        #expect(
            talk.obeyed() == [
                .setExtendedAdvertisingEnable, .setAdvertisingSetAddress, .setExtendedAdvertisingEnable,
            ])
        #expect(talk.said.last == .advertising(.onAir(oldData, txPower: 4)))
    }

    @Test("a controller that says it cannot scan and advertise at once is tried all the same, and that is said")
    func combination() {
        var returns = Conversation.everything
        returns[.readLowEnergyStates] = [0xFF, 0xFE, 0, 0, 0, 0, 0, 0]
        var talk = Conversation(advertising(oldData))
        talk.start()
        talk.obey(returning: returns)
        #expect(talk.said.count { $0 == .noted(.combinationMissing) } == 1)
        #expect(talk.said.last == .scanning(ScanState(.extended)))
    }
}
