/// Which of its addresses a controller uses (Core Spec Vol 4 Part E 7.8.5, Own_Address_Type).
public enum OwnAddress: UInt8, Sendable {
    /// The one it was made with.
    case `public` = 0
    /// The static random one that the session sets.
    case random = 1
}

/// What the radio advertises: one payload, non-connectable, on all three channels, in PDUs that every receiver hears.
public struct AdvertisePlan: Equatable, Sendable {
    /// The advertising data, at most 31 bytes.
    public let data: [UInt8]
    /// The byte of the data that the session replaces with the power of its adapter; nil for none.
    public let powerByte: PowerByte?
    /// From one advertising event to the next; the controller adds up to 10 ms. What lies outside 20 ms…10.24 s is
    /// brought to the nearer end. Controllers before Bluetooth 5.0 refuse less than 100 ms.
    public let interval: Duration
    /// The address it is sent from.
    public let address: OwnAddress
    /// The power wanted, dBm; nil for the controller's own. Only the extended commands can say it.
    public let txPower: Int8?
    /// How often a random address is replaced by a new one; nil for never, less than a second counts as one.
    public let rotation: Duration?

    /// Makes a plan; nil if the data does not fit a legacy advertising packet, or the power byte is outside it.
    public init?(
        data: [UInt8], powerByte: PowerByte? = nil, interval: Duration, address: OwnAddress = .random,
        txPower: Int8? = nil, rotation: Duration? = nil
    ) {
        guard data.count <= Command.advertisingDataLimit else { return nil }
        if let powerByte, !data.indices.contains(powerByte.offset) { return nil }
        self.data = data
        self.powerByte = powerByte
        self.interval = interval
        self.address = address
        self.txPower = txPower
        self.rotation = rotation
    }

    /// The advertising interval in 0.625 ms.
    var slots: UInt16 { HCI.slots(interval, in: 0x20...0x4000) }

    /// The data as an adapter sends it that transmits with a power in dBm; nil where it does not tell.
    func data(at txPower: Int8?) -> [UInt8] {
        guard let powerByte else { return data }
        var data = data
        data[powerByte.offset] = UInt8(bitPattern: powerByte.value(at: txPower))
        return data
    }
}

/// Where in an advert the sender's measured power stands, and what it is when nobody measured it.
public struct PowerByte: Equatable, Sendable {
    /// Which byte of the data, from 0.
    public var offset: Int
    /// dBm at 1 m, for a controller that does not tell its power.
    public var fallback: Int8
    /// Whether the format wants the power at 0 m, as Eddystone does.
    public var atZeroMetres: Bool

    /// Makes one.
    public init(offset: Int, fallback: Int8, atZeroMetres: Bool = false) {
        self.offset = offset
        self.fallback = fallback
        self.atZeroMetres = atZeroMetres
    }

    /// What a sender of 0 dBm is received with at 1 m, dBm: what most beacons are calibrated to.
    static let atOneMetre = -59
    /// What is lost on the first metre, dB: Eddystone's own figure between its power and that of an iBeacon.
    static let firstMetre = 41
    /// What a power at 1 m may be, dBm; beyond it is an adapter that tells nonsense.
    static let bounds = -100...(-20)

    /// The value for a power in dBm that the controller tells, nil for none told.
    public func value(at txPower: Int8?) -> Int8 {
        let told = txPower.map { Self.atOneMetre + Int($0) } ?? Int(fallback)
        let atOneMetre = min(max(told, Self.bounds.lowerBound), Self.bounds.upperBound)
        return Int8(clamping: atOneMetre + (atZeroMetres ? Self.firstMetre : 0))
    }
}
