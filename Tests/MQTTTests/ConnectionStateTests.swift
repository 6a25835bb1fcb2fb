import TestSupport
import Testing

@testable import MQTT

@Suite("ConnectionState")
struct ConnectionStateTests {
    private var limits = ConnectionLimits()

    /// A state that is connected at 0 s.
    private func connected(sessionPresent: Bool = false) -> ConnectionState {
        var state = ConnectionState(limits: limits)
        #expect(state.tick(at: .zero, random: 0) == [.connect(onlyIPv4: false)])
        #expect(state.accepted(sessionPresent: sessionPresent, at: .zero) == [.subscribe])
        #expect(state.subscribed(at: .zero) == [.report(.connected(sessionPresent: sessionPresent))])
        return state
    }

    @Test("the first attempt is made at once")
    func atOnce() {
        var state = ConnectionState(limits: limits)
        #expect(state.deadline == .zero)
        #expect(state.tick(at: .seconds(5), random: 0.5) == [.connect(onlyIPv4: false)])
        #expect(state.deadline == .seconds(20))
    }

    @Test("it is connected only when the subscriptions are answered")
    func subscriptionsFirst() {
        var state = ConnectionState(limits: limits)
        _ = state.tick(at: .zero, random: 0)
        #expect(state.accepted(sessionPresent: true, at: .seconds(1)) == [.subscribe])
        #expect(!state.isConnected)
        #expect(state.subscribed(at: .seconds(2)) == [.report(.connected(sessionPresent: true))])
        #expect(state.isConnected)
        #expect(state.deadline == nil)
    }

