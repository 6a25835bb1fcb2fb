internal import Beacon

/// Finds the regions that hold a beacon, at a cost that does not depend on how many regions there are.
///
/// What a beacon's longest prefix in the table is decides about all of its regions: they are those of that prefix and of
/// every shorter one of the same bytes, which are known beforehand. So each prefix knows the next shorter one, and a
/// beacon needs one look-up for each length that is in use in its format, the longest first, until one is found.
///
/// Nearly every look-up finds nothing: a stranger's do, and all but one of a known beacon's. Therefore a filter is asked
/// first, in which a prefix sets one bit of sixteen that it has (Bloom 1970, with one hash): 15 of 16 look-ups end there.
struct PrefixTable: Sendable {
    /// A length that prefixes of a format have, as masks of an identity's words.
    fileprivate struct Level: Sendable {
        let length: UInt64
        let masks: (UInt64, UInt64, UInt64)
        /// What takes the place of the identity's own length and format in the last word.
        let tail: UInt64
        /// Whether the first two words are compared as they are.
        let isLong: Bool
        /// Whether only identities of just this length are compared: see `IdentityConstraint.mayCompare`.
        let isWhole: Bool
    }

    private struct Prefix: Sendable {
        let words: (UInt64, UInt64, UInt64)
        /// Its stretch of `numbers`: the regions of just this constraint.
        let start: Int32
        let end: Int32
        /// The longest shorter prefix of the same bytes; −1 where there is none.
        let parent: Int32
    }

    private let hash: IdentityHash
    private var table: SlotTable
    /// Bits by the lower half of the hash, of which `table` uses the upper one.
    private var filter: [UInt64]
    private var prefixes: [Prefix] = []
    private var levels: [Level] = []
    /// Where each format's levels begin in `levels`, and one more for where the last ones end.
    private var starts: [Int] = []
    /// The numbers of regions, stretch after stretch.
    private var numbers: [Int32] = []

    /// Makes a table of the prefix of each region, whose number is its place in the list.
    init(_ constraints: [IdentityConstraint], hash: IdentityHash = IdentityHash()) {
        self.hash = hash
        var regions: [BeaconIdentity: [Int32]] = [:]
        for (number, constraint) in constraints.enumerated() {
            regions[constraint.prefix, default: []].append(Int32(number))
        }
        for format in BeaconFormat.allCases {
            starts.append(levels.count)
            let lengths = Set(regions.keys.lazy.filter { $0.format == format }.map(\.length))
            for length in lengths.sorted(by: >) { levels.append(Level(format, length)) }
        }
        starts.append(levels.count)
        table = SlotTable(expecting: regions.count)
        filter = [UInt64](repeating: 0, count: regions.count / 4 + 1)
        // The shortest first, so that parents are there already; of one length in the order of the regions, so that the
        // same regions always make the same table.
        let ordered = constraints.indices.sorted {
            (constraints[$0].prefix.length, $0) < (constraints[$1].prefix.length, $1)
        }
        for number in ordered {
            let prefix = constraints[number].prefix
            if find(prefix.words, hash(prefix.words)) != nil { continue }
            let start = numbers.count
            numbers += regions[prefix] ?? []
            let parent = prefix.format == .eddystoneURL ? nil : longest(below: prefix.length, of: prefix)
            let hash = hash(prefix.words)
            table.insert(Int32(prefixes.count), hash: hash)
            filter[bit(hash) / 64] |= 1 << UInt64(bit(hash) % 64)
            prefixes.append(
                Prefix(
                    words: prefix.words, start: Int32(start), end: Int32(numbers.count), parent: parent ?? -1))
        }
    }

    private func longest(below length: Int, of identity: BeaconIdentity) -> Int32? {
        for shorter in (0..<length).reversed() {
            let words = identity.prefix(shorter).words
            if let found = find(words, hash(words)) { return found }
        }
        return nil
    }

    /// How many different lists of regions there are; a beacon's is numbered from 0.
    var count: Int { prefixes.count }

    /// The number of the list of the regions that hold a beacon; nil if none does. Allocates nothing.
    func list(of identity: BeaconIdentity) -> Int32? {
        let format = Int(identity.format.rawValue)
        let (first, second, third) = identity.words
        let length = third >> 8 & 0xFF
        let begun = hash.begin(first, second)
        var place = starts[format]
        let end = starts[format + 1]
        while place < end {
            let level = levels[place]
            place += 1
            if level.isWhole ? length != level.length : length < level.length { continue }
            let words = (
                first & level.masks.0, second & level.masks.1, third & level.masks.2 | level.tail
            )
            let hash = hash.finish(level.isLong ? begun : hash.begin(words.0, words.1), words.2)
            if filter[bit(hash) / 64] >> UInt64(bit(hash) % 64) & 1 == 0 { continue }
            if let found = find(words, hash) { return found }
        }
        return nil
    }

    /// The numbers of the regions in a list, ascending.
    subscript(list: Int32) -> [Int32] {
        var found: [Int32] = []
        var next = list
        while next >= 0 {
            let prefix = prefixes[Int(next)]
            found += numbers[Int(prefix.start)..<Int(prefix.end)]
            next = prefix.parent
        }
        return found.sorted()
    }

    @inline(__always)
    private func find(_ words: (UInt64, UInt64, UInt64), _ hash: UInt64) -> Int32? {
        table.slot(hash: hash) { prefixes[Int($0)].words == words }
    }

    @inline(__always)
    private func bit(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: ((hash & 0xFFFF_FFFF) &* UInt64(filter.count * 64)) >> 32)
    }
}

extension PrefixTable.Level {
    init(_ format: BeaconFormat, _ length: Int) {
        self.length = UInt64(length)
        // A shift by all of a word's width or more leaves none of it, which is what a part beyond the prefix needs.
        masks = (
            .max << max(0, 64 - 8 * length), .max << max(0, 128 - 8 * length),
            UInt64.max << max(32, 192 - 8 * length)
        )
        isLong = length >= 16
        tail = UInt64(length) << 8 | UInt64(format.rawValue)
        isWhole = format == .eddystoneURL
    }
}
