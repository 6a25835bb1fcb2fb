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

    /// Makes a pseudo-terminal, for a program that plays what is at the other end of a line: its end, non-blocking, and
    /// the path at which `open` finds the line. The line is one for people (it echoes) until it has been opened so, and a
    /// read at this end fails with EIO while nobody has it open. posix_openpt(3)
    public static func pseudoTerminal() throws(SystemError) -> (far: Int32, path: String) {
        // ptsname gives "/dev/pts/" and a number.
        var path = [CChar](repeating: 0, count: 64)
        let far = try checked("make a pseudo-terminal") { csystem_pseudo_terminal(&path, path.count) }
        return (far, String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}
