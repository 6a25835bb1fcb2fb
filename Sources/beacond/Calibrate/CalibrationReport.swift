internal import Agent
internal import Beacon
internal import Glibc
internal import JSON
internal import Presence

/// What `beacond calibrate` says in the end.
struct CalibrationReport {
    let request: CalibrationRequest
    let result: Calibration.Result
    /// How long was listened, in seconds.
    let seconds: Double
    /// Adverts of other beacons, of unknown strength, and of beacons beyond the limit.
    let others: Int
    let unmeasured: Int
    let unheeded: Int
    /// What the configuration has already.
    let configured: [CalibrationSettings]

    init(_ calibration: Calibration, seconds: Double, configured: [CalibrationSettings] = []) {
        request = calibration.request
        result = calibration.result
        self.seconds = seconds
        others = calibration.others
        unmeasured = calibration.unmeasured
        unheeded = calibration.unheeded
        self.configured = configured
    }

    /// Whether there is a power to be used.
    var isGood: Bool {
        if case .measured(_, let finding) = result { finding.verdict == .good } else { false }
    }

    // MARK: For a person

    /// The report of a beacon that was measured, for standard output.
    var output: String {
        guard case .measured(let beacon, let finding) = result else { return "" }
        var text = ""
        for (label, value) in [
            ("beacon", escaped(beacon.identity.description)),
            ("heard", "\(counted(finding.samples, "advert")) in \(time), at \(decimal(request.distance, 2)) m"),
            ("measured power", "\(finding.measuredPower) dBm at one metre"),
            ("spread", spread(finding)), ("it sends", sent(beacon, finding)),
            ("verdict", isGood ? "good" : advice(finding)),
        ] {
            text += label + String(repeating: " ", count: 16 - label.count) + value + "\n"
        }
        if isGood {
            text += "\n" + (entry(beacon, finding)?.yaml ?? Self.unnameable + "\n")
        }
        return text
    }

    /// Why no beacon was measured, for standard error; empty if one was.
    var complaint: String {
        var text = ""
        switch result {
        case .nothing: text = nothing + "\n"
        case .several(let candidates, let more):
            text =
                "\(candidates.count + more) beacons are within \(decimal(Calibration.lead, 0)) dB of the strongest; "
            text +=
                more == 0 && Set(candidates.map(\.source)).count == 1
                ? "all come from one address, as of one that sends several formats: name any:\n"
                : "take the others away, or name one:\n"
            for candidate in candidates {
                let strength = "\(decimal(candidate.median, 1)) dBm"
                text +=
                    "  \(strength)" + String(repeating: " ", count: max(1, 11 - strength.count))
                    + "\(counted(candidate.measurement.samples, "advert"))  \(candidate.identity.naming)\n"
            }
            if more > 0 { text += "  and \(more) more\n" }
        case .measured: break
        }
        if unheeded > 0 {
            text += "\(counted(unheeded, "advert")) of more than \(Calibration.limit) beacons not looked at\n"
        }
        return text
    }

    private var nothing: String {
        if unmeasured > 0 {
            return "of \(counted(unmeasured, "advert")) in \(time) the controller told no signal strength"
        }
        if others > 0 {
            return "none of \(counted(others, "advert")) in \(time) was of the beacon named; "
                + "without a name the strongest is taken, or those near it are listed"
        }
        return "no beacon was heard in \(time); does it send, and one of "
            + BeaconFormat.allCases.map(\.name).joined(separator: ", ") + "?"
    }

    /// Fewer than two adverts show no spread: it is unknown, and not 0.
    private static let fewestForSpread = 2

    private func spread(_ finding: PowerCalibration.Finding) -> String {
        if finding.samples < Self.fewestForSpread { return "unknown, of one advert" }
        return "\(decimal(finding.deviation, 1)) dB, standard error \(decimal(finding.standardError, 1)) dB"
    }

    private var time: String { "\(decimal(seconds, 0)) s" }

    private func sent(_ beacon: Calibration.Candidate, _ finding: PowerCalibration.Finding) -> String {
        let sent = "\(beacon.sentPower) dBm"
        if !PowerTrust.isPlausible(beacon.sentPower) { return "\(sent), which no beacon has at one metre" }
        let difference = beacon.sentPower - finding.measuredPower
        if difference == 0 { return "\(sent), as was measured" }
        return "\(sent), \(abs(difference)) dB \(difference > 0 ? "more" : "less") than was measured"
    }

