internal import Beacon
internal import HCI
internal import JSON
internal import System

/// The measurement: every variant in turn, round after round, so that a machine that changes its speed is fair to all.
struct ThroughputTrial {
    /// A file, read anew for each pass, or bytes of our own making.
    enum Capture {
        case file(String)
        case synthetic([UInt8])
    }

    var capture: Capture
    var regions: [Int]
    var beacons: Int
    var rounds: Int

    /// One variant, and what it took in each round.
    private struct Variant {
        var regions: Int?
        var passage: Passage
        var nanoseconds: [Double] = []
        var allocations: [Double] = []
    }

    /// Bytes that the capture takes in memory.
    private var captureBytes: Int { if case .synthetic(let bytes) = capture { bytes.count } else { 0 } }

    func run() throws -> ThroughputResult {
        let isSynthetic = if case .synthetic = capture { true } else { false }
        let known = try isSynthetic ? [] : identities()
        var variants = [Variant(regions: nil, passage: Passage())]
        for count in regions {
            let prefixes = isSynthetic ? SyntheticCapture.prefixes(count) : fill(known, count)
            let passage = try Passage(
                regions: prefixes, beacons: beacons, watchesEverything: !isSynthetic || count == 0)
            variants.append(Variant(regions: count, passage: passage))
        }
        var yields: [Passage.Yield] = []
        for variant in variants { yields.append(try variant.passage.pass(over: try open())) }
        for _ in 0..<rounds {
            for index in variants.indices {
                let allocations = ProcessFigures.allocations
                let before = ProcessFigures.processorTime
                let yield = try variants[index].passage.pass(over: try open())
                let time = ProcessFigures.processorTime - before
                yields[index] = yield
                let adverts = Double(max(1, yield.adverts))
                variants[index].nanoseconds.append(Double(time) / adverts)
                guard let allocations, let after = ProcessFigures.allocations else { continue }
                variants[index].allocations.append(Double(after - allocations) / adverts)
            }
        }
        return ThroughputResult(
            adverts: yields[0].adverts, sightings: yields[0].sightings, captureBytes: captureBytes,
            rounds: rounds,
            variants: zip(variants, yields).map { variant, yield in
                ThroughputResult.Variant(
                    regions: variant.regions, nanoseconds: median(variant.nanoseconds) ?? 0,
                    allocations: median(variant.allocations), payload: yield.payload)
            },
            peakMemory: ProcessFigures.peakMemory)
    }

    /// A reader from the start of the capture.
    private func open() throws(SystemError) -> CaptureReader {
        switch capture {
        case .file(let path): return try CaptureReader(path: path)
        case .synthetic(let bytes):
            // As a file that lies in memory.
            var done = 0
            return CaptureReader { room in
                let n = min(room.count, bytes.count - done)
                bytes.withUnsafeBytes {
                    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[done..<done + n]))
                }
                done += n
                return n
            }
        }
    }

    /// The capture's identities that regions can be made of, in the order in which they are first heard.
    private func identities() throws -> [BeaconIdentity] {
        var seen: Set<BeaconIdentity> = []
        var found: [BeaconIdentity] = []
        var capture = try open()
        var reports = AdvertisingReportReader()
        let look: (AdvertisingReport, UnsafeRawBufferPointer) -> Void = { _, data in
            _ = AdvertisingData.decode(data) { frame in
                guard let identity = frame.identity, identity.uuid != nil, seen.insert(identity).inserted else {
                    return
                }
                found.append(identity)
            }
        }
        while let item = try capture.next() {
            switch item.content {
            case .hciEvent(let bytes): bytes.withUnsafeBytes { _ = reports.read(event: $0, look) }
            case .linkLayerAdvert(let report, let data): data.withUnsafeBytes { look(report, $0) }
            default: break
            }
        }
        return found
    }

    /// So many regions, of a capture's beacons first and of nobody's after those.
    private func fill(_ known: [BeaconIdentity], _ count: Int) -> [BeaconIdentity] {
        Array(known.prefix(count)) + SyntheticCapture.prefixes(max(0, count - known.count))
    }

    private func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}

/// What a trial found.
struct ThroughputResult {
    struct Variant {
        /// nil for decoding alone.
        var regions: Int?
        /// CPU time an advert.
        var nanoseconds: Double
        /// Allocations an advert; nil where they were not counted.
        var allocations: Double?
        /// Bytes of payload of one pass.
        var payload: Int
    }

    var adverts: Int
    var sightings: Int
    /// Bytes of a made-up capture, which lies in memory; 0 with a file.
    var captureBytes: Int
    var rounds: Int
    var variants: [Variant]
    var peakMemory: Int?

    /// The slowest number of regions by the fastest.
    var ratio: Double {
        let times = variants.filter { $0.regions != nil }.map(\.nanoseconds)
        guard let least = times.min(), let most = times.max(), least > 0 else { return 1 }
        return most / least
    }

    var table: String {
        var text = "\(adverts) adverts, \(sightings) of beacons"
        text += captureBytes > 0 ? ", made up" : ""
        text += "; median of \(rounds), CPU time\n\n"
        text +=
            padded("", 24) + padded("ns/advert", -10) + padded("million/s", -11) + padded("allocations", -13) + "\n"
        for variant in variants {
            let name = variant.regions.map { "windows, \($0) regions" } ?? "decoding alone"
            let rate = variant.nanoseconds > 0 ? 1_000 / variant.nanoseconds : 0
            text += padded(name, 24) + padded(fixed(variant.nanoseconds, 1), -10) + padded(fixed(rate, 2), -11)
            text += padded(variant.allocations.map { fixed($0, 4) } ?? "-", -13) + "\n"
        }
        text += "\nslowest by fastest number of regions: \(fixed(ratio, 2))\n"
        if let peakMemory {
            text += "peak memory: \(fixed(Double(peakMemory) / 1e6, 1)) MB"
            if captureBytes > 0 { text += ", with \(fixed(Double(captureBytes) / 1e6, 1)) MB of capture" }
            text += "\n"
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
            json.key("capture_bytes")
            json.integer(captureBytes)
            json.key("rounds")
            json.integer(rounds)
            json.key("variants")
            json.array { json in
                for variant in variants { write(variant, &json) }
            }
            json.key("ratio")
            json.number(ratio, decimals: 3)
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
        }
    }

    private func fixed(_ value: Double, _ decimals: Int) -> String {
        var writer = JSONWriter(reserving: 32)
        writer.number(value, decimals: decimals)
        return writer.text
    }

    /// Filled up with spaces: behind the text, or before it where the width is negative.
    private func padded(_ text: String, _ width: Int) -> String {
        let fill = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? fill + text : text + fill
    }
}
