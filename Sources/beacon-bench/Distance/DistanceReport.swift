import JSON

/// All scores of a run, and how they are shown.
struct DistanceReport {
    /// One estimator's.
    struct Row {
        var estimator: Estimator
        /// In the order of the recordings.
        var scores: [DistanceScore]
        var mean: DistanceScore
    }

    let recordings: [Recording]
    let rows: [Row]

    /// Scores every estimator on every recording.
    init(_ recordings: [Recording]) {
        self.recordings = recordings
        rows = Estimator.all.map { estimator in
            let scores = recordings.map { DistanceScore(estimator, on: $0) }
            return Row(estimator: estimator, scores: scores, mean: DistanceScore(meanOf: scores))
        }
    }

    /// Tables for a person.
    var text: String {
        var text = "set\(padding("set", 22)) windows  distances m   measured power dBm\n"
        for (index, recording) in recordings.enumerated() {
            let distances = recording.tracks.map(\.distance)
            let span = "\(decimal(distances.min() ?? 0, 2))…\(decimal(distances.max() ?? 0, 2))"
            let windows = rows.first?.scores[index].windows ?? 0
            text += "\(recording.name)\(padding(recording.name, 22))\(right("\(windows)", 8))  \(span)"
            text += "\(padding(span, 14))\(recording.measuredPower)"
            text += recording.publishedPower == nil ? "\n" : " (published)\n"
        }
        text += "\nmean of the sets\(padding("mean of the sets", 22))"
        text += "   error   order  near/far  changes/min  without  covered  width\n"
        for row in rows {
            let mean = row.mean
            text += "\(row.estimator.name)\(padding(row.estimator.name, 22))"
            text += right(decimal(mean.error, 3), 8) + right(mean.ordering.map { decimal($0, 3) } ?? "–", 8)
            text += right(decimal(mean.nearFar, 2), 10) + right(decimal(mean.changes, 2), 13)
            text += right(decimal(mean.changesWithoutHysteresis, 2), 9)
            text += right(mean.coverage.map { decimal($0, 2) } ?? "–", 9)
            text += right(mean.width.map { decimal($0, 1) } ?? "–", 7) + "\n"
        }
        text += table("error by set") { decimal($0.error, 2) }
        text += table("order by set") { $0.ordering.map { decimal($0, 2) } ?? "–" }
        text += table("changes/min by set") { decimal($0.changes, 2) }
        text += table("covered by set") { $0.coverage.map { decimal($0, 2) } ?? "–" }
        return text
    }

    /// One line of JSON.
    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("sets")
            writer.array { writer in
                for recording in recordings {
                    writer.object { writer in
                        writer.key("set")
                        writer.string(recording.name)
                        writer.key("measured_power")
                        writer.integer(recording.measuredPower)
                        writer.key("power_is_published")
                        writer.bool(recording.publishedPower != nil)
                    }
                }
            }
            writer.key("estimators")
            writer.array { writer in
                for row in rows {
                    writer.object { writer in
                        writer.key("name")
                        writer.string(row.estimator.name)
                        writer.key("published")
                        writer.bool(row.estimator.isPublished)
                        writer.key("mean")
                        write(row.mean, &writer)
                        writer.key("sets")
                        writer.object { writer in
                            for (recording, score) in zip(recordings, row.scores) {
                                writer.key(text: recording.name)
                                write(score, &writer)
                            }
                        }
                    }
                }
            }
        }
        writer.newline()
        return writer.text
    }

    private func write(_ score: DistanceScore, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("windows")
            writer.integer(score.windows)
            writer.key("error")
            writer.number(score.error, decimals: 4)
            writer.key("order")
            if let ordering = score.ordering { writer.number(ordering, decimals: 4) } else { writer.null() }
            writer.key("near_far")
            writer.number(score.nearFar, decimals: 4)
            writer.key("changes_per_minute")
            writer.number(score.changes, decimals: 3)
            writer.key("changes_per_minute_without_hysteresis")
            writer.number(score.changesWithoutHysteresis, decimals: 3)
            guard let coverage = score.coverage, let width = score.width else { return }
            writer.key("covered")
            writer.number(coverage, decimals: 4)
            writer.key("width")
            writer.number(width, decimals: 3)
        }
    }

    private func table(_ title: String, _ cell: (DistanceScore) -> String) -> String {
        var text = "\n\(title)\(padding(title, 22))"
        for recording in recordings { text += right(String(recording.name.prefix(13)), 15) }
        text += "\n"
        for row in rows {
            text += "\(row.estimator.name)\(padding(row.estimator.name, 22))"
            for score in row.scores { text += right(cell(score), 15) }
            text += "\n"
        }
        return text
    }
}
