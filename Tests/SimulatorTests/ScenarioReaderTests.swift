import Beacon
import HCI
import System
import Testing

@testable import beacon_sim

@Suite struct ScenarioReaderTests {
    static func problems(_ text: String) -> [String] {
        do throws(ScenarioProblems) {
            _ = try ScenarioReader.read(Array(text.utf8))
            return []
        } catch {
            return error.all.map { $0.line(file: "s.yaml") }
        }
    }

    @Test("the demonstration store is a store") func demonstration() throws {
        let here = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let scenario = try ScenarioReader.read(try readFile("/\(here)/deploy/demo-store.yaml", limit: 1 << 20))
        #expect(scenario.beacons.count == 25)
        #expect(Set(scenario.beacons.map(\.address)).count == 25)
        let visitor = try #require(scenario.beacons.first { $0.name == "visitor" })
        #expect(visitor.presence == [StoreBeacon.Presence(from: 3_000_000_000, to: 6_000_000_000)])
    }

    @Test("copies have consecutive minors, instances, names and addresses") func copies() throws {
        let scenario = try ScenarioReader.read(
            Array(
                """
                beacons:
                  a: {uuid: 39ed98ff2900441a802f9c398fc199d2, minor: 65534, count: 2, address: c0:00:00:00:00:ff}
                  b:
                    {format: eddystone-uid, namespace: 0102030405060708090a, instance: 0000000000ff, count: 2}
                """.utf8))
        #expect(scenario.beacons.map(\.name) == ["a-1", "a-2", "b-1", "b-2"])
        #expect(scenario.beacons.map { $0.frame.identity?.minor } == [65_534, 65_535, nil, nil])
        #expect(scenario.beacons[3].frame.identity?.instance == "000000000100")
        #expect(scenario.beacons[1].address.description == "c0:00:00:00:01:00")
    }

    @Test("strength comes from the RSSI, or from power and distance") func strength() throws {
        let scenario = try ScenarioReader.read(
            Array(
                """
                beacons:
                  a: {uuid: 39ed98ff2900441a802f9c398fc199d2, rssi: -70, noise: 1.5}
                  b: {uuid: 39ed98ff2900441a802f9c398fc199d2, power: -60, distance: 10m}
                  c: {format: eddystone-url, url: "https://a.com", power: -20, distance: 1m}
                """.utf8))
        #expect(scenario.beacons[0].strength == Strength(mean: -70, deviation: 1.5))
        #expect(scenario.beacons[1].strength == Strength(mean: -80, deviation: 0))
        #expect(scenario.beacons[2].strength == Strength(mean: -61, deviation: 0))
    }

