import TestSupport
import Testing

@testable import HCI

@Suite struct H4FramerTests {
    struct Packet: Equatable {
        let kind: H4Kind
        let bytes: [UInt8]
    }

    /// Gives bytes to a framer in pieces of the given sizes, the rest at once.
    static func packets(
        _ bytes: [UInt8], from peer: H4Peer = .controller, pieces: [Int] = []
    ) -> (packets: [Packet], losses: UInt64, skipped: UInt64) {
        var framer = H4Framer(from: peer)
        var found: [Packet] = []
        var rest = bytes[...]
        var sizes = pieces[...]
        while !rest.isEmpty {
            let piece = rest.prefix(sizes.popFirst() ?? rest.count)
            rest = rest.dropFirst(piece.count)
            var given = piece
            while !given.isEmpty {
                let n = framer.fill { room in
                    let n = min(room.count, given.count)
                    for (i, byte) in given.prefix(n).enumerated() { room[i] = byte }
                    return n
                }
                given = given.dropFirst(n ?? 0)
                framer.drain { kind, bytes in found.append(Packet(kind: kind, bytes: Array(bytes))) }
            }
        }
        return (found, framer.losses, framer.skippedBytes)
    }

    static let resetComplete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
    static let mixed: [UInt8] = {
        let parts: [[UInt8]] = [
            resetComplete,
            [0x04, 0xFF, 0x00],
            [0x02, 0x01, 0x20, 0x03, 0x00, 0xA1, 0xA2, 0xA3],
            [0x03, 0x01, 0x00, 0x02, 0xB1, 0xB2],
            [0x05, 0x01, 0x00, 0x01, 0xC0, 0xC1],
            [0x04, 0x10, 0x01, 0x42],
        ]
        return parts.flatMap { $0 }
    }()
    static let expected = [
        Packet(kind: .event, bytes: [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]),
        Packet(kind: .event, bytes: [0xFF, 0x00]),
        Packet(kind: .acl, bytes: [0x01, 0x20, 0x03, 0x00, 0xA1, 0xA2, 0xA3]),
        Packet(kind: .sco, bytes: [0x01, 0x00, 0x02, 0xB1, 0xB2]),
        // The two reserved bits of an ISO length are no length.
        Packet(kind: .iso, bytes: [0x01, 0x00, 0x01, 0xC0, 0xC1]),
        Packet(kind: .event, bytes: [0x10, 0x01, 0x42]),
    ]

    @Test("every kind of packet is found, wherever the stream is split") func everySplit() {
        for first in 0...Self.mixed.count {
            for second in 0...(Self.mixed.count - first) {
                let result = Self.packets(Self.mixed, pieces: [first, second].filter { $0 > 0 })
                #expect(result.packets == Self.expected)
                #expect(result.losses == 0)
            }
        }
        let bytewise = Self.packets(Self.mixed, pieces: Array(repeating: 1, count: Self.mixed.count))
        #expect(bytewise.packets == Self.expected)
    }

    @Test("a stream cut anywhere gives the packets before the cut and nothing else") func cut() {
        for length in 0..<Self.mixed.count {
            let result = Self.packets(Array(Self.mixed.prefix(length)))
            #expect(result.packets == Array(Self.expected.prefix(result.packets.count)))
            #expect(result.packets.count < Self.expected.count)
        }
    }

    @Test("the longest packet there can be fits, and what follows it is found") func longest() {
        let acl = [0x02, 0x01, 0x20, 0xFF, 0xFF] + [UInt8](repeating: 0x5A, count: 65_535)
        let result = Self.packets(acl + acl + Self.resetComplete, pieces: [70_000, 7, 60_000])
        #expect(result.packets.map(\.bytes.count) == [65_539, 65_539, 6])
    }

    @Test("after a byte that starts no packet everything is skipped up to the answer to Reset")
    func resynchronises() {
        let noise: [UInt8] = [0x00, 0x04, 0x0E, 0x04, 0x01, 0x05, 0x20, 0x00, 0x04, 0x04, 0x0E]
        let stream = [0x04, 0xFF, 0x00] + noise + Self.resetComplete + [0x04, 0x10, 0x01, 0x42]
        for split in 0...stream.count {
            let result = Self.packets(stream, pieces: split > 0 ? [split] : [])
            #expect(
                result.packets == [
                    Packet(kind: .event, bytes: [0xFF, 0x00]),
                    Packet(kind: .event, bytes: [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]),
                    Packet(kind: .event, bytes: [0x10, 0x01, 0x42]),
                ])
            #expect(result.losses == 1)
            #expect(result.skipped == UInt64(noise.count))
        }
    }

    @Test("a host that lost its place is understood again from its Reset on") func hostResynchronises() {
        let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
        let result = Self.packets([0x04, 0x01, 0x03] + reset, from: .host, pieces: [1, 1, 1, 1, 1, 1, 1])
        #expect(result.packets == [Packet(kind: .command, bytes: [0x03, 0x0C, 0x00])])
        #expect(result.losses == 1)
    }

    @Test("a command from a controller and an event from a host are no packets") func wrongDirection() {
        #expect(Self.packets([0x01, 0x03, 0x0C, 0x00]).losses == 1)
        #expect(Self.packets([0x04, 0xFF, 0x00], from: .host).losses == 1)
    }

    @Test("noise never traps, and every byte of it is in a packet, skipped or waiting") func noise() {
        var random = SeededGenerator(seed: 20_250_101)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...600, using: &random)).map { _ in
                UInt8.random(in: 0...(Bool.random(using: &random) ? 5 : 255), using: &random)
            }
            let pieces = (0..<20).map { _ in Int.random(in: 1...60, using: &random) }
            let result = Self.packets(bytes, pieces: pieces)
            let used = result.packets.reduce(0) { $0 + $1.bytes.count + 1 }
            #expect(used + Int(result.skipped) <= bytes.count)
        }
    }
}
