import HCI
import Testing

@testable import beacon_sim

@Suite struct FaultTests {
    static let second: Int64 = 1_000_000_000
    static let address = Command(.readAddress)

    /// A store with one beacon each 100 ms and one host that scans from 0 on.
    static func store(_ faults: String, hosts: Int = 1, more: String = "") throws -> Store {
        var store = try Store(
            "{faults: [\(faults)], beacons: {a: {uuid: \(LinkTests.uuid), interval: 100ms}}\(more)}")
        for _ in 0..<hosts {
            let host = try store.connect().host
            store.scan(host)
        }
        return store
    }

    /// What the faults did, in words.
    static func told(_ store: Store) -> [String] {
        store.said.filter { $0.contains("begins") || $0.contains(" ends ") || $0.contains("plug") }
    }

    /// How many answers a command gets, and the last one's status.
    static func ask(_ store: inout Store, _ command: Command) -> (count: Int, status: UInt8?) {
        let before = store.replies[0]?.count ?? 0
        store.send(0, command)
        return ((store.replies[0]?.count ?? 0) - before, store.replies[0]?.last.map { $0[6] })
    }

    /// How many reports came between two times in seconds.
    static func heard(_ store: Store, _ from: Int64, _ to: Int64, host: Int = 0) -> Int {
        (store.times[host] ?? []).filter { $0 >= from * second && $0 < to * second }.count
    }

    @Test("a controller that hangs neither answers nor reports, and keeps what it was told before") func hang()
        throws
    {
        var store = try Self.store("{at: 2s, fault: hang, for: 3s}")
        store.pass(until: 3 * Self.second)
        #expect(Self.ask(&store, Self.address).count == 0)
        #expect(Self.ask(&store, .setScanEnable(false)).count == 0)
        store.pass(until: 8 * Self.second)
        #expect(Self.ask(&store, Self.address).count == 1)
        #expect(Self.told(store) == ["2000 ms: hang begins at host 0", "5000 ms: hang ends at host 0"])
        #expect(Self.heard(store, 2, 5) == 0 && Self.heard(store, 5, 8) > 25)
        #expect((store.missed[0] ?? []).allSatisfy { $0.0 == .withheld })
        #expect((25...30).contains(store.missed[0]?.count ?? 0))
    }

