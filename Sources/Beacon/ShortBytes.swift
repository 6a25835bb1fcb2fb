/// A few bytes of an advert kept inside the value itself; only more of them than `inlineCapacity` take the heap.
///
/// 24 is three words. An Eddystone URL that keeps to its 17 bytes needs 18, the tail of an iBeacon in a legacy advert
/// 4: what strangers send is read and dropped without an allocation, unless it breaks the format and is long too.
struct ShortBytes: Hashable, Sendable {
    static let inlineCapacity = 24

    /// Big-endian, the bytes beyond `count` zero: the order of the words is the order of the bytes.
    let first: UInt64
    let second: UInt64
    let third: UInt64
    let count: Int

    /// All the bytes, when there are too many.
    private let overflow: [UInt8]?

    init(_ bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        (first, second, third) = (Self.word(bytes, 0), Self.word(bytes, 8), Self.word(bytes, 16))
        overflow = bytes.count > Self.inlineCapacity ? Array(bytes) : nil
    }

    init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { Self($0) }
    }

    var bytes: [UInt8] {
        if let overflow { return overflow }
        let all = first.bigEndianBytes + second.bigEndianBytes + third.bigEndianBytes
        return Array(all.prefix(count))
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        if bytes.count >= offset + 8 { return bytes.bigEndian(at: offset) }
        var word: UInt64 = 0
        var position = offset
        while position < bytes.count {
            word |= UInt64(bytes[position]) << (56 - 8 * (position - offset))
            position += 1
        }
        return word
    }
}
