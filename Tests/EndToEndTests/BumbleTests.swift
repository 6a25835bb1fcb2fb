import JSON
import TestSupport
import Testing

extension EndToEnd {
    /// beacond against a controller that others wrote.
    @Suite("Bumble")
    struct BumbleTests {
        private static let theirs = "8e287857-4c3b-4d5e-9f60-718293a4b5c6"
        private static let ours = "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6"
        /// What a node with either set of commands never says together. Core Spec Vol 4 Part E 3.1.1
        private static let legacy: Set = [
            "HCI_LE_SET_SCAN_PARAMETERS_COMMAND", "HCI_LE_SET_SCAN_ENABLE_COMMAND",
            "HCI_LE_SET_ADVERTISING_PARAMETERS_COMMAND", "HCI_LE_SET_ADVERTISING_DATA_COMMAND",
            "HCI_LE_SET_ADVERTISING_ENABLE_COMMAND",
        ]
        private static let extended: Set = [
            "HCI_LE_SET_EXTENDED_SCAN_PARAMETERS_COMMAND", "HCI_LE_SET_EXTENDED_SCAN_ENABLE_COMMAND",
            "HCI_LE_SET_ADVERTISING_SET_RANDOM_ADDRESS_COMMAND",
            "HCI_LE_SET_EXTENDED_ADVERTISING_PARAMETERS_COMMAND",
            "HCI_LE_SET_EXTENDED_ADVERTISING_DATA_COMMAND", "HCI_LE_SET_EXTENDED_ADVERTISING_ENABLE_COMMAND",
        ]

        private static let configuration = """
            advertise: {enabled: true, uuid: \(ours), major: 100, minor: 1}
            regions:
              shelf: {uuid: \(theirs)}
            windows: {length: 1s}
            """

        /// What the node tells of the device's beacon: an enter, and a window that shows it.
        private func expectHeard(by subscriber: Subscriber) throws {
            let enter = try subscriber.first("an enter") { $0.kind == "enter/shelf" }.json
            let window = try subscriber.first("a window with the beacon") {
                $0.kind == "window" && $0.json?["beacons"]?.elements?.isEmpty == false
            }.json
            let shown = try #require(window?["beacons"]?.elements)
            #expect(shown.count == 1)
            for beacon in [enter?["beacon"], shown.first] {
                #expect(beacon?["uuid"]?.text == Self.theirs)
                #expect(beacon?["major"]?.integer == 65535 && beacon?["minor"]?.integer == 258)
            }
        }

        /// Every command was answered with success, and all are of one set.
        private func expectAnswers(_ answers: [BumbleStore.Answer], of set: Set<String>, not other: Set<String>) {
            #expect(answers.filter { $0.status != 0 } == [])
            let commands = Set(answers.map(\.command))
            #expect(commands.isSuperset(of: set), "\(commands)")
            #expect(commands.isDisjoint(with: other), "\(commands)")
        }

        @Test(
            "the node hears an extended advert through a controller that claims legacy commands",
            .enabled(if: BumbleStore.python != nil, BumbleStore.missing))
        func legacy() throws {
            let folder = try TemporaryFolder()
            let broker = try MosquittoBroker()
            let subscriber = try Subscriber(port: broker.port)
            let store = try BumbleStore(
                at: "unix:\(folder.path("hci"))", claims: false, uuid: Self.theirs, major: 65535, minor: 258)
            let agent = try Agent()
            try agent.configure(adapter: store.address, port: broker.port, Self.configuration)
            try agent.start()
            try expectHeard(by: subscriber)
            #expect(try agent.stop() == 0)
            #expect(try store.end() == [])
            expectAnswers(store.answers, of: Self.legacy, not: Self.extended)
            // Bumble answers that it advertises, and sends nothing that is not connectable.
            #expect(store.heard == [])
            try expectValidPayloads(
                subscriber.messages.filter { $0.topic.contains("/data/") }.map { "\($0.topic) \($0.payload)" })
        }

        @Test(
            "the node hears and is heard with extended commands, its 30 bytes intact and never mixed",
            .enabled(if: BumbleStore.python != nil, BumbleStore.missing))
        func extended() throws {
            let broker = try MosquittoBroker()
            let subscriber = try Subscriber(port: broker.port)
            let store = try BumbleStore(
                at: "tcp:127.0.0.1:\(try MosquittoBroker.freePort())", claims: true, uuid: Self.theirs,
                major: 65535, minor: 258)
            let agent = try Agent()
            try agent.configure(adapter: store.address, port: broker.port, Self.configuration)
            try agent.start()
            try expectHeard(by: subscriber)
            let old = Stage.payload(uuid: Self.ours, major: 100, minor: 1, power: "c5")
            try store.wait(forHearing: old)
            #expect(old.utf8.count == 2 * 30)

            // All three change while it is on air.
            try broker.publish(
                Stage.control, #"{"config":{"advertise":{"uuid":"\#(Self.theirs)","major":7,"minor":65535}}}"#,
                retain: true)
            let new = Stage.payload(uuid: Self.theirs, major: 7, minor: 65535, power: "c5")
            try store.wait(forHearing: new)
            #expect(try agent.stop() == 0)
            #expect(try store.end() == [])
            expectAnswers(store.answers, of: Self.extended, not: Self.legacy)
            let heard = store.heard
            #expect(Array(heard.drop { $0 == old }.drop { $0 == new }) == [])
            // The last thing that it did was to go off the air.
            let last = store.answers.last { $0.command.contains("ADVERTISING") }
            #expect(last?.command == "HCI_LE_SET_EXTENDED_ADVERTISING_ENABLE_COMMAND")
            try expectValidPayloads(
                subscriber.messages.filter { $0.topic.contains("/data/") }.map { "\($0.topic) \($0.payload)" })
        }
    }
}
