/// Eddystone TLM: how the beacon does. Source: google/eddystone, eddystone-tlm/tlm-plain.md
public struct EddystoneTLM: Hashable, Sendable {
    /// The battery's voltage in millivolts; 0 if the beacon has none to measure.
    public let battery: UInt16

    /// The temperature in 1/256 °C, or nil if the beacon does not measure it.
    public let temperatureSteps: Int16?

    /// How many adverts the beacon has sent since it was switched on.
    public let adverts: UInt32

    /// For how long the beacon has been on, in tenths of a second.
    public let uptimeDeciseconds: UInt32

    /// The telemetry of these values; a temperature of −128 °C, which is the sign for none, becomes none.
    public init(battery: UInt16, temperatureSteps: Int16?, adverts: UInt32, uptimeDeciseconds: UInt32) {
        self.battery = battery
        self.temperatureSteps = temperatureSteps == Self.noTemperature ? nil : temperatureSteps
        self.adverts = adverts
        self.uptimeDeciseconds = uptimeDeciseconds
    }

    /// Kind 1, version 1, battery 2, temperature 2, adverts 4, uptime 4.
    init?(_ data: UnsafeRawBufferPointer) {
        guard data.count >= Self.length, data[1] == Self.version else { return nil }
        self.init(
            battery: data.bigEndian(at: 2), temperatureSteps: data.bigEndian(at: 4),
            adverts: data.bigEndian(at: 6), uptimeDeciseconds: data.bigEndian(at: 10))
    }

    /// The temperature in °C, or nil if the beacon does not measure it.
    public var temperature: Double? { temperatureSteps.map { Double($0) / 256 } }

    /// The structure of service data.
    public var structure: [UInt8] {
        var data = [Self.kind, Self.version]
        data.append(bigEndian: battery)
        data.append(bigEndian: temperatureSteps ?? Self.noTemperature)
        data.append(bigEndian: adverts)
        data.append(bigEndian: uptimeDeciseconds)
        return Eddystone.structure(data)
    }

    /// The whole advert, 25 bytes: flags, the service and the structure.
    public func advertisingData() -> [UInt8] { AdvertisingData.encode([.eddystoneTLM(self)]) }

    static let kind: UInt8 = 0x20
    static let version: UInt8 = 0x00
    private static let length = 14

    /// 0x8000, −128 °C.
    private static let noTemperature = Int16.min
}
