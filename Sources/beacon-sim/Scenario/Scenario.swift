import Beacon
import HCI
import System

/// A store: its beacons, and what controllers the hosts in it have. Copies are counted out already.
struct Scenario: Equatable {
    var seed: UInt64 = 1
    var hosts = Hosts()
    var pathLoss = PathLoss()
    var beacons: [StoreBeacon] = []

    /// How many beacons a store may have, copies included: as many as a node may track, and then some.
    static let beaconLimit = 20_000

    /// The hosts' controllers.
    struct Hosts: Equatable {
        /// How strong hosts hear each other, dBm.
        var rssi: Int8 = -50
        /// The first one's public address; the others count on from it.
        var address = DeviceAddress(0x02BE_AC00_0001, .`public`)
        var generation = Generation.before5
        /// Where they stand, in their order; those beyond the list stand at [0, 0].
        var positions: [Position] = []
        /// They do not hear what is weaker, dBm.
        var sensitivity: Int8 = -127
        /// Whether they are deaf outside their scan windows, as real ones are.
        var honoursWindow = false

        func position(_ host: Int) -> Position {
            positions.indices.contains(host) ? positions[host] : Position(x: 0, y: 0)
        }

        /// How many of them have a place that is known beforehand.
        var placed: Int { max(1, positions.count) }
    }
}

/// Which Bluetooth a controller speaks, as far as it matters to legacy commands.
enum Generation: Equatable {
    /// 4.2, as on a Raspberry Pi 3: nothing non-connectable below 100 ms.
    case before5
    /// 5.0: non-connectable down to 20 ms.
    case from5

    /// HCI_Version (Assigned Numbers).
    var version: UInt8 { self == .before5 ? 8 : 9 }
    /// The shortest interval of scannable and non-connectable advertising in 0.625 ms.
    var shortestInterval: UInt16 { self == .before5 ? 0xA0 : 0x20 }
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
