import Agent
import Testing

@Suite("Control: documents from the broker")
struct ControlTests {
    private static let move = #"{"config":{"advertise":{"major":100,"minor":7}}}"#
    private static let moved = Trial.digest(move)
    private static let bad = #"{"config":{"advertise":{"major":70000,"minor":-1},"windows":{"lenght":"5s"}}}"#

    private func started(_ file: String = Trial.file, stored: String? = nil) throws -> Trial {
        var trial = try Trial(file, stored: stored)
        _ = trial.open()
        _ = trial.handle(.radio(Trial.listening), at: 0)
        _ = trial.handle(.connected(session: "s-1"), at: 0.5)
        return trial
    }

    /// What a reply says, from its document on.
    private func replies(_ lines: [String]) -> [String] {
        only(lines, "reply").map { String($0.drop { $0 != "{" }) }
    }

    private func results(_ lines: [String]) -> [String] {
        replies(lines).compactMap { $0.firstMatch(of: /"result":"([a-z]+)"/)?.output.1 }.map(String.init)
    }

    private func reply(_ document: String, _ rest: String, hash: String, at second: Int = 1) -> String {
        #"{"v":1,"scope":"node","document":"\#(Trial.digest(document))",\#(rest.replacing("TIME", with: #""time":"2026-03-02T09:12:0\#(second).000Z","clock":"synced""#)),"config":"\#(hash)"}"#
    }

