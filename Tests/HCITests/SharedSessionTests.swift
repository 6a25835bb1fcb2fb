import Testing

@testable import HCI

@Suite("A session beside others") struct SharedSessionTests {
    static let second: Int64 = 1_000_000_000

    static func shared(
        _ plan: RadioPlan = RadioPlan(scan: Conversation.scan), refusing: [Opcode: StatusCode] = [:],
        remembered: CommandSet? = nil
    ) -> Conversation {
        var talk = Conversation(plan, access: .shared, remembered: remembered)
        talk.start()
        talk.obey(refusing: refusing)
        return talk
    }

    /// Another program's command, which the controller answers with success where that is wanted.
    static func foreign(_ talk: inout Conversation, _ command: Command, answered: Bool = true) {
        let bytes = command.bytes
        talk.take(
            bytes.withUnsafeBytes {
                talk.session.observe(command: UnsafeRawBufferPointer(rebasing: $0[1...]), now: talk.now)
            })
        if answered { talk.answer(command.opcode) }
    }

    @Test("beside the kernel nothing is reset, masked or readdressed") func setUp() {
        var talk = Conversation(access: .shared)
        talk.start()
        #expect(
            talk.obeyed() == [
                .readLocalVersion, .readLocalCommands, .readLocalFeatures, .readAddress, .readLowEnergyFeatures,
                .readLowEnergyStates, .setExtendedScanEnable, .setExtendedScanParameters, .setExtendedScanEnable,
            ])
        #expect(talk.said.last == .scanning(ScanState(.extended)))
        // Nobody's advertising is touched, and only our scan is switched off.
        #expect(talk.said.contains(.advertising(.off)))
        talk.stop()
        #expect(talk.obeyed() == [.setExtendedScanEnable])
        #expect(talk.said.last == .stopped)
    }

    @Test("somebody else's commands are answered without being strays of ours") func answers() {
        var talk = Self.shared()
        Self.foreign(&talk, Command(.readLocalVersion))
        Self.foreign(&talk, Command(Opcode(rawValue: 0x0C24), [0, 0, 0]))
        #expect(talk.session.strayReplies == 0)
        talk.answer(.readLocalVersion)
        #expect(talk.session.strayReplies == 1)
        talk.expectNothing()
    }

    @Test("an answer that could be theirs or ours is taken for theirs, and ours comes next") func sameCommand() {
        var talk = Conversation(access: .shared)
        talk.start()
        Self.foreign(&talk, Command(.readLocalVersion), answered: false)
        talk.sent = []
        talk.answer(.readLocalVersion)
        talk.expectNothing()
        talk.answer(.readLocalVersion)
        #expect(talk.sent.map(Conversation.opcode) == [.readLocalCommands])
    }

    @Test("a scan that others switch off is blind at once, and comes back soon, then at most each 10 s")
    func reasserts() {
        var talk = Self.shared()
        talk.said = []
        Self.foreign(&talk, ExtendedScanEnable(false).command)
        talk.expectSaid([.noted(.disturbed(.setExtendedScanEnable)), .scanning(nil)])
        talk.expectNothing()
        let first = talk.now
        talk.tick()
        #expect(talk.now == first + ControllerSession.reassertionDelay)
        #expect(talk.obeyed() == [.setExtendedScanParameters, .setExtendedScanEnable])
        talk.expectSaid([.scanning(ScanState(.extended))])
        let reasserted = talk.now
        // They insist: parameters of their own, with a filter.
        talk.now += Self.second
        Self.foreign(&talk, CommandSetTests.scan.asCommand)
        Self.foreign(&talk, ExtendedScanEnable(true, duplicateFilter: 1).command)
        talk.expectSaid([])
        #expect(talk.session.provenUntil == nil)
        talk.tick()
        #expect(talk.now == reasserted + ControllerSession.reassertionInterval)
        #expect(talk.obeyed() == [.setExtendedScanEnable, .setExtendedScanParameters, .setExtendedScanEnable])
        #expect(talk.session.provenUntil == talk.now)
        #expect(talk.session.isSettled)
    }

    @Test("what others do to their own advertising sets is theirs") func otherSets() {
        var talk = Self.shared(advertising(oldData))
        talk.said = []
        Self.foreign(&talk, ExtendedAdvertisingEnable(true, [.init(1)]).command)
        Self.foreign(&talk, ExtendedAdvertisingData(handle: 3, [1]).command)
        talk.expectSaid([])
        #expect(talk.session.isSettled)
        Self.foreign(&talk, Command(.clearAdvertisingSets))
        talk.expectSaid([.noted(.disturbed(.clearAdvertisingSets))])
        talk.tick()
        #expect(
            talk.obeyed(refusing: [:]) == [
                .setExtendedAdvertisingEnable, .setExtendedAdvertisingParameters, .setAdvertisingSetAddress,
                .setExtendedAdvertisingData, .setExtendedAdvertisingEnable,
            ])
        #expect(talk.session.isSettled)
    }

    @Test("a Reset by the kernel takes everything down, and everything comes back") func foreignReset() {
        var talk = Self.shared(advertising(oldData))
        talk.said = []
        Self.foreign(&talk, .reset)
        talk.expectSaid([.noted(.disturbed(.reset))])
        talk.tick()
        #expect(talk.obeyed().last == .setExtendedScanEnable)
        #expect(
            talk.said.suffix(2) == [.advertising(.onAir(oldData, txPower: 4)), .scanning(ScanState(.extended))])
    }

    @Test("legacy commands that are refused because others use extended ones are given up, without a Reset")
    func changesSides() {
        var talk = Self.shared(remembered: .legacy)
        #expect(talk.session.commandSet == .legacy)
        talk.said = []
        Self.foreign(&talk, CommandSetTests.scan.asCommand)
        talk.tick()
        let commands = talk.obeyed(refusing: [
            .setScanEnable: .commandDisallowed, .setScanParameters: .commandDisallowed,
        ])
        #expect(!commands.contains(.reset))
        #expect(commands.last == .setExtendedScanEnable)
        #expect(talk.session.commandSet == .extended)
        #expect(talk.said.last == .scanning(ScanState(.extended)))
    }

    @Test("a command of others while ours is under way leaves ours in doubt, and it is done again") func crossing()
    {
        var talk = Conversation.init(access: .shared)
        talk.start()
        while let command = talk.sent.first, command != [0x01, 0x42, 0x20, 0x06, 0x01, 0x00, 0, 0, 0, 0] {
            talk.sent.removeFirst()
            let opcode = Conversation.opcode(command)
            talk.answer(opcode, .success, Conversation.everything[opcode] ?? [])
        }
        talk.sent = []
        Self.foreign(&talk, Command.setExtendedScanDisabled, answered: false)
        talk.answer(.setExtendedScanEnable)
        talk.answer(.setExtendedScanEnable)
        #expect(talk.session.provenUntil == nil)
        #expect(!talk.session.isSettled)
        #expect(EventCutTests.turnsToScanning(&talk) != nil)
        #expect(talk.said.last == .scanning(ScanState(.extended)))
    }

    @Test("an exclusive session knows no others") func exclusive() {
        var talk = Conversation.extended(RadioPlan(scan: Conversation.scan))
        Self.foreign(&talk, .reset, answered: false)
        talk.expectSaid([])
        #expect(talk.session.isSettled)
    }
}

extension [UInt8] {
    /// A command packet as the value.
    fileprivate var asCommand: Command {
        Command(Conversation.opcode(self), Array(self[4...]))
    }
}

extension Command {
    fileprivate static var setExtendedScanDisabled: Command { ExtendedScanEnable(false).command }
}
