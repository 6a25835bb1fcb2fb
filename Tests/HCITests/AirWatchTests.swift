import Foundation
import HCI
import TestSupport
import Testing

@Suite("AirWatch") struct AirWatchTests {
    static let second: Int64 = 1_000_000_000

    /// A store in virtual time: who advertises how often, and a controller that can be deaf.
    struct Store {
        var watch = AirWatch()
        var now: Int64 = 0
        var actions: [(action: AirAction, at: Int64)] = []
        var blind: [AirWatch.BlindSpan] = []
        var isDeaf = false
        /// Which action ends the deafness.
        var cure: AirAction?
        private var next: [(sender: UInt64, interval: Int64, at: Int64)] = []

        init(_ intervals: [Int64], seed: UInt64 = 1) {
            var random = SeededGenerator(seed: seed)
            next = intervals.enumerated().map {
                (UInt64($0.offset), $0.element, Int64.random(in: 0..<$0.element, using: &random))
            }
            watch.scanning(since: 0)
        }

        mutating func removeAll() { next = [] }

        mutating func run(until end: Int64) {
            while true {
                let advert = next.min { $0.at < $1.at }?.at ?? .max
                let deadline = watch.nextDeadline ?? .max
                guard min(advert, deadline) <= end else { break }
                if deadline < advert { step(max(deadline, now)) } else { hear(advert) }
            }
            now = end
        }

        private mutating func hear(_ at: Int64) {
            now = at
            for i in next.indices where next[i].at == at {
                next[i].at += next[i].interval
                if !isDeaf, let span = watch.heard(next[i].sender, now: now) { blind.append(span) }
            }
        }

        private mutating func step(_ at: Int64) {
            now = at
            guard let action = watch.tick(now: now) else { return }
            actions.append((action, now))
            if action != .believe && action != .deaf {
                watch.scanning(since: nil)
                watch.scanning(since: now + 10_000_000)
            }
            if action == cure { isDeaf = false }
        }
    }

    @Test("a busy store that goes silent at once is heard again within seconds, and what was blind is told")
    func silentStop() throws {
        var store = Store([Int64](repeating: Self.second / 10, count: 40))
        store.run(until: 60 * Self.second)
        #expect(store.actions.isEmpty)
        #expect(store.watch.provenUntil == nil)
        store.isDeaf = true
        store.cure = .restartScan
        store.run(until: 64 * Self.second)
        #expect(store.watch.provenUntil == nil)
        store.run(until: 100 * Self.second)
        #expect(store.actions.map(\.action) == [.restartScan])
        let span = try #require(store.blind.first)
        #expect(store.blind.count == 1)
        #expect(span.from <= 60 * Self.second && span.from > 59 * Self.second)
        #expect(span.to >= 65 * Self.second - Self.second / 10 && span.to < 66 * Self.second)
        #expect(store.watch.provenUntil == nil)
    }

    @Test(
        "one that stays deaf is reset and taken down once, since several fell silent together, and stays in doubt")
    func stayingDeaf() {
        var store = Store([Int64](repeating: Self.second, count: 5))
        store.run(until: 60 * Self.second)
        store.isDeaf = true
        store.run(until: 66 * Self.second)
        // Doubted: absence counts up to the last advert only.
        #expect((store.watch.provenUntil ?? .max) <= 60 * Self.second)
        store.run(until: 24 * 3600 * Self.second)
        #expect(store.actions.prefix(4).map(\.action) == [.restartScan, .reset, .powerCycle, .deaf])
        #expect(store.actions[3].at < 120 * Self.second)
        // From then on the scan is restarted now and then, which costs nothing.
        #expect(store.actions.dropFirst(4).allSatisfy { $0.action == .restartScan })
        #expect((130...145).contains(store.actions.count - 4))
        #expect((store.watch.provenUntil ?? .max) <= 60 * Self.second)
        store.isDeaf = false
        store.run(until: 25 * 3600 * Self.second)
        #expect(store.watch.provenUntil == nil)
        #expect(store.blind.count == 1)
    }

