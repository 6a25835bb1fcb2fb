import System
import TestSupport
import Testing

@testable import HCI

@Suite("CaptureReader")
struct CaptureReaderTests {
    let packets = [radioHeader(beaconPacket), radioHeader(linkLayer([0x40, 6, 1, 0, 0, 0, 0, 0xC0]))]

    /// Every format with two packets, and how long its header is.
    var files: [(name: String, bytes: [UInt8], header: Int)] {
        let records = [[4, 0x0E, 1, 0], [4, 0x3E, 2, 2, 0]].map {
            BtsnoopWriter.record($0, direction: .received, time: 0)
        }
        var files = [("btsnoop", BtsnoopWriter.header + records[0] + records[1], 16)]
        for isBig in [false, true] {
            files.append(("pcap", pcap(packets, isBig: isBig, isNano: isBig), 24))
            let blocks = PcapngBlocks(isBig: isBig)
            files.append(
                (
                    "pcapng",
                    blocks.section() + blocks.block(77, [1]) + blocks.interface() + blocks.packet(packets[0])
                        + blocks.simplePacket(packets[1]) + blocks.section(), 28
                ))
        }
        return files
    }

    @Test("a capture cut at any byte gives the packets before the cut, and says where it was cut")
    func cut() {
        for (name, bytes, header) in files {
            let whole = ReadCapture(bytes)
            #expect(whole.error == nil)
            #expect(whole.items.count == 2)
            for length in 0..<bytes.count {
                let cut = ReadCapture(Array(bytes.prefix(length)))
                #expect(whole.items.starts(with: cut.items), "\(name) \(length)")
                let count = cut.items.count
                switch cut.error?.reason {
                case .empty?:
                    #expect(length == 0)
                    #expect(cut.error?.description == "the file is empty")
                case .cut(.header)?:
                    #expect(length < header)
                    #expect(cut.error?.description == "cut inside the file header, at byte \(length)")
                case .cut(.packet)?:
                    #expect(length > header)
                    #expect(
                        cut.error?.description
                            == "cut after \(count) packet\(count == 1 ? "" : "s"), at byte \(length)")
                case nil:
                    // Between two records nobody can tell that there was more.
                    #expect(length >= header)
                default:
                    Issue.record("\(name) \(length): \(cut.error?.description ?? "")")
                }
                #expect(cut.error?.packets ?? count == count)
            }
        }
    }

    @Test("the pieces in which a file comes do not matter")
    func pieces() {
        for (_, bytes, _) in files {
            for piece in [1, 3, 7] { #expect(ReadCapture(bytes, piece: piece) == ReadCapture(bytes)) }
        }
    }

    @Test("what is not a capture is shown by its first bytes, which cannot harm a terminal")
    func notACapture() {
        let cases: [([UInt8], String)] = [
            (Array("HCI sniffer".utf8), "48 43 49 20 73 6e 69 66 (\"HCI snif\")"),
            ([0x1B, 0x5B, 0x33, 0x31, 0x6D], "1b 5b 33 31 6d"),
            (Array("x".utf8), "78 (\"x\")"),
            (Array("btsnoop2".utf8), "62 74 73 6e 6f 6f 70 32 (\"btsnoop2\")"),
            (Array("btsnood".utf8), "62 74 73 6e 6f 6f 64 (\"btsnood\")"),
            ([0xD4, 0xC3, 0xB2, 0xA0], "d4 c3 b2 a0"),
        ]
        for (bytes, shown) in cases {
            #expect(
                ReadCapture(bytes).error?.description
                    == "not a capture: it starts with \(shown); btsnoop, pcap and pcapng are known, "
                    + "also gzip-compressed once")
        }
    }

    @Test("a length that cannot be is refused before anything is read or kept for it")
    func bombs() {
        let big = Order(isBig: true)
        let bomb: UInt32 = 0xFFFF_FFF0
        let snoop =
            BtsnoopWriter.header + BtsnoopWriter.record([4], direction: .received, time: 0)
            + big(bomb) + big(bomb) + [UInt8](repeating: 0, count: 16)
        #expect(
            ReadCapture(snoop).error?.description
                == "a packet at byte 41 says that it is 4294967280 bytes long; 262144 is the most "
                + "(1 packet read before it)")
        let little = Order(isBig: false)
        #expect(
            ReadCapture(pcap([]) + little(UInt64(0)) + little(bomb) + little(bomb)).error?.description
                == "a packet at byte 24 says that it is 4294967280 bytes long; 262144 is the most "
                + "(0 packets read before it)")
        let blocks = PcapngBlocks()
        let start = blocks.section() + blocks.interface()
        for (type, limit) in [(UInt32(6), 327_680), (1, 327_680), (99, 16_777_216)] {
            #expect(
                ReadCapture(start + little(type) + little(bomb)).error?.description
                    == "a block at byte 48 says that it is 4294967280 bytes long; \(limit) is the most "
                    + "(0 packets read before it)")
            for length: UInt32 in [0, 4, 8, 11, 13] {
                #expect(
                    ReadCapture(start + little(type) + little(length)).error?.description
                        == "a block says that it is \(length) bytes long, which it cannot be, at byte 48 "
                        + "(0 packets read before it)")
            }
        }
        var section = blocks.section()
        section.replaceSubrange(4..<8, with: little(UInt32(24)))
        #expect(
            ReadCapture(section).error?.description
                == "a block says that it is 24 bytes long, which it cannot be, at byte 0 (0 packets read before it)"
        )
        // The longest packet is still believed: it is cut, not impossible.
        let longest = UInt32(CaptureReader.longestPacket)
        #expect(
            ReadCapture(pcap([]) + little(UInt64(0)) + little(longest) + little(longest)).error?.description
                == "cut after 0 packets, at byte 40")
    }

    @Test("an error comes again at each further call")
    func errorAgain() throws {
        var reader = CaptureReader(pcap([packets[0]]) + [1])
        #expect(try reader.next() != nil)
        let error = CaptureError(reason: .cut(.packet), offset: pcap([packets[0]]).count + 1, packets: 1)
        #expect(throws: error) { try reader.next() }
        #expect(throws: error) { try reader.next() }
    }

    @Test("packets that are lent are the packets that are given, however long and in whatever pieces they come")
    func lent() throws {
        let long = [UInt8](repeating: 7, count: 200_000)
        let sent: [[UInt8]] = [[4, 0x0E, 1, 0], [1] + long, [4, 0x3E, 0], [4] + long, [4, 0x0E, 1, 9]]
        let file = sent.reduce(BtsnoopWriter.header) {
            $0 + BtsnoopWriter.record($1, direction: .received, time: 0)
        }
        for piece in [1_000, 65_536, 65_537, 1 << 20] {
            var done = 0
            var reader = CaptureReader { room in
                let n = min(piece, room.count, file.count - done)
                room.copyBytes(from: file[done..<done + n])
                done += n
                return n
            }
            var lent: [[UInt8]] = []
            let take: (CapturedItem<UnsafeRawBufferPointer>) -> Void = { item in
                switch item.content {
                case .hciEvent(let bytes): lent.append([4] + bytes)
                case .hciCommand(let bytes): lent.append([1] + bytes)
                default: break
                }
            }
            while try reader.next(take) {}
            #expect(lent == sent)
            #expect(ReadCapture(file, piece: piece).items.count == sent.count)
        }
    }

    @Test("the end comes again at each further call")
    func endAgain() throws {
        var reader = CaptureReader(pcap([]))
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test("what the system says of a file is passed on")
    func unreadable() throws {
        do throws(SystemError) {
            _ = try CaptureReader(path: "/nowhere/at/all")
            Issue.record("there is no such file")
        } catch {
            #expect(error.description == "cannot open /nowhere/at/all: No such file or directory")
        }
        var folder = try CaptureReader(path: "/")
        do throws(CaptureError) {
            _ = try folder.next()
            Issue.record("a folder is not a file")
        } catch {
            #expect(error.description == "cannot read /: Is a directory")
            #expect(error.packets == 0)
        }
    }

    @Test("noise, and captures with some bytes changed, are refused or read, never more than that")
    func noise() {
        var numbers = SeededGenerator(seed: 23)
        let files = files
        for round in 0..<100_000 {
            var bytes: [UInt8]
            if round % 4 == 0 {
                bytes = numbers.bytes(Int.random(in: 0...64, using: &numbers))
                if round % 8 == 0, let file = files.randomElement(using: &numbers) {
                    bytes = file.bytes.prefix(file.header) + bytes
                }
            } else {
                bytes = files.randomElement(using: &numbers)?.bytes ?? []
                for _ in 0...Int.random(in: 0...3, using: &numbers) {
                    let place = Int.random(in: 0..<bytes.count, using: &numbers)
                    bytes[place] =
                        [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &numbers)]
                        .randomElement(using: &numbers) ?? 0
                }
            }
            let capture = ReadCapture(bytes)
            #expect(capture.items.count <= 8)
            #expect(capture.error?.description.utf8.count ?? 0 < 300)
        }
    }
}
