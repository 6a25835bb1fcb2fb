import JSON
import TestSupport
import Testing

extension EndToEnd {
    /// Enters, exits and what is said of regions, of captures whose truth is known to the advert.
    @Suite("Presence")
    struct PresenceTests {
        private static func shelf(_ more: String) -> String {
            "regions:\n  shelf: {uuid: \(Stage.uuid), \(more)}\n"
        }

        /// A beacon that is heard every tenth of a second; times in milliseconds, the end not included.
        private func add(
            _ capture: inout Capture, from first: Int, to end: Int, minor: UInt16 = 1, rssi: Int8 = -60
        ) {
            for time in stride(from: first, to: end, by: 100) {
                capture.advert(at: time * 1000, from: minor, Capture.beacon(minor: minor), rssi: rssi)
            }
        }

        @Test("with track: beacons each beacon has visits of its own, and the region counts them")
        func beacons() throws {
            var capture = Capture()
            add(&capture, from: 0, to: 60_000, minor: 1)
            add(&capture, from: 20_000, to: 40_000, minor: 2)
            add(&capture, from: 55_000, to: 65_000, minor: 2)
            capture.mark(at: 90_000_000)
            let replayed = try Replayed(capture, Self.shelf("track: beacons, exit: fixed, exit_after: 10s"))
            #expect(
                replayed.visits == [
                    "enter/shelf 1 0.4", "enter/shelf 2 20.4", "exit/shelf 2 49.9 silence", "enter/shelf 2 55.4",
                    "exit/shelf 1 69.9 silence", "exit/shelf 2 74.9 silence",
                ])
            let visits = replayed.messages.compactMap { $0.payload["visit"]?.text }
            #expect(visits == ["1-1", "1-2", "1-2", "1-4", "1-1", "1-4"])
            let states = replayed.of("region/shelf").map { message in
                "\(message.payload["state"]?.text ?? "") \(message.payload["beacons"]?.integer ?? 0)"
            }
            #expect(
                states == [
                    "unknown 0", "unknown 0", "inside 1", "inside 2", "inside 1", "inside 2", "inside 1",
                    "outside 0",
                ])
            try replayed.expectValid()

