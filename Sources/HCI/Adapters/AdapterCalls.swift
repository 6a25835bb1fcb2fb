internal import CBluetooth
internal import Glibc
internal import System

/// What `LinuxBluetooth` asks of the kernel, call by call, so that a test can make each of them fail.
protocol AdapterCalls: AnyObject {
    /// A raw HCI socket that is bound to nothing yet; it takes the calls below.
    func socket() throws(SystemError) -> Descriptor
    /// The numbers of all adapters. HCIGETDEVLIST
    func numbers(_ socket: borrowing Descriptor) throws(SystemError) -> [UInt16]
    /// What the kernel says of an adapter. HCIGETDEVINFO
    func state(of number: UInt16, _ socket: borrowing Descriptor) throws(SystemError) -> AdapterState
    /// Powers an adapter, and has the kernel set it up. HCIDEVUP
    func up(_ number: UInt16, _ socket: borrowing Descriptor) throws(SystemError)
    /// Takes an adapter's power. HCIDEVDOWN
    func down(_ number: UInt16, _ socket: borrowing Descriptor) throws(SystemError)
    /// Binds the socket to an adapter. HCI_CHANNEL_USER, HCI_CHANNEL_RAW
    func bind(_ number: UInt16, _ access: AdapterAccess, _ socket: borrowing Descriptor) throws(SystemError)
    /// Throws EBUSY where somebody has the adapter, to which the socket is bound for shared use, for himself alone.
    func checkShared(_ socket: borrowing Descriptor) throws(SystemError)
    /// Lets through what a host needs that shares the adapter. HCI_FILTER
    func filter(_ socket: borrowing Descriptor) throws(SystemError)
    /// Lets so many bytes wait to be read. SO_RCVBUFFORCE
    func enlarge(to bytes: Int32, _ socket: borrowing Descriptor) throws(SystemError)
    /// Writes a word into a file of sysfs.
    func write(_ text: String, to path: String) throws(SystemError)
    /// Waits a moment for the kernel.
    func pause()
}

/// What the kernel says of an adapter.
struct AdapterState: Equatable {
    var address: DeviceAddress
    /// False also while a new adapter, which the kernel has just set up, is still powered: it takes the power after 2 s
    /// unless somebody wants the adapter, and says until then that it is down (HCI_AUTO_OFF).
    var isUp: Bool
    var bus: Adapter.Bus
    /// Whether it is one that speaks HCI for Bluetooth, and no Alternate MAC/PHY.
    var isPrimary = true
}

/// The calls as the kernel answers them. Errors seen on Linux 6.1 and in its net/bluetooth/hci_sock.c.
final class LinuxAdapterCalls: AdapterCalls {
    /// More adapters than a machine has ports for; the kernel takes up to 1,024.
    private static let mostAdapters = 64

    func socket() throws(SystemError) -> Descriptor {
        try Descriptor.rawSocket(family: AF_BLUETOOTH, protocol: BTPROTO_HCI)
    }

