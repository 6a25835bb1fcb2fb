import TestSupport
import Testing

@testable import HCI

@Suite struct ControllerSessionFaultTests {
    @Test("a command without an answer is sent once more, then the controller has failed") func timeout() {
        var talk = Conversation()
        talk.start()
        talk.expect([0x01, 0x03, 0x0C, 0x00])
        talk.tick()
        talk.expect([0x01, 0x03, 0x0C, 0x00])
        talk.expectSaid([])
        talk.tick()
        talk.expectSaid([.failed(.commandTimeout(.reset))])
        #expect(talk.now == 5_000_000_000)
        // Then it waits for its owner.
        #expect(talk.session.nextDeadline == nil)
        talk.answer(.reset)
        talk.expectNothing()
        talk.start()
        talk.expect([0x01, 0x03, 0x0C, 0x00])
    }

    @Test("the answer to the first of two tries is not taken for that of the next command") func lateAnswers() {
        var talk = Conversation(advertising(oldData))
        talk.setUpAndAdvertise()
        talk.apply(advertising(newData))
        talk.tick()
        talk.sent = []
        talk.answer(.setAdvertisingData)
        talk.expectSaid([.advertising(.onAir(newData, txPower: nil))])
        talk.apply(advertising(oldData))
        talk.expect(dataCommand(oldData))
        talk.answer(.setAdvertisingData)
        talk.expectSaid([])
        #expect(talk.session.strayReplies == 1)
        talk.answer(.setAdvertisingData)
        talk.expectSaid([.advertising(.onAir(oldData, txPower: nil))])
    }

    @Test("answers that nobody asked for are counted and change nothing") func strays() {
        var talk = Conversation()
        talk.start()
        talk.sent = []
        talk.answer(.setScanEnable)
        talk.receive(ControllerEvent.commandStatusBytes(.setAdvertisingData, status: .unknownCommand))
        talk.expectNothing()
        #expect(talk.session.strayReplies == 2)
        talk.answer(.reset)
        talk.expect([0x01, 0x01, 0x10, 0x00])
    }

    @Test("no command is sent without leave, and leave may come alone") func credits() {
        var talk = Conversation()
        talk.start()
        talk.sent = []
        talk.answer(.reset, credits: 0)
        talk.expectNothing()
        talk.receive([0x04, 0x0E, 0x03, 0x01, 0x00, 0x00])
        talk.expect([0x01, 0x01, 0x10, 0x00])
        #expect(talk.session.strayReplies == 0)
        talk.answer(.readLocalVersion, credits: 0)
        talk.tick()
        talk.expectSaid([.failed(.noCredits)])
    }

    @Test("a hardware error starts again from Reset, and everything planned comes back") func hardwareError() {
        var talk = Conversation()
        talk.setUpAndScan()
        talk.said = []
        talk.receive(ControllerEvent.hardwareErrorBytes(code: 0x42))
        talk.expectSaid([.failed(.hardwareError(code: 0x42))])
        #expect(talk.session.nextDeadline == nil)
        talk.start()
        // What it says until it has been reset is part of the same error.
        talk.receive(ControllerEvent.hardwareErrorBytes(code: 0x42))
        talk.expectSaid([])
        talk.expect([0x01, 0x03, 0x0C, 0x00])
        for (opcode, returned) in Conversation.setUpAnswers { talk.answer(opcode, .success, returned) }
        talk.answer(.setScanEnable)
        talk.answer(.setScanParameters)
        talk.answer(.setScanEnable)
        talk.expectSaid([
            .ready(Conversation.identity, .legacy), .advertising(.off), .scanning(nil),
            .scanning(ScanState(.legacy)),
        ])
    }

    @Test("lost framing starts again from Reset, which is what brings the stream back") func framingLost() {
        var talk = Conversation()
        talk.setUpAndScan()
        talk.said = []
        talk.take(talk.session.framingLost(now: talk.now))
        talk.expectSaid([.failed(.framingLost)])
        talk.start()
        talk.expect([0x01, 0x03, 0x0C, 0x00])
        talk.take(talk.session.framingLost(now: talk.now))
        talk.expectSaid([])
    }

