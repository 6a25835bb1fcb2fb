import Testing

@testable import HCI

@Suite("Choice of commands") struct CommandSetTests {
    static let extendedSetUp: [Opcode] = [
        .reset, .readLocalVersion, .readLocalCommands, .readLocalFeatures, .readAddress, .setEventMask,
        .setLowEnergyEventMask, .readLowEnergyBufferSize, .readLowEnergyFeatures, .readLowEnergyStates,
        .setRandomAddress,
    ]
    static let scan: [UInt8] = [0x01, 0x41, 0x20, 0x08, 0x00, 0x00, 0x01, 0x00, 0xA0, 0x00, 0x90, 0x00]

    @Test("a controller that claims the extended commands scans with them, and its reports are let through")
    func extended() {
        var talk = Conversation()
        talk.start()
        let commands = talk.obey()
        #expect(
            commands.map(Conversation.opcode) == Self.extendedSetUp + [
                .setExtendedScanEnable, .setExtendedScanParameters, .setExtendedScanEnable,
            ])
        #expect(commands[6] == [0x01, 0x01, 0x20, 0x08, 0x02, 0x10, 0, 0, 0, 0, 0, 0])
        #expect(
            Array(commands.suffix(3)) == [
                [0x01, 0x42, 0x20, 0x06, 0x00, 0x00, 0, 0, 0, 0], Self.scan,
                [0x01, 0x42, 0x20, 0x06, 0x01, 0x00, 0, 0, 0, 0],
            ])
        #expect(
            Array(talk.said.suffix(2)) == [.scanning(nil), .scanning(ScanState(.extended))])
        #expect(talk.session.commandSet == .extended)
        #expect(talk.session.isSettled)
    }

    @Test(
        "a controller that claims extended commands and refuses them is reset and asked with the legacy ones",
        arguments: [
            (Opcode.setExtendedScanEnable, StatusCode.unknownCommand),
            (.setExtendedScanParameters, .commandDisallowed), (.setExtendedScanParameters, .unsupportedFeature),
        ])
    func fallsBack(opcode: Opcode, status: StatusCode) {
        var talk = Conversation()
        talk.start()
        let commands = talk.obeyed(refusing: [opcode: status])
        #expect(commands.count { $0 == .reset } == 2)
        #expect(Array(commands.suffix(3)) == [.setScanEnable, .setScanParameters, .setScanEnable])
        #expect(talk.said.contains(.noted(.changedCommands(to: .legacy, opcode, status))))
        #expect(talk.said.last == .scanning(ScanState(.legacy)))
        // It is not tried again.
        talk.said = []
        talk.start()
        let again = talk.obeyed(refusing: [opcode: status])
        #expect(again.count { $0 == .reset } == 1)
        #expect(again.last == .setScanEnable)
    }

    @Test("a controller that refuses both sets has failed, after one Reset for each") func refusesBoth() {
        var talk = Conversation()
        talk.start()
        let commands = talk.obeyed(refusing: [
            .setExtendedScanParameters: .unknownCommand, .setScanParameters: .unknownCommand,
        ])
        #expect(commands.count { $0 == .reset } == 2)
        #expect(talk.said.last == .failed(.refused(.setScanParameters, .unknownCommand)))
        #expect(talk.session.nextDeadline == nil)
    }

    @Test("the set that a controller was used with before is tried first, where it still claims it")
    func remembered() {
        var talk = Conversation(remembered: .legacy)
        talk.start()
        #expect(talk.obeyed().last == .setScanEnable)
        #expect(talk.session.commandSet == .legacy)
        var older = Conversation(remembered: .extended)
        older.start()
        #expect(older.obeyed(returning: [.readLocalCommands: Conversation.legacyCommands]).last == .setScanEnable)
    }

    @Test("a command that is refused after the set has worked is not the fault of the set") func proven() throws {
        var talk = Conversation.extended(RadioPlan(scan: Conversation.scan))
        talk.apply(advertising(oldData))
        let commands = talk.obeyed(refusing: [.setExtendedAdvertisingParameters: .commandDisallowed])
        #expect(commands == [.setExtendedAdvertisingParameters])
        talk.expectSaid([
            .advertising(.refused(.setExtendedAdvertisingParameters, .commandDisallowed, onAir: nil))
        ])
    }

    @Test("the coded PHY is listened to where it is, and each PHY gets half of the window") func coded() {
        var plan = Conversation.scan
        plan.coded = true
        var talk = Conversation(RadioPlan(scan: plan))
        talk.start()
        let commands = talk.obey()
        #expect(
            commands[commands.count - 2] == [
                0x01, 0x41, 0x20, 0x0D, 0x00, 0x00, 0x05, 0x00, 0xA0, 0x00, 0x48, 0x00, 0x00, 0xA0, 0x00, 0x48,
                0x00,
            ])
        #expect(talk.said.last == .scanning(ScanState(.extended, phys: [.le1M, .leCoded])))
    }

    @Test("without a coded PHY the other one is listened to whole, and that is said once") func noCoded() {
        var plan = Conversation.scan
        plan.coded = true
        var returns = Conversation.everything
        returns[.readLowEnergyFeatures] = [0x01, 0x10, 0, 0, 0, 0, 0, 0]
        var talk = Conversation(RadioPlan(scan: plan))
        talk.start()
        #expect(talk.obey(returning: returns).contains(Self.scan))
        #expect(talk.said.count { $0 == .noted(.codedMissing(.extended)) } == 1)
        #expect(talk.said.last == .scanning(ScanState(.extended)))
        // Claimed and refused is the same; no other commands are tried because of it.
        var refusing = Conversation(RadioPlan(scan: plan))
        refusing.start()
        let head = Array(refusing.obey(refusing: [.setExtendedScanParameters: .invalidParameters]).suffix(3))
        #expect(
            head.map(Conversation.opcode) == [
                .setExtendedScanEnable, .setExtendedScanParameters, .setExtendedScanParameters,
            ])
        #expect(head.last == Self.scan)
        var legacy = Conversation(RadioPlan(scan: plan), remembered: .legacy)
        legacy.start()
        legacy.obey()
        #expect(legacy.said.contains(.noted(.codedMissing(.legacy))))
    }

    @Test("notes are sentences") func notes() {
        let notes: [SessionNote: String] = [
            .changedCommands(to: .legacy, .setExtendedScanEnable, .unknownCommand):
                "the controller refuses LE Set Extended Scan Enable (0x2042): Unknown HCI Command (0x01); "
                + "legacy commands are used instead",
            .codedMissing(.legacy):
                "the controller has no extended commands, so the coded PHY is not listened to",
            .codedMissing(.extended): "the controller has no coded PHY, so it is not listened to",
            .combinationMissing: "the controller says that it cannot scan and advertise at the same time",
            .powerFixed: "legacy commands cannot set the transmit power, so the controller's own is used",
            .addressKept(.commandDisallowed):
                "the controller refuses a new random address: Command Disallowed (0x0c); the old one stays",
            .disturbed(.setScanEnable):
                "another program gave the controller the command LE Set Scan Enable (0x200c); the scan is set "
                + "again, at most each 10 s",
        ]
        for (note, text) in notes { #expect(note.description == text) }
    }
}
