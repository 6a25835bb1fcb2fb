import Foundation

/// A serial line of which a test holds the far end.
public final class PseudoTerminal {
    private var number: Int32
    /// The path of the line.
    public let path: String

    /// Takes over the far end of a pseudo-terminal, non-blocking, and the path of its line.
    public init(_ ends: (far: Int32, path: String)) { (number, path) = ends }

    deinit { hangUp() }

    /// Sends all bytes into the line.
    public func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, wait(POLLOUT) {
            let n = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if n <= 0 { return }
            rest = rest.dropFirst(n)
        }
    }

    /// Waits for so many bytes of the line and returns them; fewer where it was closed before.
    public func read(_ count: Int) -> [UInt8] {
        var got: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while got.count < count, wait(POLLIN) {
            let n = Glibc.read(number, &room, min(room.count, count - got.count))
            if n <= 0 { break }
            got += room.prefix(n)
        }
        return got
    }

    /// Ends the line, as pulling out a USB serial device does.
    public func hangUp() {
        if number >= 0 { close(number) }
        number = -1
    }

    private func wait(_ events: Int32) -> Bool {
        var watched = pollfd(fd: number, events: Int16(events), revents: 0)
        return poll(&watched, 1, 5000) == 1
    }
}