    @Test("a cure ends what time alone would not") func cures() throws {
        var store = try Self.store(
            """
            {at: 1s, fault: silence, until: restart_scan}, {at: 3s, fault: hang, until: reset},
            {at: 5s, fault: hang, until: power}
            """)
        store.pass(until: 2 * Self.second)
        store.send(0, .setScanEnable(false))
        #expect(Self.told(store).count == 1)
        store.scan(0)
        store.pass(until: 4 * Self.second)
        store.send(0, .reset)
        store.scan(0)
        store.pass(until: 6 * Self.second)
        #expect(Self.ask(&store, .reset).count == 0)
        store.disconnect(0)
        _ = try store.connect()
        #expect(Self.ask(&store, .reset).count == 1)
        #expect(
            Self.told(store) == [
                "1000 ms: silence begins at host 0", "2000 ms: silence ends at host 0",
                "3000 ms: hang begins at host 0", "4000 ms: hang ends at host 0", "5000 ms: hang begins at host 0",
                "6000 ms: hang ends at host 0",
            ])
        #expect(Self.heard(store, 1, 2) == 0 && Self.heard(store, 2, 3) > 7 && Self.heard(store, 4, 5) > 7)
    }

    @Test("one command is refused with its status so many times, and is not performed") func refuse() throws {
        var store = try Self.store("{at: 1s, fault: refuse, opcode: 0x200c, status: 0x1f, times: 2}")
        store.pass(until: 2 * Self.second)
        for _ in 0..<2 { #expect(Self.ask(&store, .setScanEnable(false)) == (1, 0x1F)) }
        #expect(Self.told(store).last == "2000 ms: refuse ends at host 0")
        #expect(store.said.contains { $0.contains("no more") } == false)
        #expect(Self.ask(&store, .setScanEnable(false)) == (1, 0))
        #expect(Self.ask(&store, Self.address) == (1, 0))
    }

    @Test("without an opcode every command is refused") func refuseAll() throws {
        var store = try Self.store("{at: boot, fault: refuse, for: 1s}")
        #expect(store.replies[0]?.map { $0[6] } == [0x0C, 0x0C])
        store.pass(until: 2 * Self.second)
        #expect(Self.ask(&store, Self.address) == (1, 0))
        #expect(Self.told(store) == ["0 ms: refuse begins at host 0", "1000 ms: refuse ends at host 0"])
    }

    @Test("answers come late, and not to the host after this one") func delay() throws {
        var store = try Self.store("{at: 1s, fault: delay, by: 3s, opcode: 0x1009, times: 2}")
        store.pass(until: 2 * Self.second)
        #expect(Self.ask(&store, Self.address).count == 0)
        #expect(Self.ask(&store, Command(.readLocalVersion)).count == 1)
        let before = store.replies[0]?.count ?? 0
        store.pass(until: 4 * Self.second)
        #expect(Self.ask(&store, Self.address).count == 0)
        store.pass(until: 5_500_000_000)
        #expect(store.replies[0]?.count == before + 1)
        store.disconnect(0)
        _ = try store.connect()
        store.pass(until: 9 * Self.second)
        #expect(store.replies[0]?.count == before + 1)
    }

    @Test("an answer that is lost is that of a command that was performed") func drop() throws {
        var store = try Self.store("{at: 1s, fault: drop, opcode: 0x200c, times: 1}")
        store.pass(until: 2 * Self.second)
        #expect(Self.ask(&store, .setScanEnable(false)).count == 0)
        #expect(store.said.contains("2000 ms: host 0 scans no more"))
        #expect(Self.ask(&store, .setScanEnable(true)) == (1, 0))
    }

    @Test("after a hardware error the controller is as if it had just been switched on") func hardwareError() throws
    {
        var store = try Self.store("{at: 2s, fault: hardware_error, code: 0x17}", hosts: 2)
        let parameters = AdvertisingParameters(kind: .nonConnectable, interval: 160, ownAddressType: 0)
        store.send(1, parameters.command, .setAdvertisingData([1]), .setAdvertisingEnable(true))
        store.pass(until: 3 * Self.second)
        #expect(store.replies[0]?.last == [4, 0x10, 1, 0x17])
        #expect(store.said.contains("2000 ms: host 1 sends nothing, fault"))
        #expect(store.said.contains("2000 ms: host 0 scans no more"))
        #expect(Self.heard(store, 2, 3) == 0)
        #expect(Self.told(store).count == 2 && Self.told(store).allSatisfy { $0.contains("begins") })
        store.scan(0)
        store.pass(until: 4 * Self.second)
        #expect(Self.heard(store, 3, 4) > 7)
    }

    @Test(
        "malformed reports replace right ones, have a right length of their own, and are the same for the same seed"
    )
    func malformed() throws {
        var stores = [try Self.store("{at: 1s, fault: malformed, for: 60s}")]
        stores.append(stores[0])
        for index in stores.indices { stores[index].pass(until: 62 * Self.second) }
        #expect(stores[0].heard[0] == stores[1].heard[0])
        let reports = zip(stores[0].senders[0] ?? [], stores[0].heard[0] ?? [])
        let good = Set(reports.filter { $0.0 == .beacon(0) }.map(\.1))
        #expect(good.count == 1)
        let bad = reports.filter { $0.0 == .fault(0) }.map(\.1)
        #expect(bad.count == stores[0].missed[0]?.count && bad.count > 550)
        #expect(bad.allSatisfy { $0[0] == 4 && $0[1] == 0x3E && Int($0[2]) == $0.count - 3 && !good.contains($0) })
        #expect(Set(bad).count > 200)
    }

    @Test("an unplugged controller is gone with all it did, and can be had again once it is plugged in")
    func unplug() throws {
        var store = try Self.store("{at: 2s, host: 1, fault: unplug, for: 3s}", hosts: 2)
        let parameters = AdvertisingParameters(kind: .nonConnectable, interval: 160, ownAddressType: 0)
        store.send(0, parameters.command, .setAdvertisingEnable(true))
        store.pass(until: 3 * Self.second)
        #expect(Self.ask(&store, Self.address).count == 0)
        let early = store.link.connect()
        #expect(early == nil)
        store.pass(until: 6 * Self.second)
        #expect(
            Array(store.said.suffix(6)) == [
                "2000 ms: unplug begins at host 0", "2000 ms: host 0 scans no more",
                "2000 ms: host 0 sends nothing, disconnected", "2000 ms: host 0 is unplugged",
                "5000 ms: unplug ends at host 0", "5000 ms: host 0 is plugged in",
            ])
        let again = try store.connect()
        #expect(again.host == 0)
        #expect(Self.heard(store, 3, 6, host: 1) > 25)
    }

    @Test("a filter that nobody asked for reports each sender each ten seconds") func filter() throws {
        var store = try Self.store("{at: 10s, fault: filter, for: 40s}")
        store.pass(until: 60 * Self.second)
        #expect(Self.heard(store, 10, 50) == 4)
        #expect(Self.heard(store, 50, 60) > 85)
        #expect(store.missed[0]?.allSatisfy { $0.0 == .withheld } == true)
    }

    @Test("a flood has its rate, and each advert another address and number") func flood() throws {
        var store = try Self.store("{at: 1s, fault: flood, rate: 3000, for: 2s}")
        store.pass(until: 4 * Self.second)
        let reports = zip(store.senders[0] ?? [], store.heard[0] ?? []).filter { $0.0 == .fault(0) }.map(\.1)
        #expect(reports.count == 6_000)
        #expect(Set(reports.map { Array($0[7..<13]) }).count == 6_000)
        #expect(Array(reports[300].suffix(6)) == [0, 0, 1, 44, 0xC5, 0xBA])
        #expect(store.link.skipped == 0)
        // Others are heard all the same.
        #expect(Self.heard(store, 1, 3) > 6_015)
    }

    @Test("a burst has its count to the advert, and leaves room for answers in between") func burst() throws {
        var store = try Self.store("{at: 1s, fault: burst, count: 20000}")
        store.pass(until: 1_010_000_000)
        #expect(Self.ask(&store, Self.address).count == 1)
        store.pass(until: 2 * Self.second)
        #expect((store.senders[0] ?? []).filter { $0 == .fault(0) }.count == 20_000)
        #expect(
            Self.told(store).map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") } == [
                "burst begins at host 0", "burst ends at host 0",
            ])
    }

    @Test("Reset fails for as long as it is told to") func noReset() throws {
        var store = try Self.store(
            "{at: boot, fault: no_reset, until: power}, {at: 1s, fault: no_reset, status: 0x1f, times: 1}")
        store.pass(until: 2 * Self.second)
        #expect(Self.ask(&store, .reset) == (1, 0x03))
        #expect(Self.ask(&store, Self.address) == (1, 0))
        store.disconnect(0)
        _ = try store.connect()
        #expect(Self.ask(&store, .reset) == (1, 0x1F))
        #expect(Self.ask(&store, .reset) == (1, 0))
    }

    @Test("a fault of one host is none of another's, and each counts from its own first scan") func hosts() throws {
        var store = try Self.store("{at: 1s, fault: silence, for: 1s}, {at: 1s, host: 2, fault: hang}")
        store.pass(until: 5 * Self.second)
        let late = try store.connect().host
        store.scan(late)
        store.pass(until: 8 * Self.second)
        #expect(
            Self.told(store) == [
                "1000 ms: silence begins at host 0", "2000 ms: silence ends at host 0",
                "6000 ms: silence begins at host 1", "6000 ms: hang begins at host 1",
                "7000 ms: silence ends at host 1",
            ])
        #expect(Self.ask(&store, Self.address).count == 1)
    }
}
