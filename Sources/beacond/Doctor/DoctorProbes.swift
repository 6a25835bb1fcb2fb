internal import Agent
internal import HCI
internal import Outbox
internal import System

/// What `beacond doctor` looks at, each thing behind a function, so that a test can be a machine of any kind.
struct DoctorProbes {
    /// What there is to know of a folder without changing anything in it.
    struct Folder: Equatable {
        var owner: UInt32
        /// The twelve permission bits.
        var permissions: UInt32
        /// Whether this process may write in it.
        var isWritable: Bool
        /// Bytes that an unprivileged process may still fill.
        var free: UInt64
        /// An agent that holds it.
        var holder: StateFolder.Holder?
    }

    /// How an attempt to reach a broker ended.
    enum Reach: Equatable {
        case connected(address: String)
        /// The name is unknown, in the resolver's words.
        case unresolved(String)
        /// In the kernel's words.
        case refused(address: String, String)
    }

    /// The adapters of this machine.
    var host: any BluetoothHost
    /// What a controller says of itself when it is asked over this way; why it does not, otherwise.
    var ask: (any ControllerTransport) -> Result<ControllerIdentity, Complaint>
    /// Capabilities that this process lacks.
    var missingCapabilities: () -> [String]
    /// Whether a radio of this kind and name is blocked.
    var switches: () -> [Rfkill]
    /// Where this program is, links resolved.
    var program: String
    /// Whether this process is root's.
    var isRoot: Bool
    var isClockSynchronised: () -> Bool
    var reach: (_ host: String, _ port: UInt16) -> Reach
    /// nil where nothing is.
    var folder: (_ path: String) -> Folder?
    /// Whether there is anything at a path.
    var exists: (_ path: String) -> Bool

    /// A sentence without its end.
    struct Complaint: Error, Equatable {
        var text: String
    }

    /// Those of this machine.
    static var own: DoctorProbes {
        DoctorProbes(
            host: LinuxBluetooth(), ask: { ControllerInquiry.ask(over: $0) },
            missingCapabilities: { Capabilities.missing() }, switches: { Rfkill.all() },
            program: resolvedPath("/proc/self/exe") ?? "/usr/local/bin/beacond", isRoot: effectiveUser == 0,
            isClockSynchronised: { WallClock.isSynchronised },
            reach: { BrokerReach.attempt($0, $1) }, folder: { FolderProbe.look(at: $0) },
            exists: { System.exists($0) })
    }
}