    /// What is wrong with a finding, and what to do.
    private func advice(_ finding: PowerCalibration.Finding) -> String {
        switch finding.verdict {
        case .good: return ""
        case .tooFew:
            let start = "too few adverts: \(PowerCalibration.fewest) are needed; "
            guard let enough = secondsForEnough(finding.samples) else {
                return start + "it is heard too rarely for \(CalibrateCommand.seconds.upperBound) s, "
                    + "so shorten its interval"
            }
            return start + "listen longer, --seconds \(enough) or more"
        case .tooWide:
            return
                "too wide: the spread may be \(decimal(PowerCalibration.widest, 1)) dB; let nobody walk between, "
                + "leave the beacon and the node where they are, and measure again"
        case .implausible:
            return
                "implausible: no beacon has that; is it the one meant, and \(decimal(request.distance, 2)) m away "
                + "as --distance says?"
        }
    }

    /// How long it takes to hear enough, with a quarter to spare, in steps of five seconds; nil if longer than it may.
    private func secondsForEnough(_ samples: Int) -> Int? {
        let needed = seconds * Double(PowerCalibration.fewest) / Double(max(1, samples)) * 1.25
        guard needed <= Double(CalibrateCommand.seconds.upperBound) else { return nil }
        return max(CalibrateCommand.seconds.lowerBound, Int((needed / 5).rounded(.up)) * 5)
    }

    /// Said in place of what to put into the configuration.
    private static let unnameable =
        "It sends its URL in more bytes than it needs, and a configuration cannot name such a beacon."

    /// What to put into the configuration: under the id that the beacon has there, else under one that is free. Nil
    /// where no configuration can name the beacon.
    private func entry(
        _ beacon: Calibration.Candidate, _ finding: PowerCalibration.Finding
    ) -> CalibrationSettings? {
        let identity = beacon.identity
        let known = configured.first { $0.beacon.identityPrefix == identity }?.id
        var id = known ?? identity.proposedID
        var number = 1
        while known == nil && configured.contains(where: { $0.id == id }) {
            number += 1
            id = "\(identity.proposedID)-\(number)"
        }
        return CalibrationSettings(id: id, of: identity, measuredPower: finding.measuredPower)
    }

    // MARK: For a program

    /// One object on one line, for standard output.
    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            if case .measured(let beacon, _) = result {
                writer.key("beacon")
                writer.object { $0.identity(beacon.identity) }
            }
            writer.key("distance")
            writer.number(request.distance, decimals: 2)
            writer.key("seconds")
            writer.number(seconds, decimals: 1)
            switch result {
            case .nothing: writer.verdict("none")
            case .several(let candidates, let more):
                writer.verdict("several")
                writer.key("candidates")
                writer.array { writer in for candidate in candidates { writer.candidate(candidate) } }
                writer.key("more")
                writer.integer(more)
            case .measured(let beacon, let finding): measured(beacon, finding, &writer)
            }
        }
        writer.newline()
        return writer.text
    }

    private func measured(
        _ beacon: Calibration.Candidate, _ finding: PowerCalibration.Finding, _ writer: inout JSONWriter
    ) {
        writer.key("adverts")
        writer.integer(finding.samples)
        writer.key("measured_power")
        writer.integer(finding.measuredPower)
        let hasSpread = finding.samples >= Self.fewestForSpread
        for (name, value) in [("deviation", finding.deviation), ("standard_error", finding.standardError)] {
            writer.key(text: name)
            if hasSpread { writer.number(value, decimals: 1) } else { writer.null() }
        }
        writer.key("sent_power")
        writer.integer(beacon.sentPower)
        writer.verdict(finding.verdict.rawValue)
        if !isGood {
            writer.key("advice")
            writer.string(advice(finding))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func verdict(_ word: String) {
        key("verdict")
        string(word)
    }

    fileprivate mutating func candidate(_ candidate: Calibration.Candidate) {
        object { writer in
            writer.identity(candidate.identity)
            writer.key("adverts")
            writer.integer(candidate.measurement.samples)
            writer.key("rssi")
            writer.number(candidate.median, decimals: 1)
        }
    }
}

extension BeaconIdentity {
    /// An id for it in a configuration, for a person to change.
    fileprivate var proposedID: String {
        switch format {
        case .ibeacon, .altbeacon: "beacon-\(major ?? 0)-\(minor ?? 0)"
        case .eddystoneUID: "beacon-\(instance ?? "")"
        case .eddystoneURL: "beacon-url"
        }
    }
}
