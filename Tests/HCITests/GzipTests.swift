import TestSupport
import Testing

@testable import HCI

/// One member of a gzip file that keeps its bytes as they are, in stored blocks. RFC 1952 2.3, RFC 1951 3.2.4
func gzipped(_ bytes: [UInt8]) -> [UInt8] {
    let little = Order(isBig: false)
    var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    var left = bytes[...]
    repeat {
        let block = left.prefix(0xFFFF)
        left = left.dropFirst(block.count)
        let count = UInt16(block.count)
        member += [left.isEmpty ? 1 : 0] + little(count) + little(~count) + block
    } while !left.isEmpty
    var crc: UInt32 = ~0
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    return member + little(~crc) + little(UInt32(truncatingIfNeeded: bytes.count))
}

@Suite("Gzip-compressed captures")
struct GzipTests {
    /// Two packets.
    let plain =
        BtsnoopWriter.header + BtsnoopWriter.record([4, 0x0E, 1, 0], direction: .received, time: 5_000)
        + BtsnoopWriter.record([4, 0x3E, 2, 2, 0], direction: .received, time: 7_000)

    func sentence(_ bytes: [UInt8]) -> String? { ReadCapture(bytes).error?.description }

    @Test("a compressed capture gives what the capture gives, whatever its format and its pieces")
    func whole() throws {
        let packets = [radioHeader(beaconPacket)]
        let blocks = PcapngBlocks()
        for file in [
            plain, pcap(packets), blocks.section() + blocks.interface() + blocks.packet(packets[0]),
            plain + BtsnoopWriter.record([1] + [UInt8](repeating: 7, count: 200_000), direction: .sent, time: 0),
        ] {
            let compressed = gzipped(file)
            #expect(ReadCapture(compressed) == ReadCapture(file))
            #expect(ReadCapture(compressed).error == nil)
            for piece in [1, 2, 7, 65_537] { #expect(ReadCapture(compressed, piece: piece) == ReadCapture(file)) }
        }
        let sniffed = ReadCapture(try fixture("nrf-sniffer-lt272.pcapng"))
        let compressed = try fixture("nrf-sniffer-lt272.pcapng.gz")
        #expect(sniffed.items.count == 832)
        #expect(ReadCapture(compressed) == sniffed)
        #expect(ReadCapture(compressed, piece: 1) == sniffed)
    }

    @Test("a compressed capture cut at any byte gives the packets before the cut, and says where it was cut")
    func cut() throws {
        for compressed in [gzipped(plain), Array(try fixture("nrf-sniffer-lt272.pcapng.gz").prefix(1_000))] {
            var before = 0
            for length in 1..<compressed.count {
                let cut = ReadCapture(Array(compressed.prefix(length)))
                let count = cut.items.count
                #expect(count >= before)
                before = count
                let expected =
                    length == 1
                    ? "cut inside the file header, at byte 1"
                    : "the gzip data is cut at byte \(length) (\(count) packet\(count == 1 ? "" : "s") read before it)"
                #expect(cut.error?.description == expected)
                #expect(ReadCapture(Array(compressed.prefix(length)), piece: 3) == cut)
            }
            #expect(before > 1)
        }
    }

    @Test("damage is told in zlib's words, after all that could be unpacked")
    func damaged() {
        let compressed = gzipped(plain)
        var wrong = compressed
        wrong[compressed.count - 8] ^= 1
        #expect(ReadCapture(wrong).items.count == 2)
        #expect(
            sentence(wrong)
                == "the gzip data is damaged (incorrect data check) at byte \(compressed.count - 4) "
                + "(2 packets read before it)")
        wrong = compressed
        wrong[compressed.count - 1] ^= 1
        #expect(ReadCapture(wrong).items.count == 2)
        #expect(
            sentence(wrong)
                == "the gzip data is damaged (incorrect length check) at byte \(compressed.count) "
                + "(2 packets read before it)")
        wrong = compressed
        wrong[2] = 9
        #expect(
            sentence(wrong)
                == "the gzip data is damaged (unknown compression method) at byte 4 (0 packets read before it)")
        wrong = compressed
        wrong[13] ^= 0x80
        #expect(
            sentence(wrong)
                == "the gzip data is damaged (invalid stored block lengths) at byte 15 (0 packets read before it)")
        wrong = compressed
        wrong[10] = 7
        #expect(
            sentence(wrong)
                == "the gzip data is damaged (invalid block type) at byte 11 (0 packets read before it)")
    }

    @Test("any bit that is wrong costs no more than what comes after it")
    func anyBit() throws {
        let compressed = try fixture("nrf-sniffer-lt272.pcapng.gz")
        let whole = ReadCapture(compressed)
        var numbers = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            var wrong = compressed
            wrong[Int.random(in: 0..<wrong.count, using: &numbers)] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
            let capture = ReadCapture(wrong)
            #expect(capture.items.count <= whole.items.count)
            // Time and system of the member's header are nobody's business, and not covered by its checksum.
            #expect(capture.error != nil || capture == whole)
            #expect(ReadCapture(wrong, piece: 17) == capture)
        }
    }

    @Test("members that follow each other are one capture, wherever they were parted")
    func members() {
        for place in 0...plain.count {
            let parted = gzipped(Array(plain[..<place])) + gzipped([]) + gzipped(Array(plain[place...]))
            #expect(ReadCapture(parted) == ReadCapture(plain))
            #expect(ReadCapture(parted, piece: 1) == ReadCapture(plain))
        }
        let second = gzipped(plain).count
        let cut = gzipped(plain) + gzipped([4]).dropLast()
        #expect(
            sentence(cut)
                == "the gzip data is cut at byte \(second + gzipped([4]).count - 1) (2 packets read before it)")
        #expect(
            sentence(gzipped(plain) + [0x1F, 0x8C])
                == "the gzip data is damaged (incorrect header check) at byte \(second + 2) "
                + "(2 packets read before it)")
    }

    @Test("what follows the compressed data is told, unless it is zeros that fill up the end")
    func followed() {
        let compressed = gzipped(plain)
        for fill in [1, 512, 100_000] {
            let filled = compressed + [UInt8](repeating: 0, count: fill)
            #expect(ReadCapture(filled) == ReadCapture(plain))
            #expect(ReadCapture(filled, piece: 100) == ReadCapture(plain))
        }
        let expected =
            "something that is no gzip data follows the gzip data, at byte \(compressed.count) (2 packets read before it)"
        for behind in [Array("end".utf8), [0, 0, 1], [0] + compressed, plain] {
            #expect(sentence(compressed + behind) == expected)
            #expect(ReadCapture(compressed + behind).items == ReadCapture(plain).items)
            #expect(ReadCapture(compressed + behind, piece: 1) == ReadCapture(compressed + behind))
        }
    }

    @Test("what is wrong inside is told with its place there")
    func inside() {
        #expect(sentence(gzipped([])) == "the file unpacks to nothing")
        #expect(sentence([0x1F]) == "cut inside the file header, at byte 1")
        #expect(
            sentence(gzipped(Array(plain.dropLast())))
                == "cut after 1 packet, at byte \(plain.count - 1) of what the file unpacks to")
        #expect(
            sentence(gzipped(Array(plain.prefix(9))))
                == "cut inside the file header, at byte 9 of what the file unpacks to")
        #expect(
            sentence(gzipped(Array("hello".utf8)))
                == "not a capture: what it unpacks to starts with 68 65 6c 6c 6f (\"hello\"); "
                + "btsnoop, pcap and pcapng are known, also gzip-compressed once")
        #expect(
            sentence(gzipped(gzipped(plain)))
                == "not a capture: what it unpacks to starts with 1f 8b 08 00 00 00 00 00; "
                + "btsnoop, pcap and pcapng are known, also gzip-compressed once")
        let big = Order(isBig: true)
        let long =
            BtsnoopWriter.header + big(UInt32(300_000)) + big(UInt32(300_000)) + [UInt8](repeating: 0, count: 16)
        #expect(
            sentence(gzipped(long))
                == "a packet at byte 16 of what the file unpacks to says that it is 300000 bytes long; "
                + "262144 is the most (0 packets read before it)")
        let blocks = PcapngBlocks()
        #expect(
            sentence(gzipped(blocks.section() + blocks.interface() + blocks.block(6, [0, 0, 0, 0])))
                == "a packet block is too short, at byte 48 of what the file unpacks to (0 packets read before it)")
    }

    @Test("a file that unpacks to far more than a capture would is not read on")
    func bomb() throws {
        let capture = ReadCapture(try fixture("bomb.btsnoop.gz"))
        // 16 MiB are free: then 16 KiB are found to be too little for them.
        #expect(capture.items.count == 63)
        guard case .gzip(let fault)? = capture.error?.reason else {
            Issue.record("\(capture.error?.description ?? "no error")")
            return
        }
        #expect(fault.kind == .tooDense(250))
        #expect(
            capture.error?.description
                == "the gzip data unpacks to more than 250 times its size, which no capture does, "
                + "at byte \(fault.offset) (63 packets read before it)")
    }

    @Test("what is unpacked ends at the bound, and may be just as long")
    func bound() throws {
        for count in [99, 100, 101, 200_000] {
            let compressed = gzipped([UInt8](repeating: 7, count: count))
            var done = 0
            let input = CaptureInput { room in
                let n = min(room.count, compressed.count - done)
                room.copyBytes(from: compressed[done..<done + n])
                done += n
                return n
            }
            let stream = try GzipStream(input, mostUnpacked: 100)
            var unpacked = 0
            var failure: CaptureFault?
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
            defer { room.deallocate() }
            do throws(CaptureFault) {
                while case let n = try stream.read(into: room), n > 0 { unpacked += n }
            } catch {
                failure = error
            }
            #expect(unpacked == min(count, 101))
            guard count > 100 else {
                #expect(failure == nil)
                continue
            }
            guard case .gzip(let fault)? = failure else {
                Issue.record("\(count)")
                continue
            }
            #expect(
                fault.kind.description == "the gzip data unpacks to more than 100 bytes, the most that are read,")
        }
        #expect(GzipStream.mostUnpacked == 17_179_869_184)
    }
}
