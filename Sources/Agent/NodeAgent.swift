internal import Beacon
public import Presence

/// The agent's mind: events in, effects out. It has no clock, does no I/O and cannot be interleaved.
public struct NodeAgent {
    /// What the agent is started with.
    public struct Start: Sendable {
        /// The configuration's layers.
        public var stack: ConfigurationStack
        /// The part of ids that no other run of this node has.
        public var epoch: UInt64
        /// The kernel's boot id.
        public var boot: String
        /// This program's version.
        public var version: String
        /// libmosquitto's version.
        public var library: String
        /// Whether beacons outside every region are shown in windows too.
        public var watchesEverything = false
        /// The visits that were open when an earlier run ended.
        public var visits: [OpenVisit] = []

        /// Makes a start.
        public init(
            stack: ConfigurationStack, epoch: UInt64, boot: String, version: String, library: String
        ) {
            self.stack = stack
            self.epoch = epoch
            self.boot = boot
            self.version = version
            self.library = library
        }
    }

    /// The time between two health messages.
    public static let healthInterval = Span.seconds(60)
    /// From here on a change of the wall clock is a step, and not the slow correction that keeps it right.
    static let clockStep = Span.seconds(1)
    /// How much of somebody else's sentence is shown, in scalars: a path and what the system says of it.
    static let sentenceLimit = 400

    private let start: Start
    let startedAt: Instant
    var control: Control
    var presence: PresenceEngine
    var payloads: PayloadWriter
    var topics: Topics
    var conditions: Conditions
    /// Whether the state topic is to be published at the end of this event.
    var stateIsStale = true
    /// What has been told of the time in which the radio hears nothing; nil while it hears.
    var blindness: Blindness?
    private var counters = Counters()
    private var matched: UInt64 = 0
    private var nextHealth: Instant
    /// Nanoseconds from the monotonic clock to the wall clock, as they were when that was last told.
    private var clockOffset: Int64
    /// The session that the broker knows this connection by; nil while there is none.
    private(set) var session: String?
    /// Since when each region has been what it is, on the wall clock as it was when that was first told.
    private var told: [String: (since: Instant, wall: Int64)] = [:]

    /// Starts at a moment. Perform `opening` before anything is handled.
    public init(_ start: Start, at moment: Moment) {
        self.start = start
        startedAt = moment.instant
        control = Control(start.stack)
        let configuration = start.stack.configuration
        presence = PresenceEngine(
            configuration.presence(watchesEverything: start.watchesEverything), at: moment.instant,
            epoch: start.epoch, continuing: start.visits)
        payloads = PayloadWriter(
            site: configuration.site, node: configuration.node, epoch: start.epoch, boot: start.boot,
            payloadLimit: configuration.mqtt.maxPayload)
        topics = configuration.topics
        conditions = Conditions(
            configuration: start.stack.hash, layer: Conditions.Layer(start.stack.layer), radioSince: moment.wall,
            isSynchronised: moment.isSynchronised)
        nextHealth = moment.instant + Self.healthInterval
        clockOffset = moment.wall &- moment.instant.nanoseconds
    }

    /// What is to be done first: radio, queue, broker.
    public mutating func opening(at moment: Moment) -> [Effect] {
        let configuration = control.configuration
        var effects: [Effect] = [
            .limitQueue(events: configuration.limits.queuedEvents, windows: configuration.limits.queuedWindows),
            .tune(configuration.tuning),
            .reconnect(configuration.brokerAccess),
        ]
        if case .refused(let problems) = control.stack.layer?.standing {
            effects.append(.log(.error, "the stored document is not in force:\n\(problems)"))
        }
        settle(&effects, at: moment)
        return effects
    }

    /// Makes the payload of the will for a session; on any thread, for the will is part of connecting.
    public var will: @Sendable (_ session: String) -> [UInt8] {
        let payloads = payloads
        return { session in
            var payloads = payloads
            return payloads.lost(session: session)
        }
    }

    /// What the radio is to do.
    public var tuning: RadioTuning { control.configuration.tuning }

