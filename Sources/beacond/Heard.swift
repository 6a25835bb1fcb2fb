internal import Agent
internal import Beacon
internal import HCI
internal import Presence

/// What an advert told.
enum Heard {
    /// A beacon is there.
    case sighting(Sighting)
    /// A beacon says how it does, from this address.
    case telemetry(Telemetry, source: UInt64)
}

/// The strongest signal that a controller can report, in dBm (Core Spec Vol 4 Part E 7.7.65.2); more is none at all.
private let highestRSSI: Int8 = 20

/// What is in an advert, as presence wants it; returns what was malformed in the data.
@inline(__always)
func hear(
    _ report: AdvertisingReport, _ data: UnsafeRawBufferPointer, now: Int64, _ sink: (Heard) -> Void
) -> Malformed {
    // 48 bits of address, and above them its kind.
    let source = report.address.value | UInt64(report.address.kind.rawValue) << 48
    return AdvertisingData.decode(data) { frame in
        if let identity = frame.identity, let power = frame.powerAtOneMetre {
            sink(
                .sighting(
                    Sighting(
                        identity: identity, source: source,
                        rssi: report.rssi.flatMap { highestRSSI >= $0 ? $0 : nil }, measuredPower: power,
                        time: Instant(nanoseconds: now))))
        } else if case .eddystoneTLM(let own) = frame {
            sink(.telemetry(Telemetry(own), source: source))
        }
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
    init(_ heard: Heard) {
        switch heard {
        case .sighting(let sighting): self = .sighted(sighting)
        case .telemetry(let telemetry, let source): self = .telemetry(telemetry, source: source)
        }
    }
}
