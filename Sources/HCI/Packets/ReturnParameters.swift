/// What commands return after their status, for both ends; nil where there is too little of it.
public enum ReturnParameters {
    /// A power in dBm: LE Read Advertising Physical Channel Tx Power (Core Spec Vol 4 Part E 7.8.6), and the
    /// Selected_TX_Power of LE Set Extended Advertising Parameters (7.8.53).
    public static func power(_ returned: UnsafeRawBufferPointer) -> Int8? {
        returned.first.flatMap { Absent.decibels(Int8(bitPattern: $0)) }
    }
    /// The bytes of a power.
    public static func bytes(power: Int8) -> [UInt8] { [UInt8(bitPattern: power)] }

    /// The longest data of a set, 31…1650: LE Read Maximum Advertising Data Length (7.8.57).
    public static func advertisingDataLimit(_ returned: UnsafeRawBufferPointer) -> UInt16? {
        littleEndian(returned, at: 0, count: 2).map { UInt16($0) }
    }
    /// The bytes of the longest data.
    public static func bytes(advertisingDataLimit: UInt16) -> [UInt8] {
        littleEndian(UInt64(advertisingDataLimit), bytes: 2)
    }

    /// How many sets there may be at this moment: LE Read Number of Supported Advertising Sets (7.8.58).
    public static func advertisingSetCount(_ returned: UnsafeRawBufferPointer) -> UInt8? { returned.first }
    /// The bytes of a number of sets.
    public static func bytes(advertisingSetCount: UInt8) -> [UInt8] { [advertisingSetCount] }

    /// What it can do at once: LE Read Supported States (7.8.27).
    public static func lowEnergyStates(_ returned: UnsafeRawBufferPointer) -> LowEnergyStates? {
        littleEndian(returned, at: 0, count: 8).map(LowEnergyStates.init)
    }
    /// The bytes of what it can do at once.
    public static func bytes(lowEnergyStates: LowEnergyStates) -> [UInt8] {
        littleEndian(lowEnergyStates.rawValue, bytes: 8)
    }
}

/// What a controller can do, alone and at the same time (Core Spec Vol 4 Part E 7.8.27, LE_States).
public struct LowEnergyStates: OptionSet, Hashable, Sendable {
    /// The bits on the wire.
    public let rawValue: UInt64
    /// Takes the bits on the wire.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Non-connectable advertising.
    public static let advertising = LowEnergyStates(rawValue: 1 << 0)
    /// Passive scanning.
    public static let passiveScanning = LowEnergyStates(rawValue: 1 << 4)
    /// Active scanning.
    public static let activeScanning = LowEnergyStates(rawValue: 1 << 5)
    /// Non-connectable advertising with passive scanning.
    public static let advertisingAndPassiveScanning = LowEnergyStates(rawValue: 1 << 8)
    /// Non-connectable advertising with active scanning.
    public static let advertisingAndActiveScanning = LowEnergyStates(rawValue: 1 << 12)
}