    /// What is logged: this and what is more urgent.
    public var logLevel: LogLevel { control.configuration.log.level }

    /// The visits that are open, for the next run to go on with.
    public func openVisits(at moment: Moment) -> [OpenVisit] { presence.openVisits(at: moment.instant) }

    /// When there is something to do although nothing happens.
    public var nextDeadline: Instant { min(presence.nextDeadline, nextHealth) }

    /// Decides about one event. Events come in the order of their moments.
    public mutating func handle(_ event: Event, at moment: Moment) -> [Effect] {
        if case .sighted(let sighting) = event {
            // The path of every advert: unless something follows from it, nothing is allocated.
            if presence.sighted(sighting) { matched += 1 }
            if !presence.hasOutcomes { return [] }
        }
        var effects: [Effect] = []
        switch event {
        case .sighted: break
        case .telemetry(let telemetry, let source):
            presence.heard(telemetry, from: source, at: moment.instant)
            if !presence.hasOutcomes { return [] }
        case .ticked(let counters): tick(counters, &effects, at: moment)
        case .radio(let report): radio(report, &effects, at: moment)
        case .connected(let session): connected(session, &effects, at: moment)
        case .disconnected: session = nil
        case .received(let message): received(message, &effects, at: moment)
        case .stored(let token, let failure): stored(token, failure, &effects, at: moment)
        case .fileRead(let result): fileRead(result, &effects, at: moment)
        case .stopping: stop(&effects, at: moment)
        }
        settle(&effects, at: moment)
        return effects
    }

    /// What is left to say at the end of a capture: the window so far, and the counters.
    public mutating func finish(_ counters: Counters, at moment: Moment) -> [Effect] {
        var effects: [Effect] = []
        self.counters = counters
        presence.advance(to: moment.instant)
        presence.endWindow(at: moment.instant)
        settle(&effects, at: moment)
        health(&effects, at: moment)
        return effects
    }

    // MARK: - Time

    private mutating func tick(_ counters: Counters, _ effects: inout [Effect], at moment: Moment) {
        self.counters = counters
        presence.advance(to: judged(moment))
        clock(&effects, at: moment)
        if moment.instant >= nextHealth {
            settle(&effects, at: moment)
            health(&effects, at: moment)
            // From now and not from the last one: after a pause the missed ones are not made up for.
            nextHealth = moment.instant + Self.healthInterval
        }
    }

    /// What is told about the wall clock: that it can be trusted or no longer can, and where it stands against the
    /// monotonic one, so that times told before can be put right. A time once told is never told otherwise.
    private mutating func clock(_ effects: inout [Effect], at moment: Moment) {
        let offset = moment.wall &- moment.instant.nanoseconds
        let step = offset.subtractingReportingOverflow(clockOffset)
        let hasStepped = step.overflow || step.partialValue.magnitude >= UInt64(Self.clockStep.nanoseconds)
        let isNews = moment.isSynchronised != conditions.isSynchronised
        if !isNews && !hasStepped { return }
        conditions.isSynchronised = moment.isSynchronised
        stateIsStale = true
        clockOffset = offset
        let text =
            hasStepped
            ? "the wall clock was set" : "the wall clock can \(moment.isSynchronised ? "" : "no longer ")be trusted"
        effects.append(.log(.info, "clock: \(text)"))
        alert(
            Alert(
                kind: "clock", state: moment.clock, text: text, cause: hasStepped ? "stepped" : nil, offset: offset),
            &effects, at: moment)
    }

    /// Up to when silence can be judged: a radio that hangs is as silent as a store that is empty.
    func judged(_ moment: Moment) -> Instant {
        guard case .listening = conditions.radio, let proven = counters.radioProvenUntil else {
            return moment.instant
        }
        return min(moment.instant, proven)
    }

    private mutating func health(_ effects: inout [Effect], at moment: Moment) {
        if counters.queuedEvents != conditions.queuedEvents || counters.dropped != conditions.dropped {
            conditions.queuedEvents = counters.queuedEvents
            conditions.dropped = counters.dropped
            stateIsStale = true
        }
        let payload = payloads.health(
            counters, matched: matched, beacons: presence.beaconCount, evicted: presence.evicted,
            uptime: moment.instant - startedAt, blind: presence.blindness(at: moment.instant), at: moment)
        effects.append(.publish(Message(.fleeting, topic: topics.health, payload: payload, qos: 0)))
    }

