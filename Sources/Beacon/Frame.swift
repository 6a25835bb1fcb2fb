/// What a beacon says in one structure of its advert.
public enum Frame: Hashable, Sendable {
    case ibeacon(IBeacon)
    case altbeacon(AltBeacon)
    case eddystoneUID(EddystoneUID)
    case eddystoneURL(EddystoneURL)
    case eddystoneTLM(EddystoneTLM)
    case eddystoneEncryptedTLM(EddystoneEncryptedTLM)
    case eddystoneEID(EddystoneEID)

    /// Which beacon it is, or nil of a frame that does not say so in a way that lasts.
    @inline(__always)
    public var identity: BeaconIdentity? {
        switch self {
        case .ibeacon(let beacon): beacon.identity
        case .altbeacon(let beacon): beacon.identity
        case .eddystoneUID(let beacon): beacon.identity
        case .eddystoneURL(let beacon): beacon.identity
        case .eddystoneTLM, .eddystoneEncryptedTLM, .eddystoneEID: nil
        }
    }

    /// The power in dBm as it came, which is measured where the format says so; nil of a frame that has none.
    @inline(__always)
    public var power: Int8? {
        switch self {
        case .ibeacon(let beacon): beacon.power
        case .altbeacon(let beacon): beacon.power
        case .eddystoneUID(let beacon): beacon.power
        case .eddystoneURL(let beacon): beacon.power
        case .eddystoneEID(let beacon): beacon.power
        case .eddystoneTLM, .eddystoneEncryptedTLM: nil
        }
    }

    /// The power at one metre in dBm, plausible or not; an Eddystone beacon's is 41 dB below what it sends.
    @inline(__always)
    public var powerAtOneMetre: Int? {
        power.map { isEddystone ? Int($0) - Eddystone.lossOverOneMetre : Int($0) }
    }

    /// The structure of the advert that holds the frame.
    public var structure: [UInt8] {
        switch self {
        case .ibeacon(let beacon): beacon.structure
        case .altbeacon(let beacon): beacon.structure
        case .eddystoneUID(let beacon): beacon.structure
        case .eddystoneURL(let beacon): beacon.structure
        case .eddystoneTLM(let telemetry): telemetry.structure
        case .eddystoneEncryptedTLM(let telemetry): telemetry.structure
        case .eddystoneEID(let beacon): beacon.structure
        }
    }

    /// A whole advert with only this frame.
    public func advertisingData() -> [UInt8] { AdvertisingData.encode([self]) }

    /// Whether the frame belongs to the Eddystone service.
    @inline(__always)
    var isEddystone: Bool {
        switch self {
        case .ibeacon, .altbeacon: false
        case .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneEncryptedTLM, .eddystoneEID: true
        }
    }
}
