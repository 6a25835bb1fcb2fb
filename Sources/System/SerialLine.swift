internal import CSystem
internal import Glibc

/// Serial lines: UARTs, USB serial devices, and the ends of pseudo-terminals.
public enum SerialLine {
    /// The speed of a line for which none is said, in baud: what an H4 controller starts with, as the kernel's
    /// drivers assume.
    public static let defaultBaud = 115_200
    /// The speeds that may be said, in baud. Below, no advert would come through; above is no hardware.
    public static let bauds: ClosedRange<Int> = 9_600...12_000_000

    /// Opens a line, for bytes as they are and for this process alone, without waiting for anything. What was on its way
    /// before is forgotten. termios(3), TCSETS2
    public static func open(_ path: String, baud: Int) throws(SystemError) -> Descriptor {
        // Not the controlling terminal: its hang-up would be a signal.
        let flags = O_RDWR | csystem_open_noctty | csystem_open_nonblock | csystem_open_cloexec
        let line = Descriptor(owning: try checked("open \(path)") { csystem_open(path, flags, 0) })
        try checked("set up \(path)") { csystem_serial_raw(line.number, UInt32(clamping: baud)) }
        return line
    }
}
