internal import Agent
internal import HCI
internal import Outbox
internal import System

/// An examination: what the probes say, judged by what the configuration wants.
struct Doctor {
    private let path: String
    private let file: Result<ConfigurationStack, ConfigurationFile.Failure>
    let probes: DoctorProbes
    let configuration: Configuration?
    /// Which controller is wanted.
    let choice: AdapterChoice

    init(
        _ path: String, _ file: Result<ConfigurationStack, ConfigurationFile.Failure>, _ probes: DoctorProbes
    ) {
        self.path = path
        self.file = file
        self.probes = probes
        configuration = (try? file.get())?.configuration
        choice = configuration.flatMap { AdapterChoice($0.radio.adapter) } ?? .any
    }

    /// Everything, in the order in which it is to be put right.
    func findings() -> [Finding] {
        // One after the other, for Swift 6.0 gives up over one sum.
        var findings = [checkConfiguration()]
        findings += checkCapabilities()
        findings += checkSwitches()
        findings += checkAdapters()
        findings += checkManager()
        findings.append(checkClock())
        findings += checkBroker()
        findings.append(checkFolder())
        return findings
    }

    /// Whether the controller is one of the kernel's.
    var wantsKernel: Bool {
        if case .stream = choice { false } else { true }
    }

    /// The folder of the agent whose configuration this is.
    private var folderPath: String { configuration?.stateFolder ?? RadioChoice.usualStateFolder }

    /// Whether that agent runs.
    var isAgentRunning: Bool { probes.folder(folderPath)?.holder != nil }

    private func checkConfiguration() -> Finding {
        let name = quoted(path, limit: 200)
        switch file {
        case .success(let stack):
            return Finding("configuration", .pass, "\(name) is valid, \(stack.hash.prefix(15))…")
        case .failure(let failure):
            if failure.code == .badConfiguration {
                return Finding(
                    "configuration", .fail, "\(name) is not valid", remedy: "beacond check \(path) shows why")
            }
            if !probes.exists(path) {
                return Finding(
                    "configuration", .fail, "there is no \(name); what follows goes by the defaults",
                    remedy: "beacond check --reference prints one to start from")
            }
            return Finding(
                "configuration", .fail, failure.text, remedy: "let the user that the agent runs as read it")
        }
    }

    private func checkCapabilities() -> [Finding] {
        guard wantsKernel else { return [] }
        let missing = probes.missingCapabilities()
        if missing.isEmpty {
            let note = probes.isRoot ? ", as root; the unit deploy/beacond.service needs no root" : ""
            return [Finding("capabilities", .pass, "CAP_NET_ADMIN and CAP_NET_RAW are there\(note)")]
        }
        return [
            Finding(
                "capabilities", .fail, "this process lacks \(missing.joined(separator: " and "))",
                remedy: "start the agent by deploy/beacond.service, or: sudo setcap cap_net_admin,cap_net_raw+ep "
                    + escaped(probes.program, limit: 255))
        ]
    }

    private func checkSwitches() -> [Finding] {
        guard wantsKernel else { return [] }
        let switches = probes.switches().filter { $0.kind == "bluetooth" }
        let blocked = switches.filter { $0.block != nil }
        if blocked.isEmpty {
            return [
                Finding(
                    "rfkill", .pass, switches.isEmpty ? "there is no switch for Bluetooth" : "nothing is blocked")
            ]
        }
        return blocked.map { entry in
            let name = escaped(entry.name)
            return entry.block == .hard
                ? Finding(
                    "rfkill", .fail, "\(name) is blocked by a switch or the firmware of this machine",
                    remedy: "switch Bluetooth on there")
                : Finding(
                    "rfkill", .fail, "\(name) is blocked by software", remedy: "sudo rfkill unblock bluetooth")
        }
    }

    private func checkManager() -> [Finding] {
        guard wantsKernel else { return [] }
        guard let manager = probes.host.manager else {
            return [Finding("other programs", .pass, "no other program manages Bluetooth")]
        }
        let remedy = "if nothing else needs Bluetooth: sudo systemctl disable --now bluetooth"
        let meaning =
            switch configuration?.radio.access ?? .auto {
            case .exclusive: "beacond takes the adapter from it, and from what is connected by it"
            case .shared: "beacond listens beside it, as radio.access says; either may disturb the other"
            case .auto: "beacond shares an adapter that it has up, and either may disturb the other"
            }
        return [Finding("other programs", .warn, "\(manager) runs: \(meaning)", remedy: remedy)]
    }

    private func checkClock() -> Finding {
        if probes.isClockSynchronised() { return Finding("clock", .pass, "the kernel says that it is kept right") }
        return Finding(
            "clock", .warn, "nothing keeps the clock right; messages say so (\"clock\":\"unsynced\")",
            remedy: "sudo timedatectl set-ntp true")
    }

    private func checkBroker() -> [Finding] {
        guard let mqtt = configuration?.mqtt else { return [] }
        let place = "\(escaped(mqtt.host)):\(mqtt.port)"
        switch probes.reach(mqtt.host, mqtt.port) {
        case .connected(let address):
            let by = address == mqtt.host ? "" : " by \(address)"
            return [Finding("broker", .pass, "\(place) takes connections\(by)")]
        case .unresolved(let reason):
            return [
                Finding(
                    "broker", .fail, "\(escaped(mqtt.host)) has no address: \(reason)",
                    remedy: "put mqtt.host right, or the name server")
            ]
        case .refused(let address, let reason):
            let by = address == mqtt.host ? "" : " (\(address))"
            return [
                Finding(
                    "broker", .fail, "\(place)\(by) cannot be connected to: \(reason)",
                    remedy: "start the broker, let the firewall pass, or put mqtt.host and mqtt.port right")
            ]
        }
    }

    /// Below it the queue for the broker may not find room; a day of events without a broker takes less.
    private static let littleRoom: UInt64 = 100_000_000

    private func checkFolder() -> Finding {
        let path = folderPath
        let name = escaped(path, limit: 200)
        guard let folder = probes.folder(path) else {
            let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            if probes.exists(path) {
                return Finding(
                    "state folder", .fail, "\(name) cannot be looked into",
                    remedy: "run this as the user that the agent runs as, or with sudo")
            }
            if !parent.isEmpty, !probes.exists(parent) {
                return Finding(
                    "state folder", .fail, "\(name) is not there, and neither is what it would be in",
                    remedy: "sudo install -d -m 700 \(name)")
            }
            return Finding("state folder", .pass, "\(name) is not there yet; the agent makes it")
        }
        if folder.permissions & 0o022 != 0 {
            return Finding(
                "state folder", .fail, "others may write in \(name)", remedy: "sudo chmod 700 \(name)")
        }
        let owner = "\(name) of user \(folder.owner)"
        if let holder = folder.holder {
            let process = holder.process.map { " (process \($0))" } ?? ""
            return Finding("state folder", .pass, "\(owner) is held by an agent that runs\(process)")
        }
        let space = ByteCount.text(Int(clamping: folder.free))
        if folder.free < Self.littleRoom {
            return Finding(
                "state folder", .warn, "\(owner) has little room left, \(space)",
                remedy: "make room, or have state_folder on another disk")
        }
        if !folder.isWritable {
            return Finding(
                "state folder", .warn, "\(owner) cannot be written by this process",
                remedy: "run this as user \(folder.owner), or change the owner")
        }
        return Finding("state folder", .pass, "\(owner), \(space) free")
    }
}
