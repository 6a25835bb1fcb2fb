/// How a controller listens: LE Set Scan Parameters (Core Spec Vol 4 Part E 7.8.10).
public struct ScanParameters: Equatable, Sendable {
    /// Whether it asks those it hears for their scan response.
    public var active: Bool
    /// From the start of one window to the next, in 0.625 ms; 4…0x4000.
    public var interval: UInt16
    /// How long it listens, in 0.625 ms; 4…0x4000, at most `interval`.
    public var window: UInt16
    /// The address in its scan requests: 0 public, 1 random, 2 and 3 resolvable.
    public var ownAddressType: UInt8
    /// Whom it hears: 0 is everybody.
    public var filterPolicy: UInt8

    /// Parameters that hear everybody.
    public init(active: Bool, interval: UInt16, window: UInt16, ownAddressType: UInt8 = 0, filterPolicy: UInt8 = 0)
    {
        self.active = active
        self.interval = interval
        self.window = window
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
    }

    /// Reads a command's parameters; nil if they are not seven bytes or the scan type is neither 0 nor 1.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 7, bytes[0] <= 1 else { return nil }
        active = bytes[0] == 1
        interval = UInt16(bytes[1]) | UInt16(bytes[2]) << 8
        window = UInt16(bytes[3]) | UInt16(bytes[4]) << 8
        ownAddressType = bytes[5]
        filterPolicy = bytes[6]
    }

    /// The command that sets them.
    public var command: Command {
        Command(
            .setScanParameters,
            [active ? 1 : 0] + littleEndian(UInt64(interval), bytes: 2) + littleEndian(UInt64(window), bytes: 2)
                + [ownAddressType, filterPolicy])
    }
}
