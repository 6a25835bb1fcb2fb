import Testing

@testable import HCI

@Suite("Losses of a session") struct SessionLossTests {
    @Test("a command whose answer may be lost is asked again, once for each loss") func asksAgain() {
        var talk = Conversation(advertising(oldData))
        talk.setUpAndAdvertise()
        talk.apply(advertising(newData))
        talk.expect(dataCommand(newData))
        // Not sooner than the answer may take.
        talk.take(talk.session.packetsLost(now: talk.now))
        talk.take(talk.session.packetsLost(now: talk.now))
        talk.expectNothing()
        let sent = talk.now
        talk.tick()
        #expect(talk.now == sent + ControllerSession.repetitionDelay)
        talk.expect(dataCommand(newData))
        talk.now += ControllerSession.repetitionDelay
        talk.take(talk.session.packetsLost(now: talk.now))
        talk.expect(dataCommand(newData))
        talk.answer(.setAdvertisingData)
        talk.expectSaid([.advertising(.onAir(newData, txPower: nil))])
        #expect(talk.session.isSettled)
    }

    @Test("losses give a controller more time, but not for ever") func endless() {
        var talk = Conversation(advertising(oldData))
        talk.setUpAndAdvertise()
        talk.apply(advertising(newData))
        let since = talk.now
        while !talk.said.contains(.failed(.commandTimeout(.setAdvertisingData)))
            && talk.now - since < 60_000_000_000
        {
            talk.now += 300_000_000
            talk.take(talk.session.packetsLost(now: talk.now))
            talk.take(talk.session.tick(now: talk.now))
        }
        #expect(talk.now - since > 5_000_000_000)
        #expect(talk.now - since < 15_000_000_000)
    }

    @Test("the leave to send may be lost as well, and is then taken for granted") func credit() {
        var talk = Conversation()
        talk.start()
        talk.sent = []
        talk.answer(.reset, credits: 0)
        talk.expectNothing()
        talk.take(talk.session.packetsLost(now: talk.now))
        talk.expect([0x01, 0x01, 0x10, 0x00])
    }

    @Test("without a command under way a loss changes nothing, and before the start neither") func nothing() {
        var talk = Conversation()
        talk.take(talk.session.packetsLost(now: talk.now))
        talk.setUpAndScan()
        talk.said = []
        talk.take(talk.session.packetsLost(now: talk.now))
        talk.expectNothing()
        talk.expectSaid([])
        #expect(talk.session.isSettled)
    }

    @Test("a scan is restarted without a Reset, and not where there is none") func restart() {
        var talk = Conversation()
        talk.take(talk.session.restartScan(now: talk.now))
        talk.expectNothing()
        talk.setUpAndScan()
        talk.said = []
        talk.take(talk.session.restartScan(now: talk.now))
        #expect(talk.obeyed() == [.setScanEnable, .setScanParameters, .setScanEnable])
        talk.expectSaid([.scanning(nil), .scanning(ScanState(.legacy))])
    }
}
