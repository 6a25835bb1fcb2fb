internal import JSON

/// What a trial found.
struct ThroughputResult {
    struct Variant {
        /// nil for decoding alone.
        var regions: Int?
        /// CPU time an advert.
        var nanoseconds: Double
        /// Allocations an advert; nil where they were not counted.
        var allocations: Double?
        /// Bytes of payload of one round.
        var payload: Int
        /// What strangers cost; nil where none were sent.
        var flood: Flood.Result?
    }

    var adverts: Int
    var sightings: Int
    var isMadeUp: Bool
    var rounds: Int
    var variants: [Variant]
    /// How many beacons there are.
    var beacons: Int
    /// The most memory that an agent with those and `MemoryTrial.regions` took, in bytes; nil where it was not measured.
    var peakMemory: Int?

    /// The slowest number of regions by the fastest; nil where only decoding was measured.
    var ratio: Double? {
        let times = variants.filter { $0.regions != nil }.map(\.nanoseconds)
        guard let least = times.min(), let most = times.max(), least > 0 else { return nil }
        return most / least
    }

    var table: String {
        var text = "\(adverts) adverts, \(sightings) of beacons"
        text += isMadeUp ? ", made up" : ""
        text += "; median of \(rounds), CPU time\n\n"
        text +=
            padding("", 24) + right("ns/advert", 10) + right("million/s", 11) + right("allocations", 13) + "\n"
        for variant in variants {
            let name = variant.regions.map { "windows, \($0) regions" } ?? "decoding alone"
            let rate = variant.nanoseconds > 0 ? 1_000 / variant.nanoseconds : 0
            text +=
                name + padding(name, 24) + right(decimal(variant.nanoseconds, 1), 10) + right(decimal(rate, 2), 11)
            text += right(variant.allocations.map { decimal($0, 4) } ?? "-", 13) + "\n"
        }
        if let ratio { text += "\nslowest by fastest number of regions: \(decimal(ratio, 2))\n" }
        for variant in variants {
            guard let flood = variant.flood, let regions = variant.regions else { continue }
            text += "\(flood.strangers) strangers in a minute, \(regions) regions: "
            text += "\(decimal(flood.nanoseconds, 1)) ns each"
            if let allocations = flood.allocations { text += ", \(decimal(allocations, 4)) allocations" }
            if let (before, after) = flood.memory {
                text += ", memory \(megabytes(before)) before and \(megabytes(after)) after"
            }
            text += "\n"
        }
        if let peakMemory {
            text += "peak memory of one agent with \(beacons) beacons and \(MemoryTrial.regions) regions: "
            text += "\(megabytes(peakMemory))\n"
        }
        return text
    }

    var json: String {
        var writer = JSONWriter()
        writer.object { json in
            json.key("adverts")
            json.integer(adverts)
            json.key("sightings")
            json.integer(sightings)
            json.key("rounds")
            json.integer(rounds)
            json.key("variants")
            json.array { json in
                for variant in variants { write(variant, &json) }
            }
            json.key("ratio")
            if let ratio { json.number(ratio, decimals: 3) } else { json.null() }
            if let peakMemory {
                json.key("peak_memory")
                json.integer(peakMemory)
            }
        }
        writer.newline()
        return writer.text
    }

    private func write(_ variant: Variant, _ json: inout JSONWriter) {
        json.object { json in
            json.key("regions")
            if let regions = variant.regions { json.integer(regions) } else { json.null() }
            json.key("ns")
            json.number(variant.nanoseconds, decimals: 1)
            json.key("allocations")
            if let allocations = variant.allocations { json.number(allocations, decimals: 4) } else { json.null() }
            json.key("payload_bytes")
            json.integer(variant.payload)
            guard let flood = variant.flood else { return }
            json.key("strangers")
            json.object { json in
                json.key("count")
                json.integer(flood.strangers)
                json.key("ns")
                json.number(flood.nanoseconds, decimals: 1)
                json.key("allocations")
                if let allocations = flood.allocations {
                    json.number(allocations, decimals: 4)
                } else {
                    json.null()
                }
                guard let (before, after) = flood.memory else { return }
                json.key("memory_before")
                json.integer(before)
                json.key("memory_after")
                json.integer(after)
            }
        }
    }

    private func megabytes(_ bytes: Int) -> String { decimal(Double(bytes) / 1e6, 1) + " MB" }
}
