public import Beacon
public import Presence

/// What an advert told.
public enum Heard: Sendable {
    /// A beacon is there.
    case sighting(Sighting)
    /// A beacon says how it does, from this address.
    case telemetry(Telemetry, source: UInt64)

    /// Calls `body` with what is in an advert's data, in order, and tells what was malformed.
    ///
    /// `source` tells two senders apart; `rssi` is in dBm, nil where it was not measured. Other frames without a lasting
    /// identity are passed over. Allocates nothing for what keeps to its format.
    public static func each(
        in data: UnsafeRawBufferPointer, source: UInt64, rssi: Int8?, at time: Instant, _ body: (Heard) -> Void
    ) -> Malformed {
        AdvertisingData.decodeIdentities(
            data, telemetry: { body(.telemetry(Telemetry($0), source: source)) },
            { identity, power in
                body(
                    .sighting(
                        Sighting(identity: identity, source: source, rssi: rssi, measuredPower: power, time: time)))
            })
    }
}

extension Telemetry {
    init(_ own: EddystoneTLM) {
        self.init(
            // 0 is the sign for a beacon that has no battery to measure (google/eddystone, eddystone-tlm/tlm-plain.md).
            battery: own.battery == 0 ? nil : own.battery, temperatureSteps: own.temperatureSteps,
            adverts: own.adverts, uptimeDeciseconds: own.uptimeDeciseconds)
    }
}

extension Event {
    /// What was heard, as an event.
    public init(_ heard: Heard) {
        switch heard {
        case .sighting(let sighting): self = .sighted(sighting)
        case .telemetry(let telemetry, let source): self = .telemetry(telemetry, source: source)
        }
    }
}
