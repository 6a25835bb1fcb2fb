/// What the 80 % interval covers on recordings that had no part in choosing its width.
///
/// For each recording the one constant that makes the width, the deviation that a place adds, is chosen on all others, and
/// judged on that one.
struct HeldOut {
    /// One recording, judged.
    struct Row: Equatable {
        var name: String
        /// What was chosen on the others, in dB.
        var placeDeviation: Double
        /// The share of windows whose interval holds the truth.
        var coverage: Double
    }

    /// What an interval is to cover.
    static let wanted = 0.8
    /// What is tried, in dB: half of what was chosen for all of them to nearly twice as much.
    static let candidates = (6...26).map { Double($0) / 2 }

    let rows: [Row]

    /// Judges each of at least two recordings.
    init(_ recordings: [Recording]) {
        // Of each candidate what it covers on each recording.
        let covered = Self.candidates.map { candidate in
            recordings.map { recording in
                let estimator = Estimator(
                    name: "ours", filter: .standard, law: .prior, placeDeviation: candidate, isPublished: false)
                return DistanceScore(estimator, on: recording).coverage ?? 0
            }
        }
        rows = recordings.indices.map { held in
            let misses = covered.map { coverages in
                let others = coverages.indices.filter { $0 != held }
                return abs(others.reduce(0) { $0 + coverages[$1] } / Double(max(others.count, 1)) - Self.wanted)
            }
            // The narrowest of those that miss least.
            let chosen = misses.indices.min { misses[$0] < misses[$1] } ?? 0
            return Row(
                name: recordings[held].name, placeDeviation: Self.candidates[chosen],
                coverage: covered[chosen][held])
        }
    }

    /// The mean of all recordings, each counting the same.
    var coverage: Double { rows.reduce(0) { $0 + $1.coverage } / Double(max(rows.count, 1)) }

    /// A table for a person.
    var text: String {
        var text = "held out                chosen on the others, dB  covered\n"
        for row in rows { text += line(row.name, decimal(row.placeDeviation, 1), row.coverage) }
        return text + line("mean", "", coverage)
    }

    private func line(_ name: String, _ chosen: String, _ coverage: Double) -> String {
        "\(name)\(padding(name, 22))\(right(chosen, 26))\(right(decimal(coverage, 2), 9))\n"
    }
}
