import HCI
import Testing

@testable import beacon_sim

/// The session of the HCI module, talking to a controller that was written from the other side of the specification.
@Suite struct ConversationTests {
    struct Pair {
        var session: ControllerSession
        var link: Link
        var now: Int64 = 0
        var said: [SessionAction] = []
        var air: [[UInt8]?] = []
        let host: Int

        init(_ plan: RadioPlan, _ model: Model = Model()) throws {
            var scenario = Scenario()
            scenario.hosts.model = model
            link = Link(scenario)
            let connected = link.connect()
            host = try #require(connected).host
            session = ControllerSession(plan: plan, entropy: 0x1234_5678_9ABC)
        }

        mutating func run(_ actions: [SessionAction]) {
            var actions = actions[...]
            while let action = actions.popFirst() {
                guard case .send(let bytes) = action else {
                    said.append(action)
                    continue
                }
                let command = bytes.withUnsafeBytes { Command(UnsafeRawBufferPointer(rebasing: $0[1...])) }
                guard let command else { continue }
                var replies: [[UInt8]] = []
                link.receive(command, from: host, now: now) { event in
                    if case .reply(_, let reply) = event { replies.append(reply) }
                    if case .air(_, _, let advertisement, _, _) = event { air.append(advertisement?.data) }
                }
                for reply in replies {
                    actions += reply.withUnsafeBytes {
                        session.handle(event: UnsafeRawBufferPointer(rebasing: $0[1...]), now: now)
                    }
                }
            }
        }
    }

    static func plan(_ data: [UInt8]?, interval: Duration = .milliseconds(100)) -> RadioPlan {
        let scan = ScanPlan(interval: .milliseconds(100), window: .milliseconds(90))
        return RadioPlan(scan: scan, advertise: data.flatMap { AdvertisePlan(data: $0, interval: interval) })
    }

    @Test("a session brings a controller to its plan, through changes, and to silence") func wholeLife() throws {
        var pair = try Pair(Self.plan([1]))
        pair.run(pair.session.start(now: 0))
        #expect(pair.said.count == 5)
        #expect(
            Array(pair.said.dropFirst()) == [
                .advertising(.off), .scanning(nil), .advertising(.onAir([1], txPower: 4)),
                .scanning(ScanState(.legacy)),
            ])
        pair.run(pair.session.apply(Self.plan([2]), now: 1))
        #expect(pair.air == [[1], [2]])
        pair.run(pair.session.apply(Self.plan([3], interval: .milliseconds(250)), now: 2))
        #expect(pair.air == [[1], [2], nil, [3]])
        pair.run(pair.session.apply(Self.plan(nil), now: 3))
        pair.said = []
        pair.run(pair.session.apply(Self.plan([4]), now: 4))
        pair.run(pair.session.stop(now: 5))
        #expect(pair.air == [[1], [2], nil, [3], nil, [4], nil])
        #expect(
            pair.said == [
                .advertising(.onAir([4], txPower: 4)), .advertising(.off), .scanning(nil), .stopped,
            ])
    }

    @Test("what a controller before Bluetooth 5 cannot do is refused, and it scans all the same") func refused()
        throws
    {
        var pair = try Pair(Self.plan([1], interval: .milliseconds(50)))
        pair.run(pair.session.start(now: 0))
        #expect(pair.said.last == .scanning(ScanState(.legacy)))
        let refusal = AdvertisingState.refused(.setAdvertisingParameters, .invalidParameters, onAir: nil)
        #expect(pair.said.contains(.advertising(refusal)))
        #expect(pair.air.isEmpty)
        var modern = try Pair(Self.plan([1], interval: .milliseconds(50)), Model(generation: .from5))
        modern.run(modern.session.start(now: 0))
        #expect(modern.air == [[1]])
    }

    @Test("with extended commands both PHYs are listened to, and new data is on air in one") func extended() throws
    {
        var plan = Self.plan([1])
        plan.scan?.coded = true
        var pair = try Pair(plan, Model(generation: .from5, commands: .extended, hasCoded: true, txPower: 8))
        pair.run(pair.session.start(now: 0))
        #expect(pair.said.contains(.scanning(ScanState(.extended, phys: [.le1M, .leCoded]))))
        #expect(pair.said.contains(.advertising(.onAir([1], txPower: 8))))
        plan.advertise = AdvertisePlan(data: [2], interval: .milliseconds(100))
        pair.run(pair.session.apply(plan, now: 1))
        #expect(pair.air == [[1], [2]])
        pair.run(pair.session.stop(now: 2))
        #expect(pair.air == [[1], [2], nil] && pair.said.last == .stopped)
    }

    @Test("extended commands that are only claimed are left for the legacy ones") func broken() throws {
        var pair = try Pair(Self.plan([1]), Model(generation: .from5, commands: .broken))
        pair.run(pair.session.start(now: 0))
        let changes = pair.said.filter { action in
            if case .noted(.changedCommands(to: .legacy, _, .unknownCommand)) = action { true } else { false }
        }
        #expect(changes.count == 1)
        #expect(pair.said.last == .scanning(ScanState(.legacy)))
        #expect(pair.air == [[1]])
    }
}
