import Testing

@testable import HCI

@Suite struct ControllerSessionTests {
    static let parameters: [UInt8] =
        [0x01, 0x06, 0x20, 0x0F, 0xA0, 0, 0xA0, 0, 3, 1] + [0, 0, 0, 0, 0, 0, 0] + [7, 0]
    static let enable: [UInt8] = [0x01, 0x0A, 0x20, 0x01, 0x01]
    static let disable: [UInt8] = [0x01, 0x0A, 0x20, 0x01, 0x00]

    @Test("a controller is reset, asked, masked, and then scans") func scans() {
        var talk = Conversation()
        talk.setUpAndScan()
        talk.expectSaid([
            .ready(Conversation.identity, .legacy), .advertising(.off), .scanning(nil),
            .scanning(ScanState(.legacy)),
        ])
        #expect(talk.session.isSettled)
    }

    @Test("advertising data is set before advertising is enabled, and both before the scan") func advertises() {
        var talk = Conversation(advertising(oldData))
        talk.setUp()
        talk.expect([0x01, 0x0C, 0x20, 0x02, 0x00, 0x00])
        talk.answer(.setScanEnable)
        talk.expect(Self.parameters)
        talk.answer(.setAdvertisingParameters)
        talk.expect(dataCommand(oldData))
        talk.answer(.setAdvertisingData)
        talk.expect(Self.enable)
        talk.expectSaid([.ready(Conversation.identity, .legacy), .advertising(.off), .scanning(nil)])
        talk.answer(.setAdvertisingEnable)
        talk.expectSaid([.advertising(.onAir(oldData, txPower: nil))])
        talk.expect([0x01, 0x0B, 0x20, 0x07, 0x00, 0xA0, 0x00, 0x90, 0x00, 0x00, 0x00])
        talk.answer(.setScanParameters)
        talk.expect([0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
        talk.answer(.setScanEnable)
        talk.expectSaid([.scanning(ScanState(.legacy))])
    }

    @Test("new data replaces the old in one command, with nothing between") func replacesData() {
        var talk = Conversation(advertising(oldData))
        talk.setUpAndAdvertise()
        talk.apply(advertising(newData))
        talk.expect(dataCommand(newData))
        talk.expectSaid([])
        talk.answer(.setAdvertisingData)
        talk.expectSaid([.advertising(.onAir(newData, txPower: nil))])
        talk.expectNothing()
        #expect(talk.session.isSettled)
    }

    @Test("a new interval goes off air, sets parameters and data, and comes back") func replacesParameters() {
        var talk = Conversation(advertising(oldData))
        talk.setUpAndAdvertise()
        talk.apply(advertising(newData, interval: .milliseconds(200)))
        talk.expect(Self.disable)
        talk.answer(.setAdvertisingEnable)
        talk.expectSaid([.advertising(.off)])
        talk.expect([0x01, 0x06, 0x20, 0x0F, 0x40, 1, 0x40, 1, 3, 1] + [0, 0, 0, 0, 0, 0, 0] + [7, 0])
        talk.answer(.setAdvertisingParameters)
        talk.expect(dataCommand(newData))
        talk.answer(.setAdvertisingData)
        talk.expect(Self.enable)
        talk.answer(.setAdvertisingEnable)
        talk.expectSaid([.advertising(.onAir(newData, txPower: nil))])
    }

    @Test("a scan is disabled before its parameters change") func replacesScan() {
        var talk = Conversation()
        talk.setUpAndScan()
        talk.said = []
        talk.apply(RadioPlan(scan: ScanPlan(interval: .milliseconds(40), window: .milliseconds(30), active: true)))
        talk.expect([0x01, 0x0C, 0x20, 0x02, 0x00, 0x00])
        talk.answer(.setScanEnable)
        talk.expect([0x01, 0x0B, 0x20, 0x07, 0x01, 0x40, 0x00, 0x30, 0x00, 0x01, 0x00])
        talk.answer(.setScanParameters)
        talk.expect([0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
        talk.answer(.setScanEnable)
        talk.expectSaid([.scanning(nil), .scanning(ScanState(.legacy))])
    }

    @Test("a plan that changes while commands are under way is reached without a detour on air")
    func changesInFlight() {
        var talk = Conversation(advertising(oldData))
        talk.setUp()
        talk.sent = []
        talk.answer(.setScanEnable)
        talk.answer(.setAdvertisingParameters)
        talk.sent = []
        // The old data is on its way to the controller and not on air yet: it is never enabled.
        talk.apply(advertising(newData))
        talk.expectNothing()
        talk.answer(.setAdvertisingData)
        talk.expect(dataCommand(newData))
        talk.answer(.setAdvertisingData)
        talk.expect(Self.enable)
        talk.said = []
        talk.answer(.setAdvertisingEnable)
        talk.expectSaid([.advertising(.onAir(newData, txPower: nil))])
    }

    @Test("disallowed is as good as success for switching off, and for nothing else") func disallowed() {
        var talk = Conversation(advertising(oldData))
        talk.setUp()
        talk.expect([0x01, 0x0C, 0x20, 0x02, 0x00, 0x00])
        talk.answer(.setScanEnable, .commandDisallowed)
        talk.expect(Self.parameters)
        talk.said = []
        talk.answer(.setAdvertisingParameters, .commandDisallowed)
        talk.expectSaid([.advertising(.refused(.setAdvertisingParameters, .commandDisallowed, onAir: nil))])
        talk.expect([0x01, 0x0B, 0x20, 0x07, 0x00, 0xA0, 0x00, 0x90, 0x00, 0x00, 0x00])
        talk.answer(.setScanParameters, .commandDisallowed)
        talk.expectSaid([.failed(.refused(.setScanParameters, .commandDisallowed))])
        talk.expectNothing()
    }

    @Test("refused data leaves the old on air, and is not sent again until the plan changes") func refusedData() {
        var talk = Conversation(advertising(oldData))
        talk.setUpAndAdvertise()
        talk.apply(advertising(newData))
        talk.expect(dataCommand(newData))
        talk.answer(.setAdvertisingData, .commandDisallowed)
        talk.expectSaid([.advertising(.refused(.setAdvertisingData, .commandDisallowed, onAir: oldData))])
        talk.apply(advertising(newData))
        talk.expectNothing()
        talk.apply(advertising(oldData))
        talk.expectNothing()
        talk.expectSaid([.advertising(.onAir(oldData, txPower: nil))])
        talk.apply(advertising(newData))
        talk.expect(dataCommand(newData))
        talk.answer(.setAdvertisingData)
        talk.expectSaid([.advertising(.onAir(newData, txPower: nil))])
    }

    @Test("the refusal of a plan that was replaced meanwhile does not count against the new one")
    func staleRefusal() {
        var talk = Conversation(advertising(oldData))
        talk.setUpAndAdvertise()
        talk.apply(advertising(newData))
        talk.apply(advertising([0x01]))
        talk.sent = []
        talk.answer(.setAdvertisingData, .invalidParameters)
        talk.expect(dataCommand([0x01]))
        talk.answer(.setAdvertisingData)
        talk.expectSaid([.advertising(.onAir([0x01], txPower: nil))])
    }

    @Test("a controller without advertising scans, and says so") func unsupported() {
        var talk = Conversation(advertising(oldData))
        talk.setUp()
        talk.answer(.setScanEnable)
        talk.said = []
        talk.receive(ControllerEvent.commandStatusBytes(.setAdvertisingParameters, status: .unknownCommand))
        talk.expectSaid([.advertising(.unsupported)])
        talk.answer(.setScanParameters)
        talk.answer(.setScanEnable)
        talk.expectSaid([.scanning(ScanState(.legacy))])
    }

    @Test("without a random address nothing is advertised from it, and an active scan uses the public one")
    func noRandomAddress() {
        let active = ScanPlan(interval: .milliseconds(100), window: .milliseconds(90), active: true)
        let plan = AdvertisePlan(data: oldData, interval: .milliseconds(100))
        var talk = Conversation(RadioPlan(scan: active, advertise: plan))
        talk.start()
        for (opcode, returned) in Conversation.setUpAnswers {
            talk.answer(opcode, opcode == .setRandomAddress ? .commandDisallowed : .success, returned)
        }
        talk.sent = []
        talk.answer(.setScanEnable)
        talk.expect([0x01, 0x0B, 0x20, 0x07, 0x01, 0xA0, 0x00, 0x90, 0x00, 0x00, 0x00])
        let refused = SessionAction.advertising(.refused(.setRandomAddress, .commandDisallowed, onAir: nil))
        talk.expectSaid([.ready(Conversation.identity, .legacy), refused, .scanning(nil)])
        var another = RadioPlan(scan: active)
        another.advertise = AdvertisePlan(data: oldData, interval: .milliseconds(100), address: .`public`)
        talk.apply(another)
        talk.answer(.setScanParameters)
        talk.expect([0x01, 0x06, 0x20, 0x0F, 0xA0, 0, 0xA0, 0, 3, 0] + [0, 0, 0, 0, 0, 0, 0] + [7, 0])
    }

    @Test("stop switches advertising off, then the scan, and then says so") func stops() {
        var talk = Conversation(advertising(oldData))
        talk.setUpAndAdvertise()
        talk.stop()
        talk.expect(Self.disable)
        talk.answer(.setAdvertisingEnable)
        talk.expect([0x01, 0x0C, 0x20, 0x02, 0x00, 0x00])
        talk.answer(.setScanEnable)
        talk.expectSaid([.advertising(.off), .scanning(nil), .stopped])
        #expect(talk.session.nextDeadline == nil)
    }

    @Test("stop ends in time when the controller does not answer") func stopsInTime() {
        var talk = Conversation(advertising(oldData))
        talk.setUpAndAdvertise()
        let asked = talk.now
        talk.stop()
        talk.tick()
        talk.expectSaid([.stopped])
        #expect(talk.now - asked == ControllerSession.stopTimeout)
        #expect(talk.session.nextDeadline == nil)
    }

    @Test("stop before the start, or while waiting for the next try, is at once") func stopsAtOnce() {
        var talk = Conversation()
        talk.stop()
        talk.expectSaid([.stopped])
        talk.setUpAndScan()
        talk.receive(ControllerEvent.hardwareErrorBytes(code: 1))
        talk.said = []
        talk.stop()
        talk.expectSaid([.stopped])
    }
}
