import Agent
import System
import Testing

@testable import HCI
@testable import Outbox
@testable import beacond

/// A machine without faults, for a test to break.
private final class Machine: BluetoothHost {
    var list: Result<[Adapter], AdapterProblem> = .success([
        Adapter(
            number: 0, address: DeviceAddress(0xDCA6_3201_0203, .public), isUp: false, bus: .uart,
            driver: "hci_uart_bcm")
    ])
    var problem: AdapterProblem?
    var manager: String?
    var opened: [AdapterAccess] = []
    var answer: Result<ControllerIdentity, DoctorProbes.Complaint> = .success(raspberry)
    var missing: [String] = []
    var switches: [Rfkill] = []
    var isSynchronised = true
    var reach = DoctorProbes.Reach.connected(address: "192.0.2.7")
    var folder: DoctorProbes.Folder? = .init(
        owner: 998, permissions: 0o700, isWritable: true, free: 12_000_000_000, holder: nil)
    var paths: Set = ["/etc/beacond/config.yaml", "/var/lib"]

    /// A Raspberry Pi 4: Cypress, Bluetooth 5.0, legacy commands.
    static let raspberry: ControllerIdentity = {
        var identity = ControllerIdentity()
        let version: [UInt8] = [9, 0, 0, 9, 0x31, 0x01, 0x06, 0x61]
        version.withUnsafeBytes { identity.learn(.readLocalVersion, $0) }
        return identity
    }()

    /// Stands for a way to a controller, which only `ask` would use.
    private final class Way: ControllerTransport {
        let descriptor: Int32 = -1
        let interest: Readiness = []
        let isConnected = true
        let losses = TransportLosses()
        func send(_ packet: [UInt8]) throws(TransportFailure) -> Bool { true }
        func writable() throws(TransportFailure) {}
        func readable(_ body: (H4Kind, UnsafeRawBufferPointer) -> Void) throws(TransportFailure) {}
    }

    func adapters() throws(AdapterProblem) -> [Adapter] { try list.get() }

    func open(_ adapter: Adapter, _ access: AdapterAccess) throws(AdapterProblem) -> any ControllerTransport {
        opened.append(access)
        if let problem { throw problem }
        return Way()
    }

    func connect(to stream: StreamAddress) throws(AdapterProblem) -> any ControllerTransport {
        if let problem { throw problem }
        return Way()
    }

    func powerCycle(_ adapter: Adapter, for access: AdapterAccess) throws(AdapterProblem) {}
    func reprobe(_ adapter: Adapter) throws(AdapterProblem) {}
    func isReprobable(_ adapter: Adapter) -> Bool { false }

    /// What the doctor says of it, with a configuration that adds these lines.
    func examined(_ lines: String = "") -> DoctorReport {
        let text = "site: store-12\nnode: n\nmqtt: {host: broker.example}\n" + lines
        return examined(ConfigurationFile.parsed(Array(text.utf8), name: "x", digest: { _ in "sha256:0123456789" }))
    }

    func examined(_ file: Result<ConfigurationStack, ConfigurationFile.Failure>) -> DoctorReport {
        let probes = DoctorProbes(
            host: self, ask: { _ in self.answer }, missingCapabilities: { self.missing },
            switches: { self.switches }, program: "/usr/local/bin/beacond", isRoot: false,
            isClockSynchronised: { self.isSynchronised }, reach: { _, _ in self.reach },
            folder: { _ in self.folder }, exists: { self.paths.contains($0) })
        return DoctorReport(findings: Doctor("/etc/beacond/config.yaml", file, probes).findings())
    }

    /// What it says of one check, in lines.
    func lines(_ check: String, _ lines: String = "") -> [String] {
        examined(lines).findings.filter { $0.check == check }.flatMap { finding in
            ["\(finding.verdict.rawValue): \(finding.text)"] + (finding.remedy.map { ["→ \($0)"] } ?? [])
        }
    }
}

