import Beacon
import Testing

@testable import Agent
@testable import Presence

@Suite struct PayloadWriterTests {
    /// 2026-03-02T09:12:01.250Z, 5,123.456 s after boot.
    static let moment = Moment(
        instant: Instant(nanoseconds: 5_123_456_000_000), wall: 1_772_442_721_250_000_000, isSynchronised: true)
    static let near = DistanceEstimate(accuracy: 1.9, range: 1.1...3.4)
    static let ibeacon = BeaconIdentity.ibeacon(
        uuid: UUID128(high: 0x39ED_98FF_2900_441A, low: 0x802F_9C39_8FC1_99D2), major: 100, minor: 1)
    static let reading = BeaconReading(
        identity: ibeacon, rssi: -67.4, distance: near, proximity: .near, powerIsSuspect: false)

    var writer = PayloadWriter(site: "store-12", node: "s12-shelf-3", epoch: 7, boot: Golden.boot)
    let moment = Self.moment

    private func text(_ payload: [UInt8]) -> String { String(decoding: payload, as: UTF8.self) }

    // MARK: - Events

    @Test("an enter names its visit, its beacon and how near that is") mutating func enter() {
        let fact = Entered(
            region: "entrance", sequence: 48211, visit: VisitID(epoch: 7, sequence: 48211), time: moment.instant,
            beacon: Self.reading, notify: true)
        #expect(text(writer.entered(fact, at: moment)) == Golden.enter)
    }

    @Test("what is not known is said to be unknown, and a clock before 1970 is written as it is")
    mutating func unknowns() throws {
        let url = try #require(try EddystoneURL("https://example.com/", power: 0).identity)
        let fact = Entered(
            region: "poster", sequence: 1, visit: VisitID(epoch: 7, sequence: 1), time: moment.instant,
            beacon: BeaconReading(
                identity: url, rssi: nil, distance: .unknown, proximity: .unknown, powerIsSuspect: true),
            notify: true)
        let early = Moment(instant: moment.instant, wall: -1, isSynchronised: false)
        #expect(text(writer.entered(fact, at: early)) == Golden.enterOfURL)
    }

    @Test("an exit has the enter's visit, and what the decision rests on") mutating func exit() {
        let fact = Exited(
            region: "entrance", sequence: 48212, visit: VisitID(epoch: 7, sequence: 48211), time: moment.instant,
            beacon: Self.reading,
            lastSeen: Instant(nanoseconds: moment.instant.nanoseconds - 10_000_000_000), dwell: .seconds(42),
            reason: .silence, adverts: 412, interval: .milliseconds(102), silence: .seconds(10), blind: .zero,
            leftBefore: nil, notify: true)
        #expect(text(writer.exited(fact, at: moment)) == Golden.exit)
    }

    @Test("a visit of an earlier run keeps its id, and says between when its beacon must have left")
    mutating func restart() {
        let fact = Exited(
            region: "entrance", sequence: 2, visit: VisitID(epoch: 6, sequence: 48211), time: moment.instant,
            beacon: Self.reading,
            lastSeen: Instant(nanoseconds: moment.instant.nanoseconds - 60_000_000_000), dwell: .seconds(42),
            reason: .restart, adverts: 412, interval: nil, silence: .seconds(10), blind: .seconds(50),
            leftBefore: Instant(nanoseconds: moment.instant.nanoseconds - 10_000_000_000), notify: true)
        #expect(text(writer.exited(fact, at: moment)) == Golden.exitAfterRestart)
    }

    // MARK: - Observations

    @Test("a region is inside with its beacons, outside, or unknown with its cause") mutating func region() {
        func state(_ value: RegionState.Value, _ cause: RegionState.Cause? = nil) -> RegionState {
            RegionState(
                region: "entrance", value: value, cause: cause, since: moment.instant, beacons: 3,
                isUncertain: false)
        }
        #expect(text(writer.region(state(.inside), since: moment.wall)) == Golden.inside)
        #expect(text(writer.region(state(.outside), since: moment.wall)) == Golden.outside)
        #expect(text(writer.region(state(.unknown, .radioBlind), since: moment.wall)) == Golden.unknown)
        var uncertain = state(.inside)
        uncertain.isUncertain = true
        #expect(text(writer.region(uncertain, since: moment.wall)) == Golden.uncertain)
    }

