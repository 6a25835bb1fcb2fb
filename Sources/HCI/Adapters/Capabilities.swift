internal import System

/// What a process is allowed beyond what everybody is. capabilities(7)
public enum Capabilities {
    /// Those that adapters are used with, and their bits: the first to power and to own them, the second to send commands
    /// of all kinds beside others. linux/capability.h
    private static let needed: [(name: String, bit: UInt64)] = [("CAP_NET_ADMIN", 12), ("CAP_NET_RAW", 13)]

    /// Which of those that adapters need this process lacks; none where the kernel does not tell. /proc/self/status,
    /// CapEff
    public static func missing(proc: String = "/proc") -> [String] {
        guard let bytes = try? readFile("\(proc)/self/status", limit: 64 * 1024) else { return [] }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self).split { $0 == "\t" || $0 == " " }
            guard words.count == 2, words[0] == "CapEff:", let effective = UInt64(words[1], radix: 16) else {
                continue
            }
            return needed.filter { effective >> $0.bit & 1 == 0 }.map(\.name)
        }
        return []
    }
}
