import Agent
import Beacon
import Presence
import Testing

@Suite struct NodeAgentTests {
    @Test("a day in the life of a region, from the start to the last word") func history() throws {
        var trial = try Trial()
        var lines = only(trial.open().map(Trial.line), "limit", "tune", "reconnect", "latest region")
        lines += trial.handle(.radio(Trial.listening), at: 0)
        lines += trial.handle(.connected(session: "s-1"), at: 0.25)
        lines += trial.sight(rssi: -59, at: 1.5) + trial.sight(rssi: -59, at: 1.75)
        lines += trial.pass(from: 2, to: 7) + trial.handle(.stopping, at: 8)
        let state = lines.first { $0.hasPrefix("latest state") } ?? ""
        #expect(state.contains(#""scopes":{},"conditions":{"radio":{"state":"powered_on""#))
        let identity = #""format":"ibeacon","uuid":"\#(Trial.uuid)","major":100,"minor":1"#
        let event = #""site":"store-12","node":"s12-shelf-3","region":"entrance","visit":"7-1","time":"#
        let boot = #""clock":"synced","boot":"5f0c0000000000000000000000000000""#
        let near = #""accuracy":1.42,"range":[0.63,3.2]"#
        let silent = #""proximity":"unknown","accuracy":-1,"rssi":null,"adverts":0"#
        func ranging(_ second: Int, _ rest: String) -> String {
            #"fleeting ranging/entrance 0 {"v":1,"region":"entrance","time":"2026-03-02T09:12:0\#(second).668Z","#
                + #""clock":"synced","beacons":[{\#(identity),\#(rest)}]}"#
        }
        #expect(
            lines == [
                "limit 100000 events, 10000 windows",
                "tune unix:/run/x, scan 0.09 seconds of 0.1 seconds, advertise ibeacon 8e287857-0000-4000-8000-000000000001 1 2 every 0.1 seconds",
                #"reconnect localhost:1883 ["beacons/control/node/s12-shelf-3/config"]"#,
                #"latest region/entrance 1 retained {"v":1,"region":"entrance","state":"unknown","cause":"starting","since":"2026-03-02T09:12:00.000Z"}"#,
                "info: radio: listening: unix:/run/x, legacy commands, on 1m",
                state,
                #"latest status 1 retained {"v":1,"state":"online","session":"s-1","boot":"5f0c0000000000000000000000000000","time":"2026-03-02T09:12:00.250Z","clock":"synced","version":"0.1.0","libmosquitto":"2.0.11"}"#,
                #"latest region/entrance 1 retained {"v":1,"region":"entrance","state":"unknown","cause":"starting","since":"2026-03-02T09:12:00.000Z"}"#,
                state,
                #"event enter/entrance 1 {"v":1,"id":"s12-shelf-3/7/1",\#(event)"2026-03-02T09:12:01.500Z",\#(boot),"mono_ms":1500,"beacon":{\#(identity)},"rssi":-59,"accuracy":1.42,"range":[0.58,3.47],"proximity":"near"}"#,
                #"latest region/entrance 1 retained {"v":1,"region":"entrance","state":"inside","since":"2026-03-02T09:12:01.500Z","beacons":1}"#,
                // The node's seconds of ranging, and its windows, end at a time of its own.
                ranging(1, #""proximity":"near","accuracy":1.42,"range":[0.58,3.47],"rssi":-59,"adverts":1"#),
                ranging(2, #""proximity":"near",\#(near),"rssi":-59,"adverts":1"#),
                ranging(3, #""proximity":"near",\#(near),"rssi":-59,"adverts":0"#),
                ranging(4, silent), ranging(5, silent), ranging(6, silent),
                #"event exit/entrance 1 {"v":1,"id":"s12-shelf-3/7/2",\#(event)"2026-03-02T09:12:06.750Z",\#(boot),"mono_ms":6750,"beacon":{\#(identity)},"rssi":-59,\#(near),"proximity":"near","last_seen":"2026-03-02T09:12:01.750Z","dwell_ms":250,"reason":"silence","evidence":{"adverts":2,"silence_ms":5000,"blind_ms":0}}"#,
                #"latest region/entrance 1 retained {"v":1,"region":"entrance","state":"outside","since":"2026-03-02T09:12:06.750Z"}"#,
                #"window window 1 {"v":1,"start":"2026-03-02T09:12:00.000Z","length_ms":8000,"clock":"synced","blind_ms":0,"beacons":[{\#(identity),"adverts":2,"first_ms":1500,"last_ms":1750,"rssi":{"min":-59,"max":-59,"mean":-59,"median":-59,"deviation":0},"distance":1.42,"range":[0.63,3.2],"addresses":1}]}"#,
                #"farewell status 1 retained {"v":1,"state":"offline","session":"s-1","reason":"stopped","boot":"5f0c0000000000000000000000000000","time":"2026-03-02T09:12:08.000Z","clock":"synced"}"#,
            ])
    }

    @Test("an advert of no region leaves a counter that does not move, and no effect") func strangers() throws {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        var stranger = Trial.sighting(at: 1)
        stranger.identity = .ibeacon(uuid: UUID128(high: 1, low: 2), major: 100, minor: 1)
        #expect(trial.handle(.sighted(stranger), at: 1).isEmpty)
        #expect(only(trial.handle(.ticked(Counters()), at: 60), "fleeting health")[0].contains(#""matched":0,"#))
    }

    // MARK: - Broker

    @Test("facts are said again at every connect, and events are not") func reconnect() throws {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        _ = trial.handle(.connected(session: "s-1"), at: 1)
        let before = trial.sight(at: 2)
        #expect(before.count == 2)
        #expect(trial.handle(.disconnected, at: 3) == [])
        let lines = trial.handle(.connected(session: "s-2"), at: 3.5)
        #expect(
            lines.map { $0.prefix { $0 != "{" } } == [
                "latest status 1 retained ", "latest region/entrance 1 retained ", "latest state 1 retained ",
            ])
        #expect(lines[0].contains(#""session":"s-2""#))
        #expect(lines[1] == before[1])
    }

    @Test("what is decided while there is no broker is published all the same, for the queue to keep")
    func offline() throws {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        let lines = trial.sight(at: 1) + trial.pass(from: 2, to: 10)
        #expect(
            only(lines, "event", "window").map { $0.prefix { $0 != "{" } } == [
                "event enter/entrance 1 ", "event exit/entrance 1 ", "window window 1 ",
            ])
    }

