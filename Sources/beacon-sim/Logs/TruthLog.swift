import Beacon
import HCI
import JSON
import System

/// What was so, for tests to judge by: who was in the store when and where, and what each host was really sent.
///
/// Times of beacons are those of the scenario, not those at which a busy machine got round to it. `ms` is monotonic
/// and counts from the start of the simulator, `time` is the wall clock's.
struct TruthLog: ~Copyable {
    private var log: LineLog
    private let start: Int64
    private let wallStart: Int64

    /// `start` is monotonic, `wallStart` the same moment on the wall clock.
    init(path: String?, start: Int64, wallStart: Int64) throws(SystemError) {
        log = try LineLog(path: path)
        self.start = start
        self.wallStart = wallStart
    }

    var failure: SystemError? { log.failure }

    private mutating func event(
        _ name: StaticString, at time: Int64, _ members: (inout JSONWriter) -> Void = { _ in }
    ) {
        let (start, wallStart) = (start, wallStart)
        log.line { json in
            json.key("event")
            json.string(name.description)
            json.key("ms")
            json.integer((time - start) / 1_000_000)
            json.key("time")
            json.string(timeText(wallStart + time - start))
            members(&json)
        }
    }

    /// The seed and every beacon with its identity.
    mutating func began(_ scenario: Scenario) {
        event("start", at: start) { json in
            json.key("seed")
            json.integer(scenario.seed)
            json.key("beacons")
            json.integer(scenario.beacons.count)
        }
        for beacon in scenario.beacons {
            event("beacon", at: start) { json in
                json.key("beacon")
                json.string(beacon.name)
                TruthLog.identify(beacon.frame, &json)
                json.key("address")
                json.string(beacon.address.description)
                json.key("interval_ms")
                json.number(Double(beacon.interval) / 1_000_000, decimals: 3)
            }
        }
    }

    /// What the link says of the store and its hosts; what it says to them is no business of this log.
    mutating func note(_ happened: LinkEvent, _ scenario: Scenario) {
        switch happened {
        case .entered(let beacon, let time): name("enter", scenario.beacons[beacon], at: time)
        case .left(let beacon, let time): name("leave", scenario.beacons[beacon], at: time)
        case .placed(let beacon, let position, let time):
            placed(scenario.beacons[beacon], position, scenario.hosts, at: time)
        case .readdressed(let beacon, let address, let time):
            readdressed(scenario.beacons[beacon], address, at: time)
        case .scanning(let host, let isScanning, let time): scanning(host, isScanning, at: time)
        case .fault(let host, let number, let begins, let time):
            fault(host, number, scenario.faults[number].kind.name, begins, at: time)
        case .reply, .advert, .air, .missed, .unplugged, .plugged: break
        }
    }

    private mutating func name(_ name: StaticString, _ beacon: StoreBeacon, at time: Int64) {
        event(name, at: time) { json in
            json.key("beacon")
            json.string(beacon.name)
        }
    }

    /// Where a beacon is, and how far from each host that has a place, in metres.
    private mutating func placed(
        _ beacon: StoreBeacon, _ position: Position, _ hosts: Scenario.Hosts, at time: Int64
    ) {
        event("place", at: time) { json in
            json.key("beacon")
            json.string(beacon.name)
            json.key("at")
            json.array { json in
                json.number(position.x, decimals: 2)
                json.number(position.y, decimals: 2)
            }
            json.key("metres")
            json.array { json in
                for host in 0..<hosts.placed {
                    json.number(position.distance(to: hosts.position(host)), decimals: 2)
                }
            }
        }
    }

    private mutating func readdressed(_ beacon: StoreBeacon, _ address: DeviceAddress, at time: Int64) {
        event("address", at: time) { json in
            json.key("beacon")
            json.string(beacon.name)
            json.key("address")
            json.string(address.description)
        }
    }

    mutating func connected(_ host: Int, connection: Int, address: DeviceAddress, at time: Int64) {
        event("connected", at: time) { json in
            json.key("host")
            json.integer(host + 1)
            json.key("connection")
            json.integer(connection)
            json.key("address")
            json.string(address.description)
        }
    }

