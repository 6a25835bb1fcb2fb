import Beacon
import HCI
import Testing

@testable import beacon_sim

/// A link, its clock, and everything it said, in words.
struct Store {
    var link: Link
    var now: Int64 = 0
    var said: [String] = []
    /// Reports to each host, in order.
    var heard: [Int: [[UInt8]]] = [:]
    /// Answers and other events to each host, in order.
    var replies: [Int: [[UInt8]]] = [:]
    /// Who each report was of.
    var senders: [Int: [Sender]] = [:]
    /// Times of those reports.
    var times: [Int: [Int64]] = [:]
    /// What each host missed, and when.
    var missed: [Int: [(Miss, Int64)]] = [:]

    init(_ scenario: String) throws {
        link = Link(try ScenarioReader.read(Array(scenario.utf8)))
    }

    mutating func note(_ event: LinkEvent) {
        let at = { (time: Int64) in "\(time / 1_000_000) ms" }
        switch event {
        case .reply(let host, let bytes): replies[host, default: []].append(bytes)
        case .advert(let host, let sender, let bytes):
            senders[host, default: []].append(sender)
            heard[host, default: []].append(bytes)
            times[host, default: []].append(now)
        case .missed(let host, _, let miss): missed[host, default: []].append((miss, now))
        case .placed(let beacon, let position, let time):
            said.append("\(at(time)): \(name(beacon)) is at \(position.x), \(position.y)")
        case .readdressed(let beacon, let address, let time):
            said.append("\(at(time)): \(name(beacon)) is \(address)")
        case .air(let host, let set, let advertisement, let cause, let time):
            let what = advertisement?.data.description ?? "nothing"
            let place = set == 0 ? "" : " by set \(set)"
            said.append("\(at(time)): host \(host) sends \(what)\(place), \(cause)")
        case .scanning(let host, let isScanning, let time):
            said.append("\(at(time)): host \(host) \(isScanning ? "scans" : "scans no more")")
        case .entered(let beacon, let time): said.append("\(at(time)): \(name(beacon)) enters")
        case .left(let beacon, let time): said.append("\(at(time)): \(name(beacon)) leaves")
        case .fault(let host, let fault, let begins, let time):
            let kind = link.scenario.faults[fault].kind.name
            said.append("\(at(time)): \(kind) \(begins ? "begins" : "ends") at host \(host)")
        case .unplugged(let host, let time): said.append("\(at(time)): host \(host) is unplugged")
        case .plugged(let host, let time): said.append("\(at(time)): host \(host) is plugged in")
        }
    }

    /// A new host.
    mutating func connect() throws -> (host: Int, address: DeviceAddress) {
        let connected = link.connect()
        return try #require(connected)
    }

    private func name(_ beacon: Int) -> String { link.scenario.beacons[beacon].name }

    mutating func send(_ host: Int, _ commands: Command...) {
        var events: [LinkEvent] = []
        for command in commands { link.receive(command, from: host, now: now) { events.append($0) } }
        for event in events { note(event) }
    }

    mutating func scan(_ host: Int) { send(host, .setEventMask(0x2000_1FFF_FFFF_FFFF), .setScanEnable(true)) }

    mutating func disconnect(_ host: Int) {
        var events: [LinkEvent] = []
        link.disconnect(host, now: now) { events.append($0) }
        for event in events { note(event) }
    }

    /// Goes to a time from due to due, as a punctual server does.
    mutating func pass(until end: Int64) {
        var events: [LinkEvent] = []
        while let due = link.nextDue, due <= end {
            now = max(now, due)
            link.advance(to: now) { events.append($0) }
            for event in events { note(event) }
            events.removeAll(keepingCapacity: true)
        }
        now = end
    }

    /// What a host heard, dBm.
    func strengths(_ host: Int = 0) -> [Double] {
        (heard[host] ?? []).compactMap { $0.last.map { Double(Int8(bitPattern: $0)) } }
    }
}

@Suite struct LinkTests {
    static let second: Int64 = 1_000_000_000
    static let uuid = "39ed98ff-2900-441a-802f-9c398fc199d2"