    @Test("a second of ranging lists its beacons in the order given, or none") mutating func ranging() {
        let silent = BeaconReading(
            identity: .altbeacon(uuid: UUID128(high: 0, low: 0xFFFF), major: 0, minor: 65535), rssi: nil,
            distance: .unknown, proximity: .unknown, powerIsSuspect: true)
        var fact = Ranged(
            region: "entrance", time: moment.instant,
            items: [Ranged.Item(reading: Self.reading, adverts: 9), Ranged.Item(reading: silent, adverts: 0)],
            more: 4)
        #expect(text(writer.ranged(fact, at: moment)) == Golden.ranging)
        fact.items = []
        fact.more = 0
        let unsynced = Moment(instant: moment.instant, wall: moment.wall, isSynchronised: false)
        #expect(text(writer.ranged(fact, at: unsynced)) == Golden.nothingRanged)
    }

    private func window(_ items: [Window.Item], evicted: (Int, Int) = (0, 0), blind: Span = .zero) -> Window {
        Window(
            start: Instant(nanoseconds: moment.instant.nanoseconds - 10_000_000_000), length: .seconds(10),
            blind: blind, items: items, evictedBeacons: evicted.0, evictedAdverts: evicted.1)
    }

    private func item(_ identity: BeaconIdentity) -> Window.Item {
        Window.Item(
            identity: identity, adverts: 98, first: .milliseconds(4), last: .milliseconds(9987),
            signal: Window.Signal(minimum: -80, maximum: -60, mean: -67.24, median: -67, deviation: 3.06),
            interval: .milliseconds(100), loss: 0.02, addresses: 1, telemetry: nil, distance: Self.near,
            powerIsSuspect: false)
    }

