import Beacon
import Glibc
import HCI
import System
import YAML

// One entry of `beacons`: what it says, and the beacons that it stands for.
extension ScenarioReader {
    /// An entry as it is written; what is nil was not given or was wrong.
    private struct Draft {
        var format: BeaconFormat? = .ibeacon
        var uuid: UUID128?
        var major = 0
        var minor = 0
        var namespace: [UInt8]?
        var instance: [UInt8]?
        var url: String?
        var power = -59
        var interval: Int64 = 100_000_000
        var rssi: Int?
        var distance: Double?
        var noise = 0.0
        var presence: [StoreBeacon.Presence] = [StoreBeacon.Presence(from: 0, to: nil)]
        var address: DeviceAddress?
        var whereabouts = Whereabouts.unplaced
        var fading: Fading
        var loss: PacketLoss
        var rotation: Int64?
        var phy = RadioPHY.le1M
        var count = 1
        var keys: Set<String> = []
    }

    private static let keys = [
        "format", "uuid", "major", "minor", "namespace", "instance", "url", "power", "interval", "rssi", "distance",
        "noise", "present", "address", "count", "at", "walk", "fading", "loss", "bursts", "rotate",
        "phy",
    ]

    /// The beacons of an entry, in the order of their numbers; none if something is wrong with it.
    mutating func copies(_ entry: YAMLEntry, seed: UInt64, first: Int) -> [StoreBeacon] {
        let path = "beacons.\(quoted(entry.key).dropFirst().dropLast())"
        if !isName(entry.key) {
            complain(entry.mark, "beacons: \(quoted(entry.key)) is no name: a-z, 0-9, '_', '.' and '-', 64 at most")
        }
        let before = problems.count
        let draft = draft(entry.value, path)
        check(draft, entry, path)
        guard problems.count == before else { return [] }
        var beacons: [StoreBeacon] = []
        for i in 0..<draft.count {
            guard let frame = frame(draft, copy: i, entry, path) else { return [] }
            let random = SeededRandom(seed: seed, stream: UInt64(first + i)).address()
            let rotation = draft.rotation.map { AddressRotation(every: $0, seed: seed, beacon: first + i) }
            beacons.append(
                StoreBeacon(
                    name: draft.count == 1 ? entry.key : "\(entry.key)-\(i + 1)", frame: frame,
                    address: rotation.map { DeviceAddress($0.address(0), .random) }
                        ?? draft.address.map { DeviceAddress($0.value &+ UInt64(i), $0.kind) } ?? random,
                    interval: draft.interval, strength: strength(draft, frame), presence: draft.presence,
                    whereabouts: draft.whereabouts, loss: draft.loss, fading: draft.fading, phy: draft.phy,
                    rotation: rotation))
        }
        return beacons
    }

    private mutating func draft(_ node: YAMLNode, _ path: String) -> Draft {
        var draft = Draft(fading: commonFading, loss: commonLoss)
        each(node, path) { reader, entry in
            let here = "\(path).\(entry.key)"
            draft.keys.insert(entry.key)
            switch entry.key {
            case "format":
                guard let name = reader.text(entry, here) else { break }
                draft.format = BeaconFormat(name: name)
                if draft.format == nil {
                    let names = BeaconFormat.allCases.map(\.name).joined(separator: ", ")
                    reader.complain(entry, here, "\(quoted(name)) is none of \(names)")
                }
            case "uuid": draft.uuid = reader.uuid(entry, here)
            case "major": draft.major = reader.integer(entry, here, 0...65_535) ?? 0
            case "minor": draft.minor = reader.integer(entry, here, 0...65_535) ?? 0
            case "namespace": draft.namespace = reader.bytes(entry, here, count: 10)
            case "instance": draft.instance = reader.bytes(entry, here, count: 6)
            case "url": draft.url = reader.text(entry, here)
            case "power": draft.power = reader.integer(entry, here, -128...127) ?? 0
            // The bounds of the specification; 20 ms is possible for every kind since Bluetooth 5.0.
            case "interval":
                draft.interval = reader.duration(entry, here, 20_000_000...10_240_000_000) ?? draft.interval
            case "rssi": draft.rssi = reader.integer(entry, here, -127...20)
            case "distance": draft.distance = reader.decimal(entry, here, 0.1...1_000, unit: "m")
            case "noise": draft.noise = reader.decimal(entry, here, 0...30) ?? 0
            case "present": draft.presence = reader.presence(entry, here) ?? []
            case "address": draft.address = reader.address(entry, here, .random)
            case "at": draft.whereabouts = reader.position(entry.value, here).map { .still($0) } ?? .unplaced
            case "walk": draft.whereabouts = reader.walk(entry, here)
            case "fading": draft.fading = reader.fading(entry, here) ?? .none
            case "loss": draft.loss.independent = reader.share(entry, here) ?? 0
            case "bursts": draft.loss.bursts = reader.bursts(entry, here)
            case "rotate": draft.rotation = reader.duration(entry, here, 1_000_000_000...86_400_000_000_000)
            case "phy": draft.phy = reader.word(entry, here, ["1m", "coded"]) == "coded" ? .leCoded : .le1M
            case "count": draft.count = reader.integer(entry, here, 1...10_000) ?? 1
            default: reader.unknown(entry, path, ScenarioReader.keys)
            }
        }
        return draft
    }

