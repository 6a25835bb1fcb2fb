/// Data of an advertising set: LE Set Extended Advertising Data, or Scan Response Data (Core Spec Vol 4 Part E 7.8.54,
/// 7.8.55), which are laid out alike.
public struct ExtendedAdvertisingData: Equatable, Sendable {
    /// Which part of the data a command carries.
    public enum Operation: UInt8, Sendable {
        /// A piece in the middle.
        case intermediate = 0
        /// The first piece.
        case first = 1
        /// The last piece.
        case last = 2
        /// All of it; what is on air is replaced in one.
        case complete = 3
        /// None: the data is as before, and the controller gives it a new number.
        case unchanged = 4
    }

    /// Which set.
    public var handle: UInt8
    /// Which part this is.
    public var operation: Operation
    /// Whether the controller may send it in pieces.
    public var mayFragment: Bool
    /// The data, at most 251 bytes in one command; 31 where the set uses PDUs of Bluetooth 4.
    public let data: [UInt8]

    /// How many bytes one command carries.
    public static let limit = 251

    /// All of a set's data; more than 251 bytes are a mistake of the caller.
    public init(handle: UInt8, operation: Operation = .complete, mayFragment: Bool = false, _ data: [UInt8]) {
        precondition(data.count <= Self.limit, "one command carries 251 bytes of advertising data")
        self.handle = handle
        self.operation = operation
        self.mayFragment = mayFragment
        self.data = data
    }

    /// Reads a command's parameters; nil unless the length in them tells the truth and the operation is known.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes.count == 4 + Int(bytes[3]), bytes[3] <= Self.limit,
            let operation = Operation(rawValue: bytes[1])
        else { return nil }
        handle = bytes[0]
        self.operation = operation
        // 1: the controller should not fragment.
        mayFragment = bytes[2] == 0
        data = Array(bytes[4...])
    }

    /// The command that sets what is advertised.
    public var command: Command { Command(.setExtendedAdvertisingData, parameters) }
    /// The command that sets what a scan request is answered with.
    public var responseCommand: Command { Command(.setExtendedScanResponseData, parameters) }

    private var parameters: [UInt8] {
        [handle, operation.rawValue, mayFragment ? 0 : 1, UInt8(data.count)] + data
    }
}

/// Advertising sets on or off: LE Set Extended Advertising Enable (Core Spec Vol 4 Part E 7.8.56).
public struct ExtendedAdvertisingEnable: Equatable, Sendable {
    /// One of the sets.
    public struct AdvertisingSet: Equatable, Sendable {
        /// Which set.
        public var handle: UInt8
        /// How long, in 10 ms; 0 until it is switched off.
        public var duration: UInt16
        /// How many advertising events; 0 without end.
        public var events: UInt8

        /// A set that is to go on until it is switched off.
        public init(_ handle: UInt8, duration: UInt16 = 0, events: UInt8 = 0) {
            self.handle = handle
            self.duration = duration
            self.events = events
        }
    }

    /// On or off.
    public var enabled: Bool
    /// Which sets; none means all, and only for off.
    public let sets: [AdvertisingSet]

    /// Switches sets, at most 63.
    public init(_ enabled: Bool, _ sets: [AdvertisingSet]) {
        precondition(sets.count <= 63, "one command switches at most 63 advertising sets")
        self.enabled = enabled
        self.sets = sets
    }

    /// Reads a command's parameters; nil unless they are as long as their number of sets says, with a switch of 0 or 1.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2, bytes[0] <= 1, bytes[1] <= 63, bytes.count == 2 + 4 * Int(bytes[1]) else {
            return nil
        }
        enabled = bytes[0] == 1
        var sets: [AdvertisingSet] = []
        for at in stride(from: 2, to: bytes.count, by: 4) {
            let duration = UInt16(bytes[at + 1]) | UInt16(bytes[at + 2]) << 8
            sets.append(AdvertisingSet(bytes[at], duration: duration, events: bytes[at + 3]))
        }
        self.sets = sets
    }

    /// The command that switches them.
    public var command: Command {
        var parameters: [UInt8] = [enabled ? 1 : 0, UInt8(sets.count)]
        for set in sets {
            parameters += [set.handle] + littleEndian(UInt64(set.duration), bytes: 2) + [set.events]
        }
        return Command(.setExtendedAdvertisingEnable, parameters)
    }
}

/// The random address of one set: LE Set Advertising Set Random Address (Core Spec Vol 4 Part E 7.8.52).
///
/// It may change while the set is on air, unless the set is connectable.
public struct AdvertisingSetAddress: Equatable, Sendable {
    /// Which set.
    public var handle: UInt8
    /// Its address.
    public var address: DeviceAddress

    /// Makes one.
    public init(handle: UInt8, address: DeviceAddress) {
        self.handle = handle
        self.address = address
    }

    /// Reads a command's parameters; nil if they are not seven bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 7 else { return nil }
        handle = bytes[0]
        address = DeviceAddress(bytes[1...].reversed().reduce(0) { $0 << 8 | UInt64($1) }, .random)
    }

    /// The command that sets it.
    public var command: Command {
        Command(.setAdvertisingSetAddress, [handle] + littleEndian(address.value, bytes: 6))
    }
}
