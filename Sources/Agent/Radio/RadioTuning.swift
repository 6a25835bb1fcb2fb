/// What the radio is to do.
public struct RadioTuning: Equatable, Sendable {
    /// How an adapter of the kernel's is taken.
    public enum Access: String, Sendable, CaseIterable {
        /// Exclusively where that is possible, else shared.
        case auto
        /// For us alone: the kernel and other programs are kept out.
        case exclusive
        /// Beside the kernel and other programs.
        case shared
    }

    /// Which adapter, as configured: `auto`, an address, `hciN`, or a byte stream.
    public var adapter: String
    /// How it is taken.
    public var access: Access
    /// Whether adverts on the coded PHY are listened to as well; they and those on 1M then get half a window each.
    public var coded: Bool
    /// The time between two scan windows' starts.
    public var scanInterval: Duration
    /// How long each of them is.
    public var scanWindow: Duration
    /// Whether scan responses are asked for.
    public var activeScan: Bool
    /// What is to be on air; nil is silence.
    public var advertising: Advertising?

    /// Makes a tuning.
    public init(
        adapter: String, access: Access = .auto, coded: Bool = false, scanInterval: Duration, scanWindow: Duration,
        activeScan: Bool = false, advertising: Advertising? = nil
    ) {
        self.adapter = adapter
        self.access = access
        self.coded = coded
        self.scanInterval = scanInterval
        self.scanWindow = scanWindow
        self.activeScan = activeScan
        self.advertising = advertising
    }
}

extension RadioTuning {
    /// What is to be on air.
    public struct Advertising: Equatable, Sendable {
        /// Which adapter, as configured; nil is the one that listens.
        public var adapter: String?
        /// Advertising data, 31 bytes at most.
        public var data: [UInt8]
        /// The byte of the data that the adapter's own power is put into; nil where the data is sent as it is.
        public var powerByte: PowerByte?
        /// The time between two adverts.
        public var interval: Duration
        /// Whether a random static address is used in place of the controller's public one.
        public var randomAddress: Bool
        /// The power to send with, in dBm; nil is the controller's choice.
        public var txPower: Int8?
        /// How often the random address becomes another one; nil is never.
        public var rotation: Duration?

        /// Makes what is to be on air.
        public init(
            adapter: String? = nil, data: [UInt8], powerByte: PowerByte? = nil, interval: Duration,
            randomAddress: Bool = true, txPower: Int8? = nil, rotation: Duration? = nil
        ) {
            self.adapter = adapter
            self.data = data
            self.powerByte = powerByte
            self.interval = interval
            self.randomAddress = randomAddress
            self.txPower = txPower
            self.rotation = rotation
        }
    }

    /// Where advertising data says how strong it is, for whoever learns the adapter's power.
    public struct PowerByte: Equatable, Sendable {
        /// Its place in the data.
        public var offset: Int
        /// The power at one metre in dBm that is assumed when the adapter does not tell its own.
        public var fallback: Int8
        /// Whether the format wants the power at no distance, 41 dB more than at one metre (Eddystone).
        public var atZeroMetres: Bool

        /// Makes a place.
        public init(offset: Int, fallback: Int8, atZeroMetres: Bool) {
            self.offset = offset
            self.fallback = fallback
            self.atZeroMetres = atZeroMetres
        }
    }
}
