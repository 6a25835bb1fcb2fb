import Foundation
import JSON
import TestSupport
import Testing

extension VM {
    @Suite("Faults of real adapters")
    struct FaultTests {
        /// Something that goes wrong while the node listens, and how it is put right.
        struct Trouble: CustomTestStringConvertible, Sendable {
            let testDescription: String
            var access = "exclusive"
            /// What the scenario says of it.
            var faults = ""
            /// What the test does to the machine, with the number of the adapter; and to put it right.
            var begin: @Sendable (Int) throws -> Void = { _ in }
            var end: @Sendable (Int) throws -> Void = { _ in }
        }

        private static let troubles = [
            Trouble(testDescription: "hung controller, exclusive", faults: "fault: hang, for: 12s"),
            Trouble(testDescription: "hung controller, shared", access: "shared", faults: "fault: hang, for: 12s"),
            Trouble(testDescription: "hardware error, exclusive", faults: "fault: hardware_error"),
            Trouble(testDescription: "hardware error, shared", access: "shared", faults: "fault: hardware_error"),
            Trouble(testDescription: "unplugged, exclusive", faults: "fault: unplug, for: 5s"),
            Trouble(testDescription: "unplugged, shared", access: "shared", faults: "fault: unplug, for: 5s"),
            Trouble(
                testDescription: "powered down by somebody, shared", access: "shared",
                begin: { try Guest.power(.down, adapter: $0) }),
            Trouble(
                testDescription: "blocked by rfkill, shared", access: "shared",
                begin: { _ in try Guest.rfkill(blocked: true) }, end: { _ in try Guest.rfkill(blocked: false) }),
        ]

        @Test("what goes wrong is told, is recovered from, and nobody leaves meanwhile", arguments: troubles)
        func recovered(trouble: Trouble) throws {
            defer { try? Guest.rfkill(blocked: false) }
            let shelf = KnownBeacon()
            let own = KnownBeacon(uuid: "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6", major: 7, minor: 42)
            let store = try Store(
                """
                hosts: {version: 5.0}
                beacons: {shelf: {\(shelf.document)}}
                faults: [\(trouble.faults.isEmpty ? "" : "{at: 6s, host: 1, \(trouble.faults)}")]
                """)
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(
                radio: "adapter: auto, access: \(trouble.access)",
                """
                \(own.configuration)
                regions: {shelf: {uuid: \(shelf.uuid), exit: fixed, exit_after: 1s}}
                windows: {length: 2s}
                """)
            try node.start()
            try node.wait(for: "enter/shelf")
            try store.wait(onAir: own.data)
            let adapter = try store.adapter()
            let before = node.messages.count
            try trouble.begin(adapter)
            // It is noticed …
            try node.wait(for: "alert/radio", after: before) { $0["state"]?.text != "listening" }
            try trouble.end(adapter)
            // … and over: it hears, and is on air again.
            try node.wait(for: "alert/radio", after: before, within: 60) { $0["state"]?.text == "listening" }
            let heard = node.messages.count
            try node.wait(forNewest: "state") { state in
                state.at("conditions", "advertising", "state")?.text == "on_air"
                    && state.at("conditions", "radio", "state")?.text == "powered_on"
            }
            try store.wait(onAir: own.data)
            try node.wait(forNewest: "region/shelf") { $0["state"]?.text == "inside" }
            try node.wait(for: "window", after: heard) { ($0["beacons"]?.elements ?? []).count == 1 }
            try node.stop()
            #expect(node.payloads("enter/shelf").count == 1, "\(node.log)")
            #expect(node.payloads("exit/shelf").isEmpty, "\(node.log)")
            let alerts = node.payloads("alert/radio").map { alert in
                ["state", "cause", "step"].compactMap { alert[$0]?.text }.joined(separator: " ")
            }
            print("note: \(trouble.testDescription): \(alerts.joined(separator: ", "))")
        }

        @Test("rfkill does not reach an adapter that a node has for itself, and the node says nothing")
        func unreached() throws {
            defer { try? Guest.rfkill(blocked: false) }
            let shelf = KnownBeacon()
            let store = try Store("beacons: {shelf: {\(shelf.document)}}")
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(
                radio: "adapter: auto, access: exclusive",
                "regions: {shelf: {uuid: \(shelf.uuid)}}\nwindows: {length: 2s}")
            try node.start()
            try node.wait(for: "enter/shelf")
            // hci_rfkill_set_block() of net/bluetooth/hci_core.c refuses while there is a user channel.
            try Guest.rfkill(blocked: true)
            let before = node.messages.count
            // The second window is one that lies behind it.
            for _ in 1...2 {
                let seen = max(before, node.messages.count)
                try node.wait(for: "window", after: seen) { ($0["beacons"]?.elements ?? []).count == 1 }
            }
            try node.stop()
            #expect(node.payloads("alert/radio").isEmpty, "\(node.log)")
            _ = try store.truth()
        }