    @Test("a refused mask, an answer without a status and a controller without LE are failures") func fatal() {
        var talk = Conversation()
        talk.start()
        talk.answer(.reset)
        talk.answer(.readLocalVersion, .unknownCommand)
        talk.answer(.readLocalCommands, .unknownCommand)
        talk.answer(.readLocalFeatures, .success, [0, 0, 0, 0, 0, 0, 0, 0])
        talk.expectSaid([.failed(.notLowEnergy)])
        talk.start()
        talk.answer(.reset)
        talk.receive([0x04, 0x0E, 0x03, 0x01, 0x01, 0x10])
        talk.expectSaid([.failed(.malformedReply(.readLocalVersion))])
        talk.start()
        for opcode in [Opcode.reset, .readLocalVersion, .readLocalCommands, .readLocalFeatures, .readAddress] {
            talk.answer(opcode)
        }
        talk.answer(.setEventMask, .invalidParameters)
        talk.expectSaid([.failed(.refused(.setEventMask, .invalidParameters))])
    }

    @Test("a connection that ends while stopping is stopped") func disconnectedWhileStopping() {
        var talk = Conversation()
        talk.setUpAndScan()
        talk.stop()
        talk.said = []
        talk.take(talk.session.disconnected())
        talk.expectSaid([.stopped])
        #expect(talk.session.nextDeadline == nil)
        talk.sent = []
        talk.start()
        talk.expect([0x01, 0x03, 0x0C, 0x00])
    }

    @Test("the random address is static: two upper bits set, the rest neither all zeros nor all ones")
    func randomAddress() {
        #expect("\(ControllerSession.staticRandomAddress(0x05DC_FD06_7848))" == "c5:dc:fd:06:78:48")
        #expect("\(ControllerSession.staticRandomAddress(0))" == "c0:00:00:00:00:01")
        #expect("\(ControllerSession.staticRandomAddress(.max))" == "c0:00:00:00:00:01")
    }

    @Test("a controller that is silent for long is asked for a sign of life; one that gives none is told")
    func signOfLife() {
        let ping: [UInt8] = [0x01, 0x09, 0x10, 0x00]
        var talk = Conversation()
        talk.setUpAndScan()
        _ = talk.said
        talk.said = []
        let heard = talk.now
        #expect(talk.session.provenUntil == heard)
        talk.tick()
        #expect(talk.now == heard + ControllerSession.longestSilence)
        talk.expect(ping)
        talk.now += Conversation.millisecond
        talk.answer(.readAddress, .success, [1, 2, 3, 4, 5, 6])
        #expect(talk.session.provenUntil == talk.now)
        talk.expectSaid([])
        talk.expectNothing()
        // From here on it hangs.
        let last = talk.now
        talk.tick()
        talk.expect(ping)
        talk.tick()
        talk.expect(ping)
        talk.tick()
        talk.expectSaid([.failed(.commandTimeout(.readAddress))])
        #expect(talk.now == last + ControllerSession.longestSilence + 2 * ControllerSession.commandTimeout)
        #expect(talk.session.provenUntil == nil)
    }

    @Test("who has to judge an absence gets a sign of life at once, and an advert is one") func proof() {
        let ping: [UInt8] = [0x01, 0x09, 0x10, 0x00]
        var talk = Conversation()
        talk.take(talk.session.prove(now: talk.now))
        talk.expectNothing()
        talk.setUpAndScan()
        talk.now += 50 * Conversation.millisecond
        // An event with no report in it: what counts is that it came.
        talk.receive([4, 0x3E, 2, 2, 0])
        #expect(talk.session.provenUntil == talk.now)
        talk.now += 50 * Conversation.millisecond
        talk.take(talk.session.prove(now: talk.now))
        talk.expect(ping)
        // One question at a time.
        talk.take(talk.session.prove(now: talk.now))
        talk.expectNothing()
        talk.answer(.readAddress, .unknownCommand)
        #expect(talk.session.provenUntil == talk.now)
        #expect(talk.session.isSettled)
    }
}
