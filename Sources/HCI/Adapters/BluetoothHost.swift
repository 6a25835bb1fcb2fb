public import System

/// What a machine can do with its Bluetooth adapters: a kernel, or a test's idea of one.
public protocol BluetoothHost: AnyObject {
    /// The adapters that there are, by number.
    func adapters() throws(AdapterProblem) -> [Adapter]
    /// Takes an adapter. Exclusively it is taken down first, and comes without having been set up; shared it is brought up
    /// first, and set up by the kernel.
    func open(_ adapter: Adapter, _ access: AdapterAccess) throws(AdapterProblem) -> any ControllerTransport
    /// Begins to connect to a controller that is no adapter of the kernel's.
    func connect(to stream: StreamAddress) throws(AdapterProblem) -> any ControllerTransport
    /// Takes an adapter that is not open down, and up again where it is to be shared.
    func powerCycle(_ adapter: Adapter, for access: AdapterAccess) throws(AdapterProblem)
    /// Whether `reprobe` is possible here, and allowed to this process.
    func isReprobable(_ adapter: Adapter) -> Bool
    /// Takes an adapter that is not open from its driver and gives it back, as pulling it out and putting it in does.
    func reprobe(_ adapter: Adapter) throws(AdapterProblem)
    /// The name of another program that manages adapters and runs now: "bluetoothd".
    var manager: String? { get }
}
