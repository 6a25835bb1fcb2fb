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
