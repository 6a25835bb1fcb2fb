/// The samples of a window by strength, for as long as a closure looks at them; on the stack.
struct SortedSamples {
    /// Level in 1/256 dBm in the upper half, weight in the lower: sorting the words sorts the levels.
    private let words: UnsafeMutableBufferPointer<Int32>
    /// How many adverts they stand for.
    let total: Int

    /// Lets `body` look at the samples of a ring from an index on, of which there is at least one.
    static func with<Result>(_ ring: SampleRing, from first: Int, _ body: (SortedSamples) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: ring.count - first) { words in
            var total = 0
            for index in first..<ring.count {
                let (level, weight) = ring[index]
                total += weight
                // By insertion: there are at most 32 of them.
                let word = Int32(truncatingIfNeeded: level << 16 | weight)
                var place = index - first
                while place > 0, words[place - 1] > word {
                    words[place] = words[place - 1]
                    place -= 1
                }
                words[place] = word
            }
            return body(SortedSamples(words: words, total: total))
        }
    }

    /// In dBm.
    private func level(_ word: Int32) -> Double { Double(word >> 16) / 256 }

    private func weight(_ word: Int32) -> Int { Int(word & 0xFFFF) }

    /// The weakest level in dBm that at least this share (0…1) is not stronger than; where the share falls between two
    /// samples exactly, their mean.
    func quantile(_ share: Double) -> Double {
        quantile(share, in: 0..<words.count, of: total)
    }

    private func quantile(_ share: Double, in range: Range<Int>, of total: Int) -> Double {
        let wanted = share * Double(total)
        var seen = 0
        for index in range {
            seen += weight(words[index])
            if Double(seen) < wanted { continue }
            if Double(seen) == wanted, index + 1 < range.upperBound {
                return (level(words[index]) + level(words[index + 1])) / 2
            }
            return level(words[index])
        }
        return level(words[range.upperBound - 1])
    }

    /// The median of what lies within the quartiles widened by 1.5 times their distance, in dBm.
    func fencedMedian() -> Double {
        let (low, high) = (quantile(0.25), quantile(0.75))
        let fence = 1.5 * (high - low)
        var range = 0..<words.count
        while range.count > 1, level(words[range.lowerBound]) < low - fence { range.removeFirst() }
        while range.count > 1, level(words[range.upperBound - 1]) > high + fence { range.removeLast() }
        let inside = range.reduce(0) { $0 + weight(words[$1]) }
        return quantile(0.5, in: range, of: inside)
    }

    /// The mean in dBm without a tenth and one more of the samples at each end; of one or two samples, of all.
    ///
    /// RunningAverageRssiFilter.java drops floor(n / 10) + 1 at each end where n > 2.
    func trimmedMean() -> Double {
        let dropped = total <= 2 ? 0 : total / 10 + 1
        let counted = dropped..<(total - dropped)
        var (seen, sum) = (0, 0.0)
        for word in words {
            let here = (seen..<seen + weight(word)).clamped(to: counted)
            sum += level(word) * Double(here.count)
            seen += weight(word)
        }
        return sum / Double(counted.count)
    }
}
