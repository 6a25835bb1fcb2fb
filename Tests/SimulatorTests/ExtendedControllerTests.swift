import HCI
import System
import Testing

@testable import beacon_sim

@Suite struct ExtendedControllerTests {
    typealias Basic = VirtualControllerTests

    static func controller(_ commands: Model.Commands = .extended, coded: Bool = false) -> VirtualController {
        let model = Model(generation: .from5, commands: commands, hasCoded: coded, txPower: 8)
        return VirtualController(address: Basic.address, model: model)
    }

    static let parameters = ExtendedAdvertisingParameters(handle: 3, interval: 160, ownAddressType: 0)
    static let scan = ExtendedScanParameters.Listening(active: false, interval: 160, window: 144)

    static func data(_ bytes: [UInt8], _ operation: ExtendedAdvertisingData.Operation = .complete) -> Command {
        ExtendedAdvertisingData(handle: 3, operation: operation, bytes).command
    }

    static func enable(_ on: Bool, _ handles: UInt8...) -> Command {
        ExtendedAdvertisingEnable(on, handles.map { ExtendedAdvertisingEnable.AdvertisingSet($0) }).command
    }

    @Test("it says which commands it knows, and one that is broken says so too") func identity() {
        for (commands, octets, features) in [
            (Model.Commands.legacy, [0, 0], 0), (.extended, [0xFE, 0x63], 0x18), (.broken, [0xFE, 0x63], 0x18),
        ] as [(Model.Commands, [UInt8], UInt8)] {
            var controller = Self.controller(commands, coded: commands != .legacy)
            let known = controller.perform(Command(.readLocalCommands))
            #expect(Array(known[(7 + 36)...(7 + 37)]) == octets)
            #expect(controller.perform(Command(.readLowEnergyFeatures))[8] == features)
        }
    }

    @Test("the commands of the other set are refused from the first one on, until Reset") func mixing() {
        var controller = Self.controller()
        let legacy = ScanParameters(active: false, interval: 160, window: 144).command
        #expect(Basic.status(&controller, ExtendedScanParameters(le1M: Self.scan).command) == 0)
        #expect(Basic.status(&controller, legacy) == 0x0C)
        #expect(Basic.status(&controller, Command(.readAdvertisingPower)) == 0x0C)
        // What is in neither set is not refused.
        #expect(Basic.status(&controller, .setRandomAddress(DeviceAddress(1, .random))) == 0)
        #expect(Basic.status(&controller, .reset) == 0)
        #expect(Basic.status(&controller, legacy) == 0)
        #expect(Basic.status(&controller, ExtendedScanEnable(true).command) == 0x0C)
        #expect(Basic.status(&controller, Command(.readAdvertisingSetCount)) == 0x0C)
        #expect(Basic.status(&controller, .reset) == 0)
        #expect(Basic.status(&controller, Command(.readAdvertisingSetCount)) == 0)
    }

    @Test("a broken one refuses what it claims, and goes on with the legacy commands") func broken() {
        var controller = Self.controller(.broken)
        #expect(Basic.status(&controller, ExtendedScanParameters(le1M: Self.scan).command) == 0x01)
        #expect(Basic.status(&controller, .setScanEnable(true)) == 0)
    }

    @Test("a set is on air with its data from enabling on, and what is on air is never half of something")
    func onAir() {
        var controller = Self.controller()
        #expect(controller.perform(Self.parameters.command) == [0x04, 0x0E, 5, 1, 0x36, 0x20, 0, 8])
        #expect(Basic.status(&controller, Self.data([1, 2])) == 0)
        #expect(controller.advertisements.isEmpty)
        #expect(Basic.status(&controller, Self.enable(true, 3)) == 0)
        #expect(controller.advertisements.map(\.data) == [[1, 2]])
        #expect(controller.advertisements.first?.type == .advNonconnInd)
        #expect(controller.advertisements.first?.address == Basic.address)
        #expect(Basic.status(&controller, Self.parameters.command) == 0x0C)
        #expect(Basic.status(&controller, Self.data([3], .first)) == 0x0C)
        #expect(Basic.status(&controller, Self.data([3])) == 0)
        #expect(controller.advertisements.map(\.data) == [[3]])
        #expect(Basic.status(&controller, .removeAdvertisingSet(3)) == 0x0C)
        #expect(Basic.status(&controller, Command(.clearAdvertisingSets)) == 0x0C)
        #expect(Basic.status(&controller, Self.enable(false)) == 0)
        #expect(controller.advertisements.isEmpty)
        #expect(Basic.status(&controller, .removeAdvertisingSet(3)) == 0)
        #expect(Basic.status(&controller, Self.enable(true, 3)) == 0x42)
    }

