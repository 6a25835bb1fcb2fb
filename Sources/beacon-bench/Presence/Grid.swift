/// The 234 kinds of air over which rules are averaged.
enum Grid {
    static let intervals = [0.1, 0.35, 1, 2, 5, 10]
    static let losses = [0, 0.3, 0.6, 0.8, 0.9]
    /// Seconds; 0 for loss of single adverts.
    static let bursts = [0.0, 3, 15]
    static let duties = [1, 0.5, 0.3]

    static let cells: [Air] = intervals.flatMap { interval in
        losses.flatMap { loss in
            // Nothing lost comes in no bursts.
            (loss == 0 ? [0] : bursts).flatMap { burst in
                duties.map { Air(interval: interval, loss: loss, burst: burst, duty: $0) }
            }
        }
    }

    /// How rarely a beacon is heard, by the mean gap between the adverts received.
    enum Group: Int, CaseIterable, Sendable {
        case often, seldom, rarely

        init(of air: Air) { self = air.meanGap <= 5 ? .often : air.meanGap <= 30 ? .seldom : .rarely }

        var name: String { ["gap <= 5 s", "gap 5-30 s", "gap > 30 s"][rawValue] }
    }
}