@Suite("Doctor")
struct DoctorTests {
    @Test("a machine without faults passes, in a table") func healthy() {
        let report = Machine().examined()
        #expect(
            report.text == """
                pass  configuration   '/etc/beacond/config.yaml' is valid, sha256:01234567…
                pass  capabilities    CAP_NET_ADMIN and CAP_NET_RAW are there
                pass  rfkill          there is no switch for Bluetooth
                pass  adapter         hci0 dc:a6:32:01:02:03, uart by hci_uart_bcm, Bluetooth 5.0, made by Cypress, \
                firmware 24838, legacy commands only, no coded PHY
                pass  other programs  no other program manages Bluetooth
                pass  clock           the kernel says that it is kept right
                pass  broker          broker.example:1883 takes connections by 192.0.2.7
                pass  state folder    /var/lib/beacond of user 998, 12 GB free
                8 pass

                """)
        #expect(report.verdict == .pass)
    }

    @Test("the worst finding is the verdict, and JSON says it") func json() {
        let report = DoctorReport(findings: [
            Finding("clock", .warn, "late", remedy: "wind it"), Finding("broker", .pass, "there"),
        ])
        #expect(
            report.json == """
                {"verdict":"warn","checks":[{"check":"clock","verdict":"warn","text":"late","remedy":"wind it"},\
                {"check":"broker","verdict":"pass","text":"there"}]}

                """)
        #expect(report.text == "warn  clock   late\n              → wind it\npass  broker  there\n1 warn, 1 pass\n")
    }

    @Test("a configuration that is missing, unreadable or bad fails, and the rest goes by the defaults")
    func configuration() {
        let machine = Machine()
        func first(_ code: ExitCode) -> Finding? {
            machine.examined(.failure(.init(code: code, text: "cannot read 'x': Permission denied"))).findings.first
        }
        #expect(
            first(.badConfiguration)
                == Finding(
                    "configuration", .fail, "'/etc/beacond/config.yaml' is not valid",
                    remedy: "beacond check /etc/beacond/config.yaml shows why"))
        #expect(first(.noInput)?.remedy == "let the user that the agent runs as read it")
        machine.paths = []
        #expect(
            first(.noInput)?.text == "there is no '/etc/beacond/config.yaml'; what follows goes by the defaults")
    }

    @Test("a missing capability is named, with the command that grants it to this program") func capabilities() {
        let machine = Machine()
        machine.missing = ["CAP_NET_RAW"]
        #expect(
            machine.lines("capabilities") == [
                "fail: this process lacks CAP_NET_RAW",
                "→ start the agent by deploy/beacond.service, or: sudo setcap cap_net_admin,cap_net_raw+ep "
                    + "/usr/local/bin/beacond",
            ])
    }

    @Test("a switch that blocks is named, another kind's is not") func switches() {
        let machine = Machine()
        machine.switches = [
            Rfkill(name: "hci0", kind: "bluetooth", block: .soft), Rfkill(name: "phy0", kind: "wlan", block: .hard),
        ]
        #expect(
            machine.lines("rfkill") == ["fail: hci0 is blocked by software", "→ sudo rfkill unblock bluetooth"])
        machine.switches = [Rfkill(name: "hci0", kind: "bluetooth", block: .hard)]
        #expect(
            machine.lines("rfkill") == [
                "fail: hci0 is blocked by a switch or the firmware of this machine", "→ switch Bluetooth on there",
            ])
        machine.switches = [Rfkill(name: "hci0", kind: "bluetooth", block: nil)]
        #expect(machine.lines("rfkill") == ["pass: nothing is blocked"])
    }

    @Test("one that is up is asked beside its users, one that is down is taken for the moment") func access() {
        let machine = Machine()
        let address = DeviceAddress(0, .public)
        machine.list = .success([
            Adapter(number: 0, address: address, isUp: true), Adapter(number: 1, address: address, isUp: false),
            Adapter(number: 2, address: address, isUp: false, block: .soft),
        ])
        #expect(
            machine.lines("adapter").suffix(1) == ["warn: hci2, other, is blocked and was not asked"])
        #expect(machine.opened == [.shared, .exclusive])
    }

    @Test("without an adapter, or without the one that is meant, it fails") func missing() {
        let machine = Machine()
        machine.list = .success([])
        #expect(machine.lines("adapter").first == "fail: there is no Bluetooth adapter")
        let other = Machine()
        let lines = other.lines("adapter", "radio: {adapter: \"dc:a6:32:ff:ff:ff\"}\n")
        #expect(lines.first?.hasPrefix("pass: hci0 ") == true)
        #expect(lines.dropFirst().first == "fail: there is no Bluetooth adapter dc:a6:32:ff:ff:ff")
        other.list = .failure(.noBluetooth)
        #expect(other.lines("adapter").first == "fail: this kernel has no Bluetooth, or keeps it from this process")
    }

    @Test("an adapter in use is not asked, one that does not answer or has no LE fails") func troubled() {
        let machine = Machine()
        machine.problem = .busy(name: "hci0", holder: nil)
        #expect(machine.lines("adapter")[0].hasSuffix(", is in use by another program and was not asked"))
        machine.problem = .unauthorized(missing: [])
        #expect(machine.lines("adapter")[0].hasSuffix(", may not be asked without the capabilities"))
        machine.problem = nil
        machine.answer = .failure(.init(text: "it does not answer"))
        #expect(
            machine.lines("adapter") == [
                "fail: hci0 dc:a6:32:01:02:03, uart by hci_uart_bcm: it does not answer",
                "→ unplug it and plug it in, or restart the machine",
            ])
        var old = ControllerIdentity()
        [UInt8](repeating: 0, count: 8).withUnsafeBytes { old.learn(.readLocalFeatures, $0) }
        machine.answer = .success(old)
        #expect(machine.lines("adapter")[0].hasSuffix(", has no Bluetooth LE"))
    }

    @Test("a controller at the end of a byte stream needs neither capabilities nor rfkill") func stream() {
        let machine = Machine()
        machine.missing = ["CAP_NET_ADMIN", "CAP_NET_RAW"]
        let lines = "radio: {adapter: \"serial:/dev/ttyACM0\"}\n"
        let report = machine.examined(lines)
        #expect(report.verdict == .pass)
        #expect(report.findings.map(\.check) == ["configuration", "controller", "clock", "broker", "state folder"])
        machine.folder?.holder = StateFolder.Holder(process: 7)
        #expect(machine.lines("controller", lines)[0].hasSuffix(", is in use by the agent and was not asked"))
    }

    @Test("bluetoothd is a warning, and what it means goes by radio.access") func manager() {
        let machine = Machine()
        machine.manager = "bluetoothd"
        #expect(
            machine.lines("other programs") == [
                "warn: bluetoothd runs: beacond shares an adapter that it has up, and either may disturb the other",
                "→ if nothing else needs Bluetooth: sudo systemctl disable --now bluetooth",
            ])
        #expect(
            machine.lines("other programs", "radio: {access: exclusive}\n")[0]
                == "warn: bluetoothd runs: beacond takes the adapter from it, and from what is connected by it")
    }

    @Test("a clock that nobody keeps is a warning") func clock() {
        let machine = Machine()
        machine.isSynchronised = false
        #expect(
            machine.lines("clock") == [
                "warn: nothing keeps the clock right; messages say so (\"clock\":\"unsynced\")",
                "→ sudo timedatectl set-ntp true",
            ])
    }

    @Test("a broker that has no address, or does not take connections, fails") func broker() {
        let machine = Machine()
        machine.reach = .unresolved("Name or service not known")
        #expect(
            machine.lines("broker") == [
                "fail: broker.example has no address: Name or service not known",
                "→ put mqtt.host right, or the name server",
            ])
        machine.reach = .refused(address: "192.0.2.7", "no answer in 5 s")
        #expect(
            machine.lines("broker")[0]
                == "fail: broker.example:1883 (192.0.2.7) cannot be connected to: no answer in 5 s")
    }

    @Test("a state folder that others may write in fails, one that is full or another's is a warning") func folder()
    {
        let machine = Machine()
        machine.folder?.permissions = 0o777
        #expect(
            machine.lines("state folder") == [
                "fail: others may write in /var/lib/beacond", "→ sudo chmod 700 /var/lib/beacond",
            ])
        machine.folder?.permissions = 0o700
        machine.folder?.isWritable = false
        #expect(
            machine.lines("state folder") == [
                "warn: /var/lib/beacond of user 998 cannot be written by this process",
                "→ run this as user 998, or change the owner",
            ])
        machine.folder?.free = 3_000_000
        #expect(machine.lines("state folder")[0] == "warn: /var/lib/beacond of user 998 has little room left, 3 MB")
        machine.folder?.holder = StateFolder.Holder(process: 412)
        #expect(
            machine.lines("state folder")
                == ["pass: /var/lib/beacond of user 998 is held by an agent that runs (process 412)"])
        machine.folder = nil
        #expect(machine.lines("state folder") == ["pass: /var/lib/beacond is not there yet; the agent makes it"])
        machine.paths = []
        #expect(machine.lines("state folder")[1] == "→ sudo install -d -m 700 /var/lib/beacond")
        machine.paths = ["/var/lib/beacond"]
        #expect(machine.lines("state folder")[0] == "fail: /var/lib/beacond cannot be looked into")
    }
}