    @Test("a set that is not there, or one too many, is refused by name") func sets() {
        var controller = Self.controller()
        #expect(Basic.status(&controller, Self.data([1])) == 0x42)
        #expect(Basic.status(&controller, .removeAdvertisingSet(3)) == 0x42)
        let address = AdvertisingSetAddress(handle: 3, address: DeviceAddress(0xC000_0000_0001, .random))
        #expect(Basic.status(&controller, address.command) == 0x42)
        for handle in UInt8(0)..<5 {
            let parameters = ExtendedAdvertisingParameters(handle: handle, interval: 160, ownAddressType: 0)
            #expect(Basic.status(&controller, parameters.command) == (handle < 4 ? 0 : 0x07))
        }
        #expect(Basic.status(&controller, Self.enable(true, 0, 0)) == 0x12)
        #expect(Basic.status(&controller, Self.enable(true, 0, 9)) == 0x42)
        #expect(controller.advertisements.isEmpty)
        #expect(Basic.status(&controller, Self.enable(true, 0, 2)) == 0)
        #expect(controller.advertisements.map(\.slot) == [0, 2])
    }

    @Test("a set has a random address of its own, which may change while it is on air") func address() {
        var controller = Self.controller()
        let random = ExtendedAdvertisingParameters(handle: 3, interval: 160, ownAddressType: 1)
        #expect(Basic.status(&controller, random.command) == 0)
        #expect(Basic.status(&controller, .setRandomAddress(DeviceAddress(7, .random))) == 0)
        #expect(Basic.status(&controller, Self.enable(true, 3)) == 0x12)
        for value in [0xC000_0000_0001, 0xC000_0000_0002] as [UInt64] {
            let address = DeviceAddress(value, .random)
            #expect(Basic.status(&controller, AdvertisingSetAddress(handle: 3, address: address).command) == 0)
            #expect(Basic.status(&controller, Self.enable(true, 3)) == 0)
            #expect(controller.advertisements.first?.address == address)
        }
    }

    @Test("parameters out of their ranges are invalid, and a PHY that is not there is unsupported") func invalid() {
        func status(coded: Bool = false, _ change: (inout ExtendedAdvertisingParameters) -> Void) -> UInt8? {
            var controller = Self.controller(coded: coded)
            var parameters = Self.parameters
            change(&parameters)
            return Basic.status(&controller, parameters.command)
        }
        #expect(status { $0.longestInterval = 159 } == 0x12)
        #expect(status { $0.shortestInterval = 0x1F } == 0x12)
        #expect(status { $0.handle = 0xF0 } == 0x12)
        #expect(status { $0.channels = 0 } == 0x12)
        #expect(status { $0.properties = [.legacy, .connectable] } == 0x12)
        #expect(status { $0.properties = [.connectable, .scannable] } == 0x12)
        #expect(status(coded: true) { $0.primaryPHY = .leCoded } == 0x12)
        let coded: (inout ExtendedAdvertisingParameters) -> Void = {
            $0.properties = []
            $0.primaryPHY = .leCoded
            $0.secondaryPHY = .leCoded
        }
        #expect(status(coded) == 0x11)
        #expect(status(coded: true, coded) == 0)
        var controller = Self.controller()
        #expect(Basic.status(&controller, Self.parameters.command) == 0)
        #expect(Basic.status(&controller, Self.data([UInt8](repeating: 0, count: 32))) == 0x12)
        #expect(Basic.status(&controller, Command(.setExtendedAdvertisingData, [3, 3, 1, 5, 1])) == 0x12)
        let wide = ExtendedScanParameters.Listening(active: false, interval: 160, window: 161)
        #expect(Basic.status(&controller, ExtendedScanParameters(le1M: wide).command) == 0x12)
        #expect(Basic.status(&controller, ExtendedScanParameters(le1M: nil, leCoded: Self.scan).command) == 0x11)
        #expect(Basic.status(&controller, Command(.setExtendedScanEnable, [1, 0])) == 0x12)
    }

