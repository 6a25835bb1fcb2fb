/// How a beacon does, by its own account: Eddystone TLM, which belongs to the beacon of the same address.
public struct Telemetry: Equatable, Sendable {
    /// The battery's voltage in millivolts; nil if it has none to measure.
    public var battery: UInt16?
    /// The temperature in 1/256 °C; nil if it is not measured.
    public var temperatureSteps: Int16?
    /// How many adverts the beacon has sent since it was switched on.
    public var adverts: UInt32
    /// For how long it has been on, in tenths of a second.
    public var uptimeDeciseconds: UInt32

    /// Makes an account.
    public init(battery: UInt16?, temperatureSteps: Int16?, adverts: UInt32, uptimeDeciseconds: UInt32) {
        self.battery = battery
        self.temperatureSteps = temperatureSteps
        self.adverts = adverts
        self.uptimeDeciseconds = uptimeDeciseconds
    }
}