    @Test("a document is on the disk before it is in force, and in force before it is reported") func order() throws
    {
        var trial = try started()
        let before = trial.stack.hash
        #expect(trial.receive(Self.move, at: 1) == ["store 1 control-node.json \(Self.move)"])
        #expect(trial.stack.hash == before)
        let lines = trial.handle(.stored(token: 1, failure: nil), at: 1)
        let after = trial.stack.hash
        #expect(after != before)
        #expect(
            lines.dropLast() == [
                "tune unix:/run/x, scan 0.09 seconds of 0.1 seconds, advertise ibeacon 8e287857-0000-4000-8000-000000000001 100 7 every 0.1 seconds",
                "reply reply 1 " + reply(Self.move, #""result":"applied",TIME"#, hash: after),
                "info: configuration document \(Self.moved): applied",
            ])
        #expect(
            lines.last?.hasPrefix(
                #"latest state 1 retained {"v":1,"config":"\#(after)","scopes":{"node":{"document":"\#(Self.moved)","result":"applied"}},"#
            ) == true)
    }

    @Test("a document with three mistakes changes nothing and gets all three back with their paths")
    func mistakes() throws {
        var trial = try started()
        let before = trial.stack.hash
        let lines = trial.receive(Self.bad, at: 1)
        let errors =
            #"[{"path":"advertise.major","message":"70000 is outside 0…65535"},"#
            + #"{"path":"advertise.minor","message":"-1 is outside 0…65535"},"#
            + #"{"path":"windows.lenght","message":"is no key that this version knows; did you mean length?"}]"#
        #expect(
            lines == [
                "reply reply 1 " + reply(Self.bad, #""result":"rejected",TIME,"errors":\#(errors)"#, hash: before),
                """
                warning: configuration document \(Trial.digest(Self.bad)): rejected
                  advertise.major: 70000 is outside 0…65535
                  advertise.minor: -1 is outside 0…65535
                  windows.lenght: is no key that this version knows; did you mean length?
                """,
            ])
        #expect(trial.stack.hash == before)
    }

    @Test("an empty payload takes the document away, from the disk as well") func removal() throws {
        var trial = try started()
        let file = trial.stack.hash
        _ = trial.push(Self.move, at: 1)
        let lines = trial.push("", at: 2)
        #expect(lines[0] == "store 2 control-node.json (remove)")
        #expect(
            only(lines, "tune") == [
                "tune unix:/run/x, scan 0.09 seconds of 0.1 seconds, advertise ibeacon 8e287857-0000-4000-8000-000000000001 1 2 every 0.1 seconds"
            ])
        #expect(replies(lines) == [reply("", #""result":"removed",TIME"#, hash: file, at: 2)])
        #expect(only(lines, "latest state")[0].contains(#""scopes":{}"#))
        // Once more there is nothing to take away, and whoever asked is told so.
        #expect(results(trial.push("", at: 3)) == ["unchanged"])
    }

    @Test("a region that a document takes away is left, cleared and forgotten; one it adds is told") func regions()
        throws
    {
        var trial = try started()
        _ = trial.sight(at: 1)
        let document = #"{"config":{"regions":{"entrance":null,"till":{"uuid":"\#(Trial.uuid)","major":200}}}}"#
        let lines = trial.push(document, at: 2).filter { !$0.hasPrefix("fleeting") }
        #expect(lines[1].hasPrefix("event exit/entrance 1 "))
        #expect(lines[1].contains(#""reason":"region_removed""#))
        #expect(
            lines[2...3] == [
                "latest region/entrance 1 retained ",
                #"latest region/till 1 retained {"v":1,"region":"till","state":"unknown","cause":"starting","since":"2026-03-02T09:12:02.000Z"}"#,
            ])
        #expect(results(lines) == ["applied"])
        #expect(trial.sight(at: 3) == [])
    }

    @Test("a document that is in force already is answered and not stored again") func unchanged() throws {
        var trial = try started()
        _ = trial.push(Self.move, at: 1)
        let lines = trial.receive(Self.move, at: 2)
        #expect(only(lines, "store").isEmpty)
        #expect(results(lines) == ["unchanged"])
    }

    @Test("what the broker repeats at a reconnect was answered before and is not answered again") func repeated()
        throws
    {
        var trial = try started()
        _ = trial.push(Self.move, at: 1)
        #expect(trial.receive(Self.move, retained: true, at: 2) == [])
        #expect(results(trial.receive(Self.bad, at: 3)) == ["rejected"])
        #expect(trial.receive(Self.bad, retained: true, at: 4) == [])
        #expect(trial.receive(Self.move, retained: true, at: 5) == [])
        // Pushed anew, it is.
        #expect(results(trial.receive(Self.bad, at: 6)) == ["rejected"])
    }

    @Test("a stored document is in force at the start, and its retained copy is no news") func restart() throws {
        var trial = try Trial(stored: Self.move)
        let lines = trial.open().map(Trial.line)
        #expect(
            lines[1].hasSuffix("advertise ibeacon 8e287857-0000-4000-8000-000000000001 100 7 every 0.1 seconds"))
        #expect(lines.last?.contains(#""node":{"document":"\#(Self.moved)","result":"applied"}"#) == true)
        #expect(trial.receive(Self.move, retained: true, at: 1) == [])
    }

    @Test("a document retained while the node was away is taken at the connect") func away() throws {
        var trial = try started()
        #expect(results(trial.push(Self.move, retained: true, at: 1)) == ["applied"])
    }

    @Test("what cannot be stored is not in force, and is tried again when the broker repeats it") func diskFull()
        throws
    {
        var trial = try started()
        let before = trial.stack.hash
        _ = trial.receive(Self.move, at: 1)
        let lines = trial.handle(.stored(token: 1, failure: "cannot write: No space left\u{1B}"), at: 1)
        let error = #"[{"path":"","message":"cannot be stored on this node: cannot write: No space left\\u{1B}"}]"#
        #expect(replies(lines) == [reply(Self.move, #""result":"rejected",TIME,"errors":\#(error)"#, hash: before)])
        #expect(trial.stack.hash == before)
        #expect(results(trial.push(Self.move, retained: true, at: 2)) == ["applied"])
    }

    @Test("a document that comes while one is on its way to the disk is judged after it, a removal too")
    func waiting() throws {
        var trial = try started()
        _ = trial.receive(Self.move, at: 1)
        #expect(trial.receive(Self.bad, at: 1) == [])
        #expect(results(trial.handle(.stored(token: 1, failure: nil), at: 2)) == ["applied", "rejected"])
        _ = trial.receive(#"{"config":{"windows":{"length":"3s"}}}"#, at: 3)
        #expect(trial.receive("", at: 3) == [])
        let first = trial.handle(.stored(token: 2, failure: nil), at: 4)
        #expect(results(first) == ["applied"])
        #expect(only(first, "store") == ["store 3 control-node.json (remove)"])
        #expect(results(trial.handle(.stored(token: 3, failure: nil), at: 5)) == ["removed"])
    }

    @Test("of a flood of documents the newest is judged, and each older one is told so") func flood() throws {
        var trial = try started()
        _ = trial.receive(Self.move, at: 1)
        #expect(trial.receive(Self.bad, at: 1) == [])
        for number in 1...50 {
            let refused = trial.receive(#"{"config":{"windows":{"length":"\#(number)s"}}}"#, at: 1)
            #expect(results(refused) == ["rejected"])
            #expect(refused[0].contains(#""message":"a newer document came before this one was looked at""#))
        }
        #expect(results(trial.handle(.stored(token: 1, failure: nil), at: 2)) == ["applied"])
        #expect(results(trial.handle(.stored(token: 2, failure: nil), at: 3)) == ["applied"])
        #expect(trial.stack.configuration.windows.length == .seconds(50))
    }

    @Test("an answer of the disk to something else is no answer") func strayToken() throws {
        var trial = try started()
        #expect(trial.handle(.stored(token: 1, failure: nil), at: 1) == [])
        _ = trial.receive(Self.move, at: 2)
        #expect(trial.handle(.stored(token: 7, failure: nil), at: 2) == [])
        #expect(results(trial.handle(.stored(token: 1, failure: nil), at: 3)) == ["applied"])
    }

    @Test("correlation data comes back with the reply, late replies too") func correlation() throws {
        var trial = try started()
        let rejected = trial.handle(.received(Trial.message("no", correlation: [1, 2])), at: 1)
        #expect(rejected[0].hasPrefix("reply reply 1 for [1, 2] {"))
        _ = trial.handle(.received(Trial.message(Self.move, correlation: [0])), at: 2)
        #expect(
            only(trial.handle(.stored(token: 1, failure: nil), at: 3), "reply")[0].hasPrefix(
                "reply reply 1 for [0] {"))
    }

    @Test("a message on a topic that is not the node's is logged, escaped, and not judged") func strangeTopic()
        throws
    {
        var trial = try started()
        for topic in [
            "", "beacons/control/node/s12-shelf-3/config/", "beacons/control/all/config", "\u{1B}[2J\n\u{202E}",
        ] {
            let message = Received(topic: topic, payload: Array(Self.move.utf8))
            let expected = "a message on the topic \(quoted(topic)) is not for this node"
            #expect(trial.handle(.received(message), at: 1) == ["warning: \(expected)"])
        }
        #expect(quoted("\u{1B}[2J\n\u{202E}") == #"'\u{1B}[2J\u{A}\u{202E}'"#)
    }

    @Test("a document cannot move the node to another broker, nor rename it") func local() throws {
        var trial = try started()
        let lines = trial.receive(
            #"{"config":{"mqtt":{"host":"x","password_file":"/etc/shadow"},"node":"y"}}"#, at: 1)
        #expect(
            lines[1].split(separator: "\n").dropFirst() == [
                "  mqtt.host: can only be set in the node's own file",
                "  mqtt.password_file: can only be set in the node's own file",
                "  node: can only be set in the node's own file",
            ])
    }

    @Test("where documents are switched off, one that still comes is refused in a sentence, once")
    func switchedOff() throws {
        var trial = try started(Trial.file + "\ncontrol: {enabled: false}\n", stored: Self.move)
        #expect(trial.agent.tuning.advertising?.data.suffix(5).prefix(4) == [0, 1, 0, 2])
        let lines = trial.receive(Self.move, retained: true, at: 1)
        #expect(
            lines[0].contains(
                #""errors":[{"path":"","message":"documents are switched off on this node: control.enabled is false in its file"}]"#
            ))
        #expect(trial.receive(Self.move, retained: true, at: 2) == [])
    }
}
