import Foundation
import System
import Testing

@testable import HCI

/// What came out of a capture: all items before the end or the error.
struct ReadCapture: Equatable {
    var items: [CapturedItem<[UInt8]>] = []
    var error: CaptureError?

    init(_ bytes: [UInt8]) {
        self.init(CaptureReader(bytes))
    }

    /// The same bytes, given out in pieces of `piece`.
    init(_ bytes: [UInt8], piece: Int) {
        var done = 0
        self.init(
            CaptureReader { room in
                let n = min(piece, room.count, bytes.count - done)
                room.copyBytes(from: bytes[done..<done + n])
                done += n
                return n
            })
    }

    private init(_ reader: consuming CaptureReader) {
        do throws(CaptureError) {
            while let item = try reader.next() { items.append(item) }
        } catch {
            self.error = error
        }
    }

    var contents: [CapturedContent<[UInt8]>] { items.map(\.content) }

    /// Adverts, scan responses, other packets from the air, and those whose checksum was wrong.
    var air: [Int] {
        contents.reduce(into: [0, 0, 0, 0]) { counts, content in
            switch content {
            case .linkLayerAdvert(let report, _): counts[report.isScanResponse ? 1 : 0] += 1
            case .linkLayerOther: counts[2] += 1
            case .crcRefused: counts[3] += 1
            default: break
            }
        }
    }
}

/// A file of the folder Fixtures.
func fixture(_ name: String) throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourceURL)
    return Array(try Data(contentsOf: folder.appendingPathComponent("Fixtures/\(name)")))
}

/// The packets of a text that `hcidump -R` made, with the H4 type byte.
func hcidumpPackets(_ text: String) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    for line in text.split(separator: "\n") {
        if line.hasPrefix("> ") {
            packets.append(bytes(String(line.dropFirst(2))))
        } else if !packets.isEmpty {
            packets[packets.count - 1] += bytes(String(line))
        }
    }
    return packets
}

/// Integers in the byte order of a file.
struct Order {
    var isBig: Bool

    func callAsFunction<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: isBig ? value.bigEndian : value.littleEndian) { Array($0) }
    }
}

/// A PDU of the advertising channels with its checksum.
func linkLayer(_ pdu: [UInt8]) -> [UInt8] {
    let crc = pdu.withUnsafeBytes { CRC24.advertising($0) }
    return pdu + withUnsafeBytes(of: crc.littleEndian) { Array($0.prefix(3)) }
}

/// A packet of link type 256 with the checksum not looked at, as Ubertooth makes it.
func radioHeader(
    _ packet: [UInt8], flags: UInt16 = 0x0037, channel: UInt8 = 39, signal: UInt8 = 0xB5,
    accessAddress: UInt32 = 0x8E89_BED6
) -> [UInt8] {
    let little = Order(isBig: false)
    return [channel, signal, 0x80, 0] + little(accessAddress) + little(flags) + little(accessAddress) + packet
}

/// A packet of link type 272, protocol version 2.
func nordic(
    _ packet: [UInt8], flags: UInt8 = 1, channel: UInt8 = 37, loss: UInt8 = 90, version: UInt8 = 2
) -> [UInt8] {
    [0x0B, UInt8(14 + packet.count), 0, version, 0x29, 0, 0x06, 10, flags, channel, loss, 0, 0, 0xC1, 1, 0, 0]
        + [0xD6, 0xBE, 0x89, 0x8E] + packet
}

func pcap(_ packets: [[UInt8]], linkType: UInt32 = 256, isBig: Bool = false, isNano: Bool = false) -> [UInt8] {
    let order = Order(isBig: isBig)
    var file = order(isNano ? UInt32(0xA1B2_3C4D) : 0xA1B2_C3D4) + order(UInt16(2)) + order(UInt16(4))
    file += order(UInt32(0)) + order(UInt32(0)) + order(UInt32(65_535)) + order(linkType)
    for (i, packet) in packets.enumerated() {
        file += order(UInt32(1_700_000_000)) + order(UInt32(i)) + order(UInt32(packet.count))
        file += order(UInt32(packet.count)) + packet
    }
    return file
}

/// Blocks of pcapng.
struct PcapngBlocks {
    let order: Order

    init(isBig: Bool = false) { order = Order(isBig: isBig) }

    func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let filled = body + [UInt8](repeating: 0, count: -body.count & 3)
        let length = order(UInt32(filled.count + 12))
        return order(type) + length + filled + length
    }

    func section(major: UInt16 = 1, options: [UInt8] = []) -> [UInt8] {
        block(
            0x0A0D_0D0A, order(UInt32(0x1A2B_3C4D)) + order(major) + order(UInt16(0)) + order(Int64(-1)) + options)
    }

    func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        order(code) + order(UInt16(value.count)) + value + [UInt8](repeating: 0, count: -value.count & 3)
    }

    func interface(_ linkType: UInt16 = 256, snap: UInt32 = 0, options: [UInt8] = []) -> [UInt8] {
        block(1, order(linkType) + order(UInt16(0)) + order(snap) + options)
    }

    func packet(_ packet: [UInt8], interface: UInt32 = 0, ticks: UInt64 = 0, original: Int? = nil) -> [UInt8] {
        block(
            6,
            order(interface) + order(UInt32(ticks >> 32)) + order(UInt32(truncatingIfNeeded: ticks))
                + order(UInt32(packet.count)) + order(UInt32(original ?? packet.count)) + packet)
    }

    func simplePacket(_ packet: [UInt8], original: Int? = nil) -> [UInt8] {
        block(3, order(UInt32(original ?? packet.count)) + packet)
    }
}

/// A beacon's ADV_NONCONN_IND from c0:00:00:00:00:01 with three bytes of data.
let beaconPacket = linkLayer([0x42, 9, 1, 0, 0, 0, 0, 0xC0, 2, 1, 6])

/// What a capture says of `beaconPacket`.
func beaconAdvert(rssi: Int8?) -> CapturedContent<[UInt8]> {
    .linkLayerAdvert(
        AdvertisingReport(
            address: DeviceAddress(0xC000_0000_0001, .random), eventType: .advNonconnInd, rssi: rssi),
        [2, 1, 6])
}