            // As a whole, the region is entered once and left once.
            let whole = try Replayed(capture, Self.shelf("exit: fixed, exit_after: 10s"))
            #expect(whole.visits == ["enter/shelf 1 0.4", "exit/shelf 2 74.9 silence"])
        }

        @Test("weak adverts enter nothing, keep what is inside down to the second gate, and then it leaves as weak")
        func gate() throws {
            var capture = Capture()
            add(&capture, from: 0, to: 20_000, rssi: -75)
            add(&capture, from: 20_000, to: 40_000, rssi: -65)
            add(&capture, from: 40_000, to: 60_000, rssi: -76)
            add(&capture, from: 60_000, to: 90_000, rssi: -77)
            add(&capture, from: 90_000, to: 120_000, rssi: -71)
            capture.mark(at: 130_000_000)
            let region = "enter_rssi: -70, exit_rssi: -76, exit: fixed, exit_after: 10s"
            let replayed = try Replayed(capture, Self.shelf(region))
            #expect(replayed.visits == ["enter/shelf 1 20.4", "exit/shelf 1 69.9 weak"])
            let exit = try #require(replayed.of("exit/shelf").first).payload
            #expect(exit["rssi"]?.integer == -76 && exit["dwell_ms"]?.integer == 39_500)
            #expect(exit.at("evidence", "adverts")?.integer == 396)
            // Before the enter it was heard all the time, and not strongly enough: that is outside.
            let states = replayed.of("region/shelf").compactMap { $0.payload["state"]?.text }
            #expect(states == ["unknown", "unknown", "outside", "inside", "outside"])
            try replayed.expectValid()
        }

        @Test(
            "a beacon that stayed for two minutes and lost three adverts in ten leaves within 12 s of its last one")
        func learned() throws {
            var capture = Capture()
            for (minor, loss) in [0, 0.3].enumerated() {
                capture.adverts(
                    from: 0, to: 150_000, every: 100, losing: loss, seed: 7 + UInt64(minor),
                    address: UInt16(minor), Capture.beacon(minor: UInt16(minor)))
            }
            capture.mark(at: 400_000_000)
            let replayed = try Replayed(capture, Self.shelf("track: beacons"))
            #expect(replayed.visits.count == 4)
            for exit in replayed.of("exit/shelf") {
                #expect(exit.payload["reason"]?.text == "silence")
                let silence = try #require(exit.payload.at("evidence", "silence_ms")?.integer)
                #expect((10_000...12_000).contains(silence))
                let interval = try #require(exit.payload.at("evidence", "interval_ms")?.integer)
                #expect((98...102).contains(interval))
            }
            try replayed.expectValid()
        }

        @Test(
            "beacons of five seconds that lose three adverts in five leave falsely once in an hour at most, on average"
        )
        func rare() throws {
            let beacons = 40
            var capture = Capture()
            for minor in 1...UInt16(beacons) {
                capture.adverts(
                    from: 0, to: 3_600_000, every: 5_000, losing: 0.6, seed: 100 + UInt64(minor), address: minor,
                    Capture.beacon(minor: minor))
            }
            capture.mark(at: 4_000_000_000)
            let replayed = try Replayed(capture, Self.shelf("track: beacons, ranging: off"))
            let exits = replayed.of("exit/shelf")
            let isFalse = exits.map { $0.milliseconds < 3_590_000 }
            let falseExits = isFalse.filter { $0 }.count
            #expect(falseExits <= beacons, "\(falseExits)")
            #expect(exits.count - falseExits == beacons)
            #expect(replayed.of("enter/shelf").count == exits.count)
            for exit in exits {
                let silence = try #require(exit.payload.at("evidence", "silence_ms")?.integer)
                // Many times its gaps, and the price of that.
                #expect((30_000...300_000).contains(silence), "\(silence)")
            }
            let intervals = exits.suffix(beacons).compactMap { $0.payload.at("evidence", "interval_ms")?.integer }
            #expect(intervals.count == beacons && intervals.allSatisfy { (4_950...5_050).contains($0) })
            try replayed.expectValid()

            // What a fixed time costs that leaves as soon as a learned one does after beacons that are heard well.
            let fixed = try Replayed(
                capture, Self.shelf("track: beacons, ranging: off, exit: fixed, exit_after: 10s"))
            #expect(fixed.of("exit/shelf").count > 50 * beacons)
        }

        @Test("a region of which nobody is heard but once in minutes says that it is uncertain, until somebody is")
        func uncertain() throws {
            var capture = Capture()
            capture.adverts(
                from: 0, to: 3_600_000, every: 5_000, losing: 0.95, seed: 5, address: 1, Capture.beacon(minor: 1))
            capture.adverts(from: 2_400_000, to: 3_600_000, every: 1_000, address: 2, Capture.beacon(minor: 2))
            capture.mark(at: 3_600_000_000)
            let replayed = try Replayed(capture, Self.shelf("enter: first, ranging: off"))
            let states = replayed.of("region/shelf").map { message in
                let isUncertain = message.payload["uncertain"]?.bool == true
                return (message, isUncertain)
            }
            let uncertain = states.filter { $0.1 }
            #expect(!uncertain.isEmpty && uncertain.allSatisfy { $0.0.payload["state"]?.text == "inside" })
            // Somebody who is heard well settles it.
            let last = try #require(states.last)
            #expect(last.0.payload["state"]?.text == "inside" && !last.1, "\(states.map { $0.0.text })")
            #expect(last.0.payload["beacons"]?.integer == 2, "\(states.map { $0.0.text })")
            try replayed.expectValid()
        }
    }
}
