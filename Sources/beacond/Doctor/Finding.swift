internal import JSON

/// What `beacond doctor` found out about one thing.
struct Finding: Equatable {
    enum Verdict: String, Comparable {
        /// As it should be.
        case pass
        /// It works, and could be better or may surprise somebody.
        case warn
        /// With it the agent does not work.
        case fail

        private var weight: Int {
            switch self {
            case .pass: 0
            case .warn: 1
            case .fail: 2
            }
        }

        static func < (left: Verdict, right: Verdict) -> Bool { left.weight < right.weight }
    }

    /// What was looked at, in a word or two.
    var check: String
    var verdict: Verdict
    /// A sentence without its end; fit for a terminal.
    var text: String
    /// What to do, likewise.
    var remedy: String?

    init(_ check: String, _ verdict: Verdict, _ text: String, remedy: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.text = text
        self.remedy = remedy
    }
}

/// All findings, for a person or a program.
struct DoctorReport {
    var findings: [Finding]

    /// The worst of all.
    var verdict: Finding.Verdict { findings.map(\.verdict).max() ?? .pass }

    /// A line for each finding, and one for what is to be done.
    var text: String {
        let width = findings.map(\.check.unicodeScalars.count).max() ?? 0
        var text = ""
        for finding in findings {
            let padding = String(repeating: " ", count: width - finding.check.unicodeScalars.count)
            text += "\(finding.verdict.rawValue)  \(finding.check)\(padding)  \(finding.text)\n"
            if let remedy = finding.remedy {
                // Under the text: four letters, the check, and the gaps.
                text += String(repeating: " ", count: 4 + 2 + width + 2) + "→ \(remedy)\n"
            }
        }
        let counts = [Finding.Verdict.fail, .warn, .pass].compactMap { verdict -> String? in
            let count = findings.count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(verdict.rawValue)"
        }
        return text + counts.joined(separator: ", ") + "\n"
    }

    /// One object on one line.
    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("verdict")
            json.string(verdict.rawValue)
            json.key("checks")
            json.array { json in
                for finding in findings {
                    json.object { json in
                        json.key("check")
                        json.string(finding.check)
                        json.key("verdict")
                        json.string(finding.verdict.rawValue)
                        json.key("text")
                        json.string(finding.text)
                        if let remedy = finding.remedy {
                            json.key("remedy")
                            json.string(remedy)
                        }
                    }
                }
            }
        }
        json.newline()
        return json.text
    }
}
