import Beacon
import TestSupport
import Testing

@Suite("AdvertisingData")
struct AdvertisingDataTests {
    private let name: [UInt8] = [0x05, 0x09, 0x53, 0x68, 0x65, 0x6C]

    @Test("nothing, padding and a single byte hold no beacon and are not malformed")
    func nothing() {
        for advert: [UInt8] in [[], [0], [0, 0, 0], [0x1E], [2, 1, 6], [2, 1, 6, 0x1E], [1, 9], [2, 1, 6, 0]] {
            let (frames, malformed) = AdvertisingData.decode(advert)
            #expect(frames.isEmpty)
            #expect(malformed.isEmpty)
        }
        #expect(AdvertisingData.decode(UnsafeRawBufferPointer(start: nil, count: 0)) { _ in } == [])
    }

    @Test("structures are passed on in order, one without a value too")
    func structures() {
        var found: [[UInt8]] = []
        let malformed = ([1, 9] + name + [0x02, 0x0A, 0xC5]).withUnsafeBytes { bytes in
            AdvertisingData.forEachStructure(bytes) { type, value in found.append([type] + Array(value)) }
        }
        #expect(malformed.isEmpty)
        #expect(found == [[9], [0x09, 0x53, 0x68, 0x65, 0x6C], [0x0A, 0xC5]])
    }

    @Test("a beacon is found before, between and behind other structures")
    func places() {
        for frame in Frame.examples {
            for advert in [frame.structure + name, name + frame.structure + name, name + frame.structure] {
                let (frames, malformed) = AdvertisingData.decode(advert)
                #expect(frames == [frame])
                #expect(malformed.isEmpty)
            }
        }
    }

    @Test("every pair of frames in one advert is read in its order")
    func pairs() {
        for first in Frame.examples {
            for second in Frame.examples {
                #expect(AdvertisingData.decode(first.structure + second.structure).frames == [first, second])
                #expect(AdvertisingData.decode(AdvertisingData.encode([first, second])).frames == [first, second])
            }
        }
    }

    @Test("a zero length ends the advert, whatever follows it")
    func zeroLength() {
        let (first, second) = (Frame.examples[0], Frame.examples[1])
        #expect(AdvertisingData.decode(first.structure + [0] + second.structure).frames == [first])
        #expect(AdvertisingData.decode(first.structure + [0, 0xFF]).malformed.isEmpty)
        #expect(AdvertisingData.decode([0] + first.structure).frames.isEmpty)
    }

    @Test("an advert cut at any byte loses the structure that is cut and nothing before it")
    func cut() {
        for frame in Frame.examples {
            let before = frame.advertisingData()
            let whole = before + name
            var boundaries: Set<Int> = [0]
            var end = 0
            while end < whole.count {
                end += Int(whole[end]) + 1
                boundaries.insert(end)
            }
            for count in 0...whole.count {
                let (frames, malformed) = AdvertisingData.decode(Array(whole.prefix(count)))
                #expect(frames == (count >= before.count ? [frame] : []))
                // A length alone is not counted as a structure.
                let isBetween = boundaries.contains(count) || boundaries.contains(count - 1)
                #expect(malformed == (isBetween ? [] : .overrun))
            }
        }
    }

    @Test("a structure that claims more than there is costs itself and nothing before it")
    func overrun() {
        for frame in Frame.examples {
            var last = frame.structure
            last[0] += 1
            let (frames, malformed) = AdvertisingData.decode(frame.structure + last)
            #expect(frames == [frame])
            #expect(malformed == .overrun)
        }
        #expect(AdvertisingData.decode([0xFF, 0xFF, 0x4C, 0x00, 0x02, 0x15]).malformed == .overrun)
    }

    @Test("a frame too short for its format is no beacon, and not malformed")
    func tooShort() {
        // Of each example the bytes of value without which it is none. An Eddystone URL is one at any length, so that
        // it is cut to no character; AltBeacon can do without its last byte.
        let shortest = [25, 25, 25, 2 + 18, 2 + 4, 2 + 14, 2 + 14, 2 + 18, 2 + 10]
        for (frame, shortest) in zip(Frame.examples, shortest) {
            let value = frame.structure.dropFirst(2)
            for count in 0...value.count {
                let structure = [UInt8(count + 1), frame.structure[1]] + value.prefix(count)
                let (frames, malformed) = AdvertisingData.decode(structure + name)
                #expect(frames.count == (count >= shortest ? 1 : 0), "\(frame) \(count)")
                #expect(malformed.isEmpty)
            }
        }
    }

