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
                "s.yaml:2:1: 'colour' is not known here; known are seed, hosts, beacons",
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
                    + "instance, url, power, interval, rssi, distance, noise, present, address, count",
                "s.yaml:9:57: beacons.e.present: it ends before it begins",
                "s.yaml:9:77: beacons.e.present: this begins before the one above it has ended",
                "s.yaml:9:97: beacons.e.noise: 'loud' is no number such as 1.5",
                "s.yaml:10:3: beacons: 'F' is no name: a-z, 0-9, '_', '.' and '-', 64 at most",
                "s.yaml:10:6: beacons.F: this is not a map",
                "s.yaml:11:3: beacons.g.url: the URL must begin with http:// or https:// in lower case",
            ])
    }

    @Test("what is no YAML, or no map, is a problem of its own") func noScenario() {
        #expect(Self.problems("- a") == ["s.yaml:1:1: the scenario is not a map"])
        #expect(Self.problems("a: {").count == 1)
        #expect(Self.problems("") == [])
    }

    @Test("mutated scenarios never trap") func noise() {
        let text = Array(
            "{seed: 1, beacons: {a: {uuid: 39ed98ff2900441a802f9c398fc199d2, present: [{to: 2s}]}}}".utf8)
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
