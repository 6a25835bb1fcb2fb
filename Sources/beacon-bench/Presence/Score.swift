/// How true a rule was, summed over visits of one kind.
struct Score: Equatable, Sendable {
    var visits = 0
    /// Hours in which the beacon was there.
    var hours = 0.0
    /// Exits while it was there.
    var falseExits = 0
    /// Those of them at which the rule did not say that it could not be sure.
    var confidentFalseExits = 0
    /// Seconds from the visit's end to the exit; 0 where the rule had let it go before.
    var latency = 0.0
    var longestLatency = 0.0
    /// Seconds after the first enter in which the rule did not say what was true.
    var wrong = 0.0
    /// Seconds for which the rule said inside but not sure.
    var uncertain = 0.0
    /// Visits of which the rule said nothing at all.
    var unnoticed = 0

    /// Adds a visit from 0 to `length` seconds.
    mutating func add(_ verdict: Verdict, length: Double) {
        visits += 1
        hours += length / 3600
        uncertain += verdict.uncertain
        guard var inside = verdict.stays.first?.entered.seconds else {
            unnoticed += 1
            return
        }
        var outside: Double?
        for stay in verdict.stays {
            inside = stay.entered.seconds
            if let outside { wrong += inside - outside }
            let exited = stay.exited.seconds
            if exited < length {
                falseExits += 1
                if !stay.wasUncertain { confidentFalseExits += 1 }
                outside = exited
            } else {
                outside = nil
                latency += exited - length
                longestLatency = max(longestLatency, exited - length)
                wrong += exited - length
            }
        }
        if let outside { wrong += length - outside }
    }

    var falseExitsPerHour: Double { Double(falseExits) / hours }
    var confidentFalseExitsPerHour: Double { Double(confidentFalseExits) / hours }
    var meanLatency: Double { latency / Double(visits) }
    var wrongPerVisit: Double { wrong / Double(visits) }
    /// Share of the visits' time.
    var uncertainShare: Double { uncertain / (hours * 3600) }
}

/// Scores of several kinds of air, each of which counts the same.
struct MeanScore: Equatable, Sendable {
    private var cells = 0
    private var sums = [0.0, 0, 0, 0, 0]

    mutating func add(_ score: Score) {
        cells += 1
        let values = [
            score.falseExitsPerHour, score.meanLatency, score.wrongPerVisit, score.confidentFalseExitsPerHour,
            score.uncertainShare,
        ]
        for (number, value) in values.enumerated() { sums[number] += value }
    }

    var falseExitsPerHour: Double { sums[0] / Double(cells) }
    var meanLatency: Double { sums[1] / Double(cells) }
    var wrongPerVisit: Double { sums[2] / Double(cells) }
    var confidentFalseExitsPerHour: Double { sums[3] / Double(cells) }
    var uncertainShare: Double { sums[4] / Double(cells) }
}
