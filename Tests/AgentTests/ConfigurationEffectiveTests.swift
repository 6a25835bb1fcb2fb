import Agent
import Beacon
import JSON
import TestSupport
import Testing
import YAML

@Suite("Effective configuration")
struct ConfigurationEffectiveTests {
    private func read(_ text: String) throws -> Configuration { try Configuration.read(text: Array(text.utf8)) }

    @Test("it has every key, defaults too, and secrets by file name only")
    func whole() throws {
        let configuration = try read(
            """
            node: s12-shelf-3
            site: store-12
            radio: {adapter: "tcp:127.0.0.1:9000", phys: [coded, 1m], interval: 10.24s, window: 2.5ms}
            advertise: {enabled: true, uuid: 39ED98FF2900441A802F9C398FC199D2, interval: 152.5ms, rotate: 90s}
            regions:
              no: {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 0, exit_after: 1500ms}
              1e5: {format: eddystone-uid, namespace: 00000000000000000000, ranging: off}
              shop: {format: eddystone-url, url: "https://example.com/"}
            mqtt: {username: no, password_file: /etc/beacond/pass word}
            """)
        #expect(
            configuration.effectiveYAML == """
                site: store-12
                node: s12-shelf-3
                state_folder: /var/lib/beacond
                radio:
                  adapter: tcp:127.0.0.1:9000
                  access: auto
                  phys: [1m, coded]
                  interval: 10.24s
                  window: 2.5ms
                  active: false
                advertise:
                  enabled: true
                  format: ibeacon
                  uuid: 39ed98ff-2900-441a-802f-9c398fc199d2
                  major: 0
                  minor: 0
                  interval: 152.5ms
                  address: random
                  rotate: 90s
                regions:
                  "no": {format: ibeacon, uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 0, track: region, ranging: inside, enter: steady, exit: learned, exit_after: 1.5s, notify_on_entry: true, notify_on_exit: true}
                  "1e5": {format: eddystone-uid, namespace: "00000000000000000000", track: region, ranging: "off", enter: steady, exit: learned, exit_after: 10s, notify_on_entry: true, notify_on_exit: true}
                  shop: {format: eddystone-url, url: "https://example.com/", track: region, ranging: inside, enter: steady, exit: learned, exit_after: 10s, notify_on_entry: true, notify_on_exit: true}
                calibrations: {}
                windows:
                  length: 10s
                distance:
                  measured_power: -59
                  model: prior
                  exponent: 2
                  filter: trimmed_mean
                limits:
                  beacons: 10000
                  queued_events: 100000
                  queued_windows: 10000
                log:
                  level: info
                mqtt:
                  host: localhost
                  port: 1883
                  prefix: beacons
                  username: "no"
                  password_file: "/etc/beacond/pass word"
                  max_payload: 65536
                  keepalive: 30s
                control:
                  enabled: true

                """)
        #expect(try read(configuration.effectiveYAML) == configuration)
    }

    @Test("a calibration of any beacon reads back from its own lines") func calibration() throws {
        let uuid = try #require(UUID128("39ed98ff-2900-441a-802f-9c398fc199d2"))
        let beacons = [
            BeaconIdentity.ibeacon(uuid: uuid, major: 0, minor: 65535),
            .altbeacon(uuid: uuid, major: 1, minor: 2),
            .eddystoneUID(namespace: [UInt8](repeating: 0, count: 10), instance: [0, 0, 0, 1, 0xE5, 0]),
            try EddystoneURL(#"https://a.com/"'\{#"#, power: 0).identity,
        ]
        for beacon in try beacons.map({ try #require($0) }) {
            let calibration = try #require(CalibrationSettings(id: "1e5", of: beacon, measuredPower: -100))
            let text = "site: a\nnode: b\nradio: {adapter: \"unix:/hci\"}\n\(calibration.yaml)"
            #expect(try read(text).calibrations == [calibration], "\(text)")
            #expect(calibration.beacon.identityPrefix == beacon)
        }
        // Spelled in full, though two codes would do.
        let long = try #require(BeaconIdentity.eddystoneURL(encoded: [3] + Array("a.com/".utf8)))
        #expect(CalibrationSettings(id: "a", of: long, measuredPower: -60) == nil)
    }

    @Test("any valid configuration comes back from its own text, and from its JSON as a document")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<300 {
            let configuration = try read(randomFile(&random))
            let text = configuration.effectiveYAML
            #expect(try read(text) == configuration)
            #expect(try read(text).effective.canonical == configuration.effective.canonical)
            let json = ConfigurationNode(try YAMLNode(reading: configuration.effective.canonical))
            var again = try Configuration.read(file: json)
            // Canonical JSON sorts the regions.
            again.regions.sort { $0.id < $1.id }
            var sorted = configuration
            sorted.regions.sort { $0.id < $1.id }
            #expect(again == sorted)
        }
    }

    @Test("ten thousand regions are read, printed and read again")
    func manyRegions() throws {
        var text = "site: a\nnode: b\nradio: {adapter: unix:/x}\nregions:\n"
        for number in 0..<10_000 {
            text += "  r\(number): {uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: \(number)}\n"
        }
        let configuration = try read(text)
        #expect(configuration.regions.count == 10_000)
        #expect(configuration.regions[9_999].major == 9_999)
        #expect(try read(configuration.effectiveYAML) == configuration)
    }

    @Test("no file traps, however it is mangled")
    func noise() throws {
        var random = SeededGenerator(seed: 99)
        for _ in 0..<3000 {
            var bytes = Array(randomFile(&random).utf8)
            for _ in 0...random.below(3) {
                let index = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes[index] = UInt8(random.below(256))
                case 1: bytes.removeSubrange(index..<min(bytes.count - 1, index + 7))
                default: bytes[index] = Array("{}[]:,\"'-#\n ~".utf8)[random.below(13)]
                }
            }
            do throws(ConfigurationProblems) {
                _ = try Configuration.read(text: bytes)
            } catch {
                #expect(!error.problems.isEmpty)
                let report = error.report(source: bytes, name: "c.yaml")
                #expect(report.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
            }
        }
    }

    /// A file in which every key is there or not, with any value that it may have.
    private func randomFile(_ random: inout SeededGenerator) -> String {
        var text = "site: \(random.id)\nnode: \(random.id)\n"
        text +=
            "radio:\n  adapter: \(random.pick(["unix:/run/a b", "tcp:10.0.0.1:65535", "unix:@x", "unix:./a:", "auto", "hci7", "00:1a:7D:da:71:13", "serial:/dev/x:9600"]).quotedAsYAML)\n"
        if random.below(2) == 0 {
            let interval = random.below(16000) + 5
            text +=
                "  interval: \(Double(interval) * 0.625)ms\n  window: \(Double(random.below(interval - 4) + 4) * 0.625)ms\n"
        }
        text += random.pick(["", "  access: shared\n", "  phys: [1m, coded]\n", "  phys: [\"1m\"]\n"])
        text += "advertise: {enabled: \(random.below(2) == 0 && !text.contains("window")), uuid: \(random.uuid), "
        text += "major: \(random.below(65536)), measured_power: \(-100 + random.below(81))"
        text +=
            random.pick(["", ", adapter: hci8, tx_power: -9", ", rotate: 1m", ", address: public"])
            + "}\nregions:\n"
        for number in 0..<random.below(5) {
            text += "  \"\(random.id)\(number)\": "
            switch random.below(4) {
            case 0: text += "{uuid: \(random.uuid)"
            case 1: text += "{format: altbeacon, uuid: \(random.uuid), major: \(random.below(65536)), minor: 0"
            case 2: text += "{format: eddystone-uid, namespace: \"\(random.hex(20))\""
            default: text += "{format: eddystone-url, url: \"https://\(random.hex(3)).com/#\""
            }
            text +=
                ", exit_after: \(1000 + random.below(86_399_000))ms, ranging: \(random.pick(["off", "always"]))}\n"
        }
        if random.below(2) == 0 {
            let name = random.pick([
                "no", "8e287857", "ä\u{301}'\"\\", "12:30", "a: b", " x", "#", "0x1F", "null", "~", "😀", "- a",
            ])
            text +=
                "mqtt: {username: \(name.quotedAsYAML), host: \(random.pick(["::1", "localhost", "10.1.2.3"]).quotedAsYAML)}\n"
        }
        return text
            + "windows: {length: \(1 + random.below(3600))s}\nlog: {level: \(random.pick(["error", "debug"]))}\n"
    }
}

extension String {
    fileprivate var quotedAsYAML: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}

/// Repeatable randomness (Steele, Lea and Flood, 2014).
extension SeededGenerator {
    fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    fileprivate mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

    fileprivate mutating func text(_ letters: String, _ count: Int) -> String {
        let letters = Array(letters)
        return String((0..<count).map { _ in letters[below(letters.count)] })
    }

    fileprivate mutating func hex(_ count: Int) -> String { text("0123456789abcdef", count) }

    fileprivate var uuid: String {
        mutating get { [hex(8), hex(4), hex(4), hex(4), hex(12)].joined(separator: "-") }
    }

    fileprivate var id: String {
        mutating get { text("abcxyz0189", 1) + text("abcxyz0189_.-e", below(20)) }
    }
}
