internal import System

/// An adapter's device as sysfs shows it: who drives it, and how it is taken away and given back.
struct AdapterDevice {
    /// The folder of what it is attached to; nil for an adapter that is attached to nothing, as /dev/vhci's are.
    private let folder: String?

    /// Looks an adapter's device up below `sys`.
    init(of number: UInt16, sys: String) { folder = resolvedPath("\(sys)/class/bluetooth/hci\(number)/device") }

    /// The driver's name: "btusb", "hci_uart_bcm".
    var driver: String? { driverFolder.map { String(lastPart($0)) } }

    private var driverFolder: String? { folder.flatMap { resolvedPath("\($0)/driver") } }

    /// Words to write into files, in this order, for the driver to let go of the device and to find it again; empty where
    /// that is impossible here, or not allowed to this process.
    var reprobe: [(text: String, path: String)] {
        guard let folder else { return [] }
        // A USB adapter has several interfaces, and belongs to a device that can be refused as a whole: as near to
        // pulling it out as software comes (Documentation/usb/authorization.rst). On other devices there is no such file.
        let authorized = "\(folder[..<lastPart(folder).startIndex])authorized"
        if isWritable(authorized) { return [("0", authorized), ("1", authorized)] }
        guard let driverFolder, isWritable("\(driverFolder)/unbind"), isWritable("\(driverFolder)/bind") else {
            return []
        }
        let name = String(lastPart(folder))
        return [(name, "\(driverFolder)/unbind"), (name, "\(driverFolder)/bind")]
    }

    private func lastPart(_ path: String) -> Substring {
        path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    }
}
