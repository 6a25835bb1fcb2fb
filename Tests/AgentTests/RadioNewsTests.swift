import Agent
import Beacon
import Presence
import Testing

@Suite("What is told of the radio")
struct RadioNewsTests {
    private static let known = #""clock":"synced","boot":"5f0c0000000000000000000000000000","mono_ms""#

    private func started() throws -> Trial {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        return trial
    }

    /// An alert of the radio, so many seconds after the start.
    private func alert(_ number: Int, at second: Int, _ members: String) -> String {
        #"event alert/radio 1 {"v":1,"id":"s12-shelf-3/7/\#(number)","time":"2026-03-02T09:12:0\#(second).000Z","#
            + #"\#(Self.known):\#(second)000,"kind":"radio",\#(members)}"#
    }

    private func radio(_ lines: [String]) -> [String] {
        only(lines, "latest state").compactMap {
            $0.firstMatch(of: /"radio":({[^}]*})/).map { String($0.output.1) }
        }
    }

    @Test(
        "each reason of a blindness is one alert and one line, however often it comes back until the radio hears again"
    )
    func reasons() throws {
        var trial = try started()
        let timeout = RadioReport.blind(.resetting, cause: "command_timeout", text: "no answer")
        let gone = RadioReport.blind(.resetting, cause: "unreachable", text: "gone\u{1B}[2J")
        var lines = trial.handle(.radio(timeout), at: 1) + trial.handle(.radio(timeout), at: 2)
        lines += trial.handle(.radio(gone), at: 3)
        lines += trial.handle(.radio(timeout), at: 4) + trial.handle(.radio(gone), at: 5)
        lines += trial.handle(.radio(Trial.listening), at: 6) + trial.handle(.radio(Trial.listening), at: 7)
        lines += trial.handle(.radio(timeout), at: 8)
        let blind = #""state":"blind","radio":"resetting","cause""#
        #expect(
            lines.filter { !$0.hasPrefix("latest") && !$0.hasPrefix("window") } == [
                "warning: radio: no answer",
                alert(1, at: 1, #"\#(blind):"command_timeout","text":"no answer""#),
                #"warning: radio: gone\u{1B}[2J"#,
                alert(2, at: 3, #"\#(blind):"unreachable","text":"gone\\u{1B}[2J""#),
                alert(3, at: 6, #""state":"listening","blind_ms":5000,"text":"the radio hears again""#),
                "info: radio: listening: unix:/run/x, legacy commands, on 1m, after 5s of hearing nothing",
                "warning: radio: no answer",
                alert(4, at: 8, #"\#(blind):"command_timeout","text":"no answer""#),
            ])
        // The state topic follows the reason, and is not said again for what it already says.
        let resetting = #"{"state":"resetting","cause""#
        let since = #""since":"2026-03-02T09:12"#
        #expect(
            radio(lines) == [
                #"\#(resetting):"command_timeout",\#(since):01.000Z"}"#,
                #"\#(resetting):"unreachable",\#(since):01.000Z"}"#,
                #"\#(resetting):"command_timeout",\#(since):01.000Z"}"#,
                #"\#(resetting):"unreachable",\#(since):01.000Z"}"#,
                #"{"state":"powered_on",\#(since):06.000Z","adapter":"unix:/run/x","commands":"legacy","phys":["1m"]}"#,
                #"\#(resetting):"command_timeout",\#(since):08.000Z"}"#,
            ])
    }

    @Test(
        "each state of a radio that does not hear shows in state, and is one alert",
        arguments: [RadioState.poweredOff, .unauthorized, .unsupported, .resetting, .unknown])
    func states(state: RadioState) throws {
        var trial = try started()
        let lines = trial.handle(.radio(.blind(state, cause: "some_cause", text: "a sentence")), at: 1)
        let level = [.resetting, .unknown].contains(state) ? "warning" : "error"
        #expect(
            lines.filter { !$0.hasPrefix("latest") } == [
                "\(level): radio: a sentence",
                alert(
                    1, at: 1,
                    #""state":"blind","radio":"\#(state.rawValue)","cause":"some_cause","text":"a sentence""#),
            ])
        #expect(
            radio(lines) == [
                #"{"state":"\#(state.rawValue)","cause":"some_cause","since":"2026-03-02T09:12:01.000Z"}"#
            ])
        #expect(trial.handle(.radio(.blind(state, cause: "some_cause", text: "a sentence")), at: 2) == [])
    }

    @Test("each step of a recovery is one alert and one line, never the same twice in a row") func steps() throws {
        var trial = try started()
        func step(_ name: String, _ text: String, at seconds: Double) -> [String] {
            trial.handle(.radio(.recovering(step: name, cause: "command_timeout", text: text)), at: seconds)
        }
        var lines = trial.handle(
            .radio(.blind(.resetting, cause: "command_timeout", text: "hci0 does not answer")), at: 1)
        lines += step("reset", "resetting hci0", at: 1) + step("reset", "resetting hci0", at: 2)
        lines += step("power_cycle", "taking hci0 down and up", at: 3) + step("reset", "resetting hci0", at: 4)
        lines += trial.handle(.radio(Trial.listening), at: 5) + step("reset", "resetting hci0", at: 6)
        let resetting = #""state":"resetting","cause":"command_timeout","step""#
        #expect(
            lines.filter { !$0.hasPrefix("latest") && !$0.hasPrefix("window") } == [
                "warning: radio: hci0 does not answer",
                alert(
                    1, at: 1,
                    #""state":"blind","radio":"resetting","cause":"command_timeout","text":"hci0 does not answer""#),
                "warning: radio: resetting hci0",
                alert(2, at: 1, #"\#(resetting):"reset","text":"resetting hci0""#),
                "warning: radio: taking hci0 down and up",
                alert(3, at: 3, #"\#(resetting):"power_cycle","text":"taking hci0 down and up""#),
                "warning: radio: resetting hci0",
                alert(4, at: 4, #"\#(resetting):"reset","text":"resetting hci0""#),
                alert(5, at: 5, #""state":"listening","blind_ms":4000,"text":"the radio hears again""#),
                "info: radio: listening: unix:/run/x, legacy commands, on 1m, after 4s of hearing nothing",
                "warning: radio: resetting hci0",
                alert(6, at: 6, #"\#(resetting):"reset","text":"resetting hci0""#),
            ])
        #expect(radio(lines).count == 3)
    }

    @Test("while something is done about a radio nobody leaves, whatever was wrong before stays said")
    func recovering() throws {
        var trial = try started()
        _ = trial.sight(at: 1)
        var lines = trial.handle(
            .radio(.recovering(step: "restart_scan", cause: "silence", text: "everything fell silent")), at: 2)
        #expect(radio(lines) == [#"{"state":"resetting","cause":"silence","since":"2026-03-02T09:12:02.000Z"}"#])
        lines = trial.pass(from: 3, to: 60)
        #expect(only(lines, "event").isEmpty)
        lines = trial.handle(.radio(.blind(.poweredOff, cause: "rfkill", text: "blocked")), at: 60)
        #expect(radio(lines).first?.hasPrefix(#"{"state":"powered_off","cause":"rfkill""#) == true)
        lines = trial.handle(.radio(.recovering(step: "power_cycle", cause: "rfkill", text: "trying")), at: 61)
        #expect(radio(lines).isEmpty && only(lines, "event alert/radio").count == 1)
        lines = trial.handle(.radio(Trial.listening), at: 62)
        #expect(only(lines, "event alert/radio").first?.contains(#""blind_ms":60000,"#) == true)
    }

    @Test("a node that could not hear from its start was blind since then") func blindFromTheStart() throws {
        var trial = try Trial()
        _ = trial.open()
        _ = trial.handle(.radio(.blind(.unauthorized, cause: "not_permitted", text: "it may not")), at: 2)
        let lines = trial.handle(.radio(Trial.listening), at: 5)
        #expect(only(lines, "event alert/radio").first?.contains(#""blind_ms":5000,"#) == true)
    }

    @Test("a radio that fails in ever new ways does not fill the queue") func everNew() throws {
        var trial = try started()
        var lines: [String] = []
        for number in 0..<100 {
            lines += trial.handle(
                .radio(.blind(.resetting, cause: "cause_\(number)", text: "sentence \(number)")), at: 1)
        }
        #expect(only(lines, "event").count == 16 && only(lines, "warning").count == 16)
        #expect(radio(lines).count == 100)
    }

    @Test("another adapter that listens, or in another way, shows in state and is a line") func otherAdapter()
        throws
    {
        var trial = try started()
        let other = Listening(
            adapter: "hci1", address: "dc:a6:32:01:02:03", access: "shared", commands: "extended",
            phys: ["1m", "coded"])
        let lines = trial.handle(.radio(.listening(other)), at: 1)
        #expect(
            lines[0]
                == "info: radio: listening: hci1 dc:a6:32:01:02:03, shared, extended commands, on 1m and coded")
        #expect(
            radio(lines) == [
                #"{"state":"powered_on","since":"2026-03-02T09:12:00.000Z","adapter":"hci1","address":"dc:a6:32:01:02:03","access":"shared","commands":"extended","phys":["1m","coded"]}"#
            ])
        #expect(lines.count == 2)
    }

    @Test("what is worth knowing and stops nothing is one warning") func noted() throws {
        var trial = try started()
        #expect(
            trial.handle(.radio(.noted("the controller seems to filter what it reports")), at: 1) == [
                "warning: radio: the controller seems to filter what it reports"
            ])
    }

    @Test("the power that a controller sends with is told with what is on air") func power() throws {
        var trial = try started()
        let data = try #require(trial.agent.tuning.advertising).data
        let lines = trial.handle(.radio(.advertising(.onAir(data: data, txPower: -4))), at: 1)
        #expect(lines[0] == "info: advertising: on air: ibeacon 8e287857-0000-4000-8000-000000000001 1 2 at -4 dBm")
        #expect(lines[1].contains(#""advertising":{"state":"on_air","tx_power":-4,"format":"ibeacon","#))
        #expect(trial.handle(.radio(.advertising(.onAir(data: data, txPower: -4))), at: 2) == [])
    }
}
