import Agent
import Testing

@Suite("Control: the file read again")
struct ControlFileTests {
    private static let move = #"{"config":{"advertise":{"major":100,"minor":7}}}"#

    private func started(_ file: String = Trial.file, stored: String? = nil) throws -> Trial {
        var trial = try Trial(file, stored: stored)
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        _ = trial.handle(.connected(session: "s-1"), at: 0.5)
        return trial
    }

    private func air(_ trial: Trial) -> [UInt8] {
        Array((trial.agent.tuning.advertising?.data ?? []).dropLast().suffix(4))
    }

    @Test("a good file is in force at once, and brings to each what concerns it") func good() throws {
        var trial = try started()
        let file =
            Trial.file + """

                  till: {uuid: \(Trial.uuid), major: 200}
                limits: {queued_events: 5}
                mqtt: {host: broker.example}
                """
        let lines = try trial.reload(file.replacing("minor: 2", with: "minor: 3"), at: 1)
        #expect(
            lines.dropLast() == [
                #"latest region/till 1 retained {"v":1,"region":"till","state":"unknown","cause":"starting","since":"2026-03-02T09:12:01.000Z"}"#,
                "tune unix:/run/x, scan 0.09 seconds of 0.1 seconds, advertise ibeacon 8e287857-0000-4000-8000-000000000001 1 3 every 0.1 seconds",
                "limit 5 events, 10000 windows",
                #"reconnect broker.example:1883 ["beacons/control/node/s12-shelf-3/config"]"#,
                "info: the configuration file is taken: \(trial.stack.hash)",
            ])
        #expect(lines.last?.hasPrefix("latest state") == true)
    }

    @Test("a file that says the same changes nothing and disturbs nobody") func same() throws {
        var trial = try started()
        _ = trial.sight(at: 1)
        let lines = try trial.reload(Trial.file + "\n# a remark\n", at: 2)
        #expect(lines.map { $0.prefix { $0 != ":" && $0 != "{" } } == ["info", "latest state 1 retained "])
    }

    @Test("a bad file changes nothing and is shown with line and caret") func bad() throws {
        var trial = try started()
        let before = trial.stack.hash
        let lines = try trial.reload(Trial.file.replacing("major: 1,", with: "major: 70000,"), at: 1)
        #expect(
            lines == [
                """
                error: the configuration file is not taken, nothing has changed:
                c.yaml:4:79: advertise.major: 70000 is outside 0…65535
                    advertise: {enabled: true, uuid: 8e287857-0000-4000-8000-000000000001, major: 70000, minor: 2}
                                                                                                  ^
                1 problem
                """
            ])
        #expect(trial.stack.hash == before)
    }

    @Test("a file that cannot be read is told in the reader's words") func unreadable() throws {
        var trial = try started()
        let lines = trial.handle(.fileRead(.failure(FileRefusal(text: "c.yaml:1:1: no\n"))), at: 1)
        #expect(lines == ["error: the configuration file is not taken, nothing has changed:\nc.yaml:1:1: no"])
    }

    @Test(
        "what is fixed while the agent runs cannot be changed by a file either",
        arguments: [
            ("site: store-12", "site: store-13", "site"),
            ("node: s12", "state_folder: /x\nnode: s12", "state_folder"),
            ("node: s12-shelf-3", "node: s12-shelf-4\nmqtt: {prefix: x}", "node"),
        ])
    func fixed(old: String, new: String, key: String) throws {
        var trial = try started()
        #expect(
            try trial.reload(Trial.file.replacing(old, with: new), at: 1) == [
                "error: the configuration file is not taken, nothing has changed: \(key) is fixed while the agent runs; restart it"
            ])
    }

    @Test("another adapter is taken at once, to listen and to send") func adapter() throws {
        var trial = try started()
        let file = Trial.file.replacing("unix:/run/x", with: "hci0, access: shared, phys: [1m, coded]")
        #expect(
            only(try trial.reload(file, at: 1), "tune") == [
                "tune hci0 shared, coded, scan 0.09 seconds of 0.1 seconds, advertise ibeacon 8e287857-0000-4000-8000-000000000001 1 2 every 0.1 seconds"
            ])
        #expect(
            only(
                try trial.reload(file.replacing("enabled: true", with: "enabled: true, adapter: hci1"), at: 2),
                "tune"
            )
            .first?.hasSuffix(" every 0.1 seconds on hci1") == true)
    }

    @Test("the document stays over a file that is read again") func documentOver() throws {
        var trial = try started(stored: Self.move)
        let file = Trial.file.replacing("major: 1, minor: 2", with: "major: 5, minor: 6, measured_power: -40")
        _ = try trial.reload(file, at: 1)
        #expect(air(trial) == [0, 100, 0, 7])
        #expect(trial.push("", at: 2).contains { $0.contains(#""result":"removed""#) })
        #expect(air(trial) == [0, 5, 0, 6])
    }

    @Test("a file with which the document is not valid any more is not taken") func clash() throws {
        let document = #"{"config":{"radio":{"window":"50ms"}}}"#
        var trial = try started(stored: document)
        let before = trial.stack.hash
        let lines = try trial.reload(
            Trial.file.replacing("unix:/run/x", with: "unix:/run/x, interval: 40ms, window: 30ms"), at: 1)
        #expect(
            lines == [
                """
                error: the configuration file is not taken, nothing has changed:
                node document: radio.window: 50ms is longer than the interval of 40ms
                1 problem
                """
            ])
        #expect(trial.stack.hash == before)
    }

    @Test("a file that only a document makes valid is not taken: the next start would not have it") func alone()
        throws
    {
        var trial = try started(stored: #"{"config":{"advertise":{"uuid":"\#(Trial.uuid)"}}}"#)
        let file = Trial.file.replacing("uuid: 8e287857-0000-4000-8000-000000000001, ", with: "")
        #expect(try trial.reload(file, at: 1)[0].contains("advertise.uuid: is missing"))
    }

    // MARK: - A document on its way to the disk

    @Test("a file read while a document is on its way waits for it, and neither undoes the other") func pending()
        throws
    {
        var trial = try started()
        _ = trial.receive(Self.move, at: 1)
        let file = Trial.file.replacing("exit_after: 5s", with: "exit_after: 9s")
        #expect(try trial.reload(Trial.file.replacing("5s", with: "7s"), at: 1) == [])
        #expect(try trial.reload(file, at: 1) == [])
        let lines = trial.handle(.stored(token: 1, failure: nil), at: 2)
        #expect(
            only(lines, "info").map { $0.prefix(30) }
                == ["info: configuration document s", "info: the configuration file is"].map { $0.prefix(30) })
        #expect(trial.stack.configuration.regions[0].exitAfter == .seconds(9))
        #expect(air(trial) == [0, 100, 0, 7])
        #expect(trial.stack.documentInForce?.hash == Trial.digest(Self.move))
    }

    @Test("a file that waited is judged even if the document could not be stored") func pendingFailed() throws {
        var trial = try started()
        _ = trial.receive(Self.move, at: 1)
        _ = try trial.reload(Trial.file.replacing("minor: 2", with: "minor: 3"), at: 1)
        _ = trial.handle(.stored(token: 1, failure: "no space"), at: 2)
        #expect(air(trial) == [0, 1, 0, 3])
    }

    @Test("a file that waited and clashes with the document is refused, and the document stays") func pendingClash()
        throws
    {
        var trial = try started()
        _ = trial.receive(#"{"config":{"radio":{"window":"50ms"}}}"#, at: 1)
        _ = try trial.reload(
            Trial.file.replacing("unix:/run/x", with: "unix:/run/x, interval: 40ms, window: 30ms"), at: 1)
        let lines = trial.handle(.stored(token: 1, failure: nil), at: 2)
        #expect(only(lines, "reply")[0].contains(#""result":"applied""#))
        #expect(only(lines, "error").count == 1)
        #expect(trial.stack.configuration.radio.window == .milliseconds(50))
        #expect(trial.stack.configuration.radio.interval == .milliseconds(100))
    }

    // MARK: - A stored document that does not count

    private static let tooLong = #"{"config":{"radio":{"window":"200ms"}}}"#

    @Test("a stored document that is no longer valid is not in force, and state and log say so")
    func refusedAtStart() throws {
        var trial = try Trial(stored: Self.tooLong)
        let lines = trial.open().map(Trial.line)
        #expect(
            lines[3] == """
                error: the stored document is not in force:
                node document: radio.window: 200ms is longer than the interval of 100ms
                """)
        #expect(
            lines.last?.contains(
                #""scopes":{"node":{"document":"\#(Trial.digest(Self.tooLong))","result":"rejected"}}"#) == true)
        #expect(try trial.stack.hash == Trial().stack.hash)
        // What the broker still has of it is answered once.
        let repeated = trial.receive(Self.tooLong, retained: true, at: 1)
        #expect(only(repeated, "reply")[0].contains("200ms is longer than the interval of 100ms"))
        #expect(trial.receive(Self.tooLong, retained: true, at: 2) == [])
    }

    @Test("a stored document that is damaged is held as it is, and an empty payload takes it away") func damaged()
        throws
    {
        var trial = try Trial(stored: "\u{0}")
        #expect(trial.open().map(Trial.line)[3].contains("node document: 1:1: expected a value, found U+0000"))
        let lines = trial.push("", at: 1)
        #expect(lines[0] == "store 1 control-node.json (remove)")
        #expect(lines[1].contains(#""result":"removed""#))
        #expect(lines.last?.contains(#""scopes":{}"#) == true)
    }

    @Test("a better file brings a stored document back, one as bad leaves it out") func broughtBack() throws {
        var trial = try started(stored: Self.tooLong)
        let worse = try trial.reload(Trial.file.replacing("5s", with: "6s"), at: 1)
        #expect(only(worse, "info: the configuration file is taken").count == 1)
        #expect(only(worse, "error: the stored document is not in force").count == 1)
        #expect(trial.stack.configuration.regions[0].exitAfter == .seconds(6))
        let lines = try trial.reload(
            Trial.file.replacing("unix:/run/x", with: "unix:/run/x, interval: 300ms"), at: 2)
        #expect(lines.last?.contains(#""result":"applied"}}"#) == true)
        #expect(trial.stack.configuration.radio.window == .milliseconds(200))
    }

    @Test("another file lets the broker's copy of a rejected document be judged anew") func judgedAnew() throws {
        var trial = try started()
        #expect(only(trial.receive(Self.tooLong, at: 1), "reply")[0].contains(#""result":"rejected""#))
        _ = try trial.reload(Trial.file.replacing("unix:/run/x", with: "unix:/run/x, interval: 300ms"), at: 2)
        #expect(trial.push(Self.tooLong, retained: true, at: 3).contains { $0.contains(#""result":"applied""#) })
    }

    @Test("a file that switches documents off takes the stored one out of force, and on again back in")
    func switched() throws {
        var trial = try started(stored: Self.move)
        let off = try trial.reload(Trial.file + "\ncontrol: {enabled: false}\n", at: 1)
        #expect(air(trial) == [0, 1, 0, 2])
        #expect(only(off, "reconnect") == ["reconnect localhost:1883 []"])
        #expect(off.last?.contains(#""scopes":{}"#) == true)
        let on = try trial.reload(Trial.file, at: 2)
        #expect(air(trial) == [0, 100, 0, 7])
        #expect(on.last?.contains(#""result":"applied""#) == true)
    }

    // MARK: - The broker

    @Test("a file read without a connection has the broker tried at once: the password's file may be another now")
    func reconnects() throws {
        var trial = try started()
        #expect(only(try trial.reload(Trial.file, at: 1), "reconnect").isEmpty)
        _ = trial.handle(.disconnected, at: 2)
        #expect(only(try trial.reload(Trial.file, at: 3), "reconnect").count == 1)
        #expect(only(try trial.reload(Trial.file + "\nmqtt: {port: 1884}", at: 4), "reconnect").count == 1)
    }
}