    func numbers(_ socket: borrowing Descriptor) throws(SystemError) -> [UInt16] {
        // struct hci_dev_list_req: a 16-bit count, and from byte 4 on {16-bit number, 32-bit flags} in 8 bytes each. Swift
        // does not import an array without length.
        let size = 4 + 8 * LinuxAdapterCalls.mostAdapters
        let list = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4)
        defer { list.deallocate() }
        list.initializeMemory(as: UInt8.self, repeating: 0)
        list.storeBytes(of: UInt16(LinuxAdapterCalls.mostAdapters), as: UInt16.self)
        try socket.control(cbluetooth_get_dev_list, list, "list the Bluetooth adapters")
        let count = min(Int(list.load(as: UInt16.self)), LinuxAdapterCalls.mostAdapters)
        return (0..<count).map { list.load(fromByteOffset: 4 + 8 * $0, as: UInt16.self) }.sorted()
    }

    func state(of number: UInt16, _ socket: borrowing Descriptor) throws(SystemError) -> AdapterState {
        let info = UnsafeMutableRawBufferPointer.allocate(
            byteCount: MemoryLayout<hci_dev_info>.size, alignment: MemoryLayout<hci_dev_info>.alignment)
        defer { info.deallocate() }
        info.initializeMemory(as: UInt8.self, repeating: 0)
        info.storeBytes(of: number, as: UInt16.self)
        try socket.control(cbluetooth_get_dev_info, info, "look at hci\(number)")
        let known = info.load(as: hci_dev_info.self)
        var address = known.bdaddr
        let bits = withUnsafeBytes(of: &address) { bytes in
            // Least significant first.
            bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return AdapterState(
            address: DeviceAddress(bits, .public), isUp: known.flags & 1 << UInt32(HCI_UP) != 0,
            bus: Adapter.Bus(hci: Int32(known.type & 0x0F)), isPrimary: Int32(known.type >> 4 & 0x03) == HCI_PRIMARY
        )
    }

    func up(_ number: UInt16, _ socket: borrowing Descriptor) throws(SystemError) {
        try socket.control(cbluetooth_dev_up, UInt(number), "power hci\(number) up")
    }

    func down(_ number: UInt16, _ socket: borrowing Descriptor) throws(SystemError) {
        try socket.control(cbluetooth_dev_down, UInt(number), "power hci\(number) down")
    }

    func bind(_ number: UInt16, _ access: AdapterAccess, _ socket: borrowing Descriptor) throws(SystemError) {
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(AF_BLUETOOTH)
        address.hci_dev = number
        address.hci_channel = UInt16(access == .exclusive ? HCI_CHANNEL_USER : HCI_CHANNEL_RAW)
        try passing(&address) { (bytes) throws(SystemError) in try socket.bind(to: bytes, "open hci\(number)") }
    }

    func checkShared(_ socket: borrowing Descriptor) throws(SystemError) {
        do throws(SystemError) {
            // Of the calls for a bound socket the one that does nothing: the kernel refuses it (EOPNOTSUPP, EPERM), but
            // before it looks at that it refuses all of them where somebody has a user channel open (EBUSY). Binding is
            // not refused then, and whatever is sent would mix with what the other one sends.
            try socket.control(cbluetooth_set_raw, 0, "share the adapter")
        } catch {
            if error.code == EBUSY { throw error }
        }
    }

    func filter(_ socket: borrowing Descriptor) throws(SystemError) {
        // A process without CAP_NET_RAW gets less than it asked for, and no error.
        var filter = hci_filter()
        for kind in [HCI_COMMAND_PKT, HCI_EVENT_PKT] { filter.type_mask |= 1 << UInt32(kind) }
        for event in [EVT_CMD_COMPLETE, EVT_CMD_STATUS, EVT_HARDWARE_ERROR, EVT_LE_META_EVENT] {
            if event < 32 {
                filter.event_mask.0 |= 1 << UInt32(event)
            } else {
                filter.event_mask.1 |= 1 << UInt32(event - 32)
            }
        }
        try passing(&filter) { (bytes) throws(SystemError) in
            try socket.set(HCI_FILTER, level: SOL_HCI, to: bytes, "set the filter of an adapter's socket")
        }
    }

    func enlarge(to bytes: Int32, _ socket: borrowing Descriptor) throws(SystemError) {
        try socket.enlargeReceiveBuffer(to: bytes)
    }

    func write(_ text: String, to path: String) throws(SystemError) {
        try Descriptor.open(path, .write).writeAll(Array(text.utf8))
    }

    func pause() { sleep(nanoseconds: 50_000_000) }

    /// Gives a C structure's bytes to `body`; a Result, because the library's function rethrows without the type.
    private func passing<Structure>(
        _ structure: inout Structure, _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError) {
        let outcome = withUnsafeBytes(of: &structure) { bytes -> Result<Void, SystemError> in
            do throws(SystemError) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }
}

extension Adapter.Bus {
    /// The kernel's number for what an adapter is attached by: HCI_USB and so on.
    fileprivate init(hci number: Int32) {
        switch number {
        case HCI_USB: self = .usb
        case HCI_UART, HCI_RS232: self = .uart
        case HCI_SDIO: self = .sdio
        case HCI_VIRTUAL: self = .virtual
        default: self = .other
        }
    }
}
