/// The signal strengths of the last seconds, in a fixed 131 bytes, without allocating and without moving.
///
/// Up to 32 samples are kept as they came. When there are more, those within a twenty-fourth of the window are
/// put together: their mean stands for them, with their number as its weight. Against a window that keeps every sample
/// this costs the order of samples within that time, and as much in the moment at which they leave.
struct SampleRing: Sendable {
    /// A power of two, so that a place in the ring is a mask away; and more than the steps, so that there is always
    /// room for the next step once the oldest has left.
    static let capacity = 32
    private static let steps: UInt32 = 24
    static let longestWindow = Span.seconds(60)

    /// What was heard in one moment, or in one step of the window: in one word, for there may be 10,000 rings.
    private struct Slot {
        /// Mean signal strength in 1/32 dBm in 13 bits, as a signed byte's full range needs; the number of samples in
        /// seven; and when the first of them was heard, as `Ticks` counts, in twelve.
        var word: UInt32

        init(level: Int32, weight: Int32, tick: UInt32) {
            word = UInt32(bitPattern: level) << 19 | UInt32(bitPattern: weight) << 12 | tick
        }

        /// In 1/32 dBm.
        var level: Int32 { Int32(bitPattern: word) >> 19 }
        var weight: Int32 { Int32(word >> 12 & 0x7F) }
        var tick: UInt32 { word & Ticks.mask }

        /// Both together, at the time of this one.
        func adding(_ other: Slot) -> Slot {
            let total = weight + other.weight
            let sum = level * weight + other.level * other.weight
            // To the nearest: what is cut off would add up.
            let mean = (sum + (sum < 0 ? -total : total) / 2) / total
            // More in one step than any beacon sends are a flood: it counts for less, and the mean stays.
            return Slot(level: mean, weight: min(total, 0x7F), tick: tick)
        }
    }

    /// Time as slots have it: modulo 4,096, in a unit of which a window has 1,000 to 2,000, so that the age of anything
    /// up to two windows old is unambiguous. The unit is a power of two nanoseconds: dividing would cost each advert.
    private struct Ticks {
        static let mask: UInt32 = 0xFFF
        static let most: Int64 = 2_000
        let shift: Int64
        /// The window's length.
        let length: UInt32

        init(_ window: Span) {
            let span = min(max(window, .milliseconds(1)), longestWindow).nanoseconds
            let bits = Int64(Int64.bitWidth - (span / Self.most).leadingZeroBitCount)
            shift = bits
            length = UInt32(truncatingIfNeeded: span >> bits)
        }

        func callAsFunction(_ reading: Instant) -> UInt32 {
            UInt32(truncatingIfNeeded: reading.nanoseconds >> shift) & Self.mask
        }

        static func age(_ tick: UInt32, at now: UInt32) -> UInt32 { (now &- tick) & mask }

        /// As long as samples are put together for: few enough steps for the ring.
        var step: UInt32 { length / steps }
    }

    /// 32 slots of four bytes; a SIMD type because those are the only arrays of fixed size that Swift 6.0 has.
    private var storage = SIMD32<UInt32>()
    /// The place of the oldest slot.
    private var head: UInt8 = 0
    private var used: UInt8 = 0
    /// Whether samples are put together.
    private var isCrowded = false

    var count: Int { Int(used) }

    mutating func removeAll() { used = 0 }

    /// Adds a sample in dBm, not earlier than the last one and less than a window after it.
    ///
    /// Where `merging` is off the oldest samples go instead of being put together.
    mutating func add(_ rssi: Int8, at reading: Instant, window: Span, merging: Bool) {
        let ticks = Ticks(window)
        let sample = Slot(level: Int32(rssi) << 5, weight: 1, tick: ticks(reading))
        if isCrowded, used > 0 {
            let last = slot(count - 1)
            if Ticks.age(last.tick, at: sample.tick) < ticks.step { return store(last.adding(sample), count - 1) }
        }
        while used > 0, Ticks.age(slot(0).tick, at: sample.tick) >= ticks.length { dropOldest() }
        // Half the steps: what is this empty has become rare.
        if count < Int(Self.steps) / 2 { isCrowded = false }
        if count == Self.capacity {
            if merging { mergeNeighbours(within: ticks.step) }
            if count == Self.capacity { dropOldest() }
        }
        used += 1
        store(sample, count - 1)
    }

    /// The index of the oldest sample that is younger than the window at a time less than a window after the newest one.
    func first(at reading: Instant, window: Span) -> Int {
        let ticks = Ticks(window)
        let now = ticks(reading)
        var index = 0
        // Ticks are rounded: the newest sample is within the window by the exact times.
        while index < count - 1, Ticks.age(slot(index).tick, at: now) >= ticks.length { index += 1 }
        return index
    }

    /// A sample's signal strength in 1/256 dBm, and the number of adverts it stands for; the oldest at 0.
    subscript(_ index: Int) -> (level: Int, weight: Int) {
        let slot = slot(index)
        return (Int(slot.level) << 3, Int(slot.weight))
    }

    private mutating func mergeNeighbours(within step: UInt32) {
        var kept = 0
        for index in 0..<count {
            let next = slot(index)
            if kept > 0 {
                let last = slot(kept - 1)
                if Ticks.age(last.tick, at: next.tick) < step {
                    store(last.adding(next), kept - 1)
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
}
