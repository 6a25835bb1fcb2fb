/// What the radio is to do.
public struct RadioPlan: Equatable, Sendable {
    /// How it listens.
    public var scan: ScanPlan
    /// What it advertises; nil for nothing.
    public var advertise: AdvertisePlan?

    /// Makes a plan.
    public init(scan: ScanPlan, advertise: AdvertisePlan? = nil) {
        self.scan = scan
        self.advertise = advertise
    }
}

/// How the radio listens. What lies outside 2.5 ms…10.24 s is brought to the nearer end.
public struct ScanPlan: Equatable, Sendable {
    /// From the start of one window to the next.
    public var interval: Duration
    /// How long it listens in each interval; not more than the interval.
    public var window: Duration
    /// Whether it asks those it hears for their scan response, and so is heard itself.
    public var active: Bool

    /// Makes a plan.
    public init(interval: Duration, window: Duration, active: Bool = false) {
        self.interval = interval
        self.window = window
        self.active = active
    }

    var parameters: ScanParameters {
        let interval = slots(interval, in: 4...0x4000)
        return ScanParameters(
            active: active, interval: interval, window: min(slots(window, in: 4...0x4000), interval),
            // A passive scan sends nothing; an active one should not give the controller's own address away.
            ownAddressType: active ? OwnAddress.random.rawValue : OwnAddress.`public`.rawValue)
    }
}

/// Which of its addresses a controller uses (Core Spec Vol 4 Part E 7.8.5, Own_Address_Type).
public enum OwnAddress: UInt8, Sendable {
    /// The one it was made with.
    case `public` = 0
    /// The static random one that the session sets.
    case random = 1
}

/// What the radio advertises: one payload, non-connectable, on all three channels.
public struct AdvertisePlan: Equatable, Sendable {
    /// The advertising data, at most 31 bytes.
    public let data: [UInt8]
    /// From one advertising event to the next; the controller adds up to 10 ms. What lies outside 20 ms…10.24 s is
    /// brought to the nearer end. Controllers before Bluetooth 5.0 refuse less than 100 ms.
    public let interval: Duration
    /// The address it is sent from.
    public let address: OwnAddress

    /// Makes a plan; nil if the data does not fit a legacy advertising packet.
    public init?(data: [UInt8], interval: Duration, address: OwnAddress = .random) {
        guard data.count <= Command.advertisingDataLimit else { return nil }
        self.data = data
        self.interval = interval
        self.address = address
    }

    var parameters: AdvertisingParameters {
        AdvertisingParameters(
            kind: .nonConnectable, interval: slots(interval, in: 0x20...0x4000), ownAddressType: address.rawValue)
    }
}

/// A time in the controller's unit of 0.625 ms, to the nearest and inside the bounds.
private func slots(_ time: Duration, in bounds: ClosedRange<UInt16>) -> UInt16 {
    let (seconds, attoseconds) = time.components
    // 16 s is beyond every bound here, and far from overflow.
    if seconds >= 16 { return bounds.upperBound }
    if seconds < 0 { return bounds.lowerBound }
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let units = UInt16(clamping: (microseconds + 312) / 625)
    return min(max(units, bounds.lowerBound), bounds.upperBound)
}