    @Test("presence counts from the first scan, and a beacon is heard while it is there") func presence() throws {
        var store = try Store(
            "beacons: {visitor: {uuid: \(Self.uuid), rssi: -67, present: [{from: 3s, to: 6s}, {from: 8s}]}}")
        let host = try store.connect().host
        store.pass(until: 5 * Self.second)
        store.scan(host)
        #expect(store.link.opened == 5 * Self.second)
        store.pass(until: 11 * Self.second)
        let first = store.heard[host]?.count ?? 0
        // 3 s at 100 ms and a mean delay of 5 ms.
        #expect((26...30).contains(first))
        store.pass(until: 14 * Self.second)
        #expect(
            store.said == [
                "5000 ms: host 0 scans", "8000 ms: visitor enters", "11000 ms: visitor leaves",
                "13000 ms: visitor enters",
            ])
        #expect((store.heard[host]?.count ?? 0) > first)
    }

    @Test("a report is one legacy event of one advert, byte for byte") func report() throws {
        var store = try Store(
            """
            beacons:
              one: {uuid: \(Self.uuid), major: 1, minor: 2, power: -59, rssi: -67, address: c5:dc:fd:06:78:48}
            """)
        let host = try store.connect().host
        store.scan(host)
        store.pass(until: Self.second / 8)
        let beacon: [UInt8] = [
            0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15, 0x39, 0xED, 0x98, 0xFF, 0x29, 0x00, 0x44, 0x1A,
            0x80, 0x2F, 0x9C, 0x39, 0x8F, 0xC1, 0x99, 0xD2, 0x00, 0x01, 0x00, 0x02, 0xC5,
        ]
        let head: [UInt8] = [0x04, 0x3E, 0x2A, 0x02, 0x01, 0x03, 0x01, 0x48, 0x78, 0x06, 0xFD, 0xDC, 0xC5, 0x1E]
        #expect(store.heard[host]?.first == head + beacon + [0xBD])
    }

    @Test("the same seed gives the same adverts, another one others") func seeds() throws {
        func heard(_ seed: Int) throws -> [[UInt8]] {
            var store = try Store("{seed: \(seed), beacons: {a: {uuid: \(Self.uuid), noise: 4, count: 5}}}")
            let host = try store.connect().host
            store.scan(host)
            store.pass(until: 3 * Self.second)
            return store.heard[host] ?? []
        }
        let first = try heard(1)
        #expect(first.count > 100)
        #expect(try heard(1) == first)
        #expect(try heard(2) != first)
    }

    @Test("noise has the mean and the deviation that were asked for") func noise() throws {
        var store = try Store("beacons: {a: {uuid: \(Self.uuid), interval: 20ms, rssi: -67, noise: 4}}")
        let host = try store.connect().host
        store.scan(host)
        store.pass(until: 60 * Self.second)
        let values = (store.heard[host] ?? []).compactMap { $0.last.map { Double(Int8(bitPattern: $0)) } }
        let mean = values.reduce(0, +) / Double(values.count)
        let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
        #expect(abs(mean + 67) < 0.3)
        #expect(abs(deviation - 4) < 0.3)
    }

    @Test("hosts hear each other and not themselves, with the strength of the scenario") func neighbours() throws {
        var store = try Store("hosts: {rssi: -41}")
        let one = try store.connect()
        let two = try store.connect()
        #expect("\(one.address) \(two.address)" == "02:be:ac:00:00:01 02:be:ac:00:00:02")
        store.scan(one.host)
        store.scan(two.host)
        let parameters = AdvertisingParameters(kind: .nonConnectable, interval: 160, ownAddressType: 0)
        store.send(one.host, parameters.command, .setAdvertisingData([1, 2]), .setAdvertisingEnable(true))
        store.pass(until: Self.second)
        #expect(store.heard[one.host] == nil)
        let expected: [UInt8] = [4, 0x3E, 0x0E, 2, 1, 3, 0, 1, 0, 0, 0xAC, 0xBE, 2, 2, 1, 2, 0xD7]
        #expect(Set(store.heard[two.host] ?? []) == [expected])
        #expect((9...11).contains(store.heard[two.host]?.count ?? 0))
    }

    @Test("new data follows the old at the same rhythm, and everything ends with its host") func air() throws {
        var store = try Store("{}")
        let one = try store.connect().host
        let two = try store.connect().host
        store.scan(two)
        let parameters = AdvertisingParameters(kind: .nonConnectable, interval: 160, ownAddressType: 0)
        store.send(one, parameters.command, .setAdvertisingData([1]), .setAdvertisingEnable(true))
        store.pass(until: Self.second)
        store.send(one, .setAdvertisingData([2]))
        store.pass(until: 2 * Self.second)
        let data = (store.heard[two] ?? []).map { $0[$0.count - 2] }
        #expect((18...20).contains(data.count))
        #expect(data == data.sorted())
        store.send(one, .setAdvertisingEnable(false), .setAdvertisingEnable(true), .reset)
        store.send(one, parameters.command, .setAdvertisingEnable(true))
        store.disconnect(one)
        store.pass(until: 3 * Self.second)
        #expect(
            store.said == [
                "0 ms: host 1 scans", "0 ms: host 0 sends [1], command", "1000 ms: host 0 sends [2], command",
                "2000 ms: host 0 sends nothing, command", "2000 ms: host 0 sends [2], command",
                "2000 ms: host 0 sends nothing, reset", "2000 ms: host 0 sends [], command",
                "2000 ms: host 0 sends nothing, disconnected",
            ])
        // One more, in the moment between enabling again and Reset.
        #expect(store.heard[two]?.count == data.count + 1)
        let again = try store.connect().host
        #expect(again == one)
    }

    @Test("an active scan hears answers too") func active() throws {
        var store = try Store("{}")
        let one = try store.connect().host
        let two = try store.connect().host
        store.send(two, ScanParameters(active: true, interval: 160, window: 160).command)
        store.scan(two)
        let parameters = AdvertisingParameters(kind: .scannable, interval: 160, ownAddressType: 0)
        store.send(one, parameters.command, .setAdvertisingData([1]), .setScanResponseData([9]))
        store.send(one, .setAdvertisingEnable(true))
        store.pass(until: Self.second / 20)
        #expect(
            store.heard[two] == [
                [4, 0x3E, 0x0D, 2, 1, 2, 0, 1, 0, 0, 0xAC, 0xBE, 2, 1, 1, 0xCE],
                [4, 0x3E, 0x0D, 2, 1, 4, 0, 1, 0, 0, 0xAC, 0xBE, 2, 1, 9, 0xCE],
            ])
    }

    @Test("what is due is heard before the answer to a later command") func order() throws {
        var store = try Store("beacons: {a: {uuid: \(Self.uuid)}}")
        let host = try store.connect().host
        store.scan(host)
        store.now = Self.second / 2
        var kinds: [String] = []
        store.link.receive(.setScanEnable(false), from: host, now: store.now) { event in
            switch event {
            case .advert: kinds.append("advert")
            case .reply: kinds.append("reply")
            default: break
            }
        }
        #expect(kinds.last == "reply")
        #expect(kinds.filter { $0 == "advert" }.count >= 4)
    }

    @Test("a machine that stood still does not make up for it, and says how much it left out") func lag() throws {
        var store = try Store("beacons: {a: {uuid: \(Self.uuid)}}")
        let host = try store.connect().host
        store.scan(host)
        var adverts = 0
        store.link.advance(to: 60 * Self.second) { if case .advert = $0 { adverts += 1 } }
        #expect((9...11).contains(adverts))
        #expect((550...570).contains(store.link.skipped))
    }

    @Test("there are sixteen hosts at most") func hosts() throws {
        var store = try Store("{}")
        for _ in 0..<16 { _ = try store.connect() }
        let oneMore = store.link.connect()
        #expect(oneMore == nil)
    }
}
