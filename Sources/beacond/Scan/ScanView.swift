/// What a person has chosen to see of a live table, by keys.
struct ScanView: Equatable {
    /// How long a filter may be.
    static let longestFilter = 60

    var order = ScanOrder()
    var filter = ""
    /// Whether a filter is being typed.
    private(set) var isTyping = false
    /// How many beacons are scrolled past.
    var offset = 0
    /// Whether the person wants to leave.
    private(set) var isOver = false

    /// Takes what was typed, whatever it is.
    mutating func type(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x1B {
                escape(&rest)
            } else if isTyping {
                edit(byte)
            } else {
                press(Character(Unicode.Scalar(byte)))
            }
        }
    }

    /// Escape alone, or one of the keys that send a sequence: ESC [ and a letter or ~ (ECMA-48 5.4), or ESC O and one.
    private mutating func escape(_ rest: inout ArraySlice<UInt8>) {
        guard let second = rest.first, second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else {
            isTyping = false
            filter = ""
            return
        }
        rest = rest.dropFirst()
        var sequence: [UInt8] = []
        while let byte = rest.popFirst() {
            sequence.append(byte)
            if (0x40...0x7E).contains(byte) { break }
        }
        switch String(decoding: sequence, as: UTF8.self) {
        case "A": scroll(-1)
        case "B": scroll(1)
        case "5~": scroll(-10)
        case "6~": scroll(10)
        case "H", "1~": offset = 0
        default: break
        }
    }

    private mutating func edit(_ byte: UInt8) {
        switch byte {
        case 0x0A, 0x0D: isTyping = false
        case 0x08, 0x7F: filter = String(filter.dropLast())
        // Ctrl-U, as in a shell.
        case 0x15: filter = ""
        case 0x20...0x7E where filter.utf8.count < Self.longestFilter:
            filter.unicodeScalars.append(Unicode.Scalar(byte))
            offset = 0
        default: break
        }
    }

    private mutating func press(_ character: Character) {
        switch character {
        case "q", "Q": isOver = true
        case "/": isTyping = true
        case "k": scroll(-1)
        case "j": scroll(1)
        default:
            guard let key = ScanOrder.Key.allCases.first(where: { $0.letter == character }) else { return }
            // The same key again turns the order round.
            order = ScanOrder(key: key, isReversed: key == order.key && !order.isReversed)
            offset = 0
        }
    }

    private mutating func scroll(_ lines: Int) { offset = max(0, offset + lines) }
}
