internal import CSystem
internal import Glibc

/// The terminal at which a person sits, while a program draws on all of it.
///
/// One at a time, for there is one terminal. It is brought back to what it was by `restore`, and by whatever else ends
/// the program in order: `exit` calls it too.
public enum Terminal {
    /// Lines and columns.
    public struct Size: Equatable, Sendable {
        /// From the top to the bottom.
        public var rows: Int
        /// From left to right.
        public var columns: Int

        /// Makes a size.
        public init(rows: Int, columns: Int) {
            self.rows = rows
            self.columns = columns
        }
    }

    /// What it was before `takeOver`.
    private struct Before {
        var input: Int32
        var settings: termios
        var output: Int32
    }

    private static let before = Locked<Before?>(nil)
    private static let atExit: Void = { _ = atexit { Terminal.restore() } }()

    /// The alternate screen, and no cursor (xterm's control sequences, DECSET 1049 and 25).
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

    /// Switches to another screen, on which typed characters are not shown and come one by one. Ctrl-C stays a signal;
    /// Ctrl-Z and Ctrl-\ do nothing, for they would leave the shell with a terminal in this state. tcsetattr(3)
    public static func takeOver(input: Int32 = 0, output: Int32 = 1) throws(SystemError) {
        var settings = termios()
        try checked("look at the terminal") { tcgetattr(input, &settings) }
        _ = atExit
        before.withLock { $0 = Before(input: input, settings: settings, output: output) }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            // _POSIX_VDISABLE is 0 on Linux.
            for number in [VSUSP, VQUIT] { characters[Int(number)] = 0 }
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        try checked("set the terminal") { tcsetattr(input, TCSANOW, &settings) }
        try writeToStandardStream(output, Array(enter.utf8))
    }

    /// Brings it back to what it was; does nothing where `takeOver` was not called.
    public static func restore() {
        let taken = before.withLock { taken -> Before? in
            defer { taken = nil }
            return taken
        }
        guard var taken else { return }
        // Because nobody is left to tell, the results do not matter. TCSAFLUSH: what was typed late is not for the shell.
        try? writeToStandardStream(taken.output, Array(leave.utf8))
        tcsetattr(taken.input, TCSAFLUSH, &taken.settings)
    }

    /// How large the terminal behind a descriptor is; nil where it does not say. ioctl TIOCGWINSZ
    public static func size(of descriptor: Int32) -> Size? {
        var size = winsize()
        let failed = withUnsafeMutableBytes(of: &size) {
            csystem_ioctl_memory(descriptor, UInt(TIOCGWINSZ), $0.baseAddress)
        }
        guard failed == 0, size.ws_row > 0, size.ws_col > 0 else { return nil }
        return Size(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }

    /// What was typed, at most 256 bytes; empty at the end of the terminal. To be called when it is readable. read(2)
    public static func typed(at descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        return Array(bytes.prefix(max(0, count)))
    }
}
