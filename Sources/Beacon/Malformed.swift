/// What was wrong with an advert; the rest of it was read all the same.
///
/// Bytes that merely are no beacon are not wrong: a manufacturer's data that begins like an iBeacon and is shorter, or
/// an Eddystone frame of an unknown kind or version, is somebody else's business.
public struct Malformed: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    public let rawValue: UInt8

    /// The kinds whose bits are set.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A structure claims more bytes than the advert has.
    public static let overrun = Malformed(rawValue: 1 << 0)

    /// An Eddystone URL has a scheme or a character that its encoding reserves.
    public static let reservedURLCode = Malformed(rawValue: 1 << 1)
}

extension Malformed: CustomStringConvertible {
    /// What is wrong, in words for a person, or nothing if nothing is.
    public var description: String {
        var words: [String] = []
        if contains(.overrun) { words.append("a structure claims more bytes than there are") }
        if contains(.reservedURLCode) { words.append("an Eddystone URL has a reserved scheme or character") }
        return words.joined(separator: "; ")
    }
}
