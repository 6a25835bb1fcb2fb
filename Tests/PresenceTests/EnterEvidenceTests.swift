import TestSupport
import Testing

@testable import Presence

@Suite struct EnterEvidenceTests {
    /// Whether the last of adverts at these milliseconds makes an enter, and none before it.
    private func enters(_ adverts: Int64...) -> Bool {
        var evidence = EnterEvidence()
        for advert in adverts.dropLast() where evidence.heard(at: Scene.instant(advert)) { return false }
        return evidence.heard(at: Scene.instant(adverts.last ?? 0))
    }

    @Test("evidence takes no more than 48 bytes") func size() {
        #expect(MemoryLayout<EnterEvidence>.stride <= 48)
    }

    @Test("five adverts make an enter, four do not") func five() {
        #expect(enters(0, 100, 200, 300, 400))
        #expect(!enters(0, 100, 200, 300))
    }

    @Test("two adverts three seconds apart make an enter") func two() {
        #expect(enters(0, 3_000))
        #expect(enters(0, 60_000))
        #expect(!enters(0, 2_999))
        #expect(!enters(0, 60_001))
    }

    @Test("an advert counts for a minute, and then it counts for nothing") func memory() {
        #expect(!enters(0, 60_001))
        #expect(enters(0, 60_001, 63_001))
        // The second is 59 s old, and that is enough.
        #expect(enters(0, 2_900, 61_900))
    }

    @Test("reports of one advert count once") func duplicates() {
        #expect(!enters(0, 0, 0, 0, 0))
        #expect(!enters(0, 2, 100, 102, 200, 202, 300, 302))
    }

    @Test("time that goes back is a beginning") func backwards() {
        #expect(!enters(10_000, 5_000))
        #expect(!enters(.min / 1_000_000, 0))
    }

    @Test("of beacons that pass in three seconds at the edge two in a hundred enter at most") func passing() {
        for interval: Int64 in [100, 350, 1000] {
            var entered = 0
            for pass in 0..<5_000 {
                var air = Gaps(interval, loss: 0.95, seed: UInt64(pass))
                var evidence = EnterEvidence()
                var time = Instant(nanoseconds: 0) + air.next()
                while time < Scene.instant(3_000) {
                    if evidence.heard(at: time) {
                        entered += 1
                        break
                    }
                    time = time + air.next()
                }
            }
            #expect(entered <= 100, "\(interval) ms: \(entered) in 5,000")
        }
    }

    @Test("a beacon of 100 ms enters within a second, one of 10 s within a minute", arguments: [0, 0.3])
    func staying(loss: Double) {
        for (interval, limit): (Int64, Int64) in [(100, 1_000), (10_000, 60_000)] {
            var late = 0
            for stay in 0..<200 {
                var air = Gaps(interval, loss: loss, seed: UInt64(stay))
                var evidence = EnterEvidence()
                var time = Instant(nanoseconds: 0) + air.next()
                while !evidence.heard(at: time) { time = time + air.next() }
                if time > Scene.instant(limit) { late += 1 }
            }
            // One in ten may have bad luck.
            #expect(late <= 20, "\(interval) ms")
        }
    }
}
