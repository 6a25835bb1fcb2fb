import Agent
import Testing

@Suite struct TopicsTests {
    @Test("a node writes below its own data and listens below its own control, and nowhere else") func topics() {
        let topics = Topics(prefix: "acme/beacons", site: "store-12", node: "s12-shelf-3")
        let data = "acme/beacons/data/store-12/s12-shelf-3"
        #expect(topics.status == "\(data)/status")
        #expect(topics.state == "\(data)/state")
        #expect(topics.enter("entrance") == "\(data)/enter/entrance")
        #expect(topics.exit("entrance") == "\(data)/exit/entrance")
        #expect(topics.region("entrance") == "\(data)/region/entrance")
        #expect(topics.ranging("entrance") == "\(data)/ranging/entrance")
        #expect(topics.window == "\(data)/window")
        #expect(topics.alert("radio") == "\(data)/alert/radio")
        #expect(topics.health == "\(data)/health")
        #expect(topics.reply == "\(data)/reply")
        #expect(topics.nodeConfiguration == "acme/beacons/control/node/s12-shelf-3/config")
    }
}
