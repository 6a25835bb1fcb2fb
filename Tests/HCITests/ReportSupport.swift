import HCI

/// An advert as a reader gave it out, with its data copied.
struct ReadAdvert: Equatable {
    var report: AdvertisingReport
    var data: [UInt8]
}

/// Bytes of hex digits with spaces between.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

extension AdvertisingReportReader {
    /// What an event holds, as values.
    mutating func adverts(_ event: [UInt8]) -> (adverts: [ReadAdvert], faults: AdvertisingReportFaults) {
        var adverts: [ReadAdvert] = []
        let faults = event.withUnsafeBytes { bytes in
            read(event: bytes) { adverts.append(ReadAdvert(report: $0, data: Array($1))) }
        }
        return (adverts, faults)
    }
}

/// Numbers that are the same in every run. SplitMix64
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
