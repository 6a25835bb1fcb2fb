internal import System

/// A switch by which a radio of this machine can be kept silent. rfkill(8), /sys/class/rfkill
public struct Rfkill: Equatable, Sendable {
    /// What it switches: "hci0", or a name that the machine's maker gave.
    public let name: String
    /// The kind of radio: "bluetooth", "wlan".
    public let kind: String
    /// What it blocks now; a hard block wins over a soft one.
    public let block: Adapter.Block?

    /// All switches, in the order of their folders; none where the kernel has no rfkill.
    public static func all(sys: String = "/sys") -> [Rfkill] {
        let folder = "\(sys)/class/rfkill"
        let names = (try? namesInFolder(folder)) ?? []
        return names.compactMap { entry in
            guard let name = firstLine("\(folder)/\(entry)/name"), let kind = firstLine("\(folder)/\(entry)/type")
            else { return nil }
            let block: Adapter.Block? =
                if firstLine("\(folder)/\(entry)/hard") == "1" {
                    .hard
                } else if firstLine("\(folder)/\(entry)/soft") == "1" {
                    .soft
                } else {
                    nil
                }
            return Rfkill(name: name, kind: kind, block: block)
        }
    }

    /// What keeps an adapter silent: its own switch, which has its name, and not those of the machine, by which it would
    /// have disappeared.
    public static func block(ofAdapter number: UInt16, sys: String = "/sys") -> Adapter.Block? {
        all(sys: sys).first { $0.kind == "bluetooth" && $0.name == "hci\(number)" }?.block
    }
}

/// The first line of a small file of the kernel's; nil where it cannot be read.
func firstLine(_ path: String) -> String? {
    guard let bytes = try? readFile(path, limit: 4096) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
}