    @Test("data may come in pieces before a set is enabled") func pieces() {
        var controller = Self.controller()
        var parameters = Self.parameters
        parameters.properties = []
        #expect(Basic.status(&controller, parameters.command) == 0)
        #expect(Basic.status(&controller, Self.data([1], .last)) == 0x12)
        #expect(Basic.status(&controller, Self.data([1], .first)) == 0)
        #expect(Basic.status(&controller, Self.enable(true, 3)) == 0x0C)
        #expect(Basic.status(&controller, Self.data([2], .intermediate)) == 0)
        #expect(Basic.status(&controller, Self.data([3], .last)) == 0)
        #expect(Basic.status(&controller, Self.enable(true, 3)) == 0)
        #expect(controller.advertisements.first?.data == [1, 2, 3])
        #expect(Basic.status(&controller, Self.data([UInt8](repeating: 0, count: 230))) == 0x07)
    }
}

@Suite struct ExtendedAirTests {
    @Test("no commands in any order make it trap, whatever is wrong at the time") func noise() throws {
        var opcodes = VirtualController.legacyCommands.union(VirtualController.extendedCommands).map(\.rawValue)
        opcodes += [0x0C03, 0x0C01, 0x1002, 0x2001, 0x2005, 0x201C, 0x2011]
        opcodes.sort()
        var random = SeededRandom(seed: 9, stream: 0)
        var onAir = 0
        for seed in 0..<20 {
            var store = try Store(
                """
                {seed: \(seed), hosts: {version: 5.0, phys: [1m, coded]}, beacons: {a: {uuid: \(LinkTests.uuid)}},
                faults: [{at: 1s, fault: malformed, for: 2s}, {at: 2s, fault: drop, times: 3}, {at: 3s, fault: unplug, for: 1s},
                {at: 5s, fault: hardware_error}, {at: 6s, fault: delay, by: 1s}, {at: 7s, fault: flood, rate: 50, for: 1s}]}
                """)
            for _ in 0..<2 { Self.scan(&store, try store.connect().host, coded: true) }
            for step in 1...200 {
                let opcode = Opcode(rawValue: opcodes.randomElement(using: &random) ?? 0)
                // Small numbers, so that some of it makes sense.
                var parameters = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...(Bool.random(using: &random) ? 3 : 255), using: &random)
                }
                if Bool.random(using: &random) { parameters += [UInt8](repeating: 0, count: 25) }
                store.send(Int.random(in: 0...1, using: &random), Command(opcode, parameters))
                if step % 20 == 0 {
                    let own = ExtendedAdvertisingParameters(handle: 1, interval: 160, ownAddressType: 0)
                    let enable = ExtendedAdvertisingEnable(true, [.init(1)])
                    store.send(0, .reset, own.command, enable.command)
                    store.send(1, .reset)
                    Self.scan(&store, 1)
                }
                store.pass(until: Int64(step) * Self.second / 20)
                if store.link.connect(0, now: store.now) != nil { onAir += 1 }
            }
            onAir += (store.senders[1] ?? []).filter { $0 == .host(0) }.count
        }
        #expect(onAir > 10)
    }

    static let second: Int64 = 1_000_000_000
    static let mask = Command.setEventMask(0x2000_1FFF_FFFF_FFFF)

    /// Switches an extended scan on.
    static func scan(_ store: inout Store, _ host: Int, coded: Bool = false, window: UInt16 = 80) {
        let listening = ExtendedScanParameters.Listening(active: true, interval: 160, window: window)
        store.send(
            host, mask, .setLowEnergyEventMask(0x101F),
            ExtendedScanParameters(le1M: listening, leCoded: coded ? listening : nil).command,
            ExtendedScanEnable(true).command)
    }

    @Test("hosts of both kinds hear the same beacon, each in reports of its own kind") func kinds() throws {
        var store = try Store(
            """
            hosts: {version: 5.0, each: [{version: 4.2}, {}, {address: 02:be:ac:00:00:77}]}
            """)
        let old = try store.connect().host
        let new = try store.connect().host
        let sender = try store.connect()
        #expect(sender.address.description == "02:be:ac:00:00:77")
        store.scan(old)
        Self.scan(&store, new)
        let parameters = ExtendedAdvertisingParameters(handle: 1, interval: 160, ownAddressType: 0)
        store.send(
            sender.host, parameters.command, ExtendedAdvertisingData(handle: 1, [9, 8]).command,
            ExtendedAdvertisingEnable(true, [.init(1)]).command)
        store.pass(until: Self.second / 20)
        #expect(store.heard[old] == [[4, 0x3E, 14, 2, 1, 3, 0, 0x77, 0, 0, 0xAC, 0xBE, 2, 2, 9, 8, 0xCE]])
        #expect(
            store.heard[new] == [
                [4, 0x3E, 28, 0x0D, 1, 0x10, 0, 0, 0x77, 0, 0, 0xAC, 0xBE, 2, 1, 0, 0xFF, 0x7F, 0xCE, 0, 0]
                    + [0, 0, 0, 0, 0, 0, 0, 2, 9, 8]
            ])
        // Without bit 12 of the mask the host is told nothing.
        store.send(new, .setLowEnergyEventMask(0x001F))
        store.pass(until: Self.second)
        #expect(store.heard[new]?.count == 1)
    }

    @Test("new data of a set is on air at the same rhythm, and each payload is told") func data() throws {
        var store = try Store("hosts: {version: 5.0}")
        let one = try store.connect().host
        let two = try store.connect().host
        Self.scan(&store, two)
        let parameters = ExtendedAdvertisingParameters(handle: 1, interval: 160, ownAddressType: 0)
        let other = ExtendedAdvertisingParameters(handle: 2, interval: 1600, ownAddressType: 0)
        store.send(
            one, parameters.command, other.command, ExtendedAdvertisingData(handle: 1, [1]).command,
            ExtendedAdvertisingData(handle: 2, [7]).command,
            ExtendedAdvertisingEnable(true, [.init(1), .init(2)]).command)
        store.pass(until: Self.second)
        store.send(one, ExtendedAdvertisingData(handle: 1, [2]).command)
        store.pass(until: 2 * Self.second)
        store.send(one, .reset)
        let data = (store.heard[two] ?? []).compactMap(\.last)
        #expect(data.filter { $0 == 7 }.count == 2)
        #expect((18...20).contains(data.filter { $0 != 7 }.count))
        #expect(data.filter { $0 != 7 } == data.filter { $0 != 7 }.sorted())
        #expect(
            store.said == [
                "0 ms: host 1 scans", "0 ms: host 0 sends [1], command", "0 ms: host 0 sends [7] by set 1, command",
                "1000 ms: host 0 sends [2], command", "2000 ms: host 0 sends nothing, reset",
                "2000 ms: host 0 sends nothing by set 1, reset",
            ])
    }

    @Test("a beacon on the coded PHY is heard by those who listen there, in a window of its own") func coded()
        throws
    {
        var store = try Store(
            """
            hosts: {version: 5.0, phys: [1m, coded], duty: honoured}
            beacons:
              near: {uuid: \(LinkTests.uuid), minor: 1, interval: 20ms}
              far: {uuid: \(LinkTests.uuid), minor: 2, interval: 20ms, phy: coded}
            """)
        let both = try store.connect().host
        let one = try store.connect().host
        let old = try store.connect().host
        Self.scan(&store, both, coded: true)
        Self.scan(&store, one)
        store.scan(old)
        store.pass(until: 20 * Self.second)
        func minors(_ host: Int) -> Set<UInt8> { Set((store.heard[host] ?? []).map { $0[$0.count - 2] }) }
        #expect(minors(both) == [1, 2] && minors(one) == [1])
        #expect(Set((store.heard[old] ?? []).map { $0[$0.count - 3] }) == [1])
        for (time, report) in zip(store.times[both] ?? [], store.heard[both] ?? []) {
            let isCoded = report[report.count - 2] == 2
            #expect((time % 100_000_000 >= 50_000_000) == isCoded)
            #expect(Array(report[14...16]) == (isCoded ? [3, 3, 0] : [1, 0, 0xFF]))
            #expect(report[5] == (isCoded ? 0 : 0x10))
        }
    }
}
