import Beacon
import Glibc
import HCI
import Testing

@testable import beacon_sim

/// Mean and standard deviation.
private func moments(_ values: [Double]) -> (mean: Double, deviation: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    return (mean, (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot())
}

@Suite struct AirTests {
    static let second: Int64 = 1_000_000_000
    static let uuid = "39ed98ff-2900-441a-802f-9c398fc199d2"

    /// A store with one host that scans from 0 on for some seconds; interval and window in 0.625 ms.
    static func store(
        _ scenario: String, seconds: Int64, interval: UInt16 = 160, window: UInt16 = 160, hosts: Int = 1
    ) throws -> Store {
        var store = try Store(scenario)
        for _ in 0..<hosts {
            let host = try store.connect().host
            store.send(host, ScanParameters(active: false, interval: interval, window: window).command)
            store.scan(host)
        }
        store.pass(until: seconds * second)
        return store
    }

    @Test("strength falls with the distance to each host by the exponent of the store") func pathLoss() throws {
        let store = try Self.store(
            """
            hosts: {at: [[0, 0], [3, 14]]}
            path_loss: {exponent: 2.5}
            beacons: {a: {uuid: \(Self.uuid), power: -59, at: [3, 4]}}
            """, seconds: 2, hosts: 3)
        // 5 m, 10 m, and a third host at [0, 0]: -59 - 25 log10(d).
        #expect(Set(store.strengths(0)) == [-76])
        #expect(Set(store.strengths(1)) == [-84])
        #expect(Set(store.strengths(2)) == [-76])
    }

    @Test("shadowing is constant for a beacon and a host, and spread as was asked for") func shadowing() throws {
        let store = try Self.store(
            """
            seed: 5
            path_loss: {shadowing: 6}
            beacons: {a: {uuid: \(Self.uuid), power: -59, at: [1, 0], count: 400, interval: 1s}}
            """, seconds: 4, hosts: 2)
        var byBeacon: [UInt8: Set<Double>] = [:]
        for (report, strength) in zip(store.heard[0] ?? [], store.strengths()) where report[report.count - 4] == 0 {
            byBeacon[report[report.count - 3], default: []].insert(strength)
        }
        #expect(byBeacon.count == 256 && byBeacon.values.allSatisfy { $0.count == 1 })
        let (mean, deviation) = moments(byBeacon.values.compactMap(\.first))
        #expect(abs(mean + 59) < 1 && abs(deviation - 6) < 0.7)
        #expect(store.strengths(0) != store.strengths(1))
    }

    @Test("a host hears one of three channels in each scan interval, and each has its own strength") func channels()
        throws
    {
        let store = try Self.store(
            "{path_loss: {channels: 8}, beacons: {a: {uuid: \(Self.uuid), at: [2, 0]}}}", seconds: 30,
            interval: 1_600, window: 1_600)
        var byChannel: [Int64: Set<Double>] = [:]
        for (time, strength) in zip(store.times[0] ?? [], store.strengths()) {
            byChannel[time / Self.second % 3, default: []].insert(strength)
        }
        #expect(byChannel.count == 3 && byChannel.values.allSatisfy { $0.count == 1 })
        #expect(Set(byChannel.values).count == 3)
    }

    @Test("fading keeps the mean, has the deviation that was asked for, and dips deeper than it peaks")
    func fading() throws {
        for deviation in [1.0, 3, 5.5] {
            let store = try Self.store(
                "{fading: \(deviation), beacons: {a: {uuid: \(Self.uuid), interval: 20ms, rssi: -60}}}",
                seconds: 400)
            let strengths = store.strengths()
            let (mean, spread) = moments(strengths)
            #expect(abs(mean + 60) < 0.2, "\(deviation)")
            #expect(abs(spread - deviation) < 0.15 * deviation, "\(deviation): \(spread)")
            let (low, high) = (strengths.min() ?? 0, strengths.max() ?? 0)
            if deviation >= 3 { #expect(mean - low > high - mean + 3, "\(deviation): \(low)…\(high)") }
        }
    }

    @Test("somebody walks in straight lines, waits, and stands where he arrived") func walk() throws {
        let walk = Whereabouts.walking([
            Waypoint(position: Position(x: 0, y: 0), time: Self.second),
            Waypoint(position: Position(x: 4, y: 2), time: 3 * Self.second),
            Waypoint(position: Position(x: 4, y: 2), time: 5 * Self.second),
            Waypoint(position: Position(x: 4, y: 0), time: 6 * Self.second),
        ])
        let expected: [(Int64, Double, Double)] = [
            (0, 0, 0), (1_000, 0, 0), (1_500, 1, 0.5), (2_000, 2, 1), (3_000, 4, 2), (4_000, 4, 2), (5_500, 4, 1),
            (6_000, 4, 0), (99_000, 4, 0),
        ]
        for (time, x, y) in expected {
            #expect(walk.position(after: time * 1_000_000) == Position(x: x, y: y), "\(time) ms")
        }
        #expect(Whereabouts.unplaced.position(after: 0) == nil)
    }

    @Test("each visit walks the walk, strength follows, and the places are told each second in which he moves")
    func visits() throws {
        let store = try Self.store(
            """
            beacons:
              a:
                uuid: \(Self.uuid)
                present: [{from: 1s, to: 6s}, {from: 10s, to: 12500ms}]
                walk: [{at: [10, 0], time: 1s}, {at: [1, 0], time: 4s}]
            """, seconds: 20)
        #expect(
            store.said == [
                "0 ms: host 0 scans", "1000 ms: a enters", "1000 ms: a is at 10.0, 0.0",
                "3000 ms: a is at 7.0, 0.0",
                "4000 ms: a is at 4.0, 0.0", "5000 ms: a is at 1.0, 0.0", "6000 ms: a is at 1.0, 0.0",
                "6000 ms: a leaves", "10000 ms: a enters", "10000 ms: a is at 10.0, 0.0",
                "12000 ms: a is at 7.0, 0.0", "12500 ms: a is at 5.5, 0.0", "12500 ms: a leaves",
            ])
        let strengths = zip(store.times[0] ?? [], store.strengths())
        let first = strengths.filter { $0.0 < 6 * Self.second }.map(\.1)
        #expect(first == first.sorted() && first.first == -79 && first.last == -59)
        #expect(strengths.filter { $0.0 > 12_500_000_000 }.isEmpty)
    }

    @Test("independent loss loses the share that was asked for, one advert like another") func loss() throws {
        let store = try Self.store(
            "{seed: 3, loss: 0.3, beacons: {a: {uuid: \(Self.uuid), interval: 20ms}}}", seconds: 500)
        let (heard, lost) = (store.heard[0]?.count ?? 0, store.missed[0]?.count ?? 0)
        #expect(store.missed[0]?.allSatisfy { $0.0 == .lost } == true)
        #expect((19_000...21_000).contains(heard + lost))
        #expect(abs(Double(lost) / Double(heard + lost) - 0.3) < 0.01)
        // A run of losses has a geometric length: 1 / 0.7 on average.
        #expect(abs(Self.meanRun(store) - 1 / 0.7) < 0.05)
    }

    /// How many adverts are lost in a row, on average.
    static func meanRun(_ store: Store) -> Double {
        let heard = (store.times[0] ?? []).map { ($0, false) }
        let all = (heard + (store.missed[0] ?? []).map { ($0.1, true) }).sorted { $0.0 < $1.0 }.map(\.1)
        let runs = zip([false] + all, all).filter { !$0 && $1 }.count
        return Double(all.filter { $0 }.count) / Double(runs)
    }

    @Test("bursts lose the share that was asked for, and are as long on average") func bursts() throws {
        let store = try Self.store(
            "{seed: 11, bursts: {loss: 0.6, length: 3s}, beacons: {a: {uuid: \(Self.uuid), interval: 20ms}}}",
            seconds: 5_000)
        let (heard, lost) = (store.heard[0]?.count ?? 0, store.missed[0]?.count ?? 0)
        #expect(abs(Double(lost) / Double(heard + lost) - 0.6) < 0.04)
        // 25 ms from advert to advert; bursts and pauses shorter than that are not seen.
        #expect(abs(Self.meanRun(store) * 0.025 - 3) < 0.4)
    }

    @Test("one more host or beacon changes nothing of how others are received") func apart() throws {
        let air = "{seed: 4, loss: 0.2, fading: 3, bursts: {loss: 0.2, length: 1s}"
        let one = try Self.store("\(air), beacons: {a: {uuid: \(Self.uuid), at: [3, 0]}}}", seconds: 60)
        let two = try Self.store(
            "\(air), beacons: {a: {uuid: \(Self.uuid), at: [3, 0]}, b: {uuid: \(Self.uuid), minor: 9}}}",
            seconds: 60, hosts: 2)
        #expect(one.heard[0]?.isEmpty == false)
        #expect(two.heard[0]?.filter { $0[$0.count - 3] == 0 } == one.heard[0])
        #expect(two.heard[1] != two.heard[0])
    }

    @Test("what is weaker than the host hears does not arrive, noise and fading included") func sensitivity() throws
    {
        let store = try Self.store(
            """
            hosts: {sensitivity: -90}
            beacons:
              edge: {uuid: \(Self.uuid), minor: 1, rssi: -90, noise: 3}
              far: {uuid: \(Self.uuid), minor: 2, at: [100, 0], power: -59}
            """, seconds: 60)
        #expect(store.strengths().allSatisfy { $0 >= -90 })
        #expect(Set(store.heard[0]?.map { $0[$0.count - 3] } ?? []) == [1])
        let weak = (store.missed[0] ?? []).filter { $0.0 == .weak }.count
        // All of the far one's, and nearly half of the edge's.
        #expect((750...900).contains(weak))
    }

    @Test("where the duty is honoured a host is deaf outside its window, else it is not") func duty() throws {
        let beacon = "beacons: {a: {uuid: \(Self.uuid), interval: 20ms}}"
        // 30 of 100 ms.
        let deaf = try Self.store("{hosts: {duty: honoured}, \(beacon)}", seconds: 60, interval: 160, window: 48)
        let times = deaf.times[0] ?? []
        #expect(times.allSatisfy { $0 % 100_000_000 < 30_000_000 })
        #expect(deaf.missed[0]?.allSatisfy { $0.0 == .outside && $0.1 % 100_000_000 >= 30_000_000 } == true)
        let all = times.count + (deaf.missed[0]?.count ?? 0)
        #expect(abs(Double(times.count) / Double(all) - 0.3) < 0.03)
        let ignored = try Self.store("{\(beacon)}", seconds: 60, interval: 160, window: 48)
        #expect(ignored.heard[0]?.count == all && ignored.missed[0] == nil)
        let whole = try Self.store("{hosts: {duty: honoured}, \(beacon)}", seconds: 60)
        #expect(whole.heard[0] == ignored.heard[0])
    }

    @Test("a rotating address is private, stays for its time, and is told when it changes") func rotation() throws {
        let scenario = "{seed: 2, beacons: {a: {uuid: \(Self.uuid), count: 3, rotate: 10s}}}"
        let store = try Self.store(scenario, seconds: 60)
        var since: [UInt8: (address: [UInt8], time: Int64)] = [:]
        var changes = 0
        for (time, report) in zip(store.times[0] ?? [], store.heard[0] ?? []) {
            let (minor, address) = (report[report.count - 3], Array(report[7..<13]))
            #expect(report[6] == 1 && address[5] & 0xC0 == 0x40)
            guard let before = since[minor], before.address == address else {
                if let before = since[minor] {
                    changes += 1
                    let first = before.time < 200_000_000
                    #expect(first || abs(time - before.time - 10 * Self.second) < 220_000_000)
                }
                since[minor] = (address, time)
                continue
            }
        }
        #expect(changes == 18)
        #expect(store.said.filter { $0.contains(" is ") }.count == changes)
        #expect(
            Set(store.said.filter { $0.contains(" is ") }.map { $0.split(separator: " ").last }).count == changes)
        #expect(try Self.store(scenario, seconds: 60).heard[0] == store.heard[0])
    }

    @Test("adverts that the filter keeps back are no losses") func duplicates() throws {
        var store = try Store(
            "{hosts: {sensitivity: -90}, beacons: {a: {uuid: \(Self.uuid)}, b: {uuid: \(Self.uuid), rssi: -91}}}")
        let host = try store.connect().host
        store.send(
            host, .setEventMask(0x2000_1FFF_FFFF_FFFF), .setScanEnable(true, filteringDuplicates: true))
        store.pass(until: 10 * Self.second)
        #expect(store.heard[host]?.count == 1)
        // Weak ones were not heard, so the filter does not know them.
        #expect((90...100).contains(store.missed[host]?.count ?? 0))
    }
}
