import Agent
import Testing

@Suite("Problems of radio and advertising")
struct RadioProblemTests {
    /// What is wrong with a file of one line for the radio and one for advertising, each without place.
    private func sentences(radio: String = "{adapter: unix:/run/x}", advertise: String = "{}") -> [String] {
        let text = "site: a\nnode: b\nradio: \(radio)\nadvertise: \(advertise)\n"
        do throws(ConfigurationProblems) {
            _ = try Configuration.read(text: Array(text.utf8))
            return []
        } catch {
            return error.problems.map { "\($0.path): \($0.message)" }
        }
    }

    private static let known = "an address, hciN, serial:PATH[:BAUD], tcp:ADDRESS:PORT or unix:PATH"

    @Test(
        "a controller is an address, a number, or a byte stream",
        arguments: [
            "hci0", "hci65535", "00:1A:7D:DA:71:13", "dc:a6:32:01:02:03", "serial:/dev/ttyACM0",
            "serial:/dev/ttyACM0:1000000", "serial:/dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0",
            "tcp:127.0.0.1:9000", "tcp:localhost:1", "unix:/run/x", "unix:@x",
        ])
    func adapters(adapter: String) {
        #expect(sentences(radio: "{adapter: \"\(adapter)\"}") == [])
        #expect(sentences(advertise: "{adapter: \"\(adapter)\"}") == [])
    }

    /// What names no controller, and the answer to it. Apart from its test, for Swift 6.0 crashes over it there.
    private static let unnamed: [(adapter: String, complaint: String)] = [
        ("bluetooth", "names no controller; it must be auto, or \(known)"),
        ("usb:0", "names no controller; it must be auto, or \(known)"),
        ("hci", "has no number of 0…65535 behind hci"), ("hci00", "has no number of 0…65535 behind hci"),
        ("hci65536", "has no number of 0…65535 behind hci"), ("hci+1", "has no number of 0…65535 behind hci"),
        (
            "00:1A:7D:DA:71",
            "is no address: it takes six pairs of hexadecimal digits, as in dc:a6:32:01:02:03"
        ),
        (
            "0:01A:7D:DA:71:13",
            "is no address: it takes six pairs of hexadecimal digits, as in dc:a6:32:01:02:03"
        ),
        ("serial:", "has no path behind serial:"), ("serial::9600", "has no path behind serial:"),
        ("serial:ttyACM0", "has no path from / on behind serial:"),
        ("serial:/dev/ttyACM0:", "has no speed behind its last colon"),
        ("serial:/dev/ttyACM0:1200", "has a speed outside 9600…12000000 baud"),
        ("serial:/dev/ttyACM0:99999999999999999999", "has a speed outside 9600…12000000 baud"),
        ("serial:/dev/ttyACM0::9600", "has no path from / on behind serial:"),
        ("serial:/" + String(repeating: "x", count: 4095), "has a path of more than 4095 bytes"),
        ("unix:", "has no path behind unix:"),
        (
            "unix:/" + String(repeating: "x", count: 107),
            "has a path of more than 107 bytes, which no socket can have"
        ),
        ("tcp:127.0.0.1", "has no port of 1…65535 at its end"),
        ("tcp:127.0.0.1:0", "has no port of 1…65535 at its end"),
        ("tcp:127.0.0.1:+80", "has no port of 1…65535 at its end"),
        (
            "tcp:controller:9000",
            "has no IPv4 address in numbers; names are not looked up, which could block the radio"
        ),
    ]

    @Test("each way in which a controller cannot be named gets its own answer", arguments: unnamed)
    func noAdapters(adapter: String, complaint: String) {
        let shown = adapter.count > 80 ? "\(adapter.prefix(80))…" : adapter
        #expect(sentences(radio: "{adapter: \"\(adapter)\"}") == ["radio.adapter: '\(shown)' \(complaint)"])
        #expect(sentences(advertise: "{adapter: \"\(adapter)\"}") == ["advertise.adapter: '\(shown)' \(complaint)"])
    }

