import Beacon
import TestSupport

extension UUID128 {
    /// Asymmetric, so that swapped halves or bytes show.
    static let example = UUID128(high: 0x39ed_98ff_2900_441a, low: 0x802f_9c39_8fc1_99d2)
}

extension Frame {
    /// One frame of each kind, with an optional part absent and present.
    static var examples: [Frame] {
        let namespace: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        let frames: [Frame?] = [
            .ibeacon(IBeacon(uuid: .example, major: 0x0102, minor: 0xFFFE, power: -59)),
            .altbeacon(AltBeacon(company: 0x0118, uuid: .example, major: 1, minor: 2, power: -60, reserved: 9)),
            .altbeacon(AltBeacon(company: 0x004C, uuid: .example, major: 1, minor: 2, power: -60, reserved: nil)),
            EddystoneUID(namespace: namespace, instance: [10, 11, 12, 13, 14, 15], power: -18).map(
                Frame.eddystoneUID),
            (try? EddystoneURL("https://www.example.com/a.org", power: -10)).map(Frame.eddystoneURL),
            .eddystoneTLM(
                EddystoneTLM(battery: 3000, temperatureSteps: -128, adverts: 0x0102_0304, uptimeDeciseconds: 5)),
            .eddystoneTLM(
                EddystoneTLM(battery: 0, temperatureSteps: nil, adverts: 1, uptimeDeciseconds: .max)),
            EddystoneEncryptedTLM(ciphertext: Array(1...12), salt: 0x5a17, integrityCheck: 0xc4ec).map(
                Frame.eddystoneEncryptedTLM),
            .eddystoneEID(EddystoneEID(identifier: 0x0011_2233_4455_6677, power: -4)),
        ]
        return frames.compactMap { $0 }
    }

    /// A frame of any kind with any content.
    static func random(using generator: inout SeededGenerator) -> Frame? {
        let uuid = UUID128(high: generator.next(), low: generator.next())
        let numbers = generator.next()
        let (major, minor) = (UInt16(truncatingIfNeeded: numbers), UInt16(truncatingIfNeeded: numbers >> 16))
        let power = Int8(truncatingIfNeeded: numbers >> 32)
        switch numbers >> 40 & 7 {
        case 0: return .ibeacon(IBeacon(uuid: uuid, major: major, minor: minor, power: power))
        case 1, 2:
            let reserved: UInt8? = numbers >> 40 & 7 == 1 ? UInt8(truncatingIfNeeded: numbers >> 48) : nil
            return .altbeacon(
                AltBeacon(
                    company: UInt16(truncatingIfNeeded: numbers >> 48), uuid: uuid, major: major, minor: minor,
                    power: power, reserved: reserved))
        case 3:
            return EddystoneUID(namespace: generator.bytes(10), instance: generator.bytes(6), power: power)
                .map(Frame.eddystoneUID)
        case 4:
            let valid = Array(0x00...0x0D) + Array(0x21...0x7E)
            let count = Int.random(in: 1...17, using: &generator)
            let url = (0..<count).map { _ in UInt8(valid[Int.random(in: valid.indices, using: &generator)]) }
            let scheme = UInt8.random(in: 0...3, using: &generator)
            return EddystoneURL(encoded: [scheme] + url, power: power).map(Frame.eddystoneURL)
        case 5:
            return .eddystoneTLM(
                EddystoneTLM(
                    battery: major, temperatureSteps: Int16(bitPattern: minor),
                    adverts: UInt32(truncatingIfNeeded: uuid.high),
                    uptimeDeciseconds: UInt32(truncatingIfNeeded: uuid.low)))
        case 6:
            return EddystoneEncryptedTLM(ciphertext: generator.bytes(12), salt: major, integrityCheck: minor)
                .map(Frame.eddystoneEncryptedTLM)
        default: return .eddystoneEID(EddystoneEID(identifier: uuid.high, power: power))
        }
    }
}
