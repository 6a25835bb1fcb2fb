import Agent
import JSON
import Testing
import YAML

@Suite("ConfigurationLayer")
struct ConfigurationLayerTests {
    private static let file = """
        site: store-12
        node: s12-shelf-3
        radio: {adapter: unix:/run/x}
        advertise: {enabled: true, uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 1, minor: 2}
        regions:
          entrance: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 100}
          till: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 200, minor: 1}
        """

    private func read(_ documents: (ConfigurationScope, String)...) throws -> Configuration {
        let layers = try documents.map { scope, text in
            ConfigurationLayer(scope: scope, config: try JSONValue(reading: Array(text.utf8)))
        }
        let file = ConfigurationNode(try YAMLNode(reading: Array(Self.file.utf8)))
        return try Configuration.read(file: file, layers: layers)
    }

    private func complaints(_ scope: ConfigurationScope, _ text: String) -> String {
        do {
            _ = try read((scope, text))
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test("a document changes the keys that it has, and no other")
    func patch() throws {
        var expected = try read()
        expected.advertise.major = 7
        expected.regions[0].exitAfter = .seconds(5)
        let document = #"{"advertise":{"major":7},"regions":{"entrance":{"exit_after":"5s"}}}"#
        #expect(try read((.node, document)) == expected)
    }

    @Test("null is the default, or takes an entry away")
    func null() throws {
        let configuration = try read(
            (.node, #"{"advertise":{"major":null},"regions":{"till":null,"nowhere":null},"windows":null}"#))
        #expect(configuration.advertise.major == 0)
        #expect(configuration.regions.map(\.id) == ["entrance"])
        #expect(try read((.node, #"{"regions":null}"#)).regions.isEmpty)
        // A section that is null: what documents may not set stays as the file has it.
        let silent = try read((.node, #"{"radio":null,"advertise":null}"#))
        #expect(silent.radio.adapter == "unix:/run/x" && !silent.advertise.enabled)
        #expect(try read((.node, #"{"regions":{"till":{"minor":null}}}"#)).regions[1].minor == nil)
    }

    @Test("a region taken away by one layer and given by a later one has nothing left of the file's")
    func replaced() throws {
        let configuration = try read(
            (.all, #"{"regions":{"till":null}}"#),
            (.node, #"{"regions":{"till":{"uuid":"00000000-0000-0000-0000-000000000001"}}}"#))
        #expect(configuration.regions[1].major == nil)
        #expect(configuration.regions[1].uuid?.description == "00000000-0000-0000-0000-000000000001")
    }

    @Test("the narrower scope wins, whatever came first")
    func order() throws {
        let configuration = try read(
            (.node, #"{"advertise":{"major":4}}"#), (.group, #"{"advertise":{"major":3,"minor":3}}"#),
            (.all, #"{"advertise":{"major":1,"minor":1},"windows":{"length":"1s"}}"#),
            (.site, #"{"advertise":{"minor":2},"windows":{"length":"2s"}}"#))
        #expect(configuration.advertise.major == 4)
        #expect(configuration.advertise.minor == 3)
        #expect(configuration.windows.length == .seconds(2))
    }

    @Test("what a document gets wrong is said with the paths of the configuration, all at once")
    func problems() {
        let text = """
            {"advertise":{"major":70000,"minor":"5","interval":100},"regions":{"x":{"uuid":12345678},"y":5},"site":"s"}
            """
        #expect(
            complaints(.node, text) == """
                node document: site: can only be set in the node's own file
                node document: advertise.major: 70000 is outside 0…65535
                node document: advertise.minor: expected a whole number, found the text '5'; write it without quotes
                node document: advertise.interval: 100 has no unit; write "10s", "500ms" or "5m"
                node document: regions.x.uuid: expected a UUID, found 12345678; write all 32 digits, in quotes
                node document: regions.y: expected keys below it, found 5
                """)
        #expect(complaints(.node, #"{"radio":5}"#) == "node document: radio: expected keys below it, found 5")
        #expect(complaints(.node, "[]") == "node document: expected an object, found a list")
        #expect(
            complaints(.node, #"{"log":{"level":7}}"#)
                == "node document: log.level: expected error, warning, info or debug, found 7")
    }

    @Test(
        "identity, controller, secrets and the switch itself are local to the node",
        arguments: [
            (#"{"node":"x"}"#, "node"), (#"{"site":null}"#, "site"), (#"{"state_folder":"/x"}"#, "state_folder"),
            (#"{"radio":{"adapter":"unix:/y"}}"#, "radio.adapter"), (#"{"mqtt":null}"#, "mqtt"),
            (#"{"radio":{"access":"shared"}}"#, "radio.access"),
            (#"{"advertise":{"adapter":"serial:/dev/ttyS0"}}"#, "advertise.adapter"),
            (#"{"mqtt":{"password_file":"/etc/shadow"}}"#, "mqtt.password_file"),
            (#"{"mqtt":{"prefix":"x"}}"#, "mqtt.prefix"),
            (#"{"control":{"enabled":false}}"#, "control.enabled"), (#"{"control":7}"#, "control"),
        ])
    func local(document: String, path: String) {
        for scope in ConfigurationScope.allCases {
            #expect(
                complaints(scope, document)
                    == "\(scope.rawValue) document: \(path): can only be set in the node's own file")
        }
    }

    @Test("no document moves a node to another broker, from where nobody could call it back")
    func broker() {
        let document = #"{"mqtt":{"host":"broker.example","port":1884,"username":"x","keepalive":"1m"}}"#
        for scope in ConfigurationScope.allCases {
            let expected = ["host", "port", "username", "keepalive"].map {
                "\(scope.rawValue) document: mqtt.\($0): can only be set in the node's own file"
            }
            #expect(complaints(scope, document) == expected.joined(separator: "\n"))
        }
    }

    @Test("a rule between a key of the file and one of a document is judged on the result")
    func result() {
        #expect(
            complaints(.node, #"{"radio":{"window":"100ms"}}"#)
                == "node document: radio.window: 100ms is more than nine tenths of the interval of 100ms, and the same "
                + "controller advertises; make it 90ms or less, name another advertise.adapter, or set "
                + "advertise.enabled to false")
        #expect(
            complaints(.node, #"{"advertise":{"uuid":null}}"#)
                == "node document: advertise.uuid: is missing, and advertise.enabled is true; the format ibeacon needs it"
        )
    }

    @Test("the hash's text is canonical and does not depend on how values were spelled")
    func canonical() throws {
        let one = try read((.node, #"{"windows":{"length":"60s"},"radio":{"interval":"0.1s"}}"#))
        let other = try read((.node, #"{"radio":{"interval":"100ms"},"windows":{"length":"1m"}}"#))
        #expect(one.effective.canonical == other.effective.canonical)
        #expect(one == other)
    }

    @Test("keys that need a restart are none that a document may set")
    func restart() throws {
        var other = try read()
        #expect(try read().changeThatNeedsRestart(to: other) == nil)
        other.advertise.major = 5
        other.mqtt.host = "x"
        #expect(try read().changeThatNeedsRestart(to: other) == nil)
        other.mqtt.prefix = "x"
        #expect(try read().changeThatNeedsRestart(to: other) == "mqtt.prefix")
        other.node = "x"
        #expect(try read().changeThatNeedsRestart(to: other) == "node")
    }
}
