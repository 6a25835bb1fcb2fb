import JSON
import TestSupport
import Testing

extension VM {
    @Suite("Scan and advertise")
    struct ScanTests {
        /// What the node has on air.
        private static let own = KnownBeacon(uuid: "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6", major: 7, minor: 42)
        private static let shelf = KnownBeacon()

        @Test(
            "an adapter is found, hears and advertises",
            arguments: ["exclusive", "shared"], ["legacy", "extended"])
        func both(access: String, commands: String) throws {
            let store = try Store(
                """
                hosts: {version: \(commands == "legacy" ? "4.2" : "5.0")}
                beacons: {shelf: {\(Self.shelf.document)}}
                """)
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(
                radio: "adapter: auto, access: \(access)",
                "\(Self.own.configuration)\nregions: {shelf: {uuid: \(Self.shelf.uuid)}}")
            try node.start()
            let enter = try node.wait(for: "enter/shelf")
            #expect(enter["beacon"] == Self.shelf)
            try store.wait(onAir: Self.own.data)
            let state = try node.wait(for: "state") {
                $0.at("conditions", "advertising", "state")?.text == "on_air"
                    && $0.at("conditions", "radio", "state")?.text == "powered_on"
            }
            let radio = try #require(state.at("conditions", "radio"))
            let number = try store.adapter()
            #expect(radio["adapter"]?.text == "hci\(number)")
            #expect(radio["access"]?.text == access && radio["commands"]?.text == commands)
            #expect(radio["address"]?.text?.isEmpty == false)
            try node.stop()
            try store.wait(onAir: nil)
            // Nothing but this went on air, and it was there once.
            #expect(store.air.compactMap(\.data) == [Self.own.data])
            #expect(node.payloads("alert/radio").isEmpty, "\(node.log)")
        }

        @Test("beside bluetoothd auto shares the adapter, says why, hears and advertises")
        func beside() throws {
            let store = try Store("hosts: {version: 5.0}\nbeacons: {shelf: {\(Self.shelf.document)}}")
            let number = try store.adapter()
            let daemon = try Bluetoothd()
            try daemon.wait(forPowered: number)
            let broker = try MosquittoBroker()
            let node = try Node(broker)
            try node.configure(
                radio: "adapter: auto", "\(Self.own.configuration)\nregions: {shelf: {uuid: \(Self.shelf.uuid)}}")
            try node.start()
            try node.wait(for: "enter/shelf")
            try store.wait(onAir: Self.own.data)
            let state = try node.wait(for: "state") { $0.at("conditions", "radio", "access") != nil }
            #expect(state.at("conditions", "radio", "access")?.text == "shared")
            #expect(
                node.log.contains(
                    "hci\(number) is shared with the kernel and other programs: bluetoothd runs and has it"))
            try node.stop()
            try store.wait(onAir: nil)
        }

        @Test("two nodes hear each other, byte for byte")
        func neighbours() throws {
            let store = try Store(
                adapters: 2, "hosts: {each: [{version: 5.0}, {version: 4.2}]}\nbeacons: {}")
            let broker = try MosquittoBroker()
            let beacons = [
                KnownBeacon(uuid: "0102030f-1112-1314-8182-f1f2f3f4f5f6", major: 258, minor: 772),
                KnownBeacon(uuid: "0102030f-1112-1314-8182-f1f2f3f4f5f6", major: 65534, minor: 513),
            ]
            let nodes = try ["s12-shelf-3", "s12-shelf-4"].map { try Node(broker, $0) }
            for (index, node) in nodes.enumerated() {
                try node.configure(
                    radio: "adapter: hci\(try store.adapter(host: index + 1))",
                    "\(beacons[index].configuration)\nregions: {other: {uuid: \(beacons[0].uuid)}}")
                try node.start()
            }
            for (index, node) in nodes.enumerated() {
                let enter = try node.wait(for: "enter/other")
                #expect(enter["beacon"] == beacons[1 - index])
                try store.wait(onAir: beacons[index].data, controller: Int64(index + 1))
            }
            for node in nodes { try node.stop() }
        }

        @Test(
            "ids that change while on air are the old ones or the new ones, never a third",
            arguments: ["exclusive", "shared"], ["4.2", "5.0"])
        func changed(access: String, version: String) throws {
            let store = try Store(
                adapters: 2, "hosts: {each: [{version: \(version)}, {version: 5.0}]}\nbeacons: {}")
            let broker = try MosquittoBroker()
            let one = KnownBeacon(uuid: "0102030f-1112-1314-8182-f1f2f3f4f5f6", major: 258, minor: 772)
            let two = KnownBeacon(uuid: "a1b2c3d4-e5f6-0718-293a-4b5c6d7e8f90", major: 3, minor: 65000)
            let node = try Node(broker)
            try node.configure(
                radio: "adapter: hci\(try store.adapter(host: 1)), access: \(access)", one.configuration)
            let listener = try Node(broker, "s12-shelf-4")
            try listener.configure(
                radio: "adapter: hci\(try store.adapter(host: 2))",
                """
                regions:
                  one: {uuid: \(one.uuid), ranging: always}
                  two: {uuid: \(two.uuid), ranging: always}
                """)
            try listener.start()
            try node.start()
            try listener.wait(for: "enter/one")
            for (beacon, region) in [(two, "two"), (one, "one"), (two, "two")] {
                let seen = listener.messages.count
                try node.push(
                    #"{"config":{"advertise":{"uuid":"\#(beacon.uuid)","major":\#(beacon.major),"#
                        + #""minor":\#(beacon.minor)}}}"#)
                try store.wait(onAir: beacon.data)
                try listener.wait(for: "ranging/\(region)", after: seen) { payload in
                    payload["beacons"]?.elements?.contains { $0["adverts"]?.integer ?? 0 > 0 } == true
                }
            }
            try node.stop()
            try listener.stop()
            // Between two payloads it may be off for a moment; whatever was on is one of the two, whole.
            #expect(Set(store.air.compactMap(\.data)) == [one.data, two.data])
            for kind in ["ranging/one", "ranging/two"] {
                for heard in listener.payloads(kind).flatMap({ $0["beacons"]?.elements ?? [] }) {
                    #expect(heard == one || heard == two)
                }
            }
        }
    }
}
