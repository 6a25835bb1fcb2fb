import Agent
import Testing
import YAML

@Suite("Configuration problems")
struct ConfigurationProblemTests {
    /// What `beacond check` says of a file.
    private func report(_ text: String) -> String {
        let bytes = Array(text.utf8)
        do throws(ConfigurationProblems) {
            _ = try Configuration.read(text: bytes)
            return "no problem\n"
        } catch {
            return error.report(source: bytes, name: "c.yaml")
        }
    }

    @Test("everything that is wrong is said at once: place, path, sentence, line and caret")
    func everything() {
        let text = """
            site: Store 12
            nod: x
            radio: {adapter: usb0, interval: 3ms, window: 12s, active: yes}
            advertise:
              enabled: true
              major: 70000
              minor: "5"
            regions:
              a: {uuid: 8e287857, exit_after: -1s, notify_on_entry: 0}
              b: {}
              c: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d, minor: 5}
            """
        let expected = """
            c.yaml:1:1: node: is missing and has no default; it must be 1…64 of a-z 0-9 . _ - and the first a letter or a digit
                site: Store 12
                ^
            c.yaml:1:7: site: 'Store 12' is no id: up to 64 of a-z, 0-9, '.', '_' and '-', and the first a letter or a digit
                site: Store 12
                      ^
            c.yaml:2:1: nod: is no key that this version knows; did you mean node?
                nod: x
                ^
            c.yaml:3:18: radio.adapter: 'usb0' names no controller; it must be auto, or an address, hciN, serial:PATH[:BAUD], tcp:ADDRESS:PORT or unix:PATH
                radio: {adapter: usb0, interval: 3ms, window: 12s, active: yes}
                                 ^
            c.yaml:3:34: radio.interval: 3ms is not a multiple of 0.625ms; the next ones are 2.5ms and 3.125ms
                radio: {adapter: usb0, interval: 3ms, window: 12s, active: yes}
                                                 ^
            c.yaml:3:47: radio.window: 12s is outside 2.5ms…10.24s
                radio: {adapter: usb0, interval: 3ms, window: 12s, active: yes}
                                                              ^
            c.yaml:3:60: radio.active: expected true or false, found 'yes'
                radio: {adapter: usb0, interval: 3ms, window: 12s, active: yes}
                                                                           ^
            c.yaml:5:12: advertise.uuid: is missing, and advertise.enabled is true; the format ibeacon needs it
                  enabled: true
                           ^
            c.yaml:6:10: advertise.major: 70000 is outside 0…65535
                  major: 70000
                         ^
            c.yaml:7:10: advertise.minor: expected a whole number, found the text '5'; write it without quotes
                  minor: "5"
                         ^
            c.yaml:9:13: regions.a.uuid: '8e287857' has 8 hexadecimal digits, 32 are needed; it looks like a number, but is a text here
                  a: {uuid: 8e287857, exit_after: -1s, notify_on_entry: 0}
                            ^
            c.yaml:9:35: regions.a.exit_after: -1s is outside 1s…24h
                  a: {uuid: 8e287857, exit_after: -1s, notify_on_entry: 0}
                                                  ^
            c.yaml:9:57: regions.a.notify_on_entry: expected true or false, found '0'
                  a: {uuid: 8e287857, exit_after: -1s, notify_on_entry: 0}
                                                                        ^
            c.yaml:10:3: regions.b: has nothing to match: with the format ibeacon it needs uuid
                  b: {}
                  ^
            c.yaml:11:13: regions.c.uuid: '39ed98ff-2900-441a-802f-9c398fc199d' has 31 hexadecimal digits, 32 are needed
                  c: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d, minor: 5}
                            ^
            c.yaml:11:57: regions.c.minor: needs major beside it; a minor number counts within a major one
                  c: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d, minor: 5}
                                                                        ^
            16 problems

            """
        #expect(report(text) == expected)
    }

