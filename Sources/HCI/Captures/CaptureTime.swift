/// Times of capture files in nanoseconds since 1970. Nonsense in a file becomes the nearest time that there is.
enum CaptureTime {
    static func nanoseconds(microseconds: Int64) -> Int64 { scaled(microseconds, 1_000) }

    /// A pcap time: seconds, and a part of a second in microseconds or nanoseconds.
    static func nanoseconds(seconds: UInt32, part: UInt32, isNano: Bool) -> Int64 {
        Int64(seconds) * 1_000_000_000 + Int64(part) * (isNano ? 1 : 1_000)
    }

    /// A pcapng time. `resolution` is if_tsresol: 10 to the power −n, or 2 to the power −n if bit 7 is set;
    /// `offset` is if_tsoffset, seconds.
    static func nanoseconds(ticks: UInt64, resolution: UInt8, offset: Int64) -> Int64 {
        let n = Int(resolution & 0x7F)
        let time: Int64
        if resolution & 0x80 != 0 {
            let (high, low) = ticks.multipliedFullWidth(by: 1_000_000_000)
            if n < 64 {
                let isTooMuch = high >> n != 0
                // Because Swift's shifts of 64 bits give 0, n = 0 needs no case of its own.
                time = isTooMuch ? .max : Int64(clamping: high << (64 - n) | low >> n)
            } else {
                time = Int64(clamping: high >> (n - 64))
            }
        } else if n <= 9 {
            let (value, overflow) = ticks.multipliedReportingOverflow(by: power(9 - n))
            time = overflow ? .max : Int64(clamping: value)
        } else {
            time = n - 9 > 19 ? 0 : Int64(clamping: ticks / power(n - 9))
        }
        let (sum, overflow) = time.addingReportingOverflow(scaled(offset, 1_000_000_000))
        return overflow ? (offset < 0 ? .min : .max) : sum
    }

    /// 10 to the power `n`, 0…19.
    private static func power(_ n: Int) -> UInt64 { (0..<n).reduce(1) { product, _ in product * 10 } }

    private static func scaled(_ value: Int64, _ factor: Int64) -> Int64 {
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        return overflow ? (value < 0 ? .min : .max) : product
    }
}

extension Int64 {
    /// The difference, or the nearest number that there is.
    func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }
}

/// Refuses the length of a packet that no controller or sniffer makes.
func checkPacketLength(_ length: UInt32) throws(CaptureFault) {
    let limit = UInt32(CaptureReader.longestPacket)
    if length > limit { throw .length(what: "a packet", length: length, limit: limit) }
}
