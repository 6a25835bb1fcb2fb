/// Payloads as they are on the wire, by the end of their topic. Written by hand from the published examples: a change
/// here is a change of a contract.
enum Golden {
    static let digest = "sha256:" + String(repeating: "0123456789abcdef", count: 4)
    static let other = "sha256:" + String(repeating: "f", count: 64)
    static let boot = "5f0c1d2e3f405162738495a6b7c8d9ea"
    static let ibeacon =
        #""format":"ibeacon","uuid":"39ed98ff-2900-441a-802f-9c398fc199d2","major":100,"minor":1"#

    // MARK: - Events

    static let enter =
        #"{"v":1,"id":"s12-shelf-3/7/48211","site":"store-12","node":"s12-shelf-3","region":"entrance","#
        + #""visit":"7-48211","time":"2026-03-02T09:12:01.250Z","clock":"synced","boot":"\#(boot)","#
        + #""mono_ms":5123456,"beacon":{\#(ibeacon)},"rssi":-67,"accuracy":1.9,"range":[1.1,3.4],"#
        + #""proximity":"near"}"#
    static let enterOfURL =
        #"{"v":1,"id":"s12-shelf-3/7/1","site":"store-12","node":"s12-shelf-3","region":"poster","#
        + #""visit":"7-1","time":"1969-12-31T23:59:59.999Z","clock":"unsynced","boot":"\#(boot)","#
        + #""mono_ms":5123456,"beacon":{"format":"eddystone-url","url":"https://example.com/"},"#
        + #""rssi":null,"accuracy":-1,"proximity":"unknown","power_suspect":true}"#
    static let exit =
        #"{"v":1,"id":"s12-shelf-3/7/48212","site":"store-12","node":"s12-shelf-3","region":"entrance","#
        + #""visit":"7-48211","time":"2026-03-02T09:12:01.250Z","clock":"synced","boot":"\#(boot)","#
        + #""mono_ms":5123456,"beacon":{\#(ibeacon)},"rssi":-67,"accuracy":1.9,"range":[1.1,3.4],"#
        + #""proximity":"near","last_seen":"2026-03-02T09:11:51.250Z","dwell_ms":42000,"reason":"silence","#
        + #""evidence":{"adverts":412,"interval_ms":102,"silence_ms":10000,"blind_ms":0}}"#
    static let exitAfterRestart =
        #"{"v":1,"id":"s12-shelf-3/7/2","site":"store-12","node":"s12-shelf-3","region":"entrance","#
        + #""visit":"6-48211","time":"2026-03-02T09:12:01.250Z","clock":"synced","boot":"\#(boot)","#
        + #""mono_ms":5123456,"beacon":{\#(ibeacon)},"rssi":-67,"accuracy":1.9,"range":[1.1,3.4],"#
        + #""proximity":"near","last_seen":"2026-03-02T09:11:01.250Z","dwell_ms":42000,"reason":"restart","#
        + #""left_before":"2026-03-02T09:11:51.250Z","#
        + #""evidence":{"adverts":412,"silence_ms":10000,"blind_ms":50000}}"#

    // MARK: - Observations

    static let inside =
        #"{"v":1,"region":"entrance","state":"inside","since":"2026-03-02T09:12:01.250Z","beacons":3}"#
    static let uncertain =
        #"{"v":1,"region":"entrance","state":"inside","since":"2026-03-02T09:12:01.250Z","beacons":3,"#
        + #""uncertain":true}"#
    static let outside = #"{"v":1,"region":"entrance","state":"outside","since":"2026-03-02T09:12:01.250Z"}"#
    static let unknown =
        #"{"v":1,"region":"entrance","state":"unknown","cause":"radio_blind","since":"2026-03-02T09:12:01.250Z"}"#
    static let ranging =
        #"{"v":1,"region":"entrance","time":"2026-03-02T09:12:01.250Z","clock":"synced","beacons":[{\#(ibeacon),"#
        + #""proximity":"near","accuracy":1.9,"range":[1.1,3.4],"rssi":-67,"adverts":9},"#
        + #"{"format":"altbeacon","uuid":"00000000-0000-0000-0000-00000000ffff","major":0,"minor":65535,"#
        + #""proximity":"unknown","accuracy":-1,"rssi":null,"adverts":0,"power_suspect":true}],"more":4}"#
    static let nothingRanged =
        #"{"v":1,"region":"entrance","time":"2026-03-02T09:12:01.250Z","clock":"unsynced","beacons":[]}"#
    static let window =
        #"{"v":1,"start":"2026-03-02T09:11:51.250Z","length_ms":10000,"clock":"synced","blind_ms":20,"#
        + #""beacons":[{\#(ibeacon),"adverts":98,"first_ms":4,"last_ms":9987,"#
        + #""rssi":{"min":-80,"max":-60,"mean":-67.2,"median":-67,"deviation":3.1},"#
        + #""distance":1.9,"range":[1.1,3.4],"interval_ms":100,"loss":0.02,"addresses":1},{"format":"eddystone-uid","namespace":"edd1ebeac04e5defa017","#
        + #""instance":"0bdb87539b67","adverts":1,"first_ms":5000,"last_ms":5000,"distance":-1,"#
        + #""power_suspect":true,"addresses":2,"telemetry":{"battery_mv":2987,"temperature":-2.54,"#
        + #""uptime_s":9876,"adverts_sent":123456}}],"evicted":{"beacons":2,"adverts":17}}"#
    static let emptyWindow =
        #"{"v":1,"start":"2026-03-02T09:11:51.250Z","length_ms":10000,"clock":"synced","blind_ms":0,"beacons":[]}"#

