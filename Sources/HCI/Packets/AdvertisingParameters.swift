/// How a controller advertises: LE Set Advertising Parameters (Core Spec Vol 4 Part E 7.8.5).
public struct AdvertisingParameters: Equatable, Sendable {
    /// What those who hear it may do.
    public enum Kind: UInt8, Sendable {
        /// ADV_IND: connect or ask for more.
        case connectable = 0
        /// ADV_DIRECT_IND at high duty: one of them may connect.
        case directedHighDuty = 1
        /// ADV_SCAN_IND: ask for more.
        case scannable = 2
        /// ADV_NONCONN_IND: nothing; what a beacon is.
        case nonConnectable = 3
        /// ADV_DIRECT_IND at low duty.
        case directedLowDuty = 4
    }

    /// Shortest time between advertising events in 0.625 ms; 0x20…0x4000, before Bluetooth 5.0 at least 0xA0 for
    /// `scannable` and `nonConnectable`.
    public var shortestInterval: UInt16
    /// Longest time between advertising events in 0.625 ms, not below `shortestInterval`.
    public var longestInterval: UInt16
    /// What those who hear it may do.
    public var kind: Kind
    /// 0 public, 1 random, 2 and 3 resolvable.
    public var ownAddressType: UInt8
    /// Bits for the channels 37, 38 and 39.
    public var channels: UInt8
    /// Whom it answers: 0 is everybody.
    public var filterPolicy: UInt8

    /// Parameters for one interval on all three channels.
    public init(kind: Kind, interval: UInt16, ownAddressType: UInt8) {
        shortestInterval = interval
        longestInterval = interval
        self.kind = kind
        self.ownAddressType = ownAddressType
        channels = 7
        filterPolicy = 0
    }

    /// Reads a command's parameters; nil if they are not fifteen bytes or the kind is not known.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 15, let kind = Kind(rawValue: bytes[4]) else { return nil }
        shortestInterval = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        longestInterval = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
        self.kind = kind
        ownAddressType = bytes[5]
        // Bytes 6 to 12 are the peer of directed advertising, which nobody here does.
        channels = bytes[13]
        filterPolicy = bytes[14]
    }

    /// The command that sets them.
    public var command: Command {
        let peer = [UInt8](repeating: 0, count: 7)
        return Command(
            .setAdvertisingParameters,
            littleEndian(UInt64(shortestInterval), bytes: 2) + littleEndian(UInt64(longestInterval), bytes: 2)
                + [kind.rawValue, ownAddressType] + peer + [channels, filterPolicy])
    }
}