    @Test("the controller that listens may be any, the one that sends beside it may not") func auto() {
        #expect(sentences(radio: "{adapter: auto}") == [])
        #expect(
            sentences(advertise: "{adapter: auto}") == [
                "advertise.adapter: 'auto' could be the controller that listens; name one, or leave the key out and that one sends"
            ])
    }

    @Test(
        "the list of what is listened on says what is wrong with it",
        arguments: [
            ("[1m]", nil), ("[1m, coded]", nil), ("[\"coded\", '1m']", nil), ("", nil),
            ("1m", "expected a list, [1m] or [1m, coded], found '1m'"),
            ("{1m: coded}", "expected a list, [1m] or [1m, coded], found a map"),
            ("[]", "expected [1m] or [1m, coded], found an empty list"),
            ("[1m, 2m]", "in the list expected 1m or coded, found '2m'"),
            ("[1m, 1]", "in the list expected 1m or coded, found '1'"),
            ("[1m, ~]", "in the list expected 1m or coded, found nothing"),
            ("[1m, [coded]]", "in the list expected 1m or coded, found a list"),
            ("[1m, coded, 1m]", "has 1m twice"),
            ("[coded]", "leaves out 1m, on which all beacons of these formats send"),
        ] as [(String, String?)])
    func phys(list: String, complaint: String?) {
        #expect(sentences(radio: "{adapter: auto, phys: \(list)}") == complaint.map { ["radio.phys: \($0)"] } ?? [])
    }

    private static let uuid = "uuid: 39ed98ff-2900-441a-802f-9c398fc199d2"
    private static let uid = "namespace: edd1ebeac04e5defa017, instance: 0bdb87539b67"

    private static let sent: [(String, [String])] = [
        (uuid, []), ("format: altbeacon, major: 1, \(uuid)", []), ("format: eddystone-uid, \(uid)", []),
        ("format: eddystone-url, url: 'https://a.de'", []),
        ("format: ibeacon", ["uuid: is missing, and advertise.enabled is true; the format ibeacon needs it"]),
        (
            "format: altbeacon",
            ["uuid: is missing, and advertise.enabled is true; the format altbeacon needs it"]
        ),
        (
            "format: eddystone-uid",
            [
                "namespace: is missing, and advertise.enabled is true; the format eddystone-uid needs it",
                "instance: is missing, and advertise.enabled is true; the format eddystone-uid needs it",
            ]
        ),
        (
            "format: eddystone-url",
            ["url: is missing, and advertise.enabled is true; the format eddystone-url needs it"]
        ),
        (
            "format: ibeacon, \(uuid), \(uid), url: 'https://a.de'",
            [
                "namespace: does not belong to the format ibeacon, which sends uuid, major, minor",
                "instance: does not belong to the format ibeacon, which sends uuid, major, minor",
                "url: does not belong to the format ibeacon, which sends uuid, major, minor",
            ]
        ),
        (
            "format: eddystone-uid, \(uid), \(uuid), minor: 0, major: 1",
            [
                "uuid: does not belong to the format eddystone-uid, which sends namespace, instance",
                "major: does not belong to the format eddystone-uid, which sends namespace, instance",
            ]
        ),
        (
            "format: eddystone-url, minor: 7, url: 'https://a.de'",
            ["minor: does not belong to the format eddystone-url, which sends url"]
        ),
        (
            "format: beacon",
            ["format: expected ibeacon, altbeacon, eddystone-uid or eddystone-url, found 'beacon'"]
        ),
        (
            "format: eddystone-url, url: 'ftp://x'",
            [
                "url: 'ftp://x' cannot be sent by a beacon: the URL must begin with http:// or https:// in lower case"
            ]
        ),
        ("\(uuid), tx_power: 20, rotate: 24h", []),
        ("\(uuid), tx_power: 21", ["tx_power: 21 is outside -127…20 dBm"]),
        ("\(uuid), tx_power: -128", ["tx_power: -128 is outside -127…20 dBm"]),
        ("\(uuid), tx_power: high", ["tx_power: expected a whole number of -127…20 dBm, found 'high'"]),
        ("\(uuid), rotate: 59s", ["rotate: 59s is outside 1m…24h"]),
        ("\(uuid), rotate: 60500ms", ["rotate: 60500ms is not a multiple of 1s; the next ones are 1m and 61s"]),
        (
            "\(uuid), address: public, rotate: 15m",
            ["rotate: needs advertise.address to be random; the controller's own does not change"]
        ),
        ("\(uuid), interval: 20ms", []),
    ]

    @Test("each format needs what it sends, and knows nothing else", arguments: sent)
    func formats(text: String, expected: [String]) {
        #expect(sentences(advertise: "{enabled: true, \(text)}") == expected.map { "advertise.\($0)" })
    }

    @Test("a node that sends nothing may know what of every format") func silent() {
        #expect(
            sentences(advertise: "{enabled: false, \(Self.uid), \(Self.uuid), major: 5, url: 'https://a.de'}") == []
        )
        #expect(sentences(advertise: "{format: eddystone-url}") == [])
    }

    @Test("where one controller listens and advertises, a tenth of the interval is left to send") func duty() {
        let tail =
            "and the same controller advertises; make it 90ms or less, name another advertise.adapter, or set advertise.enabled to false"
        func sentences(_ radio: String, _ advertise: String = "") -> [String] {
            self.sentences(
                radio: "{adapter: hci0, \(radio)}", advertise: "{enabled: true, \(Self.uuid)\(advertise)}")
        }
        #expect(sentences("window: 90ms") == [])
        #expect(
            sentences("window: 90.625ms") == [
                "radio.window: 90.625ms is more than nine tenths of the interval of 100ms, \(tail)"
            ])
        #expect(
            sentences("window: 100ms", ", adapter: HCI0") == [
                "advertise.adapter: 'HCI0' names no controller; it must be auto, or \(Self.known)"
            ])
        #expect(
            sentences("window: 100ms", ", adapter: hci0") == [
                "radio.window: 100ms is more than nine tenths of the interval of 100ms, \(tail)"
            ])
        #expect(sentences("window: 100ms", ", adapter: hci1") == [])
        #expect(self.sentences(radio: "{adapter: hci0, window: 100ms}") == [])
        #expect(sentences("window: 110ms") == ["radio.window: 110ms is longer than the interval of 100ms"])
        // No window is short enough for the shortest interval.
        #expect(
            sentences("interval: 2.5ms, window: 2.5ms") == [
                "radio.window: 2.5ms is more than nine tenths of the interval of 2.5ms, and the same controller advertises; make the interval longer, name another advertise.adapter, or set advertise.enabled to false"
            ])
        #expect(sentences("interval: 3.125ms, window: 2.5ms") == [])
    }
}
