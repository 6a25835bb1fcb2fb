public import System

/// Why an adapter cannot be used, each with the way out.
public enum AdapterProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// This kernel has no Bluetooth at all. EAFNOSUPPORT
    case noBluetooth
    /// There is no adapter, or not the one that was asked for.
    case missing(AdapterChoice)
    /// This process may not: it lacks these capabilities. EPERM
    case unauthorized(missing: [String])
    /// It may not send.
    case blocked(name: String, Adapter.Block)
    /// Another program has it; the name of one that is known to, where it runs. EBUSY
    case busy(name: String, holder: String?)
    /// The kernel could not bring it up or down.
    case powerFailed(name: String, SystemError)
    /// It cannot be brought back by taking it away from its driver: that is not possible here.
    case notReprobable(name: String)
    /// Something else that the kernel refused.
    case system(SystemError)

    /// The problem in one word, for messages.
    public var cause: String {
        switch self {
        case .noBluetooth: "no_bluetooth"
        case .missing: "no_adapter"
        case .unauthorized: "not_permitted"
        case .blocked: "rfkill"
        case .busy: "busy"
        case .powerFailed: "power_failed"
        case .notReprobable: "not_reprobable"
        case .system: "unreachable"
        }
    }

    /// A sentence without a full stop, and what to do about it.
    public var description: String {
        switch self {
        case .noBluetooth: "this kernel has no Bluetooth; load the module bluetooth, or use radio.adapter: serial:…"
        case .missing(.any): "there is no Bluetooth adapter; plug one in, or wait for the one that is starting"
        case .missing(let choice): "there is no Bluetooth adapter \(choice); `beacond doctor` lists those there are"
        case .unauthorized(let missing):
            "this process may not use Bluetooth adapters, it lacks \(missing.joined(separator: " and ")); "
                + "run it as root, or: sudo setcap cap_net_raw,cap_net_admin+ep /usr/local/bin/beacond"
        case .blocked(let name, .soft): "\(name) is blocked by software; rfkill unblock bluetooth"
        case .blocked(let name, .hard): "\(name) is blocked by a switch of this machine"
        case .busy(let name, let holder?):
            "\(name) is in use by \(holder); stop it (sudo systemctl disable --now bluetooth), or set "
                + "radio.access to shared"
        case .busy(let name, nil): "\(name) is in use by another program; end it, or set radio.access to shared"
        case .powerFailed(let name, let error): "\(name) does not power up or down: \(error.reason)"
        case .notReprobable(let name): "\(name) cannot be taken from its driver and given back"
        case .system(let error): "\(error)"
        }
    }
}