    private mutating func scanning(_ host: Int, _ isScanning: Bool, at time: Int64) {
        event("scanning", at: time) { json in
            json.key("host")
            json.integer(host + 1)
            json.key("on")
            json.bool(isScanning)
        }
    }

    private mutating func fault(_ host: Int, _ number: Int, _ name: String, _ begins: Bool, at time: Int64) {
        event("fault", at: time) { json in
            json.key("host")
            json.integer(host + 1)
            json.key("number")
            json.integer(number + 1)
            json.key("fault")
            json.string(name)
            json.key("on")
            json.bool(begins)
        }
    }

    /// What a connection was sent, sender by sender, once it is over.
    mutating func disconnected(
        _ host: Int, connection: Int, ledger: Ledger, beacons: [StoreBeacon], at time: Int64
    ) {
        var total = Ledger.Account()
        for (sender, account) in ledger.accounts.sorted(by: { $0.key.order < $1.key.order }) {
            total.adverts += account.adverts
            total.dropped += account.dropped
            total.lost += account.lost
            total.weak += account.weak
            total.outside += account.outside
            total.withheld += account.withheld
            total.malformed += account.malformed
            let start = start
            event("sent", at: time) { json in
                json.key("host")
                json.integer(host + 1)
                json.key("connection")
                json.integer(connection)
                switch sender {
                case .beacon(let number):
                    json.key("beacon")
                    json.string(beacons[number].name)
                case .host(let number):
                    json.key("controller")
                    json.integer(number + 1)
                case .fault(let number):
                    json.key("fault")
                    json.integer(number + 1)
                }
                json.key("adverts")
                json.integer(account.adverts)
                json.key("dropped")
                json.integer(account.dropped)
                TruthLog.missed(account, &json)
                guard account.adverts > 0 else { return }
                json.key("first_ms")
                json.integer((account.first - start) / 1_000_000)
                json.key("last_ms")
                json.integer((account.last - start) / 1_000_000)
            }
        }
        event("disconnected", at: time) { json in
            json.key("host")
            json.integer(host + 1)
            json.key("connection")
            json.integer(connection)
            json.key("adverts")
            json.integer(total.adverts)
            json.key("dropped")
            json.integer(total.dropped)
            TruthLog.missed(total, &json)
        }
    }

    /// What never reached the controller, where there is any: most stores lose nothing.
    private static func missed(_ account: Ledger.Account, _ json: inout JSONWriter) {
        func count(_ key: StaticString, _ value: UInt64) {
            guard value > 0 else { return }
            json.key(key)
            json.integer(value)
        }
        count("lost", account.lost)
        count("weak", account.weak)
        count("outside", account.outside)
        count("withheld", account.withheld)
        count("malformed", account.malformed)
    }

    /// The last line: how well time was kept.
    mutating func ended(longestSlip: Int64, skipped: UInt64, at time: Int64) {
        event("end", at: time) { json in
            json.key("slip_ms")
            json.number(Double(longestSlip) / 1_000_000, decimals: 3)
            json.key("skipped")
            json.integer(skipped)
        }
    }

    private static func identify(_ frame: Frame, _ json: inout JSONWriter) {
        guard let identity = frame.identity else { return }
        json.key("format")
        json.string(identity.format.name)
        if let uuid = identity.uuid {
            json.key("uuid")
            json.string(uuid.description)
        }
        if let major = identity.major {
            json.key("major")
            json.integer(major)
        }
        if let minor = identity.minor {
            json.key("minor")
            json.integer(minor)
        }
        if let namespace = identity.namespace {
            json.key("namespace")
            json.string(namespace)
        }
        if let instance = identity.instance {
            json.key("instance")
            json.string(instance)
        }
        if let url = identity.url {
            json.key("url")
            json.string(url)
        }
    }
}

extension Sender {
    /// Beacons in their order, then hosts in theirs.
    fileprivate var order: (Int, Int) {
        switch self {
        case .beacon(let number): (0, number)
        case .host(let number): (1, number)
        case .fault(let number): (2, number)
        }
    }
}
