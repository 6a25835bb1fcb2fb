/// Notices that a controller reports each sender only once in a while, although nobody asked it to. Pure.
///
/// There are controllers whose duplicate filter cannot be switched off, and which forget what they filtered every 10 s.
/// Then nearly all gaps are that long, and none is shorter, whatever the senders do. So: over two minutes no gap of any
/// sender is shorter, and at least five senders have nearly only such gaps. It is over when one sender has several shorter
/// ones; a few come from each restart of the scan, at which a filter forgets.
public struct DuplicateWatch: Sendable {
    /// What a filtered gap is, in nanoseconds.
    static let filtered: ClosedRange<Int64> = 9_000_000_000...11_500_000_000
    /// Over how long it is looked at, in nanoseconds.
    static let span: Int64 = 120_000_000_000
    /// So many senders must look so.
    static let fewestSenders = 5
    /// With so many such gaps each, of the eleven or twelve that there may be in the span.
    static let fewestGaps = 8
    /// So many senders are looked at; more would not say more.
    static let capacity = 64

    private struct Sender: Sendable {
        let sender: UInt64
        var at: Int64
        var filtered = 0
        var shorter = 0
        var longer = 0
    }

    private var senders: [Sender] = []
    private var began: Int64?
    private var sawShorter = false
    /// Whether the rate looks filtered.
    public private(set) var isFiltered = false

    /// Nothing was heard yet.
    public init() {}

    /// Takes an advert; true when `isFiltered` has changed.
    public mutating func heard(_ sender: UInt64, now: Int64) -> Bool {
        guard let began, now - began < DuplicateWatch.span else { return turn(sender, now) }
        // The usual case: nothing to be said of this span any more.
        if sawShorter && !isFiltered { return false }
        take(sender, now)
        return isFiltered && endFilter()
    }

    private mutating func take(_ sender: UInt64, _ now: Int64) {
        guard let at = senders.firstIndex(where: { $0.sender == sender }) else {
            if senders.count < DuplicateWatch.capacity { senders.append(Sender(sender: sender, at: now)) }
            return
        }
        let gap = now - senders[at].at
        senders[at].at = now
        if gap < DuplicateWatch.filtered.lowerBound {
            sawShorter = true
            senders[at].shorter += 1
        } else if DuplicateWatch.filtered.contains(gap) {
            senders[at].filtered += 1
        } else {
            senders[at].longer += 1
        }
    }

    private mutating func endFilter() -> Bool {
        guard senders.contains(where: { $0.shorter >= DuplicateWatch.fewestGaps }) else { return false }
        isFiltered = false
        return true
    }

    /// Judges the span that ends and begins the next one.
    private mutating func turn(_ sender: UInt64, _ now: Int64) -> Bool {
        let wasFiltered = isFiltered
        if began != nil && !sawShorter && !isFiltered {
            let suspects = senders.count {
                $0.filtered >= DuplicateWatch.fewestGaps && $0.longer * 10 <= $0.filtered
            }
            isFiltered = suspects >= DuplicateWatch.fewestSenders
        }
        senders.removeAll(keepingCapacity: true)
        sawShorter = false
        began = now
        take(sender, now)
        return isFiltered != wasFiltered
    }
}