    @Test("waits are a random part of a ceiling that doubles from 1 s to 120 s")
    func backOff() {
        var state = ConnectionState(limits: limits)
        var now = Duration.zero
        var waits: [Duration] = []
        for attempt in 1...10 {
            #expect(state.tick(at: now, random: 0.999) == [.connect(onlyIPv4: false)])
            let reported = state.lost(.failed(text: "refused"), at: now, random: 0.5)
            #expect(reported == [.report(.unreachable(attempt: attempt, text: "refused"))])
            guard let deadline = state.deadline else {
                Issue.record("a failed attempt leaves no time for the next")
                return
            }
            #expect(state.tick(at: deadline - .milliseconds(1), random: 0) == [])
            waits.append((deadline - now) * 2)
            now = deadline
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 120, 120, 120].map { Duration.seconds($0) })
    }

    @Test("an attempt that nobody answers ends after 15 s, and the next one tries the other address family")
    func attemptTimeout() {
        var state = ConnectionState(limits: limits)
        _ = state.tick(at: .zero, random: 0)
        #expect(state.tick(at: .milliseconds(14_999), random: 0) == [])
        let timeout = [
            ConnectionAction.close, .report(.unreachable(attempt: 1, text: "no answer within 15 s")),
        ]
        #expect(state.tick(at: .seconds(15), random: 0) == timeout)
        #expect(state.tick(at: .seconds(15), random: 0) == [.connect(onlyIPv4: true)])
        _ = state.tick(at: .seconds(30), random: 0)
        #expect(state.tick(at: .seconds(30), random: 0) == [.connect(onlyIPv4: false)])
        _ = state.tick(at: .seconds(45), random: 0)
        #expect(state.tick(at: .seconds(45), random: 0) == [.connect(onlyIPv4: true)])
        _ = state.lost(.failed(text: "Invalid argument"), at: .seconds(45), random: 0)
        #expect(state.tick(at: .seconds(45), random: 0) == [.connect(onlyIPv4: false)])
    }

    @Test("subscriptions that are not answered end the connection")
    func subscribeTimeout() {
        var state = ConnectionState(limits: limits)
        _ = state.tick(at: .zero, random: 0)
        _ = state.accepted(sessionPresent: false, at: .seconds(1))
        #expect(
            state.tick(at: .seconds(16), random: 0) == [
                .close, .report(.unreachable(attempt: 1, text: "subscriptions not answered within 15 s")),
            ])
    }

    @Test("a connection that stood for 60 s makes the next failure the first one again")
    func stability() {
        var state = connected()
        _ = state.lost(.failed(text: "gone"), at: .seconds(59), random: 0.5)
        #expect(state.deadline == .milliseconds(59_500))
        for _ in 1...5 {
            _ = state.tick(at: .seconds(100), random: 0)
            _ = state.lost(.failed(text: "gone"), at: .seconds(100), random: 0)
        }
        _ = state.tick(at: .seconds(200), random: 0)
        _ = state.accepted(sessionPresent: false, at: .seconds(200))
        _ = state.subscribed(at: .seconds(200))
        var brief = state
        _ = brief.lost(.failed(text: "gone"), at: .seconds(201), random: 0.5)
        #expect(brief.deadline == .seconds(233))
        #expect(
            state.lost(.failed(text: "gone"), at: .seconds(260), random: 0.5)
                == [.report(.disconnected(reason: "gone"))])
        #expect(state.deadline == .milliseconds(260_500))
    }

    @Test(
        "a refusal that a person must clear up is not asked about again for a minute",
        arguments: [
            (0x86, true), (0x87, true), (0x8A, true), (0x84, true), (0x85, true), (0x8C, true), (0x88, false),
            (0x89, false), (0x97, false), (0x9F, false),
        ] as [(UInt8, Bool)])
    func refusals(code: UInt8, isLong: Bool) {
        var state = ConnectionState(limits: limits)
        _ = state.tick(at: .zero, random: 0)
        let reported = state.refused(code: code, text: "no", at: .zero, random: 0.25)
        #expect(reported == [.close, .report(.refused(code: code, text: "no"))])
        #expect(state.deadline == (isLong ? .seconds(75) : .milliseconds(250)))
        // The library reports the end of the refused connection too.
        #expect(state.lost(.failed(text: "protocol error"), at: .zero, random: 0) == [])
        #expect(state.tick(at: .seconds(75), random: 0) == [.connect(onlyIPv4: false)])
    }

    @Test("a session that another client took over is left to it for one to two minutes")
    func takeover() {
        var state = connected()
        #expect(
            state.lost(.ended(code: 0x8E, text: "taken over"), at: .seconds(1), random: 0.5)
                == [.report(.disconnected(reason: "taken over")), .report(.identityConflict)])
        #expect(state.deadline == .seconds(91))
        #expect(state.tick(at: .seconds(91), random: 0) == [.connect(onlyIPv4: false)])
        _ = state.accepted(sessionPresent: true, at: .seconds(91))
        #expect(
            state.lost(.ended(code: 0x8E, text: "taken over"), at: .seconds(91), random: 0)
                == [.report(.unreachable(attempt: 1, text: "taken over")), .report(.identityConflict)])
        #expect(state.deadline == .seconds(151))
    }

    @Test("three connections in a row that the broker closes at once are an identity conflict, others are not")
    func shortSessions() {
        var state = connected()
        var now = Duration.zero
        /// Ends a connection after a time, and makes the next one.
        func end(_ loss: ConnectionLoss, after age: Duration) -> [ConnectionAction] {
            now += age
            let actions = state.lost(loss, at: now, random: 0)
            now = max(now, state.deadline ?? now)
            _ = state.tick(at: now, random: 0)
            _ = state.accepted(sessionPresent: true, at: now)
            _ = state.subscribed(at: now)
            return actions
        }
        let plain = [ConnectionAction.report(.disconnected(reason: "gone"))]
        let closed = ConnectionLoss.closed(text: "gone")
        #expect(end(closed, after: .seconds(1)) == plain)
        #expect(end(closed, after: .seconds(9)) == plain)
        #expect(end(closed, after: .seconds(10)) == plain)
        #expect(end(closed, after: .seconds(1)) == plain)
        #expect(end(.failed(text: "gone"), after: .seconds(1)) == plain)
        #expect(end(closed, after: .seconds(1)) == plain)
        #expect(end(closed, after: .seconds(1)) == plain)
        let before = now
        #expect(end(closed, after: .seconds(1)) == plain + [.report(.identityConflict)])
        #expect(now == before + .seconds(61))
        #expect(end(closed, after: .seconds(1)) == plain)
    }

    @Test("what comes late changes nothing")
    func late() {
        var state = connected()
        #expect(state.accepted(sessionPresent: true, at: .zero) == [])
        #expect(state.refused(code: 0x87, text: "", at: .zero, random: 0) == [])
        #expect(state.subscribed(at: .zero) == [])
        _ = state.lost(.failed(text: "gone"), at: .zero, random: 0.5)
        #expect(state.lost(.failed(text: "gone"), at: .zero, random: 0.5) == [])
        #expect(state.subscribed(at: .zero) == [])
        state.stop()
        #expect(state.tick(at: .seconds(1000), random: 0) == [])
        #expect(state.lost(.ended(code: 0x8E, text: "gone"), at: .zero, random: 0) == [])
        #expect(state.deadline == nil)
    }

    @Test("whatever happens in whatever order, it is connected, stopped or has a time for the next step")
    func neverStuck() {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<200 {
            var state = ConnectionState(limits: limits)
            var now = Duration.zero
            for _ in 0..<100 {
                now += .milliseconds(Int.random(in: 0...40_000, using: &random))
                let chance = Double.random(in: 0..<1, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: _ = state.tick(at: now, random: chance)
                case 2: _ = state.accepted(sessionPresent: chance < 0.5, at: now)
                case 3: _ = state.subscribed(at: now)
                case 4: _ = state.refused(code: chance < 0.5 ? 0x87 : 0x97, text: "", at: now, random: chance)
                default:
                    _ = state.lost(
                        chance < 0.2 ? .ended(code: 0x8E, text: "") : .closed(text: ""), at: now, random: chance)
                }
                #expect(state.isConnected == (state.deadline == nil))
                if let deadline = state.deadline { #expect(deadline <= now + .seconds(120)) }
            }
        }
    }
}
