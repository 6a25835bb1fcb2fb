internal import Glibc
public import System

/// The adapters of a Linux kernel. BlueZ's HCI sockets, sysfs
///
/// For one thread. The calls that power an adapter wait for the kernel, which waits for the controller: a controller that
/// hangs holds `open(_:.shared)` and `powerCycle` up for 2 s for each command that the kernel gives up.
public final class LinuxBluetooth: BluetoothHost {
    /// How often `open` tries, with pauses of 50 ms between: a second in all, for a kernel that is about to be done. One that
    /// loads firmware takes longer, and is asked again by whoever wants the adapter.
    static let attempts = 20
    /// Programs that manage adapters by themselves.
    private static let managers = ["bluetoothd"]

    private let calls: any AdapterCalls
    private let sys: String
    private let proc: String
    private let receiveBuffer: Int32

    /// The adapters of the kernel that this runs on; `receiveBuffer` in bytes is for each that is opened.
    public convenience init(receiveBuffer: Int32 = KernelTransport.receiveBuffer) {
        self.init(LinuxAdapterCalls(), receiveBuffer: receiveBuffer)
    }

    /// A kernel that `calls` plays, with its folders /sys and /proc elsewhere.
    init(
        _ calls: any AdapterCalls, sys: String = "/sys", proc: String = "/proc",
        receiveBuffer: Int32 = KernelTransport.receiveBuffer
    ) {
        self.calls = calls
        self.sys = sys
        self.proc = proc
        self.receiveBuffer = receiveBuffer
    }

    /// The adapters that there are, by number.
    public func adapters() throws(AdapterProblem) -> [Adapter] {
        do throws(SystemError) {
            let socket = try calls.socket()
            var adapters: [Adapter] = []
            for number in try calls.numbers(socket) {
                do throws(SystemError) {
                    let state = try calls.state(of: number, socket)
                    guard state.isPrimary else { continue }
                    adapters.append(
                        Adapter(
                            number: number, address: state.address, isUp: state.isUp, bus: state.bus,
                            driver: AdapterDevice(of: number, sys: sys).driver,
                            block: Rfkill.block(ofAdapter: number, sys: sys)))
                } catch {
                    // It went since it was listed.
                    if error.code != ENODEV { throw error }
                }
            }
            return adapters
        } catch {
            throw problem(error, nil)
        }
    }

    /// Takes an adapter. Exclusively it is taken down first, and comes without having been set up; shared it is brought
    /// up first, and set up by the kernel.
    public func open(_ adapter: Adapter, _ access: AdapterAccess) throws(AdapterProblem) -> any ControllerTransport
    {
        let socket = try makeSocket(for: adapter)
        switch access {
        case .exclusive: try own(adapter, socket)
        case .shared: try share(adapter, socket)
        }
        do throws(SystemError) {
            return try KernelTransport(bound: socket)
        } catch {
            throw problem(error, adapter)
        }
    }

    /// Begins to connect to a controller that is no adapter of the kernel's.
    public func connect(to stream: StreamAddress) throws(AdapterProblem) -> any ControllerTransport {
        do throws(SystemError) {
            return try StreamTransport(connectingTo: stream)
        } catch {
            throw .system(error)
        }
    }

    /// Takes an adapter that is not open down, and up again where it is to be shared.
    public func powerCycle(_ adapter: Adapter, for access: AdapterAccess) throws(AdapterProblem) {
        do throws(SystemError) {
            let socket = try calls.socket()
            _ = try look(at: adapter, socket)
            try calls.down(adapter.number, socket)
            if access == .shared { try powerUp(adapter, socket) }
        } catch {
            throw problem(error, adapter)
        }
    }

    /// Whether `reprobe` is possible here, and allowed to this process: writing to sysfs takes root.
    public func isReprobable(_ adapter: Adapter) -> Bool {
        !AdapterDevice(of: adapter.number, sys: sys).reprobe.isEmpty
    }

    /// Takes an adapter that is not open from its driver and gives it back, as pulling it out and putting it in does. It
    /// comes again after that, by and by, and perhaps under another number.
    public func reprobe(_ adapter: Adapter) throws(AdapterProblem) {
        let steps = AdapterDevice(of: adapter.number, sys: sys).reprobe
        if steps.isEmpty { throw .notReprobable(name: adapter.name) }
        do throws(SystemError) {
            for step in steps { try calls.write(step.text, to: step.path) }
        } catch {
            throw .system(error)
        }
    }

