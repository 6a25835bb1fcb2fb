import HCI
import System

/// Who sends: a beacon of the store, the controller of a host, or nobody that there is.
enum Sender: Hashable {
    /// By its number in the scenario.
    case beacon(Int)
    /// By the number of the host.
    case host(Int)
    /// What a fault of the scenario makes up, by its number.
    case fault(Int)
}

/// Something that is on air at its interval, ready to be reported: the events are made once, only RSSI and address
/// change.
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
    /// The PHY on which it is found.
    let primaryPHY: RadioPHY
    /// Whether controllers of Bluetooth 4 understand it.
    let isLegacy: Bool
    private var advert: Reports
    /// The answer to an active scan, nil where there is none.
    private var response: Reports?
    private var delays: SeededRandom
    private var fading: SeededRandom

    /// Core Spec Vol 6 Part B 4.4.2.2.1: advDelay is random within 0…10 ms.
    static let longestDelay: Int64 = 10_000_000

    init(_ beacon: StoreBeacon, number: Int, seed: UInt64, generation: UInt64, since: Int64) {
        // Beacons are sent as what they are: nobody can connect to them.
        let isCoded = beacon.phy == .leCoded
        let advertisement = VirtualController.Advertisement(
            type: isCoded ? [] : .advNonconnInd, data: beacon.frame.advertisingData(), response: [],
            address: beacon.address, interval: 0, primaryPHY: beacon.phy, secondaryPHY: isCoded ? .leCoded : nil,
            sid: isCoded ? 0 : nil)
        self.init(
            advertisement, sender: .beacon(number), interval: beacon.interval, strength: beacon.strength,
            seed: seed,
            stream: UInt64(number), generation: generation, since: since)
    }

    init(
        _ advertisement: VirtualController.Advertisement, host: Int, strength: Strength, seed: UInt64,
        generation: UInt64, since: Int64
    ) {
        self.init(
            advertisement, sender: .host(host), interval: Int64(advertisement.interval) * 625_000,
            strength: strength, seed: seed, stream: UInt64.max - UInt64(advertisement.slot << 8 | host),
            generation: generation, since: since)
    }

    /// One advert that nobody sends again.
    init(_ advertisement: VirtualController.Advertisement, fault: Int) {
        self.init(
            advertisement, sender: .fault(fault), interval: 0, strength: Strength(mean: 0, deviation: 0), seed: 0,
            stream: 0, generation: 0, since: 0)
    }

    private init(
        _ advertisement: VirtualController.Advertisement, sender: Sender, interval: Int64, strength: Strength,
        seed: UInt64, stream: UInt64, generation: UInt64, since: Int64
    ) {
        self.sender = sender
        address = advertisement.address
        self.since = since
        self.interval = interval
        self.strength = strength
        self.generation = generation
        primaryPHY = advertisement.primaryPHY
        isLegacy = advertisement.isLegacy
        advert = Reports(advertisement, type: advertisement.type, data: advertisement.data)
        if advertisement.type.contains(.scannable) {
            let type = advertisement.type.intersection(.legacy).union([.scannable, .scanResponse])
            response = Reports(advertisement, type: type, data: advertisement.response)
        }
        delays = SeededRandom(seed: seed &+ 1, stream: stream)
        fading = SeededRandom(seed: seed &+ 2, stream: stream)
    }

    /// The report of the advert, H4 type byte first.
    func report(extended: Bool) -> [UInt8] { extended ? advert.extended : advert.legacy }

    /// The report of the answer to an active scan, nil where there is none.
    func responseReport(extended: Bool) -> [UInt8]? { extended ? response?.extended : response?.legacy }

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
        advert.set(rssi)
        response?.set(rssi)
    }

    /// Sends from another address from now on; without one it keeps what it has.
    mutating func change(to address: DeviceAddress, number: Int64) {
        addressNumber = number
        self.address = address
        advert.set(address)
        response?.set(address)
    }

    /// Writes a number into the four bytes of the data that so many others follow.
    mutating func number(_ number: UInt32, before rest: Int) { advert.set(number, before: rest) }

    /// Takes over what the same sender sends now, at the same rhythm.
    mutating func replace(with other: Transmission) {
        address = other.address
        advert = other.advert
        response = other.response
    }

    /// The event that reports one advert, H4 type byte first, to hosts that use the legacy commands and to those that
    /// use the extended ones.
    private struct Reports {
        /// Empty where the advert is for the others only.
        private(set) var legacy: [UInt8] = []
        private(set) var extended: [UInt8] = []

        // Behind the H4 type, event code, length, subevent, number of reports, event type of one byte or two, and
        // address type (Core Spec Vol 4 Part E 7.7.65.2 and 7.7.65.13).
        private static let legacyAddress = 7
        private static let extendedAddress = 8
        /// Behind the address: both PHYs, the set and the transmit power.
        private static let extendedSignal = extendedAddress + 6 + 4

        init(_ advertisement: VirtualController.Advertisement, type: AdvertisingEventType, data: [UInt8]) {
            let report = AdvertisingReport(
                address: advertisement.address, eventType: type, primaryPHY: advertisement.primaryPHY,
                secondaryPHY: advertisement.secondaryPHY, sid: advertisement.sid, txPower: advertisement.txPower,
                rssi: 0)
            extended.append(H4Kind.event.rawValue)
            AdvertisingReportWriter.appendExtendedEvent(reports: [(report, data)], to: &extended)
            guard advertisement.isLegacy else { return }
            legacy.append(H4Kind.event.rawValue)
            AdvertisingReportWriter.appendLegacyEvent(reports: [(report, data)], to: &legacy)
        }

        mutating func set(_ rssi: Int8) {
            let value = UInt8(bitPattern: rssi)
            if !legacy.isEmpty { legacy[legacy.count - 1] = value }
            extended[Reports.extendedSignal] = value
        }

        /// In an extended report nothing follows the data, in a legacy one RSSI.
        mutating func set(_ number: UInt32, before rest: Int) {
            for byte in 0..<4 {
                let value = UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32(byte)))
                if !legacy.isEmpty { legacy[legacy.count - 5 - rest + byte] = value }
                extended[extended.count - 4 - rest + byte] = value
            }
        }

        mutating func set(_ address: DeviceAddress) {
            for byte in 0..<6 {
                let value = UInt8(truncatingIfNeeded: address.value >> (8 * UInt64(byte)))
                if !legacy.isEmpty { legacy[Reports.legacyAddress + byte] = value }
                extended[Reports.extendedAddress + byte] = value
            }
        }
    }
}