    private mutating func stop(_ effects: inout [Effect], at moment: Moment) {
        presence.advance(to: judged(moment))
        presence.endWindow(at: moment.instant)
        settle(&effects, at: moment)
        guard let session else { return }
        effects.append(
            .farewell(
                Message(
                    .latest, topic: topics.status, payload: payloads.stopped(session: session, at: moment),
                    retain: true)))
    }

    // MARK: - Alerts

    mutating func alert(_ alert: Alert, _ effects: inout [Effect], at moment: Moment) {
        // What presence has found out has lower numbers, and goes first.
        tell(&effects, at: moment)
        var alert = alert
        alert.text = escaped(alert.text, limit: Self.sentenceLimit)
        let payload = payloads.alert(presence.takeSequence(), alert, at: moment)
        effects.append(.publish(Message(.event, topic: topics.alert(alert.kind), payload: payload)))
    }

    // MARK: - Broker

    /// Retained facts are said again at every connect: the broker may have lost them, and the will has spoiled one.
    private mutating func connected(_ session: String, _ effects: inout [Effect], at moment: Moment) {
        self.session = session
        let payload = payloads.online(
            session: session, version: start.version, library: start.library, at: moment)
        effects.append(.publish(Message(.latest, topic: topics.status, payload: payload, retain: true)))
        for state in presence.regionStates { effects.append(region(state, at: moment)) }
        stateIsStale = true
    }

    /// Turns what presence found out into messages.
    mutating func tell(_ effects: inout [Effect], at moment: Moment) {
        for outcome in presence.takeOutcomes() { publish(outcome, &effects, at: moment) }
    }

    /// Turns what presence found out, and a state that changed, into messages.
    private mutating func settle(_ effects: inout [Effect], at moment: Moment) {
        tell(&effects, at: moment)
        guard stateIsStale else { return }
        stateIsStale = false
        let payload = payloads.state(conditions, at: moment)
        effects.append(.publish(Message(.latest, topic: topics.state, payload: payload, retain: true)))
    }

    private mutating func publish(_ outcome: Outcome, _ effects: inout [Effect], at moment: Moment) {
        switch outcome {
        case .entered(let fact):
            effects.append(.log(.debug, "enter \(fact.region): \(fact.beacon.identity)"))
            guard fact.notify else { return }
            let payload = payloads.entered(fact, at: moment)
            effects.append(.publish(Message(.event, topic: topics.enter(fact.region), payload: payload)))
        case .exited(let fact):
            effects.append(.log(.debug, "exit \(fact.region): \(fact.reason.rawValue)"))
            guard fact.notify else { return }
            let payload = payloads.exited(fact, at: moment)
            effects.append(.publish(Message(.event, topic: topics.exit(fact.region), payload: payload)))
        case .regionIs(let state):
            effects.append(region(state, at: moment))
        case .regionRemoved(let id):
            told[id] = nil
            effects.append(.publish(Message(.latest, topic: topics.region(id), payload: [], retain: true)))
        case .ranged(let fact):
            let payload = payloads.ranged(fact, at: moment)
            effects.append(
                .publish(Message(.fleeting, topic: topics.ranging(fact.region), payload: payload, qos: 0)))
        case .windowEnded(let window):
            for payload in payloads.window(window, at: moment) {
                effects.append(.publish(Message(.window, topic: topics.window, payload: payload)))
            }
        }
    }

    private mutating func region(_ state: RegionState, at moment: Moment) -> Effect {
        var since = moment.wallTime(of: state.since)
        // A clock that was set in the meantime does not change what was said before.
        if let told = told[state.region], told.since == state.since { since = told.wall }
        told[state.region] = (state.since, since)
        let payload = payloads.region(state, since: since)
        return .publish(Message(.latest, topic: topics.region(state.region), payload: payload, retain: true))
    }
}
