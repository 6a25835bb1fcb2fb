/// Which commands each controller takes, as it was found out by trying: what a controller claims is not always so.
///
/// Known by address and firmware, for another firmware is another controller. As text it is one line for each:
/// `dc:a6:32:01:02:03 6109 legacy`.
public struct ControllerMemory: Equatable, Sendable {
    /// How many controllers are remembered; a node has one or two, and the oldest makes room.
    public static let limit = 16

    private struct Entry: Equatable, Sendable {
        let address: DeviceAddress
        let firmware: UInt16
        let commands: CommandSet
    }

    private var entries: [Entry] = []

    /// Remembers nothing yet.
    public init() {}

    /// Reads its text form; lines that make no sense are as good as not there.
    public init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, let address = DeviceAddress(String(words[0]), .public),
                let firmware = UInt16(words[1], radix: 16), let commands = CommandSet(rawValue: String(words[2]))
            else { continue }
            remember(Entry(address: address, firmware: firmware, commands: commands))
        }
    }

    /// One line for each controller, the one that was learned last at the end.
    public var text: String {
        entries.reduce(into: "") { text, entry in
            text += "\(entry.address) \(hexadecimal(entry.firmware, digits: 4)) \(entry.commands.rawValue)\n"
        }
    }

    /// What a controller takes, nil while that is not known.
    public func commands(of identity: ControllerIdentity) -> CommandSet? {
        entries.first { $0.address == identity.address && $0.firmware == identity.firmware }?.commands
    }

    /// Takes note; returns whether that is news.
    public mutating func learn(_ commands: CommandSet, of identity: ControllerIdentity) -> Bool {
        // A controller that does not say who it is cannot be recognised.
        guard let address = identity.address, let firmware = identity.firmware,
            self.commands(of: identity) != commands
        else { return false }
        remember(Entry(address: address, firmware: firmware, commands: commands))
        return true
    }

    private mutating func remember(_ entry: Entry) {
        entries.removeAll { $0.address == entry.address && $0.firmware == entry.firmware }
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append(entry)
    }
}