    /// Whether the keys belong together.
    private mutating func check(_ draft: Draft, _ entry: YAMLEntry, _ path: String) {
        guard let format = draft.format, case .mapping = entry.value.value else { return }
        let ids: [String]
        switch format {
        case .ibeacon, .altbeacon: ids = ["uuid"]
        case .eddystoneUID: ids = ["namespace", "instance"]
        case .eddystoneURL: ids = ["url"]
        }
        for id in ids where !draft.keys.contains(id) {
            complain(entry.mark, "\(path): a beacon of format \(format.name) needs '\(id)'")
        }
        let foreign = ["uuid", "major", "minor", "namespace", "instance", "url"].filter { key in
            draft.keys.contains(key)
                && !(ids.contains(key) || (ids == ["uuid"] && ["major", "minor"].contains(key)))
        }
        for key in foreign { complain(entry.mark, "\(path): format \(format.name) has no '\(key)'") }
        for group in [["rssi", "distance", "at", "walk"], ["address", "rotate"]] {
            let given = group.filter { draft.keys.contains($0) }.map { "'\($0)'" }
            guard given.count > 1, let last = given.last else { continue }
            let list = given.dropLast().joined(separator: ", ")
            complain(entry.mark, "\(path): \(list) and \(last) exclude each other")
        }
        if draft.minor + draft.count - 1 > 65_535 {
            complain(entry.mark, "\(path): \(draft.count) copies from minor \(draft.minor) on go beyond 65535")
        }
        if format == .eddystoneURL && draft.count > 1 {
            complain(entry.mark, "\(path): copies of a URL cannot be told apart")
        }
    }

    private mutating func frame(_ draft: Draft, copy: Int, _ entry: YAMLEntry, _ path: String) -> Frame? {
        let power = Int8(clamping: draft.power)
        let (major, minor) = (UInt16(clamping: draft.major), UInt16(clamping: draft.minor + copy))
        switch draft.format {
        case .ibeacon:
            return draft.uuid.map { .ibeacon(IBeacon(uuid: $0, major: major, minor: minor, power: power)) }
        case .altbeacon:
            // 0x0118 is Radius Networks, as in the examples of the AltBeacon specification.
            return draft.uuid.map {
                .altbeacon(AltBeacon(company: 0x0118, uuid: $0, major: major, minor: minor, power: power))
            }
        case .eddystoneUID:
            guard let namespace = draft.namespace, let instance = draft.instance else { return nil }
            let number = instance.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } + UInt64(copy)
            let bytes = (0..<6).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64(5 - $0))) }
            return EddystoneUID(namespace: namespace, instance: bytes, power: power).map { .eddystoneUID($0) }
        case .eddystoneURL:
            guard let url = draft.url else { return nil }
            do throws(EddystoneURLError) {
                return .eddystoneURL(try EddystoneURL(url, power: power))
            } catch {
                complain(entry.mark, "\(path).url: \(error)")
                return nil
            }
        case nil: return nil
        }
    }

    /// As given; else by the distance, 2 m if none is: log-distance with an exponent of 2. At one metre for a beacon
    /// that has a place.
    private func strength(_ draft: Draft, _ frame: Frame) -> Strength {
        if let rssi = draft.rssi { return Strength(mean: Double(rssi), deviation: draft.noise) }
        let atOneMetre = Double(frame.powerAtOneMetre ?? draft.power)
        if draft.whereabouts != .unplaced { return Strength(mean: atOneMetre, deviation: draft.noise) }
        return Strength(mean: atOneMetre - 20 * log10(draft.distance ?? 2), deviation: draft.noise)
    }

    private func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"),
                    UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension SeededRandom {
    /// A static random address: two upper bits set.
    consuming func address() -> DeviceAddress {
        DeviceAddress(0xC000_0000_0000 | next() & 0x3FFF_FFFF_FFFF, .random)
    }
}
