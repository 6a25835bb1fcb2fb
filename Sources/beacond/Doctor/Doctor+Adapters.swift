internal import Agent
internal import HCI

// The controllers: which there are, and what the wanted one is.
extension Doctor {
    func checkAdapters() -> [Finding] {
        if case .stream(let stream) = choice {
            if isAgentRunning {
                return [Finding("controller", .pass, "\(stream), is in use by the agent and was not asked")]
            }
            do throws(AdapterProblem) {
                return [told("\(stream)", probes.ask(try probes.host.connect(to: stream)))]
            } catch {
                return [
                    Finding(
                        "controller", .fail, "\(error)",
                        remedy: "start what provides it, or put radio.adapter right")
                ]
            }
        }
        do throws(AdapterProblem) {
            let adapters = try probes.host.adapters()
            if adapters.isEmpty { throw .missing(.any) }
            var findings = adapters.map { examine($0) }
            if !adapters.contains(where: isWanted) {
                findings.append(Finding("adapter", AdapterProblem.missing(choice)))
            }
            return findings
        } catch {
            return [Finding("adapter", error)]
        }
    }

    private func isWanted(_ adapter: Adapter) -> Bool {
        switch choice {
        case .any: true
        case .number(let number): adapter.number == number
        case .address(let address): adapter.address.value == address.value
        case .stream: false
        }
    }

    /// One that is up is asked beside whoever uses it. One that is down is taken for the moment, and is down afterwards.
    private func examine(_ adapter: Adapter) -> Finding {
        var name = adapter.name
        if adapter.address.value != 0 { name += " \(adapter.address)" }
        name += ", \(adapter.bus.rawValue)"
        if let driver = adapter.driver { name += " by \(escaped(driver))" }
        if adapter.block != nil { return Finding("adapter", .warn, "\(name), is blocked and was not asked") }
        do throws(AdapterProblem) {
            return told(name, probes.ask(try probes.host.open(adapter, adapter.isUp ? .shared : .exclusive)))
        } catch {
            switch error {
            case .busy:
                return Finding("adapter", .pass, "\(name), is in use by another program and was not asked")
            case .unauthorized:
                return Finding("adapter", .warn, "\(name), may not be asked without the capabilities")
            default: return Finding("adapter", error, isWanted(adapter) ? .fail : .warn)
            }
        }
    }

    private func told(_ name: String, _ answer: Result<ControllerIdentity, DoctorProbes.Complaint>) -> Finding {
        let check = wantsKernel ? "adapter" : "controller"
        switch answer {
        case .failure(let complaint):
            return Finding(
                check, .fail, "\(name): \(complaint.text)",
                remedy: "unplug it and plug it in, or restart the machine")
        case .success(let identity):
            if !identity.isLowEnergy {
                return Finding(check, .fail, "\(name), has no Bluetooth LE", remedy: "use another one")
            }
            if identity.version == nil {
                return Finding(
                    check, .fail, "\(name): it answers and says nothing of itself",
                    remedy: "unplug it and plug it in, or restart the machine")
            }
            return Finding(check, .pass, ([name] + identity.words).joined(separator: ", "))
        }
    }
}

extension Finding {
    /// A problem, whose sentence goes on after a semicolon with what to do.
    fileprivate init(_ check: String, _ problem: AdapterProblem, _ verdict: Verdict = .fail) {
        let sentence = problem.description
        // The first one: what to do may have several parts.
        guard let end = sentence.unicodeScalars.firstIndex(of: ";") else {
            self.init(check, verdict, sentence)
            return
        }
        self.init(
            check, verdict, String(sentence[..<end]), remedy: String(sentence[end...].dropFirst(2)))
    }
}

extension ControllerIdentity {
    /// What it is, in a few words.
    fileprivate var words: [String] {
        var words: [String] = []
        if let version {
            words.append(Self.versions[Int(version)].map { "Bluetooth \($0)" } ?? "Bluetooth version \(version)")
        }
        if let manufacturer {
            words.append("made by \(Self.makers[manufacturer] ?? "company \(manufacturer)")")
        }
        if let firmware { words.append("firmware \(firmware)") }
        words.append(claimsExtended ? "extended commands" : "legacy commands only")
        words.append(hasCodedPHY ? "coded PHY" : "no coded PHY")
        return words
    }

    /// HCI_Version (Assigned Numbers 2.1); low energy began with 4.0.
    private static let versions: [Int: String] = [
        6: "4.0", 7: "4.1", 8: "4.2", 9: "5.0", 10: "5.1", 11: "5.2", 12: "5.3", 13: "5.4", 14: "6.0",
    ]

    /// Makers of adapters that are common in Linux machines (Assigned Numbers 7.1).
    private static let makers: [UInt16: String] = [
        2: "Intel", 10: "Cambridge Silicon Radio", 13: "Texas Instruments", 15: "Broadcom", 29: "Qualcomm",
        70: "MediaTek", 72: "Marvell", 89: "Nordic Semiconductor", 93: "Realtek", 305: "Cypress",
    ]
}
