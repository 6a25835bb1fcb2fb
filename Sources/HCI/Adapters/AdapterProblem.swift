public import System

/// Why an adapter cannot be used, each with the way out.
public enum AdapterProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// This kernel has no Bluetooth at all. EAFNOSUPPORT
    case noBluetooth
    /// There is no adapter, or not the one that was asked for.
    case missing(AdapterChoice)
    /// There is none but the one that has another task.
    case noOther(than: AdapterChoice)
    /// This process may not: it lacks these capabilities. EPERM
    case unauthorized(missing: [String])
    /// It may not send.
    case blocked(name: String, Adapter.Block)
    /// The kernel is not done with a new adapter. EBUSY. Where its set-up failed, because the controller did not answer, it
    /// never will be: the adapter can then be shared as soon as it answers, and be taken for oneself only after a
    /// `reprobe` (seen on Linux 6.1: hci_power_on leaves HCI_SETUP set).
    case starting(name: String)
    /// Another program has it: a manager of adapters, by its name, or one that keeps it to itself. EBUSY
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
        case .missing, .noOther: "no_adapter"
        case .unauthorized: "not_permitted"
        case .blocked: "rfkill"
        case .starting: "starting"
        case .busy: "busy"
        case .powerFailed: "power_failed"
        case .notReprobable: "not_reprobable"
        case .system: "unreachable"
        }
    }

    /// A sentence without a full stop, and what to do about it.
    public var description: String {
        switch self {
        case .noBluetooth:
            "this kernel has no Bluetooth, or keeps it from this process; load the module (sudo modprobe bluetooth), "
                + "allow the unit AF_BLUETOOTH, or set radio.adapter to serial:… or tcp:…"
        case .missing(.any):
            "there is no Bluetooth adapter; plug one in, or on a Raspberry Pi remove dtoverlay=disable-bt"
        case .missing(let choice):
            "there is no Bluetooth adapter \(choice); plug it in, or choose another (beacond doctor lists them)"
        case .noOther(let choice):
            "there is no Bluetooth adapter beside \(choice), which has another task; plug one in, or let one adapter do "
                + "both (leave advertise.adapter out)"
        case .unauthorized(let missing) where missing.isEmpty:
            "this process may not use Bluetooth adapters, whatever its capabilities, because it runs in a container; "
                + "run it outside"
        case .unauthorized(let missing):
            "this process may not use Bluetooth adapters, because it lacks \(missing.joined(separator: " and ")); "
                + "start it by its systemd unit or as root, or: "
                + "sudo setcap cap_net_admin,cap_net_raw+ep /usr/local/bin/beacond"
        case .blocked(let name, .soft): "\(name) is blocked by software; unblock it: sudo rfkill unblock bluetooth"
        case .blocked(let name, .hard):
            "\(name) is blocked by a switch or the firmware of this machine; switch Bluetooth on there"
        case .starting(let name):
            "\(name) has not been set up by the kernel yet; if that lasts longer than 10 s, unplug it and plug it in"
        case .busy(let name, let holder?):
            "\(name) is in use by \(holder); stop it (sudo systemctl disable --now bluetooth), or set radio.access "
                + "to shared"
        case .busy(let name, nil):
            "\(name) is in use by another program, which keeps it to itself; end that one, or choose another adapter"
        case .powerFailed(let name, let error):
            "\(name) does not power up or down: \(error.reason); unplug it and plug it in, or restart this machine"
        case .notReprobable(let name):
            "\(name) cannot be taken from its driver and given back by this process; unplug it and plug it in, or "
                + "restart this machine"
        case .system(let error): "\(error)"
        }
    }
}