    @Test("reports that make no sense are no silence that is believed, whoever was there before") func garbled() {
        var watch = AirWatch()
        watch.scanning(since: 0)
        for i in 0..<100 { watch.heard(1, now: Int64(i) * Self.second) }
        var actions: [AirAction] = []
        for tenth in 1000..<3000 {
            let now = Int64(tenth) * Self.second / 10
            for _ in 0..<3 { watch.garbled() }
            // Some of it looks like an advert.
            #expect(watch.heard(UInt64(tenth), now: now) == nil)
            if let action = watch.tick(now: now) { actions.append(action) }
        }
        #expect(actions == [.restartScan, .reset, .powerCycle, .deaf])
        #expect(watch.provenUntil == 100 * Self.second)
    }

    @Test("three who leave within half a minute have not fallen silent together, and are believed") func staggered()
    {
        var watch = AirWatch()
        watch.scanning(since: 0)
        var times: [(at: Int64, sender: UInt64)] = []
        for (sender, end) in [(UInt64(1), 100), (2, 110), (3, 125)] {
            times += (0..<end * 5).map { (Int64($0) * Self.second / 5 + Int64(sender), sender) }
        }
        for (at, sender) in times.sorted(by: { $0.at < $1.at }) {
            #expect(watch.tick(now: at) == nil)
            watch.heard(sender, now: at)
        }
        var actions: [AirAction] = []
        while let deadline = watch.nextDeadline, let action = watch.tick(now: deadline) { actions.append(action) }
        #expect(actions == [.restartScan, .believe])
    }

    @Test("a reset that helps is the end of it") func resetHelps() {
        var store = Store([Int64](repeating: Self.second / 5, count: 10))
        store.run(until: 30 * Self.second)
        store.isDeaf = true
        store.cure = .reset
        store.run(until: 300 * Self.second)
        #expect(store.actions.map(\.action) == [.restartScan, .reset])
        #expect(store.blind.count == 1)
        #expect((store.blind.first?.to ?? .max) < 45 * Self.second)
    }

    @Test("a quiet store is left alone overnight: one restart for those who went, and no reset for one of them")
    func quiet() {
        var store = Store([Self.second])
        store.run(until: 600 * Self.second)
        store.removeAll()
        store.run(until: 12 * 3600 * Self.second)
        #expect(store.actions.map(\.action) == [.restartScan, .believe])
        // The first one in the morning was not unheard.
        #expect(store.watch.heard(99, now: store.now) == nil)
        #expect(store.blind.isEmpty)
    }

    @Test("a store with one beacon each 10 s is not restarted for ever", arguments: 1...5) func sparse(seed: UInt64)
    {
        var store = Store([10 * Self.second], seed: seed)
        store.run(until: 8 * 3600 * Self.second)
        #expect(store.actions.count <= 2)
        #expect(store.actions.allSatisfy { $0.at < 120 * Self.second })
    }

    @Test("beacons of very different rhythms, and adverts lost at random, raise no doubt", arguments: 1...10)
    func mixed(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var watch = AirWatch()
        watch.scanning(since: 0)
        var now: Int64 = 0
        for _ in 0..<20_000 {
            // Exponential gaps of 2 s in the mean.
            let gap = -2 * Double(Self.second) * log(Double.random(in: 1e-12..<1, using: &random))
            now += Int64(gap)
            #expect(watch.tick(now: now) == nil)
            watch.heard(UInt64.random(in: 0..<9, using: &random), now: now)
        }
    }

    @Test("before enough was heard there is nothing to compare with") func cold() {
        var watch = AirWatch()
        #expect(watch.nextDeadline == nil)
        watch.scanning(since: 0)
        #expect(watch.nextDeadline == nil)
        for i in 0..<3 {
            watch.heard(1, now: Int64(i) * Self.second)
            #expect(watch.nextDeadline == nil)
        }
        watch.heard(1, now: 3 * Self.second)
        #expect(watch.nextDeadline == 23 * Self.second)
        #expect(watch.tick(now: 22 * Self.second) == nil)
    }

