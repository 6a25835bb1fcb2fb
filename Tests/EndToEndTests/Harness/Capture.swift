import Foundation
import TestSupport

/// A btsnoop capture that a test writes advert by advert: what a scan would have brought, to the microsecond.
///
/// Made by hand from the formats' own descriptions (RFC 1761 as BlueZ's src/shared/btsnoop.c has it; Core Specification
/// Vol 4 Part E 7.7.65.2), so that it shares no mistake with the programs under test.
struct Capture {
    /// When every capture starts, as messages have it: 2026-01-01T00:00:00Z, in seconds since 1970.
    static let start = 1_767_225_600

    /// Packets with their microseconds since the start, in any order.
    private var packets: [(time: Int, bytes: [UInt8])] = []

    /// Starts with a packet that is no advert, so that the start is time 0 to the agent.
    init() { mark(at: 0) }

    /// A packet that is no advert: time passes until then. `time` is in microseconds since the start.
    mutating func mark(at time: Int) {
        // Command Complete of a Reset.
        packets.append((time, [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]))
    }

    /// An advert from the random address C0:00:00:00:xx:xx with `data`, heard with `rssi` dBm.
    mutating func advert(at time: Int, from address: UInt16, _ data: [UInt8], rssi: Int8) {
        let report: [UInt8] =
            [0x02, 0x01, 0x03, 0x01, UInt8(address & 0xFF), UInt8(address >> 8), 0, 0, 0, 0xC0, UInt8(data.count)]
            + data + [UInt8(bitPattern: rssi)]
        packets.append((time, [0x04, 0x3E, UInt8(report.count)] + report))
    }

    /// Adverts of a beacon from one time to another, both in milliseconds, at an interval with the delay of up to 10 ms
    /// that each advert has on air, of which a share is lost, as the seed has it.
    mutating func adverts(
        from first: Int, to last: Int, every interval: Int, losing loss: Double = 0, seed: UInt64 = 1,
        address: UInt16 = 1, _ data: [UInt8], rssi: Int8 = -60
    ) {
        var random = SeededGenerator(seed: seed)
        var time = first * 1000
        while time <= last * 1000 {
            if Double.random(in: 0..<1, using: &random) >= loss {
                advert(at: time, from: address, data, rssi: rssi)
            }
            time += interval * 1000 + Int.random(in: 0...10_000, using: &random)
        }
    }

    /// The file's bytes.
    var bytes: Data {
        var bytes = Data("btsnoop\0".utf8)
        bytes.append(bigEndian: UInt32(1))
        bytes.append(bigEndian: UInt32(1002))
        // Sorted by time and, because the sort is not stable, by place.
        for (_, packet) in packets.enumerated().sorted(by: {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }) {
            bytes.append(bigEndian: UInt32(packet.bytes.count))
            bytes.append(bigEndian: UInt32(packet.bytes.count))
            // Received, and an event.
            bytes.append(bigEndian: UInt32(3))
            bytes.append(bigEndian: UInt32(0))
            // From the year 0 to 1970 in microseconds, as BlueZ counts.
            bytes.append(bigEndian: Int64(Self.start) * 1_000_000 + Int64(packet.time) + 0x00DC_DDB3_0F2F_8000)
            bytes.append(contentsOf: packet.bytes)
        }
        return bytes
    }

    /// The advertising data of one of the store's iBeacons, measured power −59 dBm.
    static func beacon(major: UInt16 = 100, minor: UInt16 = 1) -> [UInt8] {
        let digits = Array(Stage.payload(uuid: Stage.uuid, major: major, minor: minor).utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }
}

extension Data {
    fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
