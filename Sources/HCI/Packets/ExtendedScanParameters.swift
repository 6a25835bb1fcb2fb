/// How a controller listens on one PHY or two: LE Set Extended Scan Parameters (Core Spec Vol 4 Part E 7.8.64).
public struct ExtendedScanParameters: Equatable, Sendable {
    /// How it listens on one PHY.
    public struct Listening: Equatable, Sendable {
        /// Whether it asks those it hears for their scan response.
        public var active: Bool
        /// From the start of one window to the next, in 0.625 ms; 4…0xFFFF.
        public var interval: UInt16
        /// How long it listens, in 0.625 ms; 4…0xFFFF, at most `interval`.
        public var window: UInt16

        /// Makes a way of listening.
        public init(active: Bool, interval: UInt16, window: UInt16) {
            self.active = active
            self.interval = interval
            self.window = window
        }
    }

    /// The address in its scan requests: 0 public, 1 random, 2 and 3 resolvable.
    public var ownAddressType: UInt8
    /// Whom it hears: 0 is everybody.
    public var filterPolicy: UInt8
    /// On the PHY that everybody has; nil for not at all.
    public var le1M: Listening?
    /// On the PHY for long range; nil for not at all.
    public var leCoded: Listening?

    /// Parameters that hear everybody; at least one PHY is to be given.
    public init(le1M: Listening?, leCoded: Listening? = nil, ownAddressType: UInt8 = 0, filterPolicy: UInt8 = 0) {
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
        self.le1M = le1M
        self.leCoded = leCoded
    }

    // Scanning_PHYs: there is no scanning on 2M, bit 1.
    private static let bit1M: UInt8 = 0x01
    private static let bitCoded: UInt8 = 0x04

    /// Reads a command's parameters; nil unless they are as long as their PHYs say, which are 1M, coded or both, and
    /// the scan types are 0 or 1.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 3 else { return nil }
        let phys = bytes[2]
        guard phys != 0, phys & ~(Self.bit1M | Self.bitCoded) == 0, bytes.count == 3 + 5 * phys.nonzeroBitCount
        else { return nil }
        var listening: [Listening] = []
        for at in stride(from: 3, to: bytes.count, by: 5) {
            guard bytes[at] <= 1 else { return nil }
            listening.append(
                Listening(
                    active: bytes[at] == 1, interval: UInt16(bytes[at + 1]) | UInt16(bytes[at + 2]) << 8,
                    window: UInt16(bytes[at + 3]) | UInt16(bytes[at + 4]) << 8))
        }
        ownAddressType = bytes[0]
        filterPolicy = bytes[1]
        le1M = phys & Self.bit1M != 0 ? listening.first : nil
        leCoded = phys & Self.bitCoded != 0 ? listening.last : nil
    }

    /// The command that sets them.
    public var command: Command {
        let phys = (le1M == nil ? 0 : Self.bit1M) | (leCoded == nil ? 0 : Self.bitCoded)
        var parameters: [UInt8] = [ownAddressType, filterPolicy, phys]
        for listening in [le1M, leCoded].compactMap({ $0 }) {
            parameters.append(listening.active ? 1 : 0)
            parameters += littleEndian(UInt64(listening.interval), bytes: 2)
            parameters += littleEndian(UInt64(listening.window), bytes: 2)
        }
        return Command(.setExtendedScanParameters, parameters)
    }
}

/// Scanning on or off: LE Set Extended Scan Enable (Core Spec Vol 4 Part E 7.8.65).
public struct ExtendedScanEnable: Equatable, Sendable {
    /// On or off.
    public var enabled: Bool
    /// 0 reports every advert, 1 each device once, 2 each device once in a period.
    public var duplicateFilter: UInt8
    /// How long it scans, in 10 ms; 0 until it is switched off.
    public var duration: UInt16
    /// From one such time to the next, in 1.28 s; 0 for only one.
    public var period: UInt16

    /// On until it is switched off, or off.
    public init(_ enabled: Bool, duplicateFilter: UInt8 = 0, duration: UInt16 = 0, period: UInt16 = 0) {
        self.enabled = enabled
        self.duplicateFilter = duplicateFilter
        self.duration = duration
        self.period = period
    }

    /// Reads a command's parameters; nil unless they are six bytes with a switch of 0 or 1 and a filter up to 2.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 6, bytes[0] <= 1, bytes[1] <= 2 else { return nil }
        enabled = bytes[0] == 1
        duplicateFilter = bytes[1]
        duration = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
        period = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
    }

    /// The command that switches.
    public var command: Command {
        Command(
            .setExtendedScanEnable,
            [enabled ? 1 : 0, duplicateFilter] + littleEndian(UInt64(duration), bytes: 2)
                + littleEndian(UInt64(period), bytes: 2))
    }
}
