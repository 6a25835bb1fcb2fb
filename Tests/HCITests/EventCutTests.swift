import TestSupport
import Testing

@testable import HCI

/// Every event that the session and the report reader know, cut at every byte.
@Suite("Cut events") struct EventCutTests {
    static let report = AdvertisingReport(
        address: DeviceAddress(0xC5DC_FD06_7848, .random), eventType: .advNonconnInd, rssi: -60)

    /// From the event code on.
    static let events: [[UInt8]] = {
        let returned = Conversation.everything.map { opcode, bytes in
            ControllerEvent.commandCompleteBytes(opcode, status: .success, returned: bytes)
        }
        let statuses = [Opcode.reset, .setScanEnable, .setExtendedScanEnable, .setExtendedAdvertisingData].flatMap {
            [
                ControllerEvent.commandCompleteBytes($0, status: .success),
                ControllerEvent.commandCompleteBytes($0, credits: 0, status: .commandDisallowed),
                ControllerEvent.commandStatusBytes($0, status: .success),
                ControllerEvent.commandStatusBytes($0, status: .unknownCommand),
            ]
        }
        let reports: [[UInt8]] = [
            // Two legacy reports, one extended, a fragment of one and its end.
            [
                0x3E, 0x1F, 0x02, 0x02, 0x03, 0x01, 1, 2, 3, 4, 5, 6, 0x03, 0x02, 0x01, 0x06, 0xC4,
                0x00, 0x00, 6, 5, 4, 3, 2, 1, 0x03, 0x02, 0x01, 0x04, 0xB0, 0x00, 0x00, 0x00,
            ],
            [
                0x3E, 0x1D, 0x0D, 0x01, 0x10, 0x00, 0x01, 1, 2, 3, 4, 5, 6, 0x01, 0x00, 0xFF, 0x7F, 0xC4, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0x03, 0x02, 0x01, 0x06,
            ],
            [
                0x3E, 0x1D, 0x0D, 0x01, 0x20, 0x00, 0x01, 1, 2, 3, 4, 5, 6, 0x01, 0x01, 0x05, 0x7F, 0xC4, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0x03, 0x02, 0x01, 0x06,
            ],
        ]
        let others: [[UInt8]] = [
            [0x10, 0x01, 0x42], [0x0E, 0x03, 0x01, 0x00, 0x00], [0x3E, 0x02, 0x0B, 0x00], [0x3E, 0x01, 0x12],
            [0x05, 0x04, 0x00, 0x01, 0x00, 0x13], [0xFF, 0x02, 0x01, 0x02],
        ]
        return (returned + statuses).map { Array($0.dropFirst()) } + reports + others
    }()

    /// The event cut at every byte, once as it is and once with a length byte that tells the truth about the rest.
    static func cuts(of event: [UInt8]) -> [[UInt8]] {
        (0...event.count).flatMap { length -> [[UInt8]] in
            let cut = Array(event.prefix(length))
            guard length >= 2 else { return [cut] }
            return [cut, [cut[0], UInt8(length - 2)] + cut.dropFirst(2)]
        }
    }

    /// A session with a controller that does as it is told, from now on: how many turns until it scans as planned.
    static func turnsToScanning(_ talk: inout Conversation) -> Int? {
        for turn in 0..<400 {
            if talk.session.isSettled && talk.session.provenUntil != nil { return turn }
            // It failed or stopped, and waits for its owner.
            if talk.session.nextDeadline == nil { talk.start() }
            if talk.sent.isEmpty { talk.tick() } else { talk.obey() }
        }
        return nil
    }

    /// The points of a session's life: before the first answer, after each one, and at its plan.
    static func points(_ access: AdapterAccess, _ set: CommandSet) -> [Conversation] {
        var fresh = Conversation(advertising(oldData), access: access, remembered: set)
        fresh.start()
        var points = [fresh]
        while let command = fresh.sent.first {
            fresh.sent = []
            let opcode = Conversation.opcode(command)
            fresh.answer(opcode, .success, Conversation.everything[opcode] ?? [])
            points.append(fresh)
        }
        #expect(fresh.session.isSettled)
        return points
    }

    private func survives(_ cut: [UInt8], at point: Conversation) -> Bool {
        var talk = point
        talk.receive([0x04] + cut)
        return Self.turnsToScanning(&talk) != nil
    }

