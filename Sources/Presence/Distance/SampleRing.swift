/// The signal strengths of the last seconds, in a fixed 290 bytes, without allocating and without moving.
///
/// Up to 32 samples are kept as they came. When there are more, those within a twenty-fourth of the window are put
/// together: their mean stands for them, with their number as its weight. Against a window that keeps every sample this
/// costs the order of samples within that time, and as much in the moment at which they leave.
struct SampleRing: Sendable {
    /// A power of two, so that a place in the ring is a mask away; and more than the steps, so that there is always
    /// room for the next step once the oldest has left.
    static let capacity = 32
    private static let steps = 24
    /// 2^22 ns, 4.2 ms: the unit of the times kept. 65,536 of them are more than four times the longest window.
    private static let tickShift: Int64 = 22
    static let longestWindow = Span.seconds(60)

    /// What was heard in one moment, or in one step of the window.
    private struct Slot {
        /// Of the samples, in dBm.
        var sum: Int32 = 0
        var weight: UInt16 = 0
        /// When the first of them was heard.
        var tick: UInt16 = 0

        mutating func add(_ other: Slot) {
            // Thousands in one moment are a flood: what was is halved to make room, and the mean stays.
            if Int(weight) + Int(other.weight) > Int(UInt16.max) {
                sum /= 2
                weight /= 2
            }
            sum += other.sum
            weight = UInt16(clamping: Int(weight) + Int(other.weight))
        }
    }

    /// 32 slots of eight bytes; a SIMD type because those are the only arrays of fixed size that Swift 6.0 has.
    private var storage = SIMD32<UInt64>()
    /// The place of the oldest slot.
    private var head: UInt8 = 0
    private var used: UInt8 = 0
    /// Whether samples are put together.
    private var isCrowded = false
    /// When the newest sample was heard.
    private var newest = Instant(nanoseconds: .min)

    var count: Int { Int(used) }

    /// Adds a sample in dBm. A time before the last one counts as the last one.
    ///
    /// Where `merging` is off the oldest samples go instead of being put together.
    mutating func add(_ rssi: Int8, at reading: Instant, window: Span, merging: Bool) {
        if used > 0, reading - newest >= window { used = 0 }
        newest = used == 0 ? reading : max(newest, reading)
        let length = Self.length(window)
        let sample = Slot(sum: Int32(rssi), weight: 1, tick: Self.tick(newest))
        if isCrowded, used > 0 {
            var last = slot(count - 1)
            if sample.tick &- last.tick < length / UInt16(Self.steps) {
                last.add(sample)
                store(last, count - 1)
                return
            }
        }
        while used > 0, sample.tick &- slot(0).tick >= length { dropOldest() }
        // Half the steps: what is this empty has become rare.
        if count < Self.steps / 2 { isCrowded = false }
        if count == Self.capacity {
            if merging { mergeNeighbours(within: length / UInt16(Self.steps)) }
            if count == Self.capacity { dropOldest() }
        }
        used += 1
        store(sample, count - 1)
    }

    /// The index of the oldest sample that is younger than the window; `count` when there is none.
    func first(at reading: Instant, window: Span) -> Int {
        guard used > 0, reading - newest < window else { return count }
        let (now, length) = (Self.tick(max(reading, newest)), Self.length(window))
        var index = 0
        // Ticks are rounded: the newest sample is within the window by the exact times above.
        while index < count - 1, now &- slot(index).tick >= length { index += 1 }
        return index
    }

    /// A sample's signal strength in 1/256 dBm, and the number of adverts it stands for; the oldest at 0.
    subscript(_ index: Int) -> (level: Int, weight: Int) {
        let slot = slot(index)
        return (Int(slot.sum) * 256 / Int(max(1, slot.weight)), Int(slot.weight))
    }

    private mutating func mergeNeighbours(within reach: UInt16) {
        var kept = 0
        for index in 0..<count {
            let next = slot(index)
            if kept > 0 {
                var last = slot(kept - 1)
                if next.tick &- last.tick < reach {
                    last.add(next)
                    store(last, kept - 1)
                    continue
                }
            }
            store(next, kept)
            kept += 1
        }
        used = UInt8(kept)
        isCrowded = true
    }

    private mutating func dropOldest() {
        head = (head + 1) & UInt8(Self.capacity - 1)
        used -= 1
    }

    private func offset(_ index: Int) -> Int {
        ((Int(head) + index) & (Self.capacity - 1)) * MemoryLayout<Slot>.stride
    }

    private func slot(_ index: Int) -> Slot {
        withUnsafeBytes(of: storage) { $0.load(fromByteOffset: offset(index), as: Slot.self) }
    }

    private mutating func store(_ slot: Slot, _ index: Int) {
        let offset = offset(index)
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: slot, toByteOffset: offset, as: Slot.self) }
    }

    private static func tick(_ reading: Instant) -> UInt16 {
        UInt16(truncatingIfNeeded: reading.nanoseconds >> tickShift)
    }

    private static func length(_ window: Span) -> UInt16 {
        UInt16(clamping: min(window, longestWindow).nanoseconds >> tickShift)
    }
}
