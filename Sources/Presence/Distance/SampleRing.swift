/// The signal strengths of the last seconds, in a fixed 200 bytes and without allocating.
///
/// Up to 32 samples are kept as they came. When there are more, neighbours in time are put together, never more than
/// a twelfth of the window, into their mean with their number as its weight. Against a window that keeps every sample
/// this costs the order of samples within a twelfth of the window, and up to a twenty-fourth of it in the moment at
/// which they leave.
struct SampleRing: Sendable {
    static let capacity = 32
    /// Which part of the window samples may be put together over. Twelve steps can fill at most half of the ring for
    /// good, so that making room always makes some, and pays for itself over several adverts.
    private static let steps = 12
    /// 2^22 ns, 4.2 ms: the unit of the times kept. 65,536 of them are more than four times the longest window.
    private static let tickShift: Int64 = 22
    /// In seconds; longer ones would not fit the ticks.
    static let longestWindow = Span.seconds(60)

    // SIMD types because they are the only arrays of fixed size that Swift 6.0 has.
    /// In 1/256 dBm, oldest first.
    private var levels = SIMD32<Int16>()
    private var ticks = SIMD32<UInt16>()
    private var weights = SIMD32<UInt16>()
    private(set) var count = 0
    /// Of the newest sample.
    private var newest = Instant(nanoseconds: .min)

    /// Adds a sample in dBm. A time before the last one counts as the last one.
    ///
    /// Where `merging` is off the oldest samples go instead of being put together.
    mutating func add(_ rssi: Int8, at reading: Instant, window: Span, merging: Bool) {
        if count > 0, reading - newest >= window { count = 0 }
        newest = count == 0 ? reading : max(newest, reading)
        let now = Self.tick(newest)
        let length = Self.length(window)
        if count == Self.capacity {
            makeRoom(now, length, merging)
        } else if count > 0, now &- ticks[0] >= 2 * length {
            // Where adverts are rare the ring never fills; no tick may grow so old that it looks young again.
            expire(now, length)
        }
        levels[count] = Int16(rssi) << 8
        ticks[count] = now
        weights[count] = 1
        count += 1
    }

    /// The index of the oldest sample that is younger than the window; `count` when there is none.
    func first(at reading: Instant, window: Span) -> Int {
        guard count > 0, reading - newest < window else { return count }
        let (now, length) = (Self.tick(max(reading, newest)), Self.length(window))
        var index = 0
        while index < count, now &- ticks[index] >= length { index += 1 }
        // Ticks are rounded: the newest sample is within the window by the exact times above.
        return min(index, count - 1)
    }

    /// A sample's signal strength in 1/256 dBm, and the number of adverts it stands for.
    subscript(_ index: Int) -> (level: Int, weight: Int) { (Int(levels[index]), Int(weights[index])) }

    private mutating func makeRoom(_ now: UInt16, _ length: UInt16, _ merging: Bool) {
        expire(now, length)
        // With a few places free it is worth waiting until they are used.
        if count <= Self.capacity - 8 { return }
        if merging { mergeNeighbours(within: length / UInt16(Self.steps)) }
        if count == Self.capacity { dropOldest(merging ? 1 : 8) }
    }

    private mutating func expire(_ now: UInt16, _ length: UInt16) {
        var kept = 0
        for index in 0..<count where now &- ticks[index] < length { move(index, to: &kept) }
        count = kept
    }

    private mutating func mergeNeighbours(within reach: UInt16) {
        var kept = 0
        var index = 0
        while index < count {
            let next = index + 1
            if next < count, ticks[next] &- ticks[index] <= reach {
                let (one, two) = (Int(weights[index]), Int(weights[next]))
                let sum = Int(levels[index]) * one + Int(levels[next]) * two
                // The mean's place is between the two; which, matters little within a twelfth of the window.
                ticks[index] &+= (ticks[next] &- ticks[index]) / 2
                levels[index] = Int16(sum / (one + two))
                weights[index] = UInt16(clamping: one + two)
                move(index, to: &kept)
                index = next + 1
            } else {
                move(index, to: &kept)
                index = next
            }
        }
        count = kept
    }

    private mutating func dropOldest(_ number: Int) {
        var kept = 0
        for index in number..<count { move(index, to: &kept) }
        count = kept
    }

    private mutating func move(_ index: Int, to kept: inout Int) {
        levels[kept] = levels[index]
        ticks[kept] = ticks[index]
        weights[kept] = weights[index]
        kept += 1
    }

    private static func tick(_ reading: Instant) -> UInt16 {
        UInt16(truncatingIfNeeded: reading.nanoseconds >> tickShift)
    }

    private static func length(_ window: Span) -> UInt16 {
        UInt16(clamping: min(window, longestWindow).nanoseconds >> tickShift)
    }
}
