import JSON
import TestSupport
import Testing

extension VM {
    @Suite("Load")
    struct LoadTests {
        /// What became of a flood or a burst.
        private struct Outcome {
            /// Adverts that the kernel took from the controller.
            var sent: Int64 = 0
            /// Those that the node heard, and those that it knows it has lost.
            var heard: Int64 = 0
            var lost: Int64 = 0
            /// Processor time in seconds.
            var processor = 0.0
            var rss: Int64 = 0
        }

        /// Has a node listen to a fault of beacon-sim's, and counts at its second minute.
        private func outcome(_ fault: String, health number: Int) throws -> Outcome {
            let store = try Store("hosts: {version: 5.0}\nbeacons: {}\nfaults: [{at: 2s, host: 1, \(fault)}]")
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(radio: "adapter: auto", "regions: {shelf: {uuid: \(KnownBeacon().uuid)}}")
            try node.start()
            // Health comes once a minute.
            let minutes = Int64(number) * 60_000 - 500
            let health = try node.wait(for: "health", within: Double(number) * 60 + 30) { health in
                (health["uptime_ms"]?.integer ?? 0) > minutes
            }
            var outcome = Outcome()
            outcome.processor = try Guest.processorTime(of: node.process)
            try node.stop()
            for line in try store.truth() where line["event"]?.text == "sent" {
                outcome.sent += line["adverts"]?.integer ?? 0
            }
            outcome.heard = health["adverts"]?.integer ?? 0
            outcome.lost = health["lost"]?.integer ?? 0
            outcome.rss = health["rss_kib"]?.integer ?? 0
            return outcome
        }

        @Test("of 3,000 adverts a second for a minute none is lost")
        func flood() throws {
            let outcome = try outcome("fault: flood, rate: 3000, for: 60s", health: 2)
            print(
                "note: flood: \(outcome.sent) sent, \(outcome.heard) heard, \(outcome.lost) lost, \(outcome.processor) s of "
                    + "processor time, \(outcome.rss) KiB")
            #expect(outcome.sent > 150_000)
            #expect(outcome.heard + outcome.lost == outcome.sent)
            #expect(outcome.lost == 0)
        }

        @Test("of a burst of 20,000 as fast as the kernel takes them each is heard, or counted as lost")
        func burst() throws {
            let outcome = try outcome("fault: burst, count: 20000", health: 1)
            print(
                "note: burst: \(outcome.sent) sent, \(outcome.heard) heard, \(outcome.lost) lost, \(outcome.processor) s of "
                    + "processor time")
            #expect(outcome.sent == 20_000)
            #expect(outcome.heard + outcome.lost == outcome.sent)
        }
    }
}