    @Test("bytes behind a frame are ignored, save by AltBeacon, and an iBeacon shows them")
    func trailing() throws {
        for extra in [1, 2, 24, 25, 200] {
            for frame in Frame.examples {
                let bytes = (0..<extra).map { UInt8(ascii: "a") + UInt8($0 % 26) }
                var structure = frame.structure + bytes
                structure[0] += UInt8(extra)
                let decoded = AdvertisingData.decode(structure)
                #expect(decoded.malformed.isEmpty)
                switch frame {
                case .ibeacon(let beacon):
                    guard case .ibeacon(let found) = try #require(decoded.frames.first) else {
                        Issue.record("\(decoded.frames)")
                        continue
                    }
                    #expect(found.identity == beacon.identity)
                    #expect(found.trailing == bytes)
                    #expect(found.structure == structure)
                    #expect(decoded.frames[0].fields.last?.name == "trailing")
                    #expect(decoded.frames[0].fields.last?.value == .text(Hexadecimal.text(bytes)))
                case .altbeacon(let beacon):
                    let isWhole = beacon.reserved == nil && extra == 1
                    #expect(decoded.frames.isEmpty == !isWhole)
                case .eddystoneURL: #expect(decoded.frames.count == 1)
                default: #expect(decoded.frames == [frame])
                }
            }
        }
    }

    @Test("an Eddystone UID without its reserved bytes says how long it was, one with more does not")
    func reservedBytes() {
        let data: [UInt8] = [0x00, 0xEE] + Array(1...16)
        for (reserved, printed) in [(0, 18), (1, 19), (2, nil), (3, nil)] as [(Int, Int?)] {
            let bytes = data + [UInt8](repeating: 7, count: reserved)
            let frames = AdvertisingData.decode([UInt8(bytes.count + 3), 0x16, 0xAA, 0xFE] + bytes).frames
            #expect(frames.count == 1)
            let length = frames.first?.fields.first { $0.name == "sd_len" }?.value
            #expect(length == printed.map { .integer($0) })
            #expect(frames.first?.structure.count == 4 + min(18 + reserved, 20))
        }
    }

    @Test("the prefix of a beacon in the wrong structure, of the wrong company or service, is none")
    func lookalikes() {
        for frame in Frame.examples {
            for position in [1, 2, 3] {
                var structure = frame.structure
                structure[position] ^= 0x01
                let isAltBeaconCompany: Bool
                if case .altbeacon = frame { isAltBeaconCompany = position > 1 } else { isAltBeaconCompany = false }
                #expect(AdvertisingData.decode(structure).frames.isEmpty != isAltBeaconCompany)
            }
        }
    }

    @Test("unknown kinds and versions of Eddystone frames are ignored")
    func unknownKinds() {
        let known: Set<UInt8> = [0x00, 0x10, 0x20, 0x30]
        for kind in UInt8.min ... .max {
            let advert = [0x19, 0x16, 0xAA, 0xFE, kind, 0x02, 0x02] + [UInt8](repeating: 0x61, count: 19)
            let (frames, malformed) = AdvertisingData.decode(advert)
            #expect(frames.isEmpty == (!known.contains(kind) || kind == 0x20))
            #expect(malformed.isEmpty)
        }
    }

    @Test("the longest advert, full of beacons, is read to its end")
    func longest() {
        // 1,650 bytes is what an extended advert can be put together to. Core Spec Vol 4, Part E, 7.7.65.13
        let frame = Frame.examples[0]
        let advert = Array(repeatElement(frame.structure, count: 61).joined())
        #expect(advert.count == 1647)
        #expect(AdvertisingData.decode(advert).frames == Array(repeating: frame, count: 61))
    }

    @Test("100,000 adverts of noise are read without harm, and so is noise within beacons")
    func noise() {
        var generator = SeededGenerator(seed: 2)
        let adverts = Frame.examples.map { $0.advertisingData() }
        var found = 0
        for round in 0..<100_000 {
            var advert: [UInt8]
            if round.isMultiple(of: 2) {
                advert = generator.bytes(Int.random(in: 0...64, using: &generator))
            } else {
                advert = adverts[round / 2 % adverts.count] + adverts[round % adverts.count]
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    advert[Int.random(in: advert.indices, using: &generator)] = generator.bytes(1)[0]
                }
            }
            let (frames, malformed) = AdvertisingData.decode(advert)
            found += frames.count
            #expect(identities(advert) == identities(frames, malformed))
            for frame in frames {
                #expect(AdvertisingData.decode(frame.advertisingData()).frames == [frame])
                #expect(frame.fields.first?.name == "format")
            }
        }
        #expect(found > 50_000)
    }

    @Test("identities are those of the frames, with the power at one metre, and telemetry is passed on")
    func identities() {
        for first in Frame.examples {
            for second in Frame.examples {
                let advert = AdvertisingData.encode([first, second]) + [9, 9]
                #expect(identities(advert) == identities([first, second], .overrun))
            }
        }
    }

    /// What `decodeIdentities` finds, as text.
    private func identities(_ advert: [UInt8]) -> [String] {
        var found: [String] = []
        let malformed = advert.withUnsafeBytes {
            AdvertisingData.decodeIdentities(
                $0, telemetry: { found.append("\($0)") }, { found.append("\($0) \($1)") })
        }
        return found + [malformed.description]
    }

    /// What it should find in these frames.
    private func identities(_ frames: [Frame], _ malformed: Malformed) -> [String] {
        let found = frames.compactMap { frame -> String? in
            if case .eddystoneTLM(let telemetry) = frame { return "\(telemetry)" }
            guard let identity = frame.identity, let power = frame.powerAtOneMetre else { return nil }
            return "\(identity) \(power)"
        }
        return found + [malformed.description]
    }

    @Test("what is malformed is told in words")
    func words() {
        #expect("\(Malformed())" == "")
        #expect("\(Malformed.overrun)" == "a structure claims more bytes than there are")
        #expect(
            "\(Malformed([.overrun, .reservedURLCode]))"
                == "a structure claims more bytes than there are; "
                + "an Eddystone URL has a reserved scheme or character")
    }
}
