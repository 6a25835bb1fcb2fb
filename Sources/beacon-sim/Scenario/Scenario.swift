import Beacon
import HCI
import System

/// A store: its beacons, and what controllers the hosts in it have. Copies are counted out already.
struct Scenario: Equatable {
    var seed: UInt64 = 1
    var hosts = Hosts()
    var pathLoss = PathLoss()
    var beacons: [StoreBeacon] = []
    /// What goes wrong, in no order.
    var faults: [Fault] = []

    /// How many beacons a store may have, copies included: as many as a node may track, and then some.
    static let beaconLimit = 20_000

    /// The hosts' controllers.
    struct Hosts: Equatable {
        /// How strong hosts hear each other, dBm.
        var rssi: Int8 = -50
        /// The first one's public address; the others count on from it.
        var address = DeviceAddress(0x02BE_AC00_0001, .`public`)
        /// What they are unless `each` says something else.
        var model = Model()
        /// What some of them are, in the order of the hosts.
        var each: [Each] = []
        /// Where they stand, in their order; those beyond the list stand at [0, 0].
        var positions: [Position] = []
        /// They do not hear what is weaker, dBm.
        var sensitivity: Int8 = -127
        /// Whether they are deaf outside their scan windows, as real ones are.
        var honoursWindow = false

        /// What one of them is that the others are not.
        struct Each: Equatable {
            var model: Model?
            var address: DeviceAddress?
        }

        /// Which controller a host has.
        func model(_ host: Int) -> Model { each.indices.contains(host) ? each[host].model ?? model : model }

        /// Its public address.
        func address(_ host: Int) -> DeviceAddress {
            let own = each.indices.contains(host) ? each[host].address : nil
            return own ?? DeviceAddress(address.value &+ UInt64(host), address.kind)
        }

        func position(_ host: Int) -> Position {
            positions.indices.contains(host) ? positions[host] : Position(x: 0, y: 0)
        }

        /// How many of them have a place that is known beforehand.
        var placed: Int { max(1, positions.count) }
    }
}

/// One beacon of the store.
struct StoreBeacon: Equatable {
    let name: String
    let frame: Frame
    let address: DeviceAddress
    /// Nanoseconds; the random delay of up to 10 ms comes on top.
    let interval: Int64
    let strength: Strength
    let presence: [Presence]
    /// Where it has a place, `strength.mean` is that at one metre.
    var whereabouts = Whereabouts.unplaced
    var loss = PacketLoss()
    var fading = Fading.none
    /// The PHY on which it is found: 1M as a PDU of Bluetooth 4, or coded.
    var phy = RadioPHY.le1M
    /// nil where it keeps its address.
    var rotation: AddressRotation?

    /// Whether it reaches each host in a way of its own.
    var isReceivedApart: Bool { whereabouts != .unplaced || !loss.isNone || fading != .none }

    /// When it is in the store, in nanoseconds from the first scan; without an end it stays.
    struct Presence: Equatable {
        let from: Int64
        let to: Int64?
    }
}

/// How strong something is heard.
struct Strength: Equatable {
    /// dBm, on average.
    let mean: Double
    /// Standard deviation in dB.
    let deviation: Double

    /// As given.
    init(mean: Double, deviation: Double) {
        self.mean = mean
        self.deviation = deviation
    }

    /// What a controller reports for one advert; it knows −127…20 dBm.
    func sample(_ random: inout SeededRandom) -> Int8 {
        let value = deviation == 0 ? mean : mean + deviation * random.normal()
        return Int8(min(20, max(-127, value.rounded())))
    }
}
