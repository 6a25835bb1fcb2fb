internal import Beacon
internal import HCI
internal import System

/// Strangers between the beacons: a minute of adverts of iBeacons that no region holds, each from an address of its own.
///
/// Each second the beacons are heard once more, so that they stay, and then that second's strangers; these alone are
/// timed.
struct Flood {
    /// What they cost.
    struct Result {
        var strangers: Int
        /// CPU time of each, decoding included.
        var nanoseconds: Double
        /// Allocations of each, without those of opening a capture; nil where they were not counted.
        var allocations: Double?
        /// Resident memory before and after them, in bytes; nil where the kernel does not say.
        var memory: (before: Int, after: Int)?
    }

    var strangersAMinute = 100_000
    var seed: UInt64 = 7
    private static let seconds = 60

    /// Sends them through a passage that has an agent; `beacons` opens a capture of a second's adverts of its beacons.
    func run(through passage: Passage, between beacons: () throws -> CaptureReader) throws -> Result {
        var random = SeededRandom(seed: seed)
        let count = max(1, strangersAMinute / Self.seconds)
        var (time, allocations): (Int64, UInt64?) = (0, ProcessFigures.allocations.map { _ in 0 })
        // Opening alone, the first time not counted.
        let opening = try (0..<2).map { _ in
            let before = ProcessFigures.allocations ?? 0
            _ = try passage.pass(over: CaptureReader(inMemory: BtsnoopWriter.header))
            return (ProcessFigures.allocations ?? 0) - before
        }
        var memory: (before: Int, after: Int)?
        for second in 0..<Self.seconds {
            _ = try passage.pass(over: try beacons())
            // Made before memory is looked at, and thrown away after it is.
            let bytes = Self.strangers(count, &random)
            if second == 0, let before = residentMemory() { memory = (Int(before), Int(before)) }
            let (allocated, start) = (ProcessFigures.allocations, ProcessFigures.processorTime)
            _ = try passage.pass(over: CaptureReader(inMemory: bytes))
            time += ProcessFigures.processorTime - start
            if let allocated, let after = ProcessFigures.allocations {
                allocations? += after - allocated - min(opening[1], after - allocated)
            }
            if let after = residentMemory() { memory?.after = Int(after) }
        }
        let all = count * Self.seconds
        return Result(
            strangers: all, nanoseconds: Double(time) / Double(all),
            allocations: allocations.map { Double($0) / Double(all) }, memory: memory)
    }

    /// A capture of adverts at one time.
    private static func strangers(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        var file = BtsnoopWriter.header
        for _ in 0..<count {
            let advert = IBeacon(
                uuid: UUID128(high: random.next(), low: random.next()),
                major: UInt16.random(in: 0 ... .max, using: &random),
                minor: UInt16.random(in: 0 ... .max, using: &random), power: -59)
            let report = AdvertisingReport(
                address: DeviceAddress(random.next() >> 16 | 0xC000_0000_0000, .random), eventType: .advNonconnInd,
                rssi: .random(in: -95 ... -60, using: &random))
            file += BtsnoopWriter.record(
                [4] + AdvertisingReportWriter.legacyEvent(reports: [(report, advert.advertisingData())]),
                direction: .received, time: SyntheticCapture.start)
        }
        return file
    }
}