    @Test(
        "no cut of any event breaks a session that is at its plan, or changes its plan",
        arguments: AdapterAccess.allCases, CommandSet.allCases)
    func session(access: AdapterAccess, set: CommandSet) throws {
        let points = Self.points(access, set)
        var changing = try #require(points.last)
        changing.apply(advertising(newData))
        for event in Self.events {
            for cut in Self.cuts(of: event) {
                for point in [changing] + points.suffix(1) {
                    #expect(survives(cut, at: point), "\(cut)")
                }
            }
        }
    }

    @Test(
        "no cut of the answer to a command breaks the session that waits for it",
        arguments: AdapterAccess.allCases, CommandSet.allCases)
    func answers(access: AdapterAccess, set: CommandSet) {
        for point in Self.points(access, set) {
            guard let command = point.sent.first else { continue }
            let opcode = Conversation.opcode(command)
            let answer = ControllerEvent.commandCompleteBytes(
                opcode, status: .success, returned: Conversation.everything[opcode] ?? [])
            for cut in Self.cuts(of: Array(answer.dropFirst())) {
                #expect(survives(cut, at: point), "\(cut)")
            }
        }
    }

    @Test("no cut of any event breaks the reader, which reads the next one as if nothing had been") func reader() {
        let whole: [UInt8] = Self.events.first { $0.starts(with: [0x3E]) && $0[2] == 0x0D } ?? []
        var reader = AdvertisingReportReader()
        for event in Self.events {
            for cut in Self.cuts(of: event) {
                _ = cut.withUnsafeBytes { reader.read(event: $0) { _, _ in } }
                var heard = 0
                let faults = whole.withUnsafeBytes { reader.read(event: $0) { _, _ in heard += 1 } }
                #expect(heard == 1 && faults.count == 0, "\(cut)")
            }
        }
    }

    @Test("whatever a controller says, the session never traps and comes back when it behaves") func noise() {
        for seed in 0..<100 {
            var random = SeededGenerator(seed: UInt64(seed))
            let access: AdapterAccess = seed % 3 == 0 ? .shared : .exclusive
            var talk = Conversation(
                advertising(oldData), access: access, remembered: seed % 2 == 0 ? .legacy : nil)
            talk.start()
            for _ in 0..<200 {
                talk.now += Int64.random(in: 0...300_000_000, using: &random)
                disturb(&talk, &random)
                if let deadline = talk.session.nextDeadline, deadline <= talk.now { talk.tick() }
                if talk.session.nextDeadline == nil { talk.start() }
            }
            #expect(Self.turnsToScanning(&talk) != nil, "seed \(seed)")
        }
    }

    private func disturb(_ talk: inout Conversation, _ random: inout SeededGenerator) {
        let statuses: [StatusCode] = [
            .success, .success, .success, .success, .commandDisallowed, .unknownCommand, .invalidParameters,
        ]
        switch Int.random(in: 0..<24, using: &random) {
        case 0:
            talk.receive(
                [0x04]
                    + (0..<Int.random(in: 0...12, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    })
        case 1: talk.receive(ControllerEvent.hardwareErrorBytes(code: 0))
        case 2: talk.take(talk.session.framingLost(now: talk.now))
        case 3: talk.apply(advertising([nil, oldData, newData].randomElement(using: &random) ?? nil))
        case 4: talk.apply(advertising(oldData, interval: .milliseconds(Int.random(in: 100...103, using: &random))))
        case 5: if Int.random(in: 0..<5, using: &random) == 0 { talk.stop() }
        case 6: talk.receive([0x04, 0x0E, 0x03, UInt8.random(in: 0...1, using: &random), 0, 0])
        case 7: talk.receive([0x04, 0x3E, 0x02, 0x02, 0x00])
        case 8: talk.take(talk.session.packetsLost(now: talk.now))
        case 9: talk.take(talk.session.restartScan(now: talk.now))
        case 10: if Int.random(in: 0..<5, using: &random) == 0 { talk.take(talk.session.disconnected()) }
        case 11:
            let commands: [Command] = [
                .reset, ExtendedScanEnable(false).command, .setScanEnable(true), Command(.clearAdvertisingSets),
            ]
            let bytes = (commands.randomElement(using: &random) ?? .reset).bytes
            talk.take(
                bytes.withUnsafeBytes {
                    talk.session.observe(command: UnsafeRawBufferPointer(rebasing: $0[1...]), now: talk.now)
                })
        default:
            guard let last = talk.sent.last else { return }
            let opcode = Conversation.opcode(last)
            let status = statuses.randomElement(using: &random) ?? .success
            talk.answer(
                opcode, status, Conversation.everything[opcode] ?? [],
                credits: UInt8.random(in: 0...2, using: &random))
        }
    }
}
