import Glibc
import HCI
import System

/// A pseudo terminal that looks like the serial line of a controller, with a link that has a name of our choice.
///
/// As on a serial line nobody notices who opens it and who lets go of it: the controller stays on, and what nobody reads
/// is lost once the line is full.
final class TerminalWay: StreamWay {
    /// How many bytes of reports wait; a serial line has no queue to speak of.
    private static let lineLimit = 4 * 1024

    private let link: String
    /// Our own hand on the host's end: without it the kernel would say that the line is gone between two hosts.
    private let hostEnd: Descriptor

    /// Makes one; a link of that name is replaced, anything else is not.
    static func make(link: String) throws(SystemError) -> TerminalWay {
        let action = "make a pseudo terminal"
        // Bytes, as they are, both ways; a host sets that as well.
        var mode = termios()
        cfmakeraw(&mode)
        var (master, slave): (Int32, Int32) = (-1, -1)
        if openpty(&master, &slave, nil, &mode, nil) < 0 { throw SystemError(code: errno, action: action) }
        let controllerEnd = Descriptor(owning: master)
        let hostEnd = Descriptor(owning: slave)
        var name = [CChar](repeating: 0, count: 64)
        let failure = ttyname_r(slave, &name, name.count)
        if failure != 0 { throw SystemError(code: failure, action: action) }
        if fcntl(master, F_SETFL, O_NONBLOCK) < 0 { throw SystemError(code: errno, action: action) }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var status = stat()
        if lstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { unlink(link) }
        if symlink(path, link) < 0 { throw SystemError(code: errno, action: "make the link \(link)") }
        return TerminalWay(controllerEnd, hostEnd, link)
    }

    private init(_ controllerEnd: consuming Descriptor, _ hostEnd: consuming Descriptor, _ link: String) {
        self.link = link
        self.hostEnd = hostEnd
        super.init(controllerEnd, reportLimit: TerminalWay.lineLimit)
    }

    deinit { unlink(link) }
}