    @Test("every problem is told at once, with its place and its path") func everything() {
        let text = """
            seed: x
            colour: red
            hosts: {rssi: 21, version: 6, address: nowhere}
            beacons:
              a: {uuid: 39ed98ff, major: 70000, interval: 5ms, present: sometimes}
              b: {format: mobeacon}
              c: {format: eddystone-url, uuid: 39ed98ff2900441a802f9c398fc199d2, count: 2}
              d: {uuid: 39ed98ff2900441a802f9c398fc199d2, rssi: -3, distance: 2, minor: 65535, count: 2, size: 3}
              e: {uuid: 39ed98ff2900441a802f9c398fc199d2, present: [{from: 3s, to: 2s}, {from: 1s}], noise: loud}
              F: [1]
              g: {format: eddystone-url, url: "ftp://x"}
            """
        #expect(
            Self.problems(text) == [
                "s.yaml:1:7: seed: 'x' is no whole number",
                "s.yaml:2:1: 'colour' is not known here; known are seed, hosts, path_loss, fading, "
                    + "loss, bursts, faults, beacons",
                "s.yaml:3:15: hosts.rssi: 21 is outside -127…20",
                "s.yaml:3:28: hosts.version: '6' is neither 4.2 nor 5.0",
                "s.yaml:3:40: hosts.address: 'nowhere' is no address such as c5:dc:fd:06:78:48",
                "s.yaml:5:13: beacons.a.uuid: '39ed98ff' is no UUID: 32 hexadecimal digits, as 8-4-4-4-12 or together",
                "s.yaml:5:30: beacons.a.major: 70000 is outside 0…65535",
                "s.yaml:5:47: beacons.a.interval: '5ms' is outside 20…10240 ms",
                "s.yaml:5:61: beacons.a.present: this is neither 'always' nor a list of {from: 3s, to: 6s}",
                "s.yaml:6:15: beacons.b.format: 'mobeacon' is none of ibeacon, altbeacon, eddystone-uid, eddystone-url",
                "s.yaml:7:3: beacons.c: a beacon of format eddystone-url needs 'url'",
                "s.yaml:7:3: beacons.c: format eddystone-url has no 'uuid'",
                "s.yaml:7:3: beacons.c: copies of a URL cannot be told apart",
                "s.yaml:8:3: beacons.d: 'rssi' and 'distance' exclude each other",
                "s.yaml:8:3: beacons.d: 2 copies from minor 65535 on go beyond 65535",
                "s.yaml:8:67: beacons.d.distance: '2' is no number such as 1.5m",
                "s.yaml:8:94: beacons.d: 'size' is not known here; known are format, uuid, major, minor, namespace, "
                    + "instance, url, power, interval, rssi, distance, noise, present, address, count, "
                    + "at, walk, fading, loss, bursts, rotate, phy",
                "s.yaml:9:57: beacons.e.present: it ends before it begins",
                "s.yaml:9:77: beacons.e.present: this begins before the one above it has ended",
                "s.yaml:9:97: beacons.e.noise: 'loud' is no number such as 1.5",
                "s.yaml:10:3: beacons: 'F' is no name: a-z, 0-9, '_', '.' and '-', 64 at most",
                "s.yaml:10:6: beacons.F: this is not a map",
                "s.yaml:11:3: beacons.g.url: the URL must begin with http:// or https:// in lower case",
            ])
    }

    @Test("what is wrong with places, walks and the air is told in the same way") func air() {
        let text = """
            path_loss: {exponent: 0, shadowing: much, slope: 1}
            fading: 6
            loss: 1
            bursts: {loss: 0.6}
            hosts: {at: [0, 0], sensitivity: 21, duty: half}
            beacons:
              a: {uuid: 39ed98ff2900441a802f9c398fc199d2, at: [1], bursts: often}
              b: {uuid: 39ed98ff2900441a802f9c398fc199d2, at: [1, x], bursts: {loss: 1, length: 3s}}
              c: {uuid: 39ed98ff2900441a802f9c398fc199d2, at: [1, 10001], rssi: -60, distance: 1m, rotate: 100ms}
              d: {uuid: 39ed98ff2900441a802f9c398fc199d2, walk: home, address: c0:00:00:00:00:01, rotate: 5m}
              e: {uuid: 39ed98ff2900441a802f9c398fc199d2, walk: [{at: [1, 1], time: 0s}]}
              f: {uuid: 39ed98ff2900441a802f9c398fc199d2, walk: [{at: [1, 1], time: 1s}, {at: [2, 2], time: 1s}, {at: [3, 3]}]}
              g: {uuid: 39ed98ff2900441a802f9c398fc199d2, walk: [{at: [1, 1], time: 1s}, {at: [2, 2], time: 2s, by: bus}]}
            """
        #expect(
            Self.problems(text) == [
                "s.yaml:1:23: path_loss.exponent: '0' is outside 0.5…8.0",
                "s.yaml:1:37: path_loss.shadowing: 'much' is no number such as 1.5",
                "s.yaml:1:43: path_loss: 'slope' is not known here; known are exponent, shadowing, channels",
                "s.yaml:2:9: fading: '6' is outside 0.0…5.5",
                "s.yaml:3:7: loss: '1' is outside 0.0…0.99",
                "s.yaml:4:9: bursts: bursts need 'loss' and 'length'",
                "s.yaml:5:14: hosts.at: this is no place such as [2.5, 4]",
                "s.yaml:5:17: hosts.at: this is no place such as [2.5, 4]",
                "s.yaml:5:34: hosts.sensitivity: 21 is outside -127…20",
                "s.yaml:5:44: hosts.duty: 'half' is neither honoured nor ignored",
                "s.yaml:7:51: beacons.a.at: this is no place such as [2.5, 4]",
                "s.yaml:7:64: beacons.a.bursts: this is neither 'none' nor {loss: 0.6, length: 3s}",
                "s.yaml:8:51: beacons.b.at: this is no place such as [2.5, 4]",
                "s.yaml:8:74: beacons.b.bursts.loss: '1' is outside 0.01…0.99",
                "s.yaml:9:3: beacons.c: 'rssi', 'distance' and 'at' exclude each other",
                "s.yaml:9:51: beacons.c.at: a place is within -10000…10000 m",
                "s.yaml:9:96: beacons.c.rotate: '100ms' is outside 1000…86400000 ms",
                "s.yaml:10:3: beacons.d: 'address' and 'rotate' exclude each other",
                "s.yaml:10:53: beacons.d.walk: this is no list of {at: [2.5, 4], time: 3s}",
                "s.yaml:11:53: beacons.e.walk: a walk has two waypoints at least; for one place there is 'at'",
                "s.yaml:12:78: beacons.f.walk: this is not later than the one above it",
                "s.yaml:12:102: beacons.f.walk: a waypoint needs 'at' and 'time'",
                "s.yaml:13:101: beacons.g.walk: 'by' is not known here; known are at, time",
            ])
    }

    @Test("faults have a time, a kind, and what that kind has") func faults() throws {
        let scenario = try ScenarioReader.read(
            Array(
                """
                faults:
                  - {at: boot, fault: no_reset, until: power}
                  - {at: 5s, host: 2, fault: refuse, opcode: 0x200C, status: 0x0d, times: 3}
                  - {at: 1m, fault: unplug, for: 4s}
                  - {at: 0s, fault: burst, count: 20000}
                """.utf8))
        #expect(
            scenario.faults == [
                Fault(kind: .noReset(StatusCode(rawValue: 3)), cure: .power),
                Fault(
                    kind: .refuse(.setScanEnable, StatusCode(rawValue: 0x0D)), host: 1, at: 5_000_000_000, times: 3),
                Fault(kind: .unplug, at: 60_000_000_000, length: 4_000_000_000),
                Fault(kind: .burst(count: 20_000), at: 0),
            ])
    }

    @Test("what is wrong with a fault is told in the same way") func badFaults() {
        let text = """
            faults:
              - {at: soon, fault: sleep, host: 17}
              - {fault: hang}
              - {at: 1s, fault: hang, rate: 5, until: morning}
              - {at: 1s, fault: hang, rate: 5, opcode: 0x200c}
              - {at: 1s, fault: flood}
              - {at: 1s, fault: burst, count: 0}
              - {at: 1s, fault: refuse, opcode: 200c, status: 0x100, times: many}
              - {at: 1s, fault: delay, by: 2h, colour: red}
              - hang
            """
        let kinds =
            "hang, refuse, delay, drop, hardware_error, silence, malformed, unplug, filter, flood, burst, no_reset"
        #expect(
            Self.problems(text) == [
                "s.yaml:2:10: faults.at: 'soon' is no time such as 100ms, 3s or 5m",
                "s.yaml:2:23: faults.fault: 'sleep' is none of \(kinds)",
                "s.yaml:2:36: faults.host: 17 is outside 1…16",
                "s.yaml:3:5: faults: a fault needs 'at' and 'fault'",
                "s.yaml:4:43: faults.until: 'morning' is none of restart_scan, reset, power",
                "s.yaml:5:5: faults: hang has no 'rate'",
                "s.yaml:5:5: faults: hang has no 'opcode'",
                "s.yaml:6:5: faults: flood needs 'rate'",
                "s.yaml:7:35: faults.count: 0 is outside 1…10000000",
                "s.yaml:8:37: faults.opcode: '200c' is no code such as 0x200c",
                "s.yaml:8:51: faults.status: '0x100' is no code such as 0x0c",
                "s.yaml:8:65: faults.times: 'many' is no whole number",
                "s.yaml:9:32: faults.by: '2h' is outside 1…3600000 ms",
                "s.yaml:9:36: faults: 'colour' is not known here; known are at, host, fault, for, until, times, "
                    + "opcode, status, by, code, rate, count",
                "s.yaml:10:5: faults: this is not a map",
            ])
        #expect(
            Self.problems("faults: hang") == [
                "s.yaml:1:9: faults: this is no list of {at: 5s, fault: hang, for: 10s}"
            ])
    }

    @Test("hosts may be told apart, and what cannot be is a problem") func models() throws {
        let scenario = try ScenarioReader.read(
            Array(
                """
                hosts:
                  each: [{version: 4.2}, {commands: broken, address: 02:be:ac:00:00:09}, {tx_power: -4}]
                  version: 5.0
                  phys: [1m, coded]
                """.utf8))
        let hosts = scenario.hosts
        #expect(hosts.model(0) == Model())
        #expect(hosts.model(1) == Model(generation: .from5, commands: .broken, hasCoded: true))
        #expect(hosts.model(2) == Model(generation: .from5, commands: .extended, hasCoded: true, txPower: -4))
        #expect(hosts.model(3) == Model(generation: .from5, commands: .extended, hasCoded: true))
        #expect((0..<3).map { hosts.address($0).description.suffix(2) } == ["01", "09", "03"])
        let text = """
            hosts:
              commands: extended
              phys: coded
              each: [{version: 4.2, commands: broken}, {version: 5.0, commands: legacy, phys: [1m, coded]}, {duty: honoured}]
            """
        #expect(
            Self.problems(text) == [
                "s.yaml:2:3: hosts: controllers of version 4.2 have no extended commands",
                "s.yaml:3:9: hosts.phys: this is neither [1m] nor [1m, coded]",
                "s.yaml:4:10: hosts.each: controllers of version 4.2 have no extended commands",
                "s.yaml:4:44: hosts.each: the coded PHY needs extended commands, of version 5.0",
                "s.yaml:4:98: hosts.each: 'duty' is not known here; known are address, version, commands, phys, tx_power",
            ])
        #expect(
            Self.problems("hosts: {each: {version: 5.0}, commands: fast}") == [
                "s.yaml:1:15: hosts.each: this is no list such as [{version: 4.2}, {version: 5.0}]",
                "s.yaml:1:41: hosts.commands: 'fast' is none of legacy, extended, broken",
            ])
    }

    @Test("what goes for all goes for each that says nothing else, wherever it stands") func common() throws {
        let scenario = try ScenarioReader.read(
            Array(
                """
                beacons:
                  a: {uuid: 39ed98ff2900441a802f9c398fc199d2}
                  b: {uuid: 39ed98ff2900441a802f9c398fc199d2, fading: 0, loss: 0, bursts: none}
                fading: 2
                loss: 0.3
                bursts: {loss: 0.6, length: 3s}
                """.utf8))
        #expect(scenario.beacons[0].fading == Fading(deviation: 2))
        #expect(
            scenario.beacons[0].loss
                == PacketLoss(independent: 0.3, bursts: PacketLoss.Bursts(loss: 0.6, length: 3_000_000_000)))
        #expect(!scenario.beacons[1].isReceivedApart)
    }

    @Test("the store with people is a store") func people() throws {
        let here = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let scenario = try ScenarioReader.read(try readFile("/\(here)/deploy/people-store.yaml", limit: 1 << 20))
        #expect(scenario.beacons.count == 6)
        #expect(scenario.hosts.positions.count == 2 && scenario.hosts.honoursWindow)
    }

    @Test("the store with faults is a store") func withFaults() throws {
        let here = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let scenario = try ScenarioReader.read(try readFile("/\(here)/deploy/faults-store.yaml", limit: 1 << 20))
        // Each kind but refuse for all is there.
        #expect(Set(scenario.faults.map(\.kind.name)).count == 12)
    }

    @Test("what is no YAML, or no map, is a problem of its own") func noScenario() {
        #expect(Self.problems("- a") == ["s.yaml:1:1: the scenario is not a map"])
        #expect(Self.problems("a: {").count == 1)
        #expect(Self.problems("") == [])
    }

    @Test("mutated scenarios never trap") func noise() {
        let text = Array(
            """
            {seed: 1, loss: 0.1, bursts: {loss: 0.5, length: 3s}, hosts: {at: [[0, 0]], version: 5.0, phys: [1m, coded],
            each: [{commands: broken, tx_power: 3}]}, faults: [{at: 5s, host: 1, fault: refuse, opcode: 0x200c, status: 0x01,
            times: 3, until: reset}, {at: boot, fault: flood, rate: 9, for: 1s}], beacons: {a: {uuid:
            39ed98ff2900441a802f9c398fc199d2, present: [{to: 2s}], walk: [{at: [1, 2], time: 0s}, {at: [3, 4], time: 9s}]}}}
            """.utf8)
        var random = SeededRandom(seed: 7, stream: 0)
        for _ in 0..<3_000 {
            var mutated = text
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: mutated.indices, using: &random)
                if Bool.random(using: &random) {
                    mutated[at] = UInt8.random(in: 0x20...0x7E, using: &random)
                } else {
                    mutated.remove(at: at)
                }
            }
            _ = try? ScenarioReader.read(mutated)
        }
    }
}