        @Test("an adapter that comes back under another number is found by its address")
        func renumbered() throws {
            let shelf = KnownBeacon()
            let other = try Store("hosts: {address: 02:be:ac:00:0a:01}\nbeacons: {}")
            let scenario = """
                hosts: {address: 02:be:ac:00:0b:01}
                beacons: {shelf: {\(shelf.document)}}
                """
            var store = try Store(scenario)
            let first = try store.adapter()
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(
                radio: "adapter: 02:be:ac:00:0b:01",
                "regions: {shelf: {uuid: \(shelf.uuid), exit: fixed, exit_after: 1s}}")
            try node.start()
            try node.wait(for: "enter/shelf")
            let before = node.messages.count
            try store.pullOut()
            let alert = try node.wait(for: "alert/radio", after: before)
            #expect(alert["state"]?.text == "blind", "\(alert)")
            // The other one goes and its number is the first that is free.
            try other.pullOut()
            store = try Store(scenario)
            let second = try store.adapter()
            #expect(second != first)
            try node.wait(for: "alert/radio", after: before) { $0["state"]?.text == "listening" }
            let state = try node.wait(for: "state", after: before) {
                $0.at("conditions", "radio", "adapter")?.text != nil
            }
            #expect(state.at("conditions", "radio", "adapter")?.text == "hci\(second)")
            try node.wait(forNewest: "region/shelf") { $0["state"]?.text == "inside" }
            try node.stop()
            #expect(node.payloads("enter/shelf").count == 1 && node.payloads("exit/shelf").isEmpty)
        }

        @Test("a node that starts without an adapter says so, and uses the one that comes")
        func absent() throws {
            let shelf = KnownBeacon()
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(radio: "adapter: auto", "regions: {shelf: {uuid: \(shelf.uuid)}}")
            try node.start()
            let alert = try node.wait(for: "alert/radio")
            #expect(alert["state"]?.text == "blind" && alert["cause"]?.text == "no_adapter")
            #expect(
                alert["text"]?.text
                    == "there is no Bluetooth adapter; plug one in, or on a Raspberry Pi remove dtoverlay=disable-bt"
            )
            let state = try node.wait(for: "state") { $0.at("conditions", "radio", "cause") != nil }
            #expect(state.at("conditions", "radio", "state")?.text == "unsupported")
            let store = try Store("beacons: {shelf: {\(shelf.document)}}")
            try node.wait(for: "enter/shelf")
            try node.wait(for: "alert/radio") { $0["state"]?.text == "listening" }
            try node.stop()
            #expect(node.payloads("exit/shelf").isEmpty)
            _ = try store.truth()
        }

        // Beside a bluetoothd that would be somebody else's, and is left alone.
        @Test("what a killed node has left on air is off with the next start", arguments: ["exclusive", "shared"])
        func killed(access: String) throws {
            let own = KnownBeacon()
            let store = try Store("hosts: {version: 5.0}\nbeacons: {}")
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(radio: "adapter: auto, access: \(access)", own.configuration)
            try node.start()
            try store.wait(onAir: own.data)
            try node.kill()
            let before = node.messages.count
            try node.configure(radio: "adapter: auto, access: \(access)")
            try node.start()
            try node.wait(for: "state", after: before) { $0.at("conditions", "radio", "access") != nil }
            try store.wait(onAir: nil)
            try node.stop()
            #expect(store.air.compactMap(\.data) == [own.data])
        }

        @Test(
            "beacond silence switches off what a killed node has left on air", arguments: ["exclusive", "shared"],
            ["4.2", "5.0"])
        func silenced(access: String, version: String) throws {
            let own = KnownBeacon()
            let store = try Store("hosts: {version: \(version)}\nbeacons: {}")
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(radio: "adapter: auto, access: \(access)", own.configuration)
            try node.start()
            try store.wait(onAir: own.data)
            try node.kill()
            let silence = try Child(builtProgram("beacond"), ["silence", "--config", node.file])
            #expect(try silence.waitForExit(within: Guest.limit) == 0, "\(silence.lines)")
            try store.wait(onAir: nil)
        }
    }
}
