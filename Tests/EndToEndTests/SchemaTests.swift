import TestSupport
import Testing

extension EndToEnd {
    @Suite("Schemas")
    struct SchemaTests {
        @Test("everything that a node publishes satisfies the schema of its kind") func published() throws {
            let stage = try Stage(
                scenario: """
                    beacons:
                      shelf: {uuid: \(Stage.uuid), major: 100, minor: 1, count: 3}
                      visitor: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, present: [{from: 1s, to: 2s}]}
                      pillar: {format: altbeacon, uuid: \(Stage.uuid), major: 0, minor: 65535}
                      post: {format: eddystone-uid, namespace: edd1ebeac04e5defa017, instance: 0bdb87539b67}
                      poster: {format: eddystone-url, url: "https://example.com/"}
                    """,
                configuration: Stage.advertising + "\n" + """
                      visitor: {uuid: 8e287857-4c3b-4d5e-9f60-718293a4b5c6, exit: fixed, exit_after: 1s}
                      pillar: {format: altbeacon, uuid: \(Stage.uuid), ranging: always}
                      post: {format: eddystone-uid, namespace: edd1ebeac04e5defa017}
                      poster: {format: eddystone-url, url: "https://example.com/"}
                    windows: {length: 2s}
                    """)
            try stage.subscriber.first("an exit") { $0.kind == "exit/visitor" }
            try stage.push(#"{"config":{"advertise":{"minor":8},"regions":{"post":null}}}"#)
            _ = try stage.reply(0)
            try stage.push(#"{"config":{"advertise":{"minor":70000},"x":{}}}"#)
            _ = try stage.reply(1)
            try stage.push("")
            _ = try stage.reply(2)
            stage.simulator.kill()
            try stage.subscriber.first("an alert") { $0.kind == "alert/radio" }
            try stage.end()
            try stage.subscriber.first("the last status") { $0.payload.contains(#""reason":"stopped""#) }

            let messages = stage.subscriber.messages.filter { $0.topic.contains("/data/") }
            let said = try expectValidPayloads(messages.map { "\($0.topic) \($0.payload)" })
            for kind in ["alert", "enter", "exit", "ranging", "region", "reply 3", "state", "status 2", "window"] {
                #expect(said.contains(kind), "\(said)")
            }
        }
    }
}