    @Test("a window has each beacon's adverts and strengths, and what had to make room") mutating func window()
        throws
    {
        let identity = try #require(
            BeaconIdentity.eddystoneUID(
                namespace: [0xED, 0xD1, 0xEB, 0xEA, 0xC0, 0x4E, 0x5D, 0xEF, 0xA0, 0x17],
                instance: [0x0B, 0xDB, 0x87, 0x53, 0x9B, 0x67]))
        var silent = item(identity)
        (silent.adverts, silent.first, silent.last) = (1, .seconds(5), .seconds(5))
        (silent.signal, silent.distance, silent.powerIsSuspect) = (nil, .unknown, true)
        (silent.interval, silent.loss, silent.addresses) = (nil, nil, 2)
        silent.telemetry = Telemetry(
            battery: 2_987, temperatureSteps: -650, adverts: 123_456, uptimeDeciseconds: 98_765)
        let payloads = writer.window(
            window([item(Self.ibeacon), silent], evicted: (2, 17), blind: .milliseconds(20)), at: moment)
        #expect(payloads.map(text) == [Golden.window])
        #expect(writer.window(window([]), at: moment).map(text) == [Golden.emptyWindow])
    }

    @Test("a window of many beacons comes in numbered parts that each fit a message") mutating func parts() {
        let items = (0..<501).map { number in
            item(.ibeacon(uuid: UUID128(high: .max, low: .max), major: 65535, minor: UInt16(number)))
        }
        let payloads = writer.window(window(items, evicted: (2, 17)), at: moment).map(text)
        let start = #"{"v":1,"start":"2026-03-02T09:11:51.250Z","length_ms":10000,"clock":"synced","blind_ms":0,"#
        #expect(payloads.count == 3)
        for (number, payload) in payloads.enumerated() {
            #expect(payload.hasPrefix("\(start)\"beacons\":[{"))
            #expect(payload.contains("}],\"part\":\(number + 1),\"parts\":3"))
            #expect(payload.hasSuffix(#""evicted":{"beacons":2,"adverts":17}}"#) == (number == 2))
            #expect(payload.utf8.count <= 65_536 && (number == 2 || payload.utf8.count > 64_500))
        }
        #expect(payloads.map { $0.components(of: #""minor":"#) }.reduce(0, +) == 501)
        #expect(writer.window(window(Array(items.prefix(200))), at: moment).count == 1)
    }

    // MARK: - Facts

    @Test("a status is online, stopped on purpose, or the will, and names its session") mutating func status() {
        #expect(
            text(writer.online(session: "9f3a-2", version: "0.1.0", library: "2.0.11", at: moment)) == Golden.online
        )
        #expect(text(writer.stopped(session: "9f3a-2", at: moment)) == Golden.stopped)
        #expect(text(writer.lost(session: "9f3a-2")) == Golden.will)
    }

    @Test("state says what is in force and how the parts are") mutating func state() {
        var conditions = Conditions(
            configuration: Golden.digest, radioSince: moment.wall, isSynchronised: false)
        let unsynced = Moment(instant: moment.instant, wall: moment.wall, isSynchronised: false)
        #expect(text(writer.state(conditions, at: unsynced)) == Golden.firstState)

        let beacon = IBeacon(
            uuid: UUID128(high: 0x39ED_98FF_2900_441A, low: 0x802F_9C39_8FC1_99D2), major: 100, minor: 1, power: -59
        )
        conditions.layer = Conditions.Layer(document: Golden.other, result: .applied)
        conditions.radio = .listening(
            Listening(
                adapter: "hci0", address: "dc:a6:32:01:02:03", access: "exclusive", commands: "extended",
                phys: ["1m", "coded"]))
        conditions.advertising = .onAir(data: Frame.ibeacon(beacon).advertisingData(), txPower: 4)
        conditions.queuedEvents = 3
        #expect(text(writer.state(conditions, at: moment)) == Golden.goodState)

        conditions.layer?.result = .rejected
        conditions.radio = .blind(Blindness.Reason(state: .resetting, cause: "command_timeout"))
        conditions.advertising = .refused(code: 12)
        conditions.queuedEvents = 100_000
        conditions.dropped = 5
        #expect(text(writer.state(conditions, at: moment)) == Golden.badState)

        conditions.advertising = .unsupported
        #expect(text(writer.state(conditions, at: moment)).contains(#""advertising":{"state":"unsupported"}"#))
        // Bytes that are no beacon are on air all the same.
        conditions.advertising = .onAir(data: [2, 1, 6], txPower: nil)
        #expect(text(writer.state(conditions, at: moment)).contains(#""advertising":{"state":"on_air"}"#))
    }

    @Test("an alert has an id, a kind and a sentence, and what else there is to say") mutating func alert() {
        var alert = Alert(
            kind: "radio", state: "blind", text: "hci0 does not answer", cause: "command_timeout", radio: .resetting
        )
        #expect(text(writer.alert(9, alert, at: moment)) == Golden.alert)
        alert = Alert(
            kind: "radio", state: "resetting", text: "hci0 does not answer; resetting it", cause: "command_timeout",
            step: "reset")
        #expect(text(writer.alert(10, alert, at: moment)) == Golden.step)
        alert = Alert(kind: "radio", state: "listening", text: "the radio hears again", blind: .milliseconds(1500))
        #expect(text(writer.alert(11, alert, at: moment)) == Golden.hearsAgain)
        alert = Alert(kind: "clock", state: "synced", text: "it was set", cause: "stepped", offset: 1_500_000)
        #expect(text(writer.alert(12, alert, at: moment)) == Golden.clock)
    }

    @Test("health is the counters in a fixed order") mutating func health() {
        var counters = Counters()
        (counters.adverts, counters.scanResponses, counters.malformed, counters.lost) = (1, 2, 3, 4)
        (counters.published, counters.queued, counters.queuedEvents, counters.dropped) = (5, 6, 7, 8)
        counters.residentKiB = 9216
        let payload = writer.health(
            counters, matched: 10, beacons: 11, evicted: 12, uptime: .seconds(60), blind: .milliseconds(250),
            at: moment)
        #expect(text(payload) == Golden.health)
    }

    @Test("a reply names the document, the result and what is in force, and every problem with its path")
    mutating func reply() {
        var reply = Reply(document: Golden.other, result: .applied, configuration: Golden.digest)
        #expect(text(writer.reply(reply, at: moment)) == Golden.applied)
        reply.result = .rejected
        reply.problems = [
            Reply.Problem(path: "advertise.major", message: "70000 is outside 0…65535"),
            Reply.Problem(path: "", message: #"a "quote""#),
        ]
        reply.more = 7
        #expect(text(writer.reply(reply, at: moment)) == Golden.rejected)
    }
}

extension String {
    /// How often a text occurs in this.
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
