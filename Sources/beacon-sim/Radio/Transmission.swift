import HCI
import System

/// Who sends: a beacon of the store, or the controller of a host.
enum Sender: Hashable {
    /// By its number in the scenario.
    case beacon(Int)
    /// By the number of the host.
    case host(Int)
}

/// Something that is on air at its interval, ready to be reported: the event is made once, only its RSSI changes.
struct Transmission {
    let sender: Sender
    private(set) var address: DeviceAddress
    /// When it came on air, nanoseconds on the link's clock.
    let since: Int64
    /// Which of its addresses the sender has, for one that changes them.
    private(set) var addressNumber: Int64 = 0
    /// Nanoseconds from one advertising event to the next, without the random delay.
    let interval: Int64
    let strength: Strength
    /// Tells this from what the same sender sent before.
    let generation: UInt64
    /// The report of the advert, H4 type byte first, RSSI last.
    private(set) var report: [UInt8]
    /// The report of the answer to an active scan, nil where there is none.
    private(set) var responseReport: [UInt8]?
    private var delays: SeededRandom
    private var fading: SeededRandom

    /// Core Spec Vol 6 Part B 4.4.2.2.1: advDelay is random within 0…10 ms.
    static let longestDelay: Int64 = 10_000_000

    init(_ beacon: StoreBeacon, number: Int, seed: UInt64, generation: UInt64, since: Int64) {
        // Beacons are sent as what they are: nobody can connect to them.
        self.init(
            sender: .beacon(number), type: .advNonconnInd, address: beacon.address,
            data: beacon.frame.advertisingData(), response: nil, interval: beacon.interval,
            strength: beacon.strength, seed: seed, stream: UInt64(number), generation: generation, since: since)
    }

    init(
        _ advertisement: VirtualController.Advertisement, host: Int, strength: Strength, seed: UInt64,
        generation: UInt64, since: Int64
    ) {
        let answers = advertisement.kind == .connectable || advertisement.kind == .scannable
        self.init(
            sender: .host(host), type: advertisement.kind.eventType, address: advertisement.address,
            data: advertisement.data, response: answers ? advertisement.response : nil,
            // Units of 0.625 ms.
            interval: Int64(advertisement.interval) * 625_000, strength: strength, seed: seed,
            stream: UInt64.max - UInt64(host), generation: generation, since: since)
    }

    private init(
        sender: Sender, type: AdvertisingEventType, address: DeviceAddress, data: [UInt8], response: [UInt8]?,
        interval: Int64, strength: Strength, seed: UInt64, stream: UInt64, generation: UInt64, since: Int64
    ) {
        self.sender = sender
        self.address = address
        self.since = since
        self.interval = interval
        self.strength = strength
        self.generation = generation
        report = Transmission.report(type, address, data)
        responseReport = response.map { Transmission.report(.scanRsp, address, $0) }
        delays = SeededRandom(seed: seed &+ 1, stream: stream)
        fading = SeededRandom(seed: seed &+ 2, stream: stream)
    }

    private static func report(_ type: AdvertisingEventType, _ address: DeviceAddress, _ data: [UInt8]) -> [UInt8] {
        var bytes = [H4Kind.event.rawValue]
        let report = AdvertisingReport(address: address, eventType: type, rssi: 0)
        AdvertisingReportWriter.appendLegacyEvent(reports: [(report, data)], to: &bytes)
        return bytes
    }

    /// Where in its interval it happens to be when it comes.
    mutating func phase() -> Int64 { Int64.random(in: 0..<interval, using: &delays) }

    /// The time from one advertising event to the next.
    mutating func gap() -> Int64 { interval + Int64.random(in: 0...Transmission.longestDelay, using: &delays) }

    /// Draws how strong the next receiver hears it, dBm; on average `mean`.
    mutating func sample(mean: Double) -> Int8 {
        Strength(mean: mean, deviation: strength.deviation).sample(&fading)
    }

    /// Writes into the reports how strong they are heard.
    mutating func set(_ rssi: Int8) {
        report[report.count - 1] = UInt8(bitPattern: rssi)
        if let count = responseReport?.count { responseReport?[count - 1] = UInt8(bitPattern: rssi) }
    }

    /// Sends from another address from now on; without one it keeps what it has.
    mutating func change(to address: DeviceAddress, number: Int64) {
        addressNumber = number
        self.address = address
        for byte in 0..<6 {
            let value = UInt8(truncatingIfNeeded: address.value >> (8 * UInt64(byte)))
            report[Transmission.addressOffset + byte] = value
            responseReport?[Transmission.addressOffset + byte] = value
        }
    }

    /// Behind the H4 type, event code, length, subevent, number of reports, event type and address type (Core Spec
    /// Vol 4 Part E 7.7.65.2).
    private static let addressOffset = 7

    /// Takes over what the same sender sends now, at the same rhythm.
    mutating func replace(with other: Transmission) {
        report = other.report
        responseReport = other.responseReport
    }
}

extension AdvertisingParameters.Kind {
    fileprivate var eventType: AdvertisingEventType {
        switch self {
        case .connectable: .advInd
        case .directedHighDuty, .directedLowDuty: .advDirectInd
        case .scannable: .advScanInd
        case .nonConnectable: .advNonconnInd
        }
    }
}