    // MARK: - Facts

    static let online =
        #"{"v":1,"state":"online","session":"9f3a-2","boot":"\#(boot)","time":"2026-03-02T09:12:01.250Z","#
        + #""clock":"synced","version":"0.1.0","libmosquitto":"2.0.11"}"#
    static let stopped =
        #"{"v":1,"state":"offline","session":"9f3a-2","reason":"stopped","boot":"\#(boot)","#
        + #""time":"2026-03-02T09:12:01.250Z","clock":"synced"}"#
    static let will =
        #"{"v":1,"state":"offline","session":"9f3a-2","reason":"connection_lost","boot":"\#(boot)"}"#
    static let firstState =
        #"{"v":1,"config":"\#(digest)","scopes":{},"conditions":{"radio":{"state":"unknown","#
        + #""since":"2026-03-02T09:12:01.250Z"},"advertising":{"state":"off"},"clock":{"state":"unsynced"},"#
        + #""outbox":{"state":"ok","events":0}}}"#
    static let goodState =
        #"{"v":1,"config":"\#(digest)","scopes":{"node":{"document":"\#(other)","result":"applied"}},"#
        + #""conditions":{"radio":{"state":"powered_on","since":"2026-03-02T09:12:01.250Z","adapter":"hci0","#
        + #""address":"dc:a6:32:01:02:03","access":"exclusive","commands":"extended","phys":["1m","coded"]},"#
        + #""advertising":{"state":"on_air","tx_power":4,\#(ibeacon)},"clock":{"state":"synced"},"#
        + #""outbox":{"state":"ok","events":3}}}"#
    static let badState =
        #"{"v":1,"config":"\#(digest)","scopes":{"node":{"document":"\#(other)","result":"rejected"}},"#
        + #""conditions":{"radio":{"state":"resetting","cause":"command_timeout","#
        + #""since":"2026-03-02T09:12:01.250Z"},"advertising":{"state":"refused","code":12},"#
        + #""clock":{"state":"synced"},"outbox":{"state":"dropped","events":100000,"dropped":5}}}"#
    static let alert =
        alert(9, #""radio","state":"blind","radio":"resetting","cause":"command_timeout""#)
        + #""text":"hci0 does not answer"}"#
    static let step =
        alert(10, #""radio","state":"resetting","cause":"command_timeout","step":"reset""#)
        + #""text":"hci0 does not answer; resetting it"}"#
    static let hearsAgain =
        alert(11, #""radio","state":"listening","blind_ms":1500"#)
        + #""text":"the radio hears again"}"#
    static let clock =
        alert(12, #""clock","state":"synced","cause":"stepped","offset_ms":1"#)
        + #""text":"it was set"}"#
    private static func alert(_ number: Int, _ members: String) -> String {
        #"{"v":1,"id":"s12-shelf-3/7/\#(number)","time":"2026-03-02T09:12:01.250Z","clock":"synced","#
            + #""boot":"\#(boot)","mono_ms":5123456,"kind":\#(members),"#
    }
    static let health =
        #"{"v":1,"time":"2026-03-02T09:12:01.250Z","clock":"synced","uptime_ms":60000,"adverts":1,"#
        + #""scan_responses":2,"matched":10,"malformed":3,"lost":4,"blind_ms":250,"beacons":11,"evicted":12,"#
        + #""published":5,"queued":6,"dropped":8,"rss_kib":9216}"#
    static let applied =
        #"{"v":1,"scope":"node","document":"\#(other)","result":"applied","time":"2026-03-02T09:12:01.250Z","#
        + #""clock":"synced","config":"\#(digest)"}"#
    static let rejected =
        #"{"v":1,"scope":"node","document":"\#(other)","result":"rejected","time":"2026-03-02T09:12:01.250Z","#
        + #""clock":"synced","errors":[{"path":"advertise.major","message":"70000 is outside 0…65535"},"#
        + #"{"path":"","message":"a \"quote\""}],"more":7,"config":"\#(digest)"}"#

    /// All of them as `mosquitto_sub -v` prints them.
    static let lines = [
        ("enter/entrance", enter), ("enter/poster", enterOfURL), ("exit/entrance", exit),
        ("exit/entrance", exitAfterRestart), ("region/entrance", uncertain),
        ("region/entrance", inside),
        ("region/entrance", outside), ("region/entrance", unknown), ("region/entrance", "(null)"),
        ("ranging/entrance", ranging), ("ranging/entrance", nothingRanged), ("window", window),
        ("window", emptyWindow), ("status", online), ("status", stopped), ("status", will), ("state", firstState),
        ("state", goodState), ("state", badState), ("alert/radio", alert), ("alert/radio", step),
        ("alert/radio", hearsAgain), ("alert/clock", clock), ("health", health), ("reply", applied),
        ("reply", rejected),
    ].map { "beacons/data/store-12/s12-shelf-3/\($0.0) \($0.1)" }
}
