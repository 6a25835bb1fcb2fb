import Glibc
import System

/// Tells when the kernel switches adapters off, by a raw socket that hears nothing but the kernel's own words about them.
///
/// An adapter of `/dev/vhci` is not told: the kernel only stops talking to it. One with a power pin would lose its power.
final class PowerWatch {
    private let socket: Descriptor

    // <bluetooth/bluetooth.h>, <bluetooth/hci.h> and net/bluetooth/hci_sock.c; Glibc's module has none of them.
    private static let family: UInt16 = 31  // AF_BLUETOOTH
    private static let protocolNumber: Int32 = 1  // BTPROTO_HCI
    private static let filterOption: Int32 = 2  // HCI_FILTER, at level SOL_HCI: 0
    private static let noDevice: UInt16 = 0xFFFF  // HCI_DEV_NONE: what is said about all
    private static let stackInternal: UInt8 = 0xFD  // EVT_STACK_INTERNAL
    private static let downEvent: UInt8 = 4  // HCI_DEV_DOWN, in an EVT_SI_DEVICE: 1

    /// Begins to watch.
    static func begin() throws(SystemError) -> PowerWatch {
        let action = "watch the adapters of this machine"
        let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = Glibc.socket(Int32(family), kind, protocolNumber)
        if number < 0 { throw SystemError(code: errno, action: action) }
        // Closed where the rest fails; the object is made last, because Swift 6.0 crashes over a throw that would have
        // to take a property back.
        let socket = Descriptor(owning: number)
        // struct hci_filter: packet types, events, opcode. Events only, and all of them.
        let filter: [UInt32] = [1 << 4, .max, .max, 0]
        guard setsockopt(number, 0, filterOption, filter, 16) == 0 else {
            throw SystemError(code: errno, action: action)
        }
        // struct sockaddr_hci: family, device, HCI_CHANNEL_RAW.
        let address: [UInt16] = [family, noDevice, 0]
        let result = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { room in
                room.baseAddress.map { bind(number, $0, socklen_t(6)) } ?? -1
            }
        }
        if result < 0 { throw SystemError(code: errno, action: action) }
        return PowerWatch(socket)
    }

    private init(_ socket: consuming Descriptor) { self.socket = socket }

    var descriptor: Int32 { socket.number }

    /// The numbers of adapters that were switched off since the last call.
    func switchedOff() -> [UInt16] {
        var numbers: [UInt16] = []
        var packet = [UInt8](repeating: 0, count: 64)
        while true {
            let count = packet.withUnsafeMutableBytes { buffer -> Int? in
                // Because what cannot be read is not known, an error is as if there were nothing.
                (try? socket.read(into: buffer)) ?? nil
            }
            guard let count, count > 0 else { return numbers }
            // 04 fd 06, the kind of thing said, what happened, and to which adapter, low bytes first.
            guard count >= 9, packet[1] == PowerWatch.stackInternal, packet[3] == 1,
                packet[5] == PowerWatch.downEvent
            else { continue }
            numbers.append(UInt16(packet[7]) | UInt16(packet[8]) << 8)
        }
    }
}