    @Test("without a connection there is nobody to say farewell to") func noFarewell() throws {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.connected(session: "s-1"), at: 1)
        _ = trial.handle(.disconnected, at: 2)
        #expect(only(trial.handle(.stopping, at: 3), "farewell").isEmpty)
    }

    @Test("the will is the last word of a session that ends by itself") func will() throws {
        let payload = try Trial().agent.will("s-9")
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"v":1,"state":"offline","session":"s-9","reason":"connection_lost","boot":"5f0c0000000000000000000000000000"}"#
        )
    }

    // MARK: - Radio

    @Test("what was decided before an alert has a lower number and is published before it") func alertOrder() throws
    {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        _ = trial.sight(at: 1)
        let lines = trial.handle(.radio(.blind(.resetting, cause: "unreachable", text: "gone")), at: 7)
        #expect(
            only(lines, "event").map { $0.prefix { $0 != "," } } == [
                #"event exit/entrance 1 {"v":1"#, #"event alert/radio 1 {"v":1"#,
            ])
        #expect(
            only(lines, "event").compactMap { $0.firstMatch(of: /"id":"[^"]*"/)?.output } == [
                #""id":"s12-shelf-3/7/2""#, #""id":"s12-shelf-3/7/3""#,
            ])
    }

    @Test("a scan that is paused is blind time and no news") func paused() throws {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        #expect(trial.handle(.radio(.paused), at: 1) == [])
        #expect(trial.handle(.radio(Trial.listening), at: 1.5) == [])
        #expect(only(trial.pass(from: 2, to: 10), "window")[0].contains(#""blind_ms":500,"#))
    }

    @Test("a node that stood still while its radio was blind, or was not to listen, does not hear for that")
    func stoodStillBlind() throws {
        for report in [RadioReport.blind(.resetting, cause: "unreachable", text: "gone"), .paused] {
            var trial = try Trial()
            _ = trial.open()
            _ = trial.handle(.radio(Trial.listening), at: 0)
            _ = trial.sight(at: 1)
            _ = trial.handle(.radio(report), at: 2)
            var lines = trial.handle(.radio(.missed(.seconds(10))), at: 20)
            lines += trial.pass(from: 21, to: 60)
            #expect(only(lines, "event exit").isEmpty)
            let cause = report == .paused ? "radio_paused" : "radio_blind"
            #expect(only(lines, "latest region").allSatisfy { $0.contains("\"cause\":\"\(cause)\"") })
            // 4 of 5 s of silence are left to be listened to.
            lines = trial.handle(.radio(Trial.listening), at: 60) + trial.pass(from: 61, to: 70)
            #expect(only(lines, "event exit")[0].contains(#""mono_ms":64000,"#))
        }
    }

    @Test("absence counts up to where the radio has shown life, and a radio that showed none was blind since then")
    func unproven() throws {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        _ = trial.sight(at: 1)
        func tick(_ proven: Double, at seconds: Double) -> [String] {
            var counters = Counters()
            counters.radioProvenUntil = trial.moment(proven).instant
            return trial.handle(.ticked(counters), at: seconds)
        }
        #expect(only(tick(5.9, at: 9), "event").isEmpty)
        #expect(trial.agent.nextDeadline <= trial.moment(9).instant)
        #expect(
            only(
                trial.handle(.radio(.blind(.resetting, cause: "command_timeout", text: "gone")), at: 10),
                "event exit"
            ).isEmpty
        )
        #expect(only(trial.pass(from: 11, to: 20), "event exit").isEmpty)
        _ = trial.handle(.radio(Trial.listening), at: 20)
        // A tenth of a second was missing; this one is proven.
        let exit = try #require(only(tick(20.2, at: 20.5), "event exit").first)
        #expect(exit.contains(#""mono_ms":20100,"#))
        #expect(exit.contains(#""silence_ms":5000,"blind_ms":14100"#))
    }

    @Test("a stretch in which packets were lost is blind time, and over when it is told") func missed()
        throws
    {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        _ = trial.sight(at: 1)
        #expect(only(trial.handle(.radio(.missed(.seconds(3))), at: 4), "event", "latest").isEmpty)
        let lines = trial.pass(from: 5, to: 10)
        let exit = try #require(only(lines, "event exit").first)
        #expect(exit.contains(#""mono_ms":9000,"#))
        #expect(exit.contains(#""evidence":{"adverts":1,"silence_ms":5000,"blind_ms":3000}"#))
        #expect(only(lines, "event").count == 1)
    }

    @Test("a node that was blind for long does not know, and does not say that anybody left") func noFalseExit()
        throws
    {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        _ = trial.sight(at: 1)
        _ = trial.handle(.radio(.blind(.resetting, cause: "unreachable", text: "gone")), at: 2)
        let lines = trial.pass(from: 3, to: 20)
        #expect(only(lines, "event").isEmpty)
        #expect(
            only(lines, "latest region").map { $0.dropFirst(34) } == [
                #"{"v":1,"region":"entrance","state":"unknown","cause":"radio_blind","since":"2026-03-02T09:12:07.000Z"}"#
            ])
        _ = trial.handle(.radio(Trial.listening), at: 20)
        #expect(only(trial.sight(at: 21), "event").isEmpty)
    }

    @Test("what is on air is told when it changes, and a refusal is an error") func advertising() throws {
        var trial = try Trial()
        _ = trial.open()
        let data = try #require(trial.agent.tuning.advertising).data
        #expect(
            trial.handle(.radio(.advertising(.onAir(data: data, txPower: nil))), at: 1)[0]
                == "info: advertising: on air: ibeacon 8e287857-0000-4000-8000-000000000001 1 2")
        #expect(trial.handle(.radio(.advertising(.onAir(data: data, txPower: nil))), at: 2) == [])
        let refused = trial.handle(.radio(.advertising(.refused(code: 12))), at: 3)
        #expect(refused[0] == "error: advertising: the controller refuses with status 0xc")
        #expect(refused[1].contains(#""advertising":{"state":"refused","code":12}"#))
    }

    // MARK: - Time

    @Test("health is told once a minute, and after a pause once, not for each minute missed") func health() throws {
        var trial = try Trial()
        _ = trial.open()
        var counters = Counters()
        counters.adverts = 5
        #expect(only(trial.handle(.ticked(counters), at: 59.9), "fleeting health").isEmpty)
        #expect(only(trial.handle(.ticked(counters), at: 60), "fleeting health").count == 1)
        #expect(only(trial.handle(.ticked(counters), at: 600), "fleeting health").count == 1)
        #expect(only(trial.handle(.ticked(counters), at: 659), "fleeting health").isEmpty)
        #expect(only(trial.handle(.ticked(counters), at: 660), "fleeting health")[0].contains(#""adverts":5,"#))
    }

    @Test("a queue that had to drop shows in state") func dropped() throws {
        var trial = try Trial()
        _ = trial.open()
        var counters = Counters()
        (counters.queuedEvents, counters.dropped) = (3, 2)
        let lines = trial.handle(.ticked(counters), at: 60)
        #expect(lines.last?.hasSuffix(#""outbox":{"state":"dropped","events":3,"dropped":2}}}"#) == true)
    }

    @Test("a clock that comes right is said in state and in what follows") func synchronised() throws {
        var trial = try Trial(synchronised: false)
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        #expect(trial.sight(at: 0.5)[0].contains(#""clock":"unsynced""#))
        trial.isSynchronised = true
        let lines = trial.handle(.ticked(Counters()), at: 1)
        #expect(lines.last?.contains(#""clock":{"state":"synced"}"#) == true)
        #expect(
            lines.filter { $0.hasPrefix("info") || $0.hasPrefix("event") } == [
                "info: clock: the wall clock can be trusted",
                #"event alert/clock 1 {"v":1,"id":"s12-shelf-3/7/2","time":"2026-03-02T09:12:01.000Z","clock":"synced","boot":"5f0c0000000000000000000000000000","mono_ms":1000,"kind":"clock","state":"synced","offset_ms":1772442720000,"text":"the wall clock can be trusted"}"#,
            ])
        #expect(trial.pass(from: 2, to: 2)[0].contains(#""clock":"synced""#))
    }

    @Test("a wall clock set by ten years either way changes no decision, and no time that was told")
    func wallClock() throws {
        func life(_ steps: [Int64]) throws -> [String] {
            var trial = try Trial()
            var lines = trial.open().map(Trial.line) + trial.handle(.radio(Trial.listening), at: 0)
            for second in 1...40 {
                trial.wallStep = steps[second % steps.count]
                if second % 9 < 3 { lines += trial.sight(at: Double(second)) }
                lines += trial.handle(.ticked(Counters()), at: Double(second) + 0.5)
                if second % 10 == 0 {
                    lines += trial.handle(.connected(session: "s-\(second)"), at: Double(second) + 0.6)
                }
            }
            return lines
        }
        let decade: Int64 = 10 * 365 * 86_400
        let (steady, jumping) = (try life([0]), try life([0, decade, -decade, 7, -1]))
        let time = /"20[0-9]{2}-[^"]*Z"/
        #expect(steady.count > 50)
        #expect(only(jumping, "event alert/clock").count == 40)
        // The alerts have numbers of the same sequence.
        func decisions(_ lines: [String]) -> [String] {
            lines.filter {
                !$0.contains("clock 1") && !$0.hasPrefix("info: clock") && !$0.hasPrefix("latest state")
            }.map {
                $0.replacing(time, with: "T").replacing(/"id":"s12-shelf-3\/7\/[0-9]+"/, with: "ID").replacing(
                    /"visit":"7-[0-9]+"/, with: "VISIT")
            }
        }
        #expect(decisions(steady) == decisions(jumping))
        #expect(jumping.allSatisfy { !$0.contains(#"_ms":-"#) || $0.contains("offset_ms") })
        // A region that is told again at a connect has the time it had when it became so.
        var last = ("", "")
        for line in only(jumping, "latest region") {
            let state = String(line.firstMatch(of: /"state":"[a-z]+"/)?.output ?? "")
            let since = String(line.firstMatch(of: /"since":"[^"]*"/)?.output ?? "")
            #expect(state != last.0 || since == last.1, "\(line)")
            last = (state, since)
        }
    }
}