    /// The name of another program that manages adapters and runs now. Not seen where /proc hides what others run.
    public var manager: String? {
        let processes = (try? namesInFolder(proc)) ?? []
        for process in processes where process.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard let name = firstLine("\(proc)/\(process)/comm") else { continue }
            if LinuxBluetooth.managers.contains(name) { return name }
        }
        return nil
    }

    // MARK: - Steps

    private func makeSocket(for adapter: Adapter) throws(AdapterProblem) -> Descriptor {
        do throws(SystemError) {
            let socket = try calls.socket()
            // Before it is bound, so that nothing comes while there is little room.
            try calls.enlarge(to: receiveBuffer, socket)
            return socket
        } catch {
            throw problem(error, adapter)
        }
    }

    /// Binds for us alone, which the kernel grants for an adapter that is down, or that nobody has wanted so far.
    private func own(_ adapter: Adapter, _ socket: borrowing Descriptor) throws(AdapterProblem) {
        for attempt in 1...LinuxBluetooth.attempts {
            let isUp: Bool
            do throws(SystemError) {
                isUp = try look(at: adapter, socket).isUp
                // Not one that says it is down: a new one, still powered from being set up, needs it not, and one that is
                // about to be set up would suffer: the kernel then forgets to do it, and refuses the adapter from then on.
                if isUp { try calls.down(adapter.number, socket) }
            } catch {
                throw problem(error, adapter)
            }
            do throws(SystemError) {
                return try calls.bind(adapter.number, .exclusive, socket)
            } catch {
                guard error.code == EBUSY else { throw problem(error, adapter) }
                // It is being set up, or somebody has brought it up again since.
                if attempt == LinuxBluetooth.attempts {
                    throw isUp ? .busy(name: adapter.name, holder: manager) : .starting(name: adapter.name)
                }
            }
            calls.pause()
        }
    }

    /// Binds beside the kernel and others.
    private func share(_ adapter: Adapter, _ socket: borrowing Descriptor) throws(AdapterProblem) {
        // Without it the filter would be cut down and commands be refused one by one; better said at once.
        let missing = Capabilities.missing(proc: proc)
        if missing.contains("CAP_NET_RAW") { throw .unauthorized(missing: missing) }
        do throws(SystemError) {
            if !(try look(at: adapter, socket).isUp) { try powerUp(adapter, socket) }
            try calls.bind(adapter.number, .shared, socket)
            try calls.checkShared(socket)
            try calls.filter(socket)
        } catch {
            throw problem(error, adapter)
        }
    }

    private func powerUp(_ adapter: Adapter, _ socket: borrowing Descriptor) throws(SystemError) {
        do throws(SystemError) {
            try calls.up(adapter.number, socket)
        } catch {
            if error.code != EALREADY { throw error }
        }
    }

    /// What the kernel says of an adapter; ENODEV where its number is another one's by now.
    private func look(at adapter: Adapter, _ socket: borrowing Descriptor) throws(SystemError) -> AdapterState {
        let state = try calls.state(of: adapter.number, socket)
        // All zero is one that has not been asked for its address.
        if state.address != adapter.address, state.address.value != 0, adapter.address.value != 0 {
            throw SystemError(code: ENODEV, action: "look at \(adapter.name)")
        }
        return state
    }

    /// What the kernel's refusal means.
    private func problem(_ error: SystemError, _ adapter: Adapter?) -> AdapterProblem {
        switch error.code {
        case EAFNOSUPPORT, EPROTONOSUPPORT: return .noBluetooth
        case EPERM, EACCES: return .unauthorized(missing: Capabilities.missing(proc: proc))
        default: break
        }
        guard let adapter else { return .system(error) }
        switch error.code {
        case EMFILE, ENFILE, ENOMEM, ENOBUFS: return .system(error)
        case ENODEV:
            return .missing(adapter.address.value == 0 ? .number(adapter.number) : .address(adapter.address))
        case ERFKILL:
            return .blocked(name: adapter.name, Rfkill.block(ofAdapter: adapter.number, sys: sys) ?? .soft)
        // Somebody has a user channel open, which no known manager does. EUSERS: opened at the same moment.
        case EBUSY, EUSERS: return .busy(name: adapter.name, holder: nil)
        default: return .powerFailed(name: adapter.name, error)
        }
    }
}