    @Test("what is not even YAML is shown the same way")
    func syntax() {
        #expect(
            report("site: a\nregions:\n  a: {}\n  a: {}\n") == """
                c.yaml:4:3: the key 'a' is given twice, first in line 3
                      a: {}
                      ^
                1 problem

                """)
        #expect(
            report("site: a\nradio:\n\tadapter: x\n") == """
                c.yaml:3:1: a tab indents this line; YAML takes spaces only
                     adapter: x
                    ^
                1 problem

                """)
    }

    @Test(
        "each key says what it takes",
        arguments: [
            ("advertise: {major: -1}", "advertise.major: -1 is outside 0…65535"),
            (
                "advertise: {major: 99999999999999999999}",
                "advertise.major: 99999999999999999999 is outside 0…65535"
            ),
            ("advertise: {major: 1.0}", "advertise.major: expected a whole number of 0…65535, found '1.0'"),
            ("advertise: {major: 0x10}", "advertise.major: expected a whole number of 0…65535, found '0x10'"),
            ("advertise: {major: [1]}", "advertise.major: expected a whole number of 0…65535, found a list"),
            ("advertise: {measured_power: -101}", "advertise.measured_power: -101 is outside -100…-20 dBm"),
            ("advertise: {measured_power: 59}", "advertise.measured_power: 59 is outside -100…-20 dBm"),
            ("advertise: {interval: 19.375ms}", "advertise.interval: 19.375ms is outside 20ms…10.24s"),
            ("advertise: {address: fixed}", "advertise.address: expected random or public, found 'fixed'"),
            (
                "advertise: {uuid: 0}",
                "advertise.uuid: '0' has 1 hexadecimal digit, 32 are needed; it looks like a number, but is a text here"
            ),
            ("advertise: {uuid: hello}", "advertise.uuid: expected a UUID of 32 hexadecimal digits, found 'hello'"),
            (
                "advertise: {uuid: 39ed98ff2900-441a-802f-9c398fc199d2-}",
                "advertise.uuid: '39ed98ff2900-441a-802f-9c398fc199d2-' has its hyphens elsewhere than 8-4-4-4-12"
            ),
            ("advertise: {uuid: {}}", "advertise.uuid: expected a UUID, found a map"),
            ("advertise: yes", "advertise: expected keys below it, found 'yes'"),
            (
                "advertise: {advertise: 1}",
                "advertise.advertise: is no key that this version knows; here are enabled, adapter, format, uuid, major, minor, namespace, instance, url, measured_power, tx_power, interval, address, rotate"
            ),
            ("advertise: {Major: 1}", "advertise.Major: is no key that this version knows; did you mean major?"),
            (
                "advertise: {measured-power: -59}",
                "advertise.measured-power: is no key that this version knows; did you mean measured_power?"
            ),
            ("major: 1", "major: is no key that this version knows; did you mean advertise.major?"),
            (
                "radio.window: 1s",
                "radio.window: is no key that this version knows; here are site, node, state_folder, radio, advertise, regions, calibrations, windows, distance, limits, log, mqtt, control"
            ),
            (
                "\"\": 1",
                "'': is no key that this version knows; here are site, node, state_folder, radio, advertise, regions, calibrations, windows, distance, limits, log, mqtt, control"
            ),
            ("windows: {length: 10}", "windows.length: '10' has no unit; write 10s, 500ms or 5m"),
            (
                "windows: {length: ten}",
                "windows.length: expected a duration such as 500ms, 10s, 5m or 2h, found 'ten'"
            ),
            (
                "windows: {length: 1s1ms}",
                "windows.length: expected a duration such as 500ms, 10s, 5m or 2h, found '1s1ms'"
            ),
            (
                "windows: {length: 1.0005s}",
                "windows.length: 1.0005s is not a multiple of 1ms; the next ones are 1s and 1.001s"
            ),
            ("windows: {length: 61m}", "windows.length: 61m is outside 1s…1h"),
            ("limits: {beacons: 0}", "limits.beacons: 0 is outside 1…1000000"),
            ("log: {level: verbose}", "log.level: expected error, warning, info or debug, found 'verbose'"),
            ("mqtt: {port: 65536}", "mqtt.port: 65536 is outside 1…65535"),
            ("mqtt: {host: a b}", "mqtt.host: 'a b' is neither a host name nor an address"),
            ("mqtt: {host: \"\"}", "mqtt.host: expected a host name or an address, found an empty text"),
            ("mqtt: {prefix: a/#}", "mqtt.prefix: 'a/#' has one of + # $, which mean something in topics"),
            (
                "mqtt: {prefix: a//b}",
                "mqtt.prefix: 'a//b' has an empty level; write no / at either end and none twice"
            ),
            (
                "mqtt: {username: \"a\\u001b[31m\\u202e\"}",
                "mqtt.username: 'a\\u{1B}[31m\\u{202E}' has a character that cannot be printed"
            ),
            ("mqtt: {password_file: /x}", "mqtt.password_file: needs mqtt.username beside it"),
            ("mqtt: {username: a, password_file: x}", "mqtt.password_file: 'x' is no path from / on"),
            (
                "mqtt: {keepalive: 5500ms}",
                "mqtt.keepalive: 5500ms is not a multiple of 1s; the next ones are 5s and 6s"
            ),
            ("control: {enabled: off}", "control.enabled: expected true or false, found 'off'"),
            (
                "control: {enabled: \"true\"}",
                "control.enabled: expected true or false, found the text 'true'; write it without quotes"
            ),
            ("state_folder: var", "state_folder: 'var' is no path from / on"),
        ])
    func keys(text: String, expected: String) {
        #expect(configurationSentences(text + "\n") == [expected])
    }

    @Test(
        "each way in which a region makes no sense has its sentence",
        arguments: [
            ("{}", [": has nothing to match: with the format ibeacon it needs uuid"]),
            ("", []),
            (
                "{format: altbeacon, minor: 1}",
                [
                    ": has nothing to match: with the format altbeacon it needs uuid",
                    ".minor: needs major beside it; a minor number counts within a major one",
                ]
            ),
            (
                "{format: eddystone-uid, instance: 0bdb87539b67}",
                [": has nothing to match: with the format eddystone-uid it needs namespace"]
            ),
            (
                "{format: eddystone-uid, namespace: edd1}",
                [".namespace: 'edd1' has 4 hexadecimal digits, 20 are needed"]
            ),
            (
                "{format: eddystone-uid, namespace: edd1ebeac04e5defa01z}",
                [
                    ".namespace: expected 20 hexadecimal digits, found 'edd1ebeac04e5defa01z'"
                ]
            ),
            ("{format: eddystone-url}", [": has nothing to match: with the format eddystone-url it needs url"]),
            (
                "{format: eddystone-url, url: 'ftp://x'}",
                [
                    ".url: 'ftp://x' cannot be sent by a beacon: the URL must begin with http:// or https:// in lower case"
                ]
            ),
            (
                "{format: eddystone-url, url: 'http://abcdefghijklmnopqr'}",
                [
                    ".url: 'http://abcdefghijklmnopqr' cannot be sent by a beacon: the URL needs 18 bytes, an Eddystone beacon "
                        + "has 17; use a shorter one"
                ]
            ),
            (
                "{format: eddystone-url, url: 'http://a.de', major: 1}",
                [
                    ".major: does not belong to the format eddystone-url, which is matched by url"
                ]
            ),
            (
                "{format: beacon, uuid: x}",
                [
                    ".format: expected ibeacon, altbeacon, eddystone-uid or eddystone-url, found 'beacon'",
                    ".uuid: expected a UUID of 32 hexadecimal digits, found 'x'",
                ]
            ),
            (
                "{uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, exit_after: 25h}",
                [".exit_after: 25h is outside 1s…24h"]
            ),
            (
                "{uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, track: all, enter: once, exit: 10s}",
                [
                    ".track: expected region or beacons, found 'all'",
                    ".enter: expected steady or first, found 'once'",
                    ".exit: expected learned or fixed, found '10s'",
                ]
            ),
            (
                "{uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, exit_rssi: -80}",
                [".exit_rssi: needs enter_rssi beside it"]
            ),
            (
                "{uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, enter_rssi: -80, exit_rssi: -79, measured_power: 4}",
                [
                    ".exit_rssi: -79 is above enter_rssi, -80", ".measured_power: 4 is outside -100…-20 dBm",
                ]
            ),
            (
                "{uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, exitafter: 5s}",
                [
                    ".exitafter: is no key that this version knows; did you mean exit_after?"
                ]
            ),
            ("[x]", [": expected keys below it, found a list"]),
        ] as [(String, [String])])
    func regions(text: String, expected: [String]) {
        #expect(configurationSentences("regions:\n  r: \(text)\n") == expected.map { "regions.r\($0)" })
    }

    @Test("an id of a region that cannot be a topic is refused, and shown escaped")
    func ids() {
        let sentence = "is no id: up to 64 of a-z, 0-9, '.', '_' and '-', and the first a letter or a digit"
        let uuid = "{uuid: 39ed98ff-2900-441a-802f-9c398fc199d2}"
        #expect(configurationSentences("regions: {a/b: \(uuid)}") == ["regions.a/b: 'a/b' \(sentence)"])
        #expect(
            configurationSentences("regions: {\"\\u001b[2J\": \(uuid)}") == [
                "regions.\\u{1B}[2J: '\\u{1B}[2J' has a character that cannot be printed"
            ])
        let long = String(repeating: "x", count: 100)
        #expect(
            configurationSentences("regions: {\(long): \(uuid)}")
                == ["regions.\(long.prefix(64))…: '\(long.prefix(80))…' \(sentence)"])
        #expect(configurationSentences("regions: [a]") == ["regions: expected a map of ids, found a list"])
    }

    @Test("a long line is cut around the caret, and nothing in it reaches the terminal raw")
    func excerpt() {
        let long = "# " + String(repeating: "x", count: 300)
        let text =
            "site: a\nnode: b\nradio: {adapter: unix:/x}\nlog: {level: \"\u{202E}\", \(String(repeating: " ", count: 80))levl: 1} \(long)\n"
        #expect(
            report(text) == """
                c.yaml:4:14: log.level: expected error, warning, info or debug, found the text '\\u{202E}'
                    log: {level: "\\u{202E}", \(String(repeating: " ", count: 80))le…
                                 ^
                c.yaml:4:99: log.levl: is no key that this version knows; did you mean level?
                   …\(String(repeating: " ", count: 50))levl: 1} # \(String(repeating: "x", count: 39))…
                    \(String(repeating: " ", count: 50))^
                2 problems

                """)
    }

    @Test("of very many problems the first hundred are kept, and the rest counted")
    func many() {
        let text = "site: a\nnode: b\nradio: {adapter: unix:/x}\n" + (0..<150).map { "x\($0): 1\n" }.joined()
        do throws(ConfigurationProblems) {
            _ = try Configuration.read(text: Array(text.utf8))
            Issue.record("taken")
        } catch {
            #expect(error.problems.count == 100)
            #expect(error.omitted == 50)
            #expect(error.description.hasSuffix("\nand 50 more"))
            #expect(error.report(source: [], name: "c").hasSuffix("\nand 50 more\n150 problems\n"))
        }
    }
}

extension ConfigurationProblem {
    fileprivate var sentence: String { "\(path): \(message)" }
}
