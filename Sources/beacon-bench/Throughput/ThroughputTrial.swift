internal import Beacon
internal import HCI
internal import System

/// The measurement: every variant in turn, round after round, so that a machine that changes its speed is fair to all.
struct ThroughputTrial {
    enum Capture {
        /// A file, read anew for each pass.
        case file(String)
        /// A file of our own making.
        case madeUp(String)
        /// Bytes of our own making.
        case synthetic([UInt8])
    }

    var capture: Capture
    var regions: [Int]
    var beacons: Int
    var rounds: Int
    /// Whether strangers are sent through each agent as well.
    var hasFlood = false
    /// What one agent takes at most is measured on such a capture by another process; nil where it is not measured.
    var memoryTrial: MemoryTrial?

    /// One variant, and what it took in each round.
    private struct Variant {
        var regions: Int?
        var passage: Passage
        var nanoseconds: [Double] = []
        var allocations: [Double] = []
    }

    func run() throws -> ThroughputResult {
        let isSynthetic = if case .file = capture { false } else { true }
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
        let passes = isSynthetic ? Self.passes(ofLength: variants[0].passage.time) : 1
        for _ in 0..<rounds {
            for index in variants.indices {
                let allocations = ProcessFigures.allocations
                let before = ProcessFigures.processorTime
                var payload = 0
                for _ in 0..<passes {
                    yields[index] = try variants[index].passage.pass(over: try open())
                    payload += yields[index].payload
                }
                let time = ProcessFigures.processorTime - before
                yields[index].payload = payload
                let adverts = Double(max(1, yields[index].adverts * passes))
                variants[index].nanoseconds.append(Double(time) / adverts)
                guard let allocations, let after = ProcessFigures.allocations else { continue }
                variants[index].allocations.append(Double(after - allocations) / adverts)
            }
        }
        var floods: [Int: Flood.Result] = [:]
        if hasFlood {
            for variant in variants {
                guard let count = variant.regions, count > 0 else { continue }
                floods[count] = try Flood().run(through: variant.passage) { () throws(SystemError) in try open() }
            }
        }
        return ThroughputResult(
            adverts: yields[0].adverts, sightings: yields[0].sightings, isMadeUp: isSynthetic, rounds: rounds,
            variants: zip(variants, yields).map { variant, yield in
                ThroughputResult.Variant(
                    regions: variant.regions, nanoseconds: median(variant.nanoseconds) ?? 0,
                    allocations: median(variant.allocations), payload: yield.payload,
                    flood: variant.regions.flatMap { floods[$0] })
            },
            beacons: beacons, peakMemory: try memoryTrial?.run())
    }

    /// How many passes of that length in nanoseconds a round needs for a window to end in each: the beacons' windows, of
    /// ten seconds, are part of what is measured.
    private static func passes(ofLength length: Int64) -> Int {
        let window: Int64 = 10_000_000_000
        let step = length + Passage.pause
        return Int(min(100, (window + step - 1) / step))
    }

    /// A reader from the start of the capture.
    private func open() throws(SystemError) -> CaptureReader {
        switch capture {
        case .file(let path), .madeUp(let path): return try CaptureReader(path: path)
        case .synthetic(let bytes): return CaptureReader(inMemory: bytes)
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

extension CaptureReader {
    /// Reads bytes that lie in memory as it would read a file.
    init(inMemory bytes: [UInt8]) {
        var done = 0
        self.init { room in
            let n = min(room.count, bytes.count - done)
            bytes.withUnsafeBytes {
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[done..<done + n]))
            }
            done += n
            return n
        }
    }
}
