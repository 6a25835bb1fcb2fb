internal import Agent
internal import Beacon
internal import HCI
internal import JSON
internal import Presence

/// A beacon at an address, as `beacond scan` shows it.
struct ScanRow {
    var identity: BeaconIdentity
    var address: DeviceAddress
    var phy = RadioPHY.le1M
    /// Filtered signal strength in dBm when it was last heard; nil where the controller tells none.
    var rssi: Double?
    /// The power at one metre in dBm that the distance goes by.
    var measuredPower = -59
    var distance = DistanceEstimate.unknown
    /// Adverts per second, lately.
    var rate = 0.0
    /// The interval that it sends at, as far as it was learned.
    var interval: Span?
    /// Adverts in all.
    var adverts: UInt64 = 1
    /// How long it has not been heard.
    var silence = Span.zero
    /// What it says of itself.
    var telemetry: Telemetry?

    /// Silent for so long a beacon is shown as gone.
    static let goneAfter = Span.seconds(10)

    var isGone: Bool { silence >= Self.goneAfter }

    /// Which beacon it is without its format, fit for a terminal.
    var name: String {
        let words = identity.description.split(separator: " ", maxSplits: 1)
        return words.count > 1 ? escaped(String(words[1])) : ""
    }

    /// The same with a UUID or namespace cut to its first eight digits.
    var shortName: String {
        let words = name.split(separator: " ")
        guard let first = words.first, identity.url == nil, first.count > 8 else { return name }
        return (["\(first.prefix(8))…"] + words.dropFirst().map(String.init)).joined(separator: " ")
    }

    /// Whether a text is part of what it is called, whatever the case.
    func matches(_ filter: String) -> Bool {
        filter.isEmpty || "\(identity.format.name) \(name) \(address)".lowercased().contains(filter.lowercased())
    }

    /// One line of JSON: what `beacond scan --json` prints. `time` is in nanoseconds since 1970.
    func write(adverts: UInt64, time: Int64, to json: inout JSONWriter) {
        json.object { json in
            json.key("time")
            json.string(Timestamp.text(time))
            json.identity(identity)
            json.key("address")
            json.string(address.description)
            json.key("phy")
            json.string(phy.description)
            json.key("adverts")
            json.integer(adverts)
            json.key("rssi")
            if let rssi { json.number(rssi, decimals: 1) } else { json.null() }
            json.key("measured_power")
            json.integer(measuredPower)
            json.key("distance")
            json.number(distance.accuracy, decimals: 2)
            if let range = distance.range {
                json.key("range")
                json.array { json in
                    json.number(range.lowerBound, decimals: 2)
                    json.number(range.upperBound, decimals: 2)
                }
            }
            json.key("rate")
            json.number(rate, decimals: 1)
            if let interval {
                json.key("interval_ms")
                json.integer(interval.milliseconds)
            }
            if let battery = telemetry?.battery {
                json.key("battery_mv")
                json.integer(battery)
            }
            if let temperature {
                json.key("temperature")
                json.number(temperature, decimals: 2)
            }
        }
        json.newline()
    }

    /// In °C; 256 steps to a degree.
    var temperature: Double? { telemetry?.temperatureSteps.map { Double($0) / 256 } }
}

/// In which order beacons are shown.
struct ScanOrder: Equatable, Sendable {
    enum Key: String, CaseIterable, Sendable {
        case rssi, distance, rate, last, format, name

        /// The key on a keyboard.
        var letter: Character {
            switch self {
            case .rssi: "r"
            case .distance: "d"
            case .rate: "a"
            case .last: "l"
            case .format: "f"
            case .name: "n"
            }
        }
    }

    var key = Key.rssi
    /// The other way round than usual: strongest, nearest, most frequent, latest first, and names from a on.
    var isReversed = false

    func sorted(_ rows: [ScanRow]) -> [ScanRow] {
        rows.map { (value: value($0), name: key == .name ? $0.name : "", row: $0) }.sorted { left, right in
            if left.value != right.value { return (left.value < right.value) != isReversed }
            if left.name != right.name { return (left.name < right.name) != isReversed }
            // Always the same order of equals.
            return (left.row.identity, left.row.address.bits) < (right.row.identity, right.row.address.bits)
        }.map(\.row)
    }

    /// What is sorted by, the least first; in steps in which it is shown, so that lines do not swap for nothing.
    private func value(_ row: ScanRow) -> Double {
        switch key {
        case .rssi: -(row.rssi ?? -128).rounded()
        case .distance: row.distance.accuracy < 0 ? .infinity : (row.distance.accuracy * 10).rounded()
        case .rate: -(row.rate * 10).rounded()
        case .last: Double(row.silence.milliseconds / 1000)
        case .format: Double(row.identity.format.rawValue)
        case .name: 0
        }
    }
}
