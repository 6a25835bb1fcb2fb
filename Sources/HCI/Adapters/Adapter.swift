public import System

/// Which controller is meant, as configured.
public enum AdapterChoice: Hashable, Sendable, CustomStringConvertible {
    /// Whichever there is; the one with the lowest number that works.
    case any
    /// The one with this public address, whatever its number is at the moment.
    case address(DeviceAddress)
    /// The one that the kernel gives this number at the moment.
    case number(UInt16)
    /// One that is no adapter of the kernel's: a byte stream that speaks H4.
    case stream(StreamAddress)

    /// Reads `auto`, `dc:a6:32:01:02:03`, `hci0`, or a stream's address; nil for anything else.
    public init?(_ text: String) {
        if text == "auto" {
            self = .any
        } else if text.hasPrefix("hci") {
            let digits = text.dropFirst(3)
            guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                digits == "0" || !digits.hasPrefix("0"), let number = UInt16(digits)
            else { return nil }
            self = .number(number)
        } else if let address = DeviceAddress(text, .public) {
            self = .address(address)
        } else if let stream = StreamAddress(text) {
            self = .stream(stream)
        } else {
            return nil
        }
    }

    /// As it is written in configuration.
    public var description: String {
        switch self {
        case .any: "auto"
        case .address(let address): "\(address)"
        case .number(let number): "hci\(number)"
        case .stream(let stream): "\(stream)"
        }
    }
}

/// How a kernel's adapter is used.
public enum AdapterAccess: String, Sendable, CaseIterable {
    /// For us alone: the kernel and everybody else are kept out. HCI_CHANNEL_USER
    case exclusive
    /// Beside the kernel and other programs. HCI_CHANNEL_RAW
    case shared
}

/// An adapter as the kernel lists it.
public struct Adapter: Equatable, Sendable {
    /// What it is attached by.
    public enum Bus: String, Sendable { case usb, uart, sdio, virtual, other }
    /// Why it may not send. rfkill
    public enum Block: String, Sendable {
        /// A program or a person blocked it: `rfkill unblock bluetooth`.
        case soft
        /// A switch of the machine's blocks it.
        case hard
    }

    /// The N of hciN, as it is at the moment.
    public var number: UInt16
    /// Its public address; all zero until the kernel has asked for it.
    public var address: DeviceAddress
    /// Whether it is powered by the kernel.
    public var isUp: Bool
    /// What it is attached by.
    public var bus: Bus
    /// The kernel's driver, where the kernel tells.
    public var driver: String?
    /// Why it may not send; nil where it may.
    public var block: Block?

    /// Makes an adapter.
    public init(
        number: UInt16, address: DeviceAddress, isUp: Bool, bus: Bus = .other, driver: String? = nil,
        block: Block? = nil
    ) {
        self.number = number
        self.address = address
        self.isUp = isUp
        self.bus = bus
        self.driver = driver
        self.block = block
    }

    /// "hci0".
    public var name: String { "hci\(number)" }
}