    @Test("while it does not scan silence means nothing, and counts from when it scans again") func notScanning() {
        var watch = AirWatch()
        watch.scanning(since: 0)
        for i in 0..<100 { watch.heard(1, now: Int64(i) * Self.second / 10) }
        watch.scanning(since: nil)
        #expect(watch.nextDeadline == nil)
        #expect(watch.tick(now: 1000 * Self.second) == nil)
        watch.scanning(since: 2000 * Self.second)
        #expect(watch.nextDeadline == 2005 * Self.second)
        #expect(watch.tick(now: 2005 * Self.second) == .restartScan)
        // Heard before the scan was even taken down: it was only quiet, and nobody was absent while that was in doubt.
        let quiet = AirWatch.BlindSpan(from: 2005 * Self.second, to: 2006 * Self.second, isCured: false)
        #expect(watch.heard(1, now: 2006 * Self.second) == quiet)
        #expect(watch.nextDeadline != nil)
        #expect(watch.provenUntil == nil)
    }
}

@Suite("DuplicateWatch") struct DuplicateWatchTests {
    static let second: Int64 = 1_000_000_000

    /// Gives the adverts of so many senders, one each gap, for ten minutes; returns how often it was said.
    private func said(_ watch: inout DuplicateWatch, senders: Int, gap: (Int, Int) -> Int64) -> Int {
        var times: [(at: Int64, sender: UInt64)] = []
        for sender in 0..<senders {
            var at = Int64(sender) * 100_000_000
            var number = 0
            while at < 600 * Self.second {
                times.append((at, UInt64(sender)))
                at += gap(sender, number)
                number += 1
            }
        }
        times.sort { $0.at < $1.at }
        var count = 0
        for (at, sender) in times where watch.heard(sender, now: at) { count += 1 }
        return count
    }

    @Test("five senders that are all heard each 10 s look filtered, which is said once") func filtered() {
        var watch = DuplicateWatch()
        #expect(said(&watch, senders: 5) { _, number in 10 * Self.second + Int64(number % 3) * 100_000_000 } == 1)
        var lossy = DuplicateWatch()
        #expect(said(&lossy, senders: 80) { _, number in number == 4 ? 20 * Self.second : 10 * Self.second } == 1)
    }

    @Test("a filter that was lifted is over, one that a restart of the scan made forget is not") func lifted() {
        var watch = DuplicateWatch()
        // At number 20 all of it is heard again at once, from number 40 on as it is sent.
        let gap = { (number: Int) in number == 20 ? Self.second : number < 40 ? 10 * Self.second : Self.second }
        var changes: [(second: Int64, isFiltered: Bool)] = []
        for number in 0..<100 {
            let at = (0..<number).reduce(0) { $0 + gap($1) }
            for sender in 0..<9 where watch.heard(UInt64(sender), now: at + Int64(sender)) {
                changes.append((at / Self.second, watch.isFiltered))
            }
        }
        #expect(changes.map(\.isFiltered) == [true, false])
        #expect(changes.map(\.second) == [120, 399])
    }

    @Test("four, or five of which one is heard more often, do not; nor does what is heard less often")
    func notFiltered() {
        var few = DuplicateWatch()
        #expect(said(&few, senders: 4) { _, _ in 10 * Self.second } == 0)
        var one = DuplicateWatch()
        #expect(said(&one, senders: 9) { sender, _ in sender == 8 ? Self.second : 10 * Self.second } == 0)
        var slow = DuplicateWatch()
        #expect(said(&slow, senders: 9) { _, _ in 12 * Self.second } == 0)
        var busy = DuplicateWatch()
        #expect(said(&busy, senders: 100) { _, _ in Self.second / 2 } == 0)
    }
}
